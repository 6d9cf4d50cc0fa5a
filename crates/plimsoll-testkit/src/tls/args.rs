//! The options about TLS.

use clap::ValueEnum;
use std::path::PathBuf;

/// Whether connections are encrypted, and what the server shows of itself.
#[derive(Debug, Clone, Default, clap::Args)]
#[command(next_help_heading = "TLS")]
pub struct TlsArgs {
    /// Speak TLS, with a certificate for localhost, 127.0.0.1 and ::1 made at the start
    #[arg(long)]
    pub tls: bool,
    /// Write the authority that signed that certificate to this file, in PEM
    #[arg(long, value_name = "FILE", requires = "tls")]
    pub tls_ca_out: Option<PathBuf>,
    /// Use this certificate chain instead, in PEM
    #[arg(long, value_name = "FILE", requires = "tls", requires = "tls_key")]
    #[arg(conflicts_with_all = ["tls_ca_out", "tls_certificate"])]
    pub tls_cert: Option<PathBuf>,
    /// The private key of that certificate, in PEM
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    pub tls_key: Option<PathBuf>,
    /// Demand a certificate of every client, signed by one of the authorities in this file
    #[arg(long, value_name = "FILE", requires = "tls")]
    pub tls_client_ca: Option<PathBuf>,
    /// Offer this version only
    #[arg(long, value_name = "VERSION", requires = "tls")]
    pub tls_version: Option<Version>,
    /// Resume no session: every handshake is a whole one
    #[arg(long, requires = "tls")]
    pub tls_no_resumption: bool,
    /// Show a certificate that clients must not trust
    #[arg(long, value_name = "FLAW", requires = "tls")]
    pub tls_certificate: Option<Certificate>,
}

/// A version of TLS.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Version {
    /// RFC 5246.
    #[value(name = "1.2")]
    Tls12,
    /// RFC 8446.
    #[value(name = "1.3")]
    Tls13,
}

/// What is wrong with a certificate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Certificate {
    /// Its time is over
    Expired,
    /// No authority signed it
    SelfSigned,
    /// It is for another host
    WrongHost,
    /// Another authority signed it than the one that `--tls-ca-out` writes
    UnknownCa,
}
