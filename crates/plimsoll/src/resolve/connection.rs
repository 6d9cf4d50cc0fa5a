//! How requests reach the target: names, sockets, proxies, time-outs.

use std::net::{IpAddr, SocketAddr};
use std::path::Path;

use plimsoll_http::basic_auth;
use plimsoll_model::{Load, Proxy, Target, Timeouts, Transport};
use url::Host;

use super::number::{count_in, duration};
use super::{protocol, target, tls};
use crate::args::{ConnectionArgs, PlanArgs};
use crate::usage::Usage;

/// How long an exchange may take where nobody says otherwise.
const TIMEOUT_DEFAULT: &str = "30s";
/// Redirects that can be asked for; browsers give up after twenty.
const FOLLOW_MAX: u32 = 100;

/// The way there.
pub(super) fn transport(args: &PlanArgs, target: &Target, load: &Load) -> Result<Transport, Usage> {
    let (tls_args, request, args) = (&args.tls, &args.request, &args.connection);
    let proxy = args.proxy.as_deref().map(proxy).transpose()?;
    if proxy.is_some() && args.unix_socket.is_some() {
        return Err(Usage::new("`--proxy` and `--unix-socket` are two ways to the target", "give one of them"));
    }
    if args.unix_socket.is_some() && !args.local_addr.is_empty() {
        return Err(Usage::new("`--local-addr` means nothing to a `--unix-socket`", "leave one of them out"));
    }
    let follow_max = follow(request.follow.as_deref())?;
    let transport = Transport {
        http: protocol::resolve(args, load, target)?,
        tls: tls::resolve(tls_args, target, follow_max > 0)?,
        fresh: args.fresh,
        compressed: request.compressed,
        follow_max,
        resolve: args.resolve.iter().map(|text| resolve(text, target)).collect::<Result<_, _>>()?,
        unix_socket: args.unix_socket.as_deref().map(socket).transpose()?,
        proxy,
        local_addrs: args.local_addr.iter().map(|text| local_addr(text)).collect::<Result<_, _>>()?,
    };
    refuse_unused_names(&transport, target)?;
    Ok(transport)
}

/// How long things may take.
pub(super) fn timeouts(args: &ConnectionArgs) -> Result<Timeouts, Usage> {
    let optional = |flag: &str, text: &Option<String>| text.as_deref().map(|text| duration(flag, text)).transpose();
    Ok(Timeouts {
        whole: duration("--timeout", args.timeout.as_deref().unwrap_or(TIMEOUT_DEFAULT))?,
        connect: optional("--connect-timeout", &args.connect_timeout)?,
        first_byte: optional("--first-byte-timeout", &args.first_byte_timeout)?,
    })
}

fn follow(text: Option<&str>) -> Result<u32, Usage> {
    let follow: u32 = text.map(|text| count_in("--follow", text)).transpose()?.unwrap_or(0);
    if follow > FOLLOW_MAX {
        return Err(Usage::new(format!("`--follow {follow}`: at most {FOLLOW_MAX} are followed"), "try `--follow 10`"));
    }
    Ok(follow)
}

/// `host:address`, `host:port:address` as curl writes it, or `host:address:port`.
fn resolve(text: &str, target: &Target) -> Result<(String, SocketAddr), Usage> {
    let error = || {
        let message = format!("`--resolve {text}`: expected a host and an address");
        Usage::new(message, "write it like `--resolve api.example:127.0.0.1`")
    };
    let (host, rest) = text.split_once(':').ok_or_else(error)?;
    let host = match Host::parse(host) {
        Ok(Host::Domain(name)) => name,
        _ => return Err(error()),
    };
    let address = match (address(rest), rest.parse(), rest.split_once(':')) {
        (Some(ip), _, _) => SocketAddr::new(ip, target.port),
        (_, Ok(address), _) => address,
        (_, _, Some((port, rest))) => {
            let port = port.parse().map_err(|_| error())?;
            SocketAddr::new(address(rest).ok_or_else(error)?, matching_port(text, &host, port, target)?)
        }
        _ => return Err(error()),
    };
    Ok((host, address))
}

/// With curl the port is a condition: the entry holds for that port of the host only.
fn matching_port(text: &str, host: &str, port: u16, target: &Target) -> Result<u16, Usage> {
    if host != target.host || port == target.port {
        return Ok(port);
    }
    let message = format!("`--resolve {text}`: the URL's port is {}, not {port}", target.port);
    Err(Usage::new(message, format!("to connect to another port write `--resolve {host}:127.0.0.1:{port}`")))
}

/// An entry for a name that is never looked up is a typing error.
fn refuse_unused_names(transport: &Transport, target: &Target) -> Result<(), Usage> {
    if transport.follow_max > 0 {
        return Ok(()); // a redirect may lead to any name
    }
    let looked_up = transport.proxy.as_ref().map_or(target.host.as_str(), |proxy| proxy.host.as_str());
    match transport.resolve.iter().find(|(host, _)| host != looked_up) {
        None => Ok(()),
        Some((host, _)) => Err(Usage::new(
            format!("`--resolve`: `{host}` is never looked up, only `{looked_up}` is"),
            format!("write it like `--resolve {looked_up}:127.0.0.1`"),
        )),
    }
}

fn address(text: &str) -> Option<IpAddr> {
    let bare = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    bare.parse().ok()
}

fn local_addr(text: &str) -> Result<IpAddr, Usage> {
    address(text.trim()).ok_or_else(|| {
        let message = format!("`--local-addr`: `{text}` is not an address");
        Usage::new(message, "write it like `--local-addr 127.0.0.2,127.0.0.3`")
    })
}

fn socket(path: &Path) -> Result<std::path::PathBuf, Usage> {
    use std::os::unix::fs::FileTypeExt;
    let refused = |reason: &str| {
        let message = format!("`--unix-socket {}`: {reason}", path.display());
        Err(Usage::new(message, "start the server first, and check the path it listens on"))
    };
    match std::fs::metadata(path) {
        Ok(facts) if facts.file_type().is_socket() => Ok(path.to_owned()),
        Ok(_) => refused("it is not a socket"),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => refused("there is no such socket"),
        Err(error) => refused(&error.to_string()),
    }
}

fn proxy(text: &str) -> Result<Proxy, Usage> {
    let mut url = target::parse("--proxy", text)?;
    if url.scheme() != "http" {
        let message = format!("`--proxy {}`: proxies are spoken to in the clear", target::without_user(text));
        return Err(Usage::new(
            message,
            "write it like `--proxy http://127.0.0.1:3128`; https:// targets go through a tunnel",
        ));
    }
    let authorization = target::take_credentials(&mut url)?.map(|credentials| basic_auth(&credentials));
    let (host, port) = target::host_and_port("--proxy", &url)?;
    Ok(Proxy { host, port, authorization })
}
