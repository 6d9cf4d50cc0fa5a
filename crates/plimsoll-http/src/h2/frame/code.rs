//! Why a stream or a connection was given up (RFC 9113 section 7).

use std::fmt;

/// The code of a `RST_STREAM` or `GOAWAY`; any 32 bits are one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ErrorCode(pub u32);

/// Code, name in the standard, and what it says in words.
const KNOWN: [(&str, &str); 14] = [
    ("NO_ERROR", "nothing is wrong"),
    ("PROTOCOL_ERROR", "the protocol was broken"),
    ("INTERNAL_ERROR", "the sender failed inside"),
    ("FLOW_CONTROL_ERROR", "more was sent than the window allowed"),
    ("SETTINGS_TIMEOUT", "settings were not acknowledged in time"),
    ("STREAM_CLOSED", "a frame came for a stream that had ended"),
    ("FRAME_SIZE_ERROR", "a frame had a wrong length"),
    ("REFUSED_STREAM", "the stream was refused before anything was done"),
    ("CANCEL", "the stream is not wanted any more"),
    ("COMPRESSION_ERROR", "the header compression went wrong"),
    ("CONNECT_ERROR", "the connection behind a tunnel failed"),
    ("ENHANCE_YOUR_CALM", "too much was asked of the sender"),
    ("INADEQUATE_SECURITY", "the encryption is too weak"),
    ("HTTP_1_1_REQUIRED", "HTTP/1.1 is to be used instead"),
];

impl ErrorCode {
    /// A stream or connection that ended as it should.
    pub const NO_ERROR: Self = Self(0);
    /// The other side broke the protocol.
    pub const PROTOCOL_ERROR: Self = Self(1);
    /// The sender failed inside.
    pub const INTERNAL_ERROR: Self = Self(2);
    /// More came than the window allowed.
    pub const FLOW_CONTROL_ERROR: Self = Self(3);
    /// Settings were not acknowledged in time.
    pub const SETTINGS_TIMEOUT: Self = Self(4);
    /// A frame came for a stream that had ended.
    pub const STREAM_CLOSED: Self = Self(5);
    /// A frame had a wrong length.
    pub const FRAME_SIZE_ERROR: Self = Self(6);
    /// The stream was refused before anything was done for it.
    pub const REFUSED_STREAM: Self = Self(7);
    /// The stream is not wanted any more.
    pub const CANCEL: Self = Self(8);
    /// The header compression went wrong.
    pub const COMPRESSION_ERROR: Self = Self(9);
    /// The connection behind a tunnel failed.
    pub const CONNECT_ERROR: Self = Self(10);
    /// The other side asks too much.
    pub const ENHANCE_YOUR_CALM: Self = Self(11);
    /// The encryption is too weak for HTTP/2.
    pub const INADEQUATE_SECURITY: Self = Self(12);
    /// The sender wants to speak HTTP/1.1.
    pub const HTTP_1_1_REQUIRED: Self = Self(13);

    /// The name in the standard; `UNKNOWN` where it has none.
    pub fn name(self) -> &'static str {
        self.known().map_or("UNKNOWN", |(name, _)| name)
    }

    fn known(self) -> Option<(&'static str, &'static str)> {
        KNOWN.get(usize::try_from(self.0).ok()?).copied()
    }
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.known() {
            Some((name, words)) => write!(f, "{name} ({words})"),
            None => write!(f, "code {} (not in the standard)", self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(code: ErrorCode, name: &str, shown: &str) {
        assert_eq!((code.name(), &*code.to_string()), (name, shown));
    }

    #[test]
    fn codes_in_words() {
        check(ErrorCode::NO_ERROR, "NO_ERROR", "NO_ERROR (nothing is wrong)");
        check(ErrorCode::CANCEL, "CANCEL", "CANCEL (the stream is not wanted any more)");
        check(ErrorCode::HTTP_1_1_REQUIRED, "HTTP_1_1_REQUIRED", "HTTP_1_1_REQUIRED (HTTP/1.1 is to be used instead)");
        check(ErrorCode(14), "UNKNOWN", "code 14 (not in the standard)");
        check(ErrorCode(u32::MAX), "UNKNOWN", "code 4294967295 (not in the standard)");
    }
}
