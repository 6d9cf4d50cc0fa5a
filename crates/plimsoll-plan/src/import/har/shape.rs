//! A HAR file as far as we read it: HTTP Archive 1.2, and what browsers leave out of it or add to it.

use serde::Deserialize;

/// The file.
#[derive(Deserialize)]
pub(super) struct Har {
    pub(super) log: Log,
}

#[derive(Deserialize)]
pub(super) struct Log {
    pub(super) entries: Vec<Entry>,
}

/// An exchange.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Entry {
    pub(super) started_date_time: String,
    /// Milliseconds; below zero or null where it is not known.
    #[serde(default)]
    pub(super) time: Option<f64>,
    pub(super) request: Request,
    #[serde(default)]
    pub(super) response: Response,
    /// What Chrome took it for.
    #[serde(default, rename = "_resourceType")]
    pub(super) resource_type: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Request {
    pub(super) method: String,
    pub(super) url: String,
    #[serde(default)]
    pub(super) headers: Vec<Pair>,
    #[serde(default)]
    pub(super) post_data: Option<PostData>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PostData {
    #[serde(default)]
    pub(super) mime_type: Option<String>,
    #[serde(default)]
    pub(super) text: Option<String>,
    #[serde(default)]
    pub(super) params: Option<Vec<Param>>,
    /// `base64`, of some tools for bodies that are no text.
    #[serde(default)]
    pub(super) encoding: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Param {
    pub(super) name: String,
    #[serde(default)]
    pub(super) value: Option<String>,
    #[serde(default)]
    pub(super) file_name: Option<String>,
    #[serde(default)]
    pub(super) content_type: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct Pair {
    pub(super) name: String,
    pub(super) value: String,
}

/// Of answers everything is optional: requests that failed have none.
#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase")]
pub(super) struct Response {
    /// 0 where no answer came.
    #[serde(default)]
    pub(super) status: i64,
    #[serde(default)]
    pub(super) headers: Vec<Pair>,
    #[serde(default)]
    pub(super) content: Content,
}

/// The text is not read: it may be most of the file.
#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase")]
pub(super) struct Content {
    #[serde(default)]
    pub(super) mime_type: Option<String>,
}

impl Entry {
    /// The type of its answer, without parameters and in lower case.
    pub(super) fn content_type(&self) -> String {
        let from_content = self.response.content.mime_type.as_deref();
        let whole = from_content.or_else(|| header(&self.response.headers, "content-type")).unwrap_or_default();
        whole.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
    }
}

/// The first header of a name.
pub(super) fn header<'p>(headers: &'p [Pair], name: &str) -> Option<&'p str> {
    headers.iter().find(|pair| pair.name.eq_ignore_ascii_case(name)).map(|pair| pair.value.as_str())
}
