//! Header blocks that mean the same on every connection (RFC 7541): fields written out, no table used. So they are
//! made once, like the bytes of HTTP/1.1, and one that is wrong is as easily made.

use std::rc::Rc;

/// A header block that is being written.
#[derive(Debug, Clone, Default)]
pub(crate) struct Block(Vec<u8>);

impl Block {
    /// Begins an answer.
    pub(crate) fn answer(status: u16) -> Self {
        // RFC 7541, appendix A: these have an index of their own, and 8 is also the index of the name.
        let index = match status {
            200 => Some(8),
            204 => Some(9),
            206 => Some(10),
            304 => Some(11),
            400 => Some(12),
            404 => Some(13),
            500 => Some(14),
            _ => None,
        };
        match index {
            Some(index) => Self(vec![0x80 | index]),
            None => {
                let mut block = Self(vec![8]);
                block.put_text(format!("{status:03}").as_bytes());
                block
            }
        }
    }

    /// Adds a field; nothing is checked, not even its case.
    pub(crate) fn field(mut self, name: &str, value: impl AsRef<[u8]>) -> Self {
        self.0.push(0);
        self.put_text(name.as_bytes());
        self.put_text(value.as_ref());
        self
    }

    /// Adds bytes that are no field of ours.
    pub(crate) fn raw(mut self, bytes: &[u8]) -> Self {
        self.0.extend_from_slice(bytes);
        self
    }

    /// The block.
    pub(crate) fn done(self) -> Rc<[u8]> {
        self.0.into()
    }

    /// A string that is not coded.
    fn put_text(&mut self, text: &[u8]) {
        let length = text.len();
        if length < 0x7f {
            self.0.push(length as u8);
        } else {
            self.0.push(0x7f);
            let mut rest = length - 0x7f;
            while rest >= 0x80 {
                self.0.push((rest % 0x80) as u8 | 0x80);
                rest /= 0x80;
            }
            self.0.push(rest as u8);
        }
        self.0.extend_from_slice(text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plimsoll_http::h2::hpack::Decoder;

    #[test]
    fn a_client_reads_what_was_written() {
        for (status, length) in [(200, 0), (201, 126), (404, 127), (999, 128), (500, 300), (503, 20_000)] {
            let value = "v".repeat(length);
            let block = Block::answer(status).field("x-name", &value).done();
            let mut fields = Vec::new();
            let read = Decoder::new().decode(&block, |name, value| fields.push((name.to_vec(), value.to_vec())));
            assert_eq!(read, Ok(None));
            let status = (b":status".to_vec(), status.to_string().into_bytes());
            assert_eq!(fields, [status, (b"x-name".to_vec(), value.into_bytes())]);
        }
    }
}
