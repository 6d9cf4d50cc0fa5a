//! From a request with gaps to one without.
//!
//! The order of headers is that of the `hurl` command line tool: those of the request, basic authentication, those of the
//! options, then what is implied. A name may come twice if somebody wrote it twice.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use chrono::{DateTime, Utc};

use super::{Rendered, RequestTemplate};
use crate::cookies::{Jar, Origin};
use crate::draw::Draw;
use crate::escape;
use crate::failure::Failure;
use crate::options::Options;
use crate::program::Step;
use crate::scope::Scope;
use crate::template::Template;
use crate::wrong::Wrong;

impl Step {
    /// What the step sends now, into `out`, which keeps its memory.
    ///
    /// # Errors
    /// If a variable has no value, or one that cannot stand where it is wanted.
    pub fn render(&self, scope: &Scope, draw: &mut Draw, jar: &Jar, out: &mut Rendered) -> Result<(), Failure> {
        self.request.render(&self.options, scope, draw, jar, out).map_err(|wrong| self.wrong(wrong))
    }
}

impl Options {
    /// Whether all that the options add to a request is always the same.
    pub fn is_constant(&self) -> bool {
        self.user.iter().chain(&self.headers).chain(&self.no_headers).all(|template| template.constant().is_some())
    }
}

impl Rendered {
    /// Where it goes; none if the URL has no host.
    pub fn origin(&self) -> Option<Origin<'_>> {
        Origin::of(&self.url)
    }

    /// Gives it the cookies that belong where it goes: the jar's, then its own. After a redirect they are others.
    pub fn set_cookies(&mut self, jar: &Jar, now: DateTime<Utc>) {
        let mut cookies = Vec::new();
        if let Some(origin) = self.origin() {
            jar.write_header(origin, now, &mut cookies);
        }
        if !self.own_cookies.is_empty() {
            separate(&mut cookies);
            cookies.extend_from_slice(&self.own_cookies);
        }
        self.headers.retain(|(name, _)| !is_cookie(name));
        if !cookies.is_empty() && !self.unwanted.iter().any(|name| is_cookie(name)) {
            self.headers.push(("Cookie".to_owned(), cookies));
        }
    }

    fn has(&self, name: &str) -> bool {
        self.headers.iter().any(|(known, _)| known.eq_ignore_ascii_case(name))
    }
}

impl RequestTemplate {
    /// What is sent now, into `out`, which keeps its memory.
    ///
    /// # Errors
    /// As [`Step::render`].
    pub fn render(
        &self,
        options: &Options,
        scope: &Scope,
        draw: &mut Draw,
        jar: &Jar,
        out: &mut Rendered,
    ) -> Result<(), Wrong> {
        out.headers.clear();
        out.body.clear();
        out.unwanted.clear();
        out.own_cookies.clear();
        let mut rendering = Rendering { scope, draw, spare: Vec::new() };
        rendering.url(self, &mut out.url)?;
        rendering.headers(self, options, out)?;
        rendering.cookies(self, jar, out)?;
        rendering.leave_out(options, out)?;
        if let Some(body) = &self.body {
            body.render(scope, rendering.draw, &mut out.body)?;
        }
        Ok(())
    }
}

struct Rendering<'a> {
    scope: &'a Scope,
    draw: &'a mut Draw,
    spare: Vec<u8>,
}

