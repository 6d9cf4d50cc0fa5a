//! A wire tap: lies between plimsoll and a server, passes every byte on, and keeps what went each way.

use std::io::{Read, Write};
use std::net::{IpAddr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

/// A wire tap in front of one server.
pub(crate) struct Tap {
    pub(crate) address: SocketAddr,
    heard: Arc<Mutex<Heard>>,
}

/// What was heard so far.
#[derive(Default)]
struct Heard {
    sent: Vec<u8>,
    answered: Vec<u8>,
    from: Vec<IpAddr>,
}

impl Tap {
    /// Listens on a free port of loopback.
    pub(crate) fn before(server: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("loopback has a free port");
        let address = listener.local_addr().expect("it is bound");
        let heard = Arc::<Mutex<Heard>>::default();
        let (theirs, server) = (Arc::clone(&heard), server.to_owned());
        // It ends with the process of the tests.
        thread::spawn(move || {
            while let Ok((client, from)) = listener.accept() {
                lock(&theirs).from.push(from.ip());
                pass_on(&client, &server, &theirs);
            }
        });
        Self { address, heard }
    }

    /// A URL of the server behind.
    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// All that was sent to the server.
    pub(crate) fn sent(&self) -> String {
        String::from_utf8_lossy(&lock(&self.heard).sent).into_owned()
    }

    /// All that the server answered.
    pub(crate) fn answered(&self) -> String {
        String::from_utf8_lossy(&lock(&self.heard).answered).into_owned()
    }

    /// Where connections came from, in order.
    pub(crate) fn came_from(&self) -> Vec<IpAddr> {
        lock(&self.heard).from.clone()
    }
}

fn pass_on(client: &TcpStream, server: &str, heard: &Arc<Mutex<Heard>>) {
    let server = TcpStream::connect(server).expect("the server accepts");
    let clone = |stream: &TcpStream| stream.try_clone().expect("a socket can be shared");
    copy(clone(client), clone(&server), Arc::clone(heard), |heard| &mut heard.sent);
    copy(server, clone(client), Arc::clone(heard), |heard| &mut heard.answered);
}

fn copy(mut from: TcpStream, mut to: TcpStream, heard: Arc<Mutex<Heard>>, into: fn(&mut Heard) -> &mut Vec<u8>) {
    thread::spawn(move || {
        let mut buffer = [0; 16 * 1024];
        while let Ok(count @ 1..) = from.read(&mut buffer) {
            into(&mut lock(&heard)).extend(&buffer[..count]);
            if to.write_all(&buffer[..count]).is_err() {
                break;
            }
        }
        // Either side may have gone already.
        let _ = to.shutdown(Shutdown::Write);
    });
}

fn lock(heard: &Mutex<Heard>) -> MutexGuard<'_, Heard> {
    heard.lock().unwrap_or_else(PoisonError::into_inner)
}
