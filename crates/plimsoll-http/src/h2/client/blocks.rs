//! Header blocks that can be sent again.
//!
//! A request that was sent before on this connection has all its fields in the table, so its block is the same bytes
//! each time, and opening a stream is copying them. That holds until the encoder's version changes.

use std::sync::Arc;

use crate::h2::hpack::Encoder;
use crate::h2::request::Request;

/// How many requests are remembered; a journey of more steps encodes each of them anew.
const REMEMBERED_MAX: usize = 16;

#[derive(Debug, Default)]
pub(super) struct Blocks {
    encoder: Encoder,
    remembered: Vec<Remembered>,
    /// Which is forgotten next, once there are enough.
    oldest: usize,
}

#[derive(Debug)]
struct Remembered {
    /// Held, so that no other request can come to lie at the same address.
    request: Arc<Request>,
    block: Vec<u8>,
    /// The encoder's version the block is good for; none while encoding it changes the table.
    version: Option<u32>,
}

impl Blocks {
    pub(super) fn set_table_bytes(&mut self, bytes: u32) {
        self.encoder.set_table_bytes(bytes);
    }

    /// The block that opens a stream with this request. It must be sent, and before the next is asked for.
    #[inline]
    pub(super) fn block(&mut self, request: &Arc<Request>) -> &[u8] {
        let at = self.remembered.iter().position(|slot| Arc::ptr_eq(&slot.request, request));
        let at = at.unwrap_or_else(|| self.remember(request));
        let slot = &mut self.remembered[at];
        let version = self.encoder.version();
        if slot.version != Some(version) {
            slot.block.clear();
            self.encoder.encode(slot.request.fields(), &mut slot.block);
            slot.version = (self.encoder.version() == version).then_some(version);
        }
        &slot.block
    }

    #[cold]
    fn remember(&mut self, request: &Arc<Request>) -> usize {
        let request = Arc::clone(request);
        if self.remembered.len() < REMEMBERED_MAX {
            self.remembered.push(Remembered { request, block: Vec::new(), version: None });
            return self.remembered.len() - 1;
        }
        let at = self.oldest;
        self.oldest = (at + 1) % REMEMBERED_MAX;
        let slot = &mut self.remembered[at];
        (slot.request, slot.version) = (request, None);
        at
    }
}
