//! Frames about the connection, and about streams as such: settings, pings, windows, and the ends of things.

use super::{Client, Effects, Goaway};
use crate::h2::error::H2Error;
use crate::h2::events::{Events, StreamFailure};
use crate::h2::frame::{
    self, ErrorCode, FRAME_BYTES_DEFAULT, FRAME_BYTES_MAX, FrameHeader, Kind, StreamId, WINDOW_MAX, flag, setting,
};

impl Client {
    pub(super) fn settings<E>(
        &mut self,
        header: &FrameHeader,
        payload: &[u8],
        to: &mut Effects<'_, E>,
    ) -> Result<(), H2Error> {
        expect_connection(header)?;
        if header.has(flag::ACK) {
            return Ok(());
        }
        if !std::mem::replace(&mut self.is_settled, true) {
            // Who names no number sets no limit (RFC 9113 section 6.5.2).
            self.streams_max = u32::MAX;
        }
        for &[id0, id1, v0, v1, v2, v3] in payload.as_chunks::<6>().0 {
            self.setting(u16::from_be_bytes([id0, id1]), u32::from_be_bytes([v0, v1, v2, v3]))?;
        }
        self.owe(0)?;
        frame::put_settings_ack(to.out);
        // Windows may have opened.
        self.resume(to.out);
        Ok(())
    }

    fn setting(&mut self, id: u16, value: u32) -> Result<(), H2Error> {
        match id {
            setting::HEADER_TABLE_SIZE => self.blocks.set_table_bytes(value),
            setting::ENABLE_PUSH => {
                // RFC 9113 section 6.5.2: a server may not ask for pushes.
                check(value == 0, "SETTINGS_ENABLE_PUSH", value, "0")?;
            }
            setting::MAX_CONCURRENT_STREAMS => self.streams_max = value,
            setting::INITIAL_WINDOW_SIZE => {
                check(value <= WINDOW_MAX, "SETTINGS_INITIAL_WINDOW_SIZE", value, "below 2^31")?;
                self.shift_windows(value)?;
            }
            setting::MAX_FRAME_SIZE => {
                let allowed = FRAME_BYTES_DEFAULT..=FRAME_BYTES_MAX;
                check(allowed.contains(&value), "SETTINGS_MAX_FRAME_SIZE", value, "in [2^14, 2^24 - 1]")?;
                self.sender.set_frame_bytes_max(value.min(4 * FRAME_BYTES_DEFAULT));
            }
            _ => {}
        }
        Ok(())
    }

    /// RFC 9113 section 6.9.2: the windows of open streams change by as much as that of new ones.
    fn shift_windows(&mut self, bytes: u32) -> Result<(), H2Error> {
        let by = self.sender.set_stream_window(bytes);
        for stream in self.streams.iter_mut() {
            stream.send_window += by;
            if stream.send_window > i64::from(WINDOW_MAX) {
                return Err(H2Error::WindowOverflow { stream: stream.id });
            }
        }
        Ok(())
    }

    pub(super) fn ping<E>(
        &mut self,
        header: &FrameHeader,
        payload: &[u8],
        to: &mut Effects<'_, E>,
    ) -> Result<(), H2Error> {
        expect_connection(header)?;
        if let Some(&opaque) = payload.first_chunk()
            && !header.has(flag::ACK)
        {
            self.owe(opaque.len())?;
            frame::put_ping(to.out, true, opaque);
        }
        Ok(())
    }

    pub(super) fn goaway_came<E: Events>(
        &mut self,
        header: &FrameHeader,
        payload: &[u8],
        to: &mut Effects<'_, E>,
    ) -> Result<(), H2Error> {
        expect_connection(header)?;
        let (last, code) = (StreamId::new(number(payload)), ErrorCode(number(&payload[4..])));
        if let Some(before) = self.goaway.filter(|before| last > before.last) {
            return Err(H2Error::GoawayRose { first: before.last, second: last });
        }
        self.goaway = Some(Goaway { last, code });
        for id in self.streams.ids() {
            if id > last && self.remove(id).is_some() {
                // What still comes of it is late, as if we had reset it.
                self.newest_reset = self.newest_reset.max(id);
                to.events.failed(id, StreamFailure::Refused);
            }
        }
        Ok(())
    }

    pub(super) fn window_update<E: Events>(
        &mut self,
        header: &FrameHeader,
        payload: &[u8],
        to: &mut Effects<'_, E>,
    ) -> Result<(), H2Error> {
        let (id, increment) = (header.stream, number(payload) & WINDOW_MAX);
        if id == StreamId::CONNECTION {
            if increment == 0 {
                return Err(H2Error::ZeroIncrement { stream: id });
            }
            if !self.sender.widen(increment) {
                return Err(H2Error::WindowOverflow { stream: id });
            }
        } else {
            self.expect_opened(header)?;
            let Some(stream) = self.streams.get_mut(id) else { return Ok(()) };
            stream.send_window += i64::from(increment);
            if increment == 0 {
                return self.fail(id, H2Error::ZeroIncrement { stream: id }, to);
            }
            if stream.send_window > i64::from(WINDOW_MAX) {
                return self.fail(id, H2Error::WindowOverflow { stream: id }, to);
            }
        }
        self.resume(to.out);
        Ok(())
    }

    pub(super) fn rst_stream<E: Events>(
        &mut self,
        header: &FrameHeader,
        payload: &[u8],
        to: &mut Effects<'_, E>,
    ) -> Result<(), H2Error> {
        self.expect_opened(header)?;
        if self.remove(header.stream).is_some() {
            let failure = match ErrorCode(number(payload)) {
                ErrorCode::REFUSED_STREAM => StreamFailure::Refused,
                code => StreamFailure::Reset { code },
            };
            to.events.failed(header.stream, failure);
        }
        Ok(())
    }

    /// A frame of one stream must be of one that we have opened, now or earlier.
    #[inline]
    pub(super) fn expect_opened(&self, header: &FrameHeader) -> Result<(), H2Error> {
        let (kind, stream) = (header.kind, header.stream);
        let expected = if stream == StreamId::CONNECTION {
            "a stream"
        } else if !stream.is_clients() {
            "a stream of the client, which have odd numbers"
        } else if stream.get() >= self.next_id {
            "a stream that was opened"
        } else {
            return Ok(());
        };
        Err(H2Error::WrongStream { kind, stream, expected })
    }
}

fn expect_connection(header: &FrameHeader) -> Result<(), H2Error> {
    let (kind, stream) = (header.kind, header.stream);
    match kind {
        Kind::Settings | Kind::Ping | Kind::Goaway if stream != StreamId::CONNECTION => {
            Err(H2Error::WrongStream { kind, stream, expected: "the connection (stream 0)" })
        }
        _ => Ok(()),
    }
}

fn check(is_good: bool, name: &'static str, value: u32, expected: &'static str) -> Result<(), H2Error> {
    if is_good { Ok(()) } else { Err(H2Error::Setting { name, value, expected }) }
}

/// The 32 bits at the start of a payload, whose length was checked.
fn number(payload: &[u8]) -> u32 {
    payload.first_chunk().map_or(0, |&bytes| u32::from_be_bytes(bytes))
}
