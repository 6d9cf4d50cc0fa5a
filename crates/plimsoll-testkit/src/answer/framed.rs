//! Proper answers in HTTP/2: the same status, fields and body, in frames.

use super::Reply;
use crate::behaviour::Framing;
use crate::http2::{Block, Part, Script};
use crate::script::Flow;

impl Reply {
    /// The plan of sending it on a stream.
    pub(crate) fn framed(&self, head_only: bool) -> Script {
        let bodiless = head_only || matches!(self.status, 204 | 304);
        let has_body = !bodiless && self.body.size > 0;
        let has_trailers = !bodiless && !self.trailers.is_empty();
        let interim = |status: &u16| Part::Head { block: Block::answer(*status).done(), last: false };
        let mut parts: Vec<Part> = self.interim.iter().map(interim).collect();
        parts.push(Part::Head { block: self.block().done(), last: !has_body && !has_trailers });
        if has_body {
            let flow = Flow::repeated(self.body.block.as_slice(), self.body.size).paced(self.pace);
            parts.push(Part::Body { flow, last: !has_trailers });
        }
        if has_trailers {
            parts.push(Part::Head { block: fields(Block::default(), &self.trailers).done(), last: true });
        }
        Script { status: self.status, parts }
    }

    fn block(&self) -> Block {
        let block = fields(Block::answer(self.status), &self.headers);
        match self.framing {
            Framing::Length if self.status != 204 => block.field("content-length", self.body.size.to_string()),
            // Frames say where a body ends.
            _ => block,
        }
    }
}

fn fields(block: Block, lines: &str) -> Block {
    lines
        .lines()
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name.to_ascii_lowercase(), value))
        .filter(|(name, _)| !is_about_the_connection(name))
        .fold(block, |block, (name, value)| block.field(&name, value))
}

/// RFC 9113, 8.2.2: there is no such field in HTTP/2. One that is sent nevertheless is in the catalogue.
fn is_about_the_connection(name: &str) -> bool {
    matches!(name, "connection" | "keep-alive" | "proxy-connection" | "transfer-encoding" | "upgrade")
}
