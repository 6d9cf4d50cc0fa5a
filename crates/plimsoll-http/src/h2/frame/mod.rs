//! Frames (RFC 9113 sections 4 and 6): nine bytes of header, and writers for what we send.
//!
//! Reading stops at the header here: what a payload means depends on the connection, which this does not know.
//! The writers check nothing either, so that a scripted server can be as wrong as a test wants.

mod code;
mod header;
mod put;

pub use code::ErrorCode;
pub use header::{FrameHeader, Kind, StreamId, flag};
pub use put::{
    put_data, put_goaway, put_headers, put_ping, put_rst_stream, put_settings, put_settings_ack, put_window_update,
};

/// What a client sends before its first frame.
pub const PREFACE: &[u8; 24] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
/// The longest payload either side may send before it is told otherwise.
pub const FRAME_BYTES_DEFAULT: u32 = 16_384;
/// The longest payload a frame header can announce.
pub const FRAME_BYTES_MAX: u32 = (1 << 24) - 1;
/// The window of a connection, and of each stream, before anyone changes it.
pub const WINDOW_DEFAULT: u32 = 65_535;
/// The largest window there may be.
pub const WINDOW_MAX: u32 = (1 << 31) - 1;

/// The settings of RFC 9113 section 6.5.2, by the number that stands for them.
pub mod setting {
    /// The size of the dynamic table that the sender decodes with.
    pub const HEADER_TABLE_SIZE: u16 = 1;
    /// Whether the sender accepts pushes: 0 or 1.
    pub const ENABLE_PUSH: u16 = 2;
    /// How many streams the other side may have open.
    pub const MAX_CONCURRENT_STREAMS: u16 = 3;
    /// The window each stream begins with.
    pub const INITIAL_WINDOW_SIZE: u16 = 4;
    /// The longest payload the sender reads.
    pub const MAX_FRAME_SIZE: u16 = 5;
    /// The largest list of fields the sender reads, 32 bytes added for each.
    pub const MAX_HEADER_LIST_SIZE: u16 = 6;
}
