//! The client's side of HTTP/2, against a server that is scripted frame by frame.

mod model;
mod properties;
mod requests;
mod session;
mod violations;
