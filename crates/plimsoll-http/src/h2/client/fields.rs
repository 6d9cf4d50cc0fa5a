//! The fields of one header block, checked as they are decompressed and written out as HTTP/1.1 would have them.
//!
//! Writing them out costs one copy of bytes that would have to be copied anyway, as the table they come from may
//! change, and gives everyone who reads heads the one form they know. The memory is used again for each block.

use crate::error::seen;
use crate::framing::add_length;
use crate::h2::error::H2Error;
use crate::h2::request::CONNECTION_FIELDS;
use crate::head::{Head, Span};
use crate::{Header, field};

/// The digits are filled in when they come.
const STATUS_LINE: &[u8] = b"HTTP/2 000 \r\n";
const STATUS_AT: usize = "HTTP/2 ".len();

#[derive(Debug, Default)]
pub(super) struct Fields {
    text: Vec<u8>,
    spans: Vec<Span>,
    status: Option<u16>,
    length: Option<u64>,
    /// What is wrong with the first field that is wrong.
    fault: Option<H2Error>,
}

impl Fields {
    #[inline]
    pub(super) fn clear(&mut self) {
        self.text.clear();
        self.text.extend_from_slice(STATUS_LINE);
        self.spans.clear();
        (self.status, self.length, self.fault) = (None, None, None);
    }

    #[inline]
    pub(super) fn add(&mut self, name: &[u8], value: &[u8]) {
        if self.fault.is_none()
            && let Err(fault) = self.try_add(name, value)
        {
            self.fault = Some(fault);
        }
    }

    /// Ends the list.
    pub(super) fn finish(&mut self) -> Result<(), H2Error> {
        self.text.extend_from_slice(b"\r\n");
        self.fault.take().map_or(Ok(()), Err)
    }

    /// `:status`, if it came.
    pub(super) fn status(&self) -> Option<u16> {
        self.status
    }

    /// `content-length`, if it came.
    pub(super) fn length(&self) -> Option<u64> {
        self.length
    }

    pub(super) fn head(&self, status: u16) -> Head<'_> {
        Head::from_spans(status, &self.text, &self.spans)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Header<'_>> {
        self.spans.iter().map(|span| span.of(&self.text))
    }

    #[inline]
    fn try_add(&mut self, name: &[u8], value: &[u8]) -> Result<(), H2Error> {
        if name.first() == Some(&b':') {
            return self.pseudo(name, value);
        }
        if name.is_empty() || !name.iter().all(|&b| IS_NAME_BYTE[usize::from(b)]) {
            return Err(H2Error::HeaderName { seen: seen(name) });
        }
        if !field::is_value(value) || field::trim(value).len() != value.len() {
            return Err(H2Error::HeaderValue { name: seen(name), seen: seen(value) });
        }
        // The length tells these apart from nearly everything else.
        match name.len() {
            14 if name == b"content-length" => add_length(&mut self.length, value).map_err(H2Error::Length)?,
            7 | 10 | 16 | 17 if CONNECTION_FIELDS.iter().any(|field| field.as_bytes() == name) => {
                return Err(H2Error::ConnectionField { seen: seen(name) });
            }
            _ => {}
        }
        self.write(name, value);
        Ok(())
    }

    #[inline]
    fn write(&mut self, name: &[u8], value: &[u8]) {
        // The decoder bounds the whole list far below 2^32.
        let [at, name_bytes, value_bytes] = [self.text.len(), name.len(), value.len()].map(|n| n as u32);
        self.spans.push(Span { at, name: name_bytes, value: value_bytes });
        self.text.extend_from_slice(name);
        self.text.extend_from_slice(b": ");
        self.text.extend_from_slice(value);
        self.text.extend_from_slice(b"\r\n");
    }

    fn pseudo(&mut self, name: &[u8], value: &[u8]) -> Result<(), H2Error> {
        if name != b":status" || self.status.is_some() || !self.spans.is_empty() {
            return Err(H2Error::PseudoField { seen: seen(name) });
        }
        let &[hundreds @ b'1'..=b'9', tens @ b'0'..=b'9', ones @ b'0'..=b'9'] = value else {
            return Err(H2Error::Status { seen: seen(value) });
        };
        let digit = |byte: u8| u16::from(byte - b'0');
        self.status = Some(100 * digit(hundreds) + 10 * digit(tens) + digit(ones));
        self.text[STATUS_AT..STATUS_AT + 3].copy_from_slice(value);
        Ok(())
    }
}

/// The bytes of a token, without upper case.
const IS_NAME_BYTE: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0_u8;
    while byte < 128 {
        table[byte as usize] = field::is_token_byte(byte) && !byte.is_ascii_uppercase();
        byte += 1;
    }
    table
};
