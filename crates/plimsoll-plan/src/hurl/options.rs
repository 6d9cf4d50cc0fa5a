//! `[Options]`: honoured, or refused with the reason; none is passed over.

use hurl_core::ast::{BooleanOption, EntryOption, OptionKind, Template as AstTemplate};
use hurl_core::reader::Pos;
use plimsoll_journey::{HttpVersion, Options, Setting};

use super::reader::Reader;
use super::refused::reason;
use super::template::constant;
use super::variables::Use;

impl Reader<'_> {
    pub(super) fn options(&mut self, options: &[EntryOption]) -> Options {
        let mut read = Options::default();
        for option in options {
            self.option(option, &mut read);
        }
        read
    }

    fn option(&mut self, option: &EntryOption, read: &mut Options) {
        let at = option.space0.source_info.end;
        match &option.kind {
            OptionKind::Variable(definition) => {
                // The value first: `variable: n={{n}}` needs the old one.
                let value = self.variable_value(&definition.value);
                let slot = self.mention(&definition.name, definition.source_info.start, Use::Set);
                read.variables.push((slot, value));
            }
            OptionKind::Delay(value) => read.delay = self.duration(value),
            OptionKind::Retry(value) => read.retry = self.count(value),
            OptionKind::RetryInterval(value) => read.retry_interval = self.duration(value),
            OptionKind::Repeat(value) => read.repeat = self.count(value),
            OptionKind::Skip(value) => read.skip = self.flag(value),
            OptionKind::FollowLocation(value) => read.follow = self.flag(value),
            OptionKind::FollowLocationTrusted(value) => self.follow_trusted(value, read),
            OptionKind::MaxRedirect(value) => read.redirects_max = self.count(value),
            OptionKind::MaxTime(value) => read.time_max = self.duration(value),
            OptionKind::ConnectTimeout(value) => read.connect_timeout = self.duration(value),
            OptionKind::Compressed(value) => read.compressed = self.flag(value),
            OptionKind::Insecure(value) => read.insecure = self.flag(value),
            OptionKind::NoJsonpathCoercion(value) => read.plain_jsonpath = self.flag(value),
            OptionKind::User(value) => read.user = Some(self.template(value)),
            OptionKind::Header(value) => self.further_header(value, read),
            OptionKind::NoHeader(value) => {
                let name = self.template(value);
                read.no_headers.push(name);
            }
            OptionKind::CaCertificate(name) => read.cacert = self.existing(name, "an authority's file"),
            OptionKind::ClientCert(name) => self.certificate(name, read),
            OptionKind::ClientKey(name) => read.key = self.existing(name, "a key's file"),
            OptionKind::Http10(value) => self.version(value, at, HttpVersion::V1_0, None, read),
            OptionKind::Http11(value) => self.version(value, at, HttpVersion::V1_1, Some(HttpVersion::V1_0), read),
            OptionKind::Http2(value) => self.version(value, at, HttpVersion::V2, Some(HttpVersion::V1_1), read),
            OptionKind::Http2PriorKnowledge(value) => {
                self.version(value, at, HttpVersion::V2PriorKnowledge, Some(HttpVersion::V1_1), read);
            }
            // Hurl takes this for the version below.
            OptionKind::Http3(BooleanOption::Literal(false)) => read.http = Some(HttpVersion::V2),
            // They change what hurl prints, and nothing that is sent or asserted.
            OptionKind::FailWithBody(_)
            | OptionKind::Verbose(_)
            | OptionKind::Verbosity(_)
            | OptionKind::VeryVerbose(_) => {}
            other => self.unless_off(other, at),
        }
    }

    /// Only `true` says anything.
    fn follow_trusted(&mut self, value: &BooleanOption, read: &mut Options) {
        let value = self.flag(value);
        if value != Some(Setting::Fixed(false)) {
            read.follow = value;
            read.follow_trusted = value;
        }
    }

    fn further_header(&mut self, header: &AstTemplate, read: &mut Options) {
        let template = self.template(header);
        if constant(&template).is_some_and(|text| !text.contains(':')) {
            self.mistake(header.source_info.start, "a header without `:`", "expected `Name: value`");
        }
        read.headers.push(template);
    }

    fn certificate(&mut self, name: &AstTemplate, read: &mut Options) {
        let written = name.to_string();
        if written.contains(':') && std::fs::metadata(&written).is_err() {
            let message = "a certificate with a password, which cannot be opened here";
            self.mistake(name.source_info.start, message, "`cert` and `key` with a key that has no password");
        } else {
            read.cert = self.existing(name, "a certificate's file");
        }
    }

    /// Connections are made for a protocol, so that it must be known before the run.
    fn version(
        &mut self,
        value: &BooleanOption,
        at: Pos,
        on: HttpVersion,
        off: Option<HttpVersion>,
        read: &mut Options,
    ) {
        match value {
            BooleanOption::Literal(true) => read.http = Some(on),
            BooleanOption::Literal(false) => read.http = off.or(read.http),
            BooleanOption::Placeholder(_) => {
                let message = "the protocol must be known before the run, so no variable can stand for it";
                self.mistake(at, message, "write `true` or `false`");
            }
        }
    }

    /// What is switched off need not be honoured.
    fn unless_off(&mut self, option: &OptionKind, at: Pos) {
        let off = matches!(
            option,
            OptionKind::Digest(BooleanOption::Literal(false))
                | OptionKind::Negotiate(BooleanOption::Literal(false))
                | OptionKind::NetRc(BooleanOption::Literal(false))
                | OptionKind::NetRcOptional(BooleanOption::Literal(false))
                | OptionKind::Ntlm(BooleanOption::Literal(false))
                | OptionKind::PathAsIs(BooleanOption::Literal(false))
        );
        if !off {
            let name = option.identifier();
            let reason = reason(name);
            self.mistake(at, format!("`{name}` cannot be honoured: {}", reason.why), reason.instead);
        }
    }
}
