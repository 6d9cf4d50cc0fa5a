//! What of TLS is wanted: whom to trust, what to show, which version.

use std::path::{Path, PathBuf};

use plimsoll_model::{Identity, Scheme, Target, Tls, TlsVersion, Trust};

use crate::args::TlsArgs;
use crate::usage::Usage;

/// How `https` is spoken.
pub(super) fn resolve(args: &TlsArgs, target: &Target, follows: bool) -> Result<Tls, Usage> {
    refuse_without_tls(args, target, follows)?;
    let trust = match &args.cacert {
        _ if args.insecure => Trust::Anyone,
        Some(path) => Trust::File(file("--cacert", path)?),
        None => Trust::System,
    };
    let identity = match (&args.cert, &args.key) {
        (Some(cert), Some(key)) => Some(Identity { certificates: file("--cert", cert)?, key: file("--key", key)? }),
        _ => None,
    };
    Ok(Tls {
        trust,
        identity,
        server_name: args.server_name.clone(),
        version: args.tls.as_deref().map(version).transpose()?,
        resume: args.tls_resume,
    })
}

/// A flag that could change nothing is a typing error, in the URL more often than not. Whom to trust is said once
/// for many commands, and may stay.
fn refuse_without_tls(args: &TlsArgs, target: &Target, follows: bool) -> Result<(), Usage> {
    if target.scheme == Scheme::Https || follows {
        return Ok(());
    }
    let given = [
        ("--cert", args.cert.is_some()),
        ("--server-name", args.server_name.is_some()),
        ("--tls", args.tls.is_some()),
        ("--tls-resume", args.tls_resume),
    ];
    match given.into_iter().find(|(_, given)| *given) {
        None => Ok(()),
        Some((flag, _)) => Err(Usage::new(
            format!("`{flag}` means nothing to a target that is spoken to in the clear"),
            "write the URL with `https://`, or leave the flag out",
        )),
    }
}

fn version(text: &str) -> Result<TlsVersion, Usage> {
    match text.trim() {
        "1.2" => Ok(TlsVersion::V1_2),
        "1.3" => Ok(TlsVersion::V1_3),
        _ => Err(Usage::new(
            format!("`--tls {text}`: it is not a version of TLS that is spoken here"),
            "write `--tls 1.2` or `--tls 1.3`, or leave it out for the better one that the server has",
        )),
    }
}

/// A file that can be read; what is in it is looked at later.
fn file(flag: &str, path: &Path) -> Result<PathBuf, Usage> {
    match std::fs::File::open(path).and_then(|file| file.metadata()) {
        Ok(facts) if facts.is_file() => Ok(path.to_owned()),
        Ok(_) => Err(Usage::new(format!("`{flag} {}`: it is not a file", path.display()), "name a PEM file")),
        Err(error) => {
            let reason = if error.kind() == std::io::ErrorKind::NotFound {
                "there is no such file".to_owned()
            } else {
                error.to_string()
            };
            Err(Usage::new(format!("`{flag} {}`: {reason}", path.display()), "check the path of the PEM file"))
        }
    }
}
