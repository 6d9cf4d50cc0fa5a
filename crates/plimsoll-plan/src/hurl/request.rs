//! What a step sends.

use hurl_core::ast::{KeyValue, Request, SectionValue, Template as AstTemplate};
use hurl_core::reader::Pos;
use plimsoll_journey::{BasicAuth, Part, RequestTemplate, Template};

use super::body::content_type;
use super::reader::Reader;
use super::template::{Manner, Writer, constant};

const SCHEMES: [&str; 2] = ["http://", "https://"];
const NO_SCHEME: &str = "it does not begin with `http://` or `https://`";
const FORM: &str = "application/x-www-form-urlencoded";

impl Reader<'_> {
    pub(super) fn request(&mut self, request: &Request) -> RequestTemplate {
        self.one_body(request);
        let url = self.url(&request.url);
        let mut headers = self.pairs(&request.headers);
        let auth = request
            .basic_auth()
            .map(|pair| BasicAuth { user: self.template(&pair.key), password: self.template(&pair.value) });
        let query = self.pairs(request.querystring_params());
        let cookies = request.cookies().iter();
        let cookies = cookies.map(|cookie| (self.template(&cookie.name), self.template(&cookie.value))).collect();
        let (body, content_type) = self.request_body(request, &mut headers);
        RequestTemplate { method: request.method.to_string(), url, query, headers, cookies, auth, body, content_type }
    }

    /// The parser takes any text for a URL.
    fn url(&mut self, url: &AstTemplate) -> Template {
        let template = self.template(url);
        let reason = match template.parts.as_slice() {
            [Part::Text(text)] => {
                let text = String::from_utf8_lossy(text);
                if has_scheme(&text) {
                    url::Url::parse(&text).err().map(|error| error.to_string())
                } else {
                    Some(NO_SCHEME.to_owned())
                }
            }
            [Part::Text(text), ..] if !may_have_scheme(text) => Some(NO_SCHEME.to_owned()),
            _ => None,
        };
        if let Some(reason) = reason {
            let hint = "expected `http://…`, `https://…` or `{{variable}}…`";
            self.mistake(url.source_info.start, format!("not a URL: {reason}"), hint);
        }
        template
    }

    fn pairs(&mut self, pairs: &[KeyValue]) -> Vec<(Template, Template)> {
        pairs.iter().map(|pair| (self.template(&pair.key), self.template(&pair.value))).collect()
    }

    /// The body and the type it has by itself.
    fn request_body(
        &mut self,
        request: &Request,
        headers: &mut [(Template, Template)],
    ) -> (Option<Template>, Option<String>) {
        if !request.form_params().is_empty() {
            return (Some(self.form(request.form_params())), Some(FORM.to_owned()));
        }
        if !request.multipart_form_data().is_empty() {
            let multipart = self.multipart(request.multipart_form_data());
            let parameter = format!("; boundary={}", multipart.boundary);
            // A type of the user's own needs the boundary as well, or nobody can read the body.
            for (_, value) in headers.iter_mut().filter(|(name, _)| is(name, "content-type")) {
                let mut out = Writer::default();
                out.append(std::mem::take(value));
                out.text(&parameter);
                *value = out.finish();
            }
            return (Some(multipart.body), Some(format!("multipart/form-data{parameter}")));
        }
        let Some(body) = &request.body else { return (None, None) };
        (self.bytes(&body.value), content_type(&body.value).map(str::to_owned))
    }

    /// Hurl sends names as they are and encodes values.
    fn form(&mut self, params: &[KeyValue]) -> Template {
        let mut out = Writer::default();
        for (index, param) in params.iter().enumerate() {
            if index > 0 {
                out.text("&");
            }
            self.write(&mut out, &param.key, Manner::Plain);
            out.text("=");
            self.write(&mut out, &param.value, Manner::Form);
        }
        out.finish()
    }

    /// Hurl lets the last of several bodies win; that is no intention.
    fn one_body(&mut self, request: &Request) {
        let mut bodies: Vec<(Pos, String)> = Vec::new();
        for section in &request.sections {
            let filled = match &section.value {
                SectionValue::FormParams(params, _) => !params.is_empty(),
                SectionValue::MultipartFormData(params, _) => !params.is_empty(),
                _ => false,
            };
            if filled {
                bodies.push((section.source_info.start, format!("`[{}]`", section.identifier())));
            }
        }
        if let Some(body) = &request.body {
            bodies.push((body.space0.source_info.end, "a body".to_owned()));
        }
        if let [(_, first), (at, second), ..] = bodies.as_slice() {
            let message = format!("{second} beside {first}: a request has one body");
            self.mistake(*at, message, "keep one of the two");
        }
    }
}

fn is(name: &Template, wanted: &str) -> bool {
    constant(name).is_some_and(|name| name.eq_ignore_ascii_case(wanted))
}

fn has_scheme(url: &str) -> bool {
    SCHEMES.iter().any(|scheme| url.starts_with(scheme))
}

/// Whether it can become a URL with what a variable adds: `http{{s}}://`.
fn may_have_scheme(beginning: &[u8]) -> bool {
    SCHEMES.iter().any(|scheme| beginning.starts_with(scheme.as_bytes()) || scheme.as_bytes().starts_with(beginning))
}