impl Rendering<'_> {
    fn bytes(&mut self, template: &Template) -> Result<Vec<u8>, Wrong> {
        let mut out = Vec::new();
        template.render(self.scope, self.draw, &mut out)?;
        Ok(out)
    }

    fn string(&mut self, template: &Template) -> Result<String, Wrong> {
        text(self.bytes(template)?)
    }

    fn url(&mut self, request: &RequestTemplate, out: &mut String) -> Result<(), Wrong> {
        let mut url = std::mem::take(out).into_bytes();
        url.clear();
        request.url.render(self.scope, self.draw, &mut url)?;
        if !request.query.is_empty() {
            // Parameters are for the server, what follows `#` is not.
            let fragment = url.iter().position(|&byte| byte == b'#').map(|at| url.split_off(at));
            self.query(&request.query, &mut url)?;
            url.extend(fragment.into_iter().flatten());
        }
        *out = text(url)?;
        Ok(())
    }

    fn query(&mut self, query: &[(Template, Template)], url: &mut Vec<u8>) -> Result<(), Wrong> {
        match url.iter().position(|&byte| byte == b'?') {
            None => url.push(b'?'),
            Some(at) if at + 1 == url.len() => {}
            Some(_) => url.push(b'&'),
        }
        for (index, (name, value)) in query.iter().enumerate() {
            if index > 0 {
                url.push(b'&');
            }
            self.piece(name, escape::query_name, url)?;
            url.push(b'=');
            self.piece(value, escape::form, url)?;
        }
        Ok(())
    }

    fn piece(&mut self, template: &Template, escape: fn(&[u8], &mut Vec<u8>), out: &mut Vec<u8>) -> Result<(), Wrong> {
        self.spare.clear();
        template.render(self.scope, self.draw, &mut self.spare)?;
        escape(&self.spare, out);
        Ok(())
    }

    fn headers(&mut self, request: &RequestTemplate, options: &Options, out: &mut Rendered) -> Result<(), Wrong> {
        for (name, value) in &request.headers {
            let header = (self.string(name)?, self.bytes(value)?);
            out.headers.push(header);
        }
        if let Some(auth) = &request.auth {
            let mut credentials = self.bytes(&auth.user)?;
            credentials.push(b':');
            auth.password.render(self.scope, self.draw, &mut credentials)?;
            out.headers.push(basic(&credentials));
        }
        for header in &options.headers {
            let header = self.header(header)?;
            out.headers.push(header);
        }
        if let Some(content_type) = &request.content_type
            && !out.has("content-type")
        {
            out.headers.push(("Content-Type".to_owned(), content_type.as_bytes().to_vec()));
        }
        if let Some(user) = &options.user
            && !out.has("authorization")
        {
            out.headers.push(basic(&self.bytes(user)?));
        }
        Ok(())
    }

    /// An option's `Name: value`.
    fn header(&mut self, template: &Template) -> Result<(String, Vec<u8>), Wrong> {
        let text = self.string(template)?;
        match text.split_once(':') {
            Some((name, value)) => Ok((name.trim().to_owned(), value.trim().as_bytes().to_vec())),
            None => Err(Wrong::new("a header `Name: value`", text)),
        }
    }

    fn leave_out(&mut self, options: &Options, out: &mut Rendered) -> Result<(), Wrong> {
        for name in &options.no_headers {
            let name = self.string(name)?;
            out.headers.retain(|(known, _)| !known.eq_ignore_ascii_case(&name));
            out.unwanted.push(name);
        }
        Ok(())
    }

    /// One `Cookie` header: what the jar has, then what the request says.
    fn cookies(&mut self, request: &RequestTemplate, jar: &Jar, out: &mut Rendered) -> Result<(), Wrong> {
        if jar.is_empty() && request.cookies.is_empty() && !out.has("cookie") {
            return Ok(());
        }
        for (_, written) in out.headers.iter().filter(|(name, _)| is_cookie(name)) {
            separate(&mut out.own_cookies);
            out.own_cookies.extend_from_slice(written);
        }
        for (name, value) in &request.cookies {
            separate(&mut out.own_cookies);
            name.render(self.scope, self.draw, &mut out.own_cookies)?;
            out.own_cookies.push(b'=');
            value.render(self.scope, self.draw, &mut out.own_cookies)?;
        }
        // A header that nothing is added to stays as it was written.
        if !jar.is_empty() || !request.cookies.is_empty() {
            out.set_cookies(jar, self.draw.now());
        }
        Ok(())
    }
}

fn is_cookie(name: &str) -> bool {
    name.eq_ignore_ascii_case("cookie")
}

fn separate(cookies: &mut Vec<u8>) {
    if !cookies.is_empty() {
        cookies.extend_from_slice(b"; ");
    }
}

fn basic(credentials: &[u8]) -> (String, Vec<u8>) {
    ("Authorization".to_owned(), format!("Basic {}", STANDARD.encode(credentials)).into_bytes())
}

fn text(bytes: Vec<u8>) -> Result<String, Wrong> {
    String::from_utf8(bytes).map_err(|_| Wrong::new("text in UTF-8", "other bytes"))
}

#[cfg(test)]
mod tests;
