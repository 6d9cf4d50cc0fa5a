//! A way through a proxy for bytes that it cannot read (RFC 9110, section 9.3.6).

use std::future::poll_fn;
use std::io;

use plimsoll_http::{Fed, ResponseParser};
use plimsoll_model::Outcome;

use crate::carrier::Carrier;
use crate::dial::DialError;
use crate::fault::Fault;
use crate::worker::Worker;

/// Sends `CONNECT` and awaits the proxy's consent.
pub(crate) async fn dig(carrier: &mut Carrier, request: &[u8], worker: &Worker) -> Result<(), DialError> {
    let mut sent = 0;
    while sent < request.len() {
        sent += poll_fn(|cx| carrier.poll_write(cx, &request[sent..])).await.map_err(DialError::Connect)?;
    }
    let mut parser = ResponseParser::new();
    // What follows the head is the tunnel, so there is no body to wait for.
    parser.begin(true);
    loop {
        let fed = poll_fn(|cx| {
            let mut buffer = worker.buffer();
            carrier.poll_read(cx, &mut buffer).map(|came| {
                let bytes = came?.bytes;
                if bytes.is_empty() {
                    return Err(io::Error::from(io::ErrorKind::UnexpectedEof));
                }
                Ok(parser.feed(bytes, &mut ()))
            })
        });
        match fed.await.map_err(|_| refused("it closed the connection"))? {
            Ok(Fed::More) => {}
            Ok(Fed::Done { .. }) if (200..300).contains(&parser.status()) => return Ok(()),
            Ok(Fed::Done { .. }) => return Err(refused(&format!("it answered {}", parser.status()))),
            Err(error) => return Err(refused(&error.to_string())),
        }
    }
}

fn refused(why: &str) -> DialError {
    DialError::Fault(Fault::new(Outcome::Connect, format!("no way through the proxy: {why}")))
}
