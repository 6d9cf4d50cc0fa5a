//! A plan's transport as if it had been typed, and flags as keys of a plan: what either means is decided in one place.

use std::path::{Path, PathBuf};
use std::time::Duration;

use plimsoll_model::TlsVersion;
use plimsoll_model::units::duration_text;
use plimsoll_plan::file::PlanFile;

use crate::args::{ConnectionArgs, PlanArgs, RequestArgs, TlsArgs};
use crate::usage::Usage;

/// Flags that were typed beside a plan, as overrides of its keys.
pub(super) fn sets(args: &PlanArgs) -> Result<Vec<String>, Usage> {
    refuse(args)?;
    let (load, tls, connection) = (&args.load, &args.tls, &args.connection);
    let texts = [
        ("load.users", &load.users),
        ("load.rate", &load.rate),
        ("load.shape", &load.shape),
        ("load.duration", &load.duration),
        ("load.requests", &load.requests),
        ("load.warmup", &load.warmup),
        ("load.arrivals", &load.arrivals),
        ("load.in_flight_max", &load.max_in_flight),
        ("load.abort", &load.abort),
        ("load.seed", &load.seed),
        ("load.threads", &load.threads),
        ("name", &args.judgement.name),
        ("transport.follow", &args.request.follow),
        ("transport.timeout", &connection.timeout),
        ("transport.connect_timeout", &connection.connect_timeout),
        ("transport.first_byte_timeout", &connection.first_byte_timeout),
        ("transport.proxy", &connection.proxy),
        ("transport.streams", &connection.streams),
        ("transport.connections", &connection.connections),
        ("transport.server_name", &tls.server_name),
    ];
    let switches = [
        ("transport.fresh", connection.fresh),
        ("transport.compressed", args.request.compressed),
        ("transport.http2", connection.http2),
        ("transport.insecure", tls.insecure),
        ("transport.tls_resume", tls.tls_resume),
    ];
    let mut sets: Vec<String> =
        texts.into_iter().filter_map(|(key, text)| Some(format!("{key}={}", text.as_ref()?))).collect();
    sets.extend(switches.into_iter().filter(|(_, on)| *on).map(|(key, _)| format!("{key}=true")));
    // A version is text, and would be read as a number.
    sets.extend(tls.tls.iter().map(|version| format!("transport.tls=\"{version}\"")));
    Ok(sets)
}

/// What a plan says itself and no flag can.
fn refuse(args: &PlanArgs) -> Result<(), Usage> {
    let (request, connection, tls) = (&args.request, &args.connection, &args.tls);
    let given = [
        ("-X", request.method.is_some()),
        ("-H", !request.headers.is_empty()),
        ("-u", request.user.is_some()),
        ("--data", request.data.is_some()),
        ("--data-file", request.data_file.is_some()),
        ("--think", args.load.think.is_some()),
        ("--resolve", !connection.resolve.is_empty()),
        ("--unix-socket", connection.unix_socket.is_some()),
        ("--local-addr", !connection.local_addr.is_empty()),
        ("--cacert", tls.cacert.is_some()),
        ("--cert", tls.cert.is_some()),
        ("--key", tls.key.is_some()),
    ];
    match given.into_iter().find(|(_, given)| *given) {
        None => Ok(()),
        Some((flag, _)) => Err(Usage::new(
            format!("`{flag}` does not go with a plan"),
            "write it into the plan, or override its key with `--set KEY=VALUE`",
        )),
    }
}

/// The plan's transport, and what is typed about the judgement, as arguments. Paths begin where the plan is.
pub(super) fn args(plan: &PlanFile, typed: &PlanArgs, folder: &Path) -> PlanArgs {
    let transport = &plan.transport;
    let time = |time: Option<Duration>| time.map(duration_text);
    let path = |path: &Option<PathBuf>| path.as_ref().map(|path| folder.join(path));
    let number = |number: Option<u32>| number.map(|number| number.to_string());
    PlanArgs {
        request: RequestArgs {
            compressed: transport.compressed,
            follow: number(transport.follow),
            ..RequestArgs::default()
        },
        connection: ConnectionArgs {
            fresh: transport.fresh,
            timeout: time(transport.timeout),
            connect_timeout: time(transport.connect_timeout),
            first_byte_timeout: time(transport.first_byte_timeout),
            resolve: transport.resolve.clone(),
            unix_socket: path(&transport.unix_socket),
            proxy: transport.proxy.as_ref().map(|proxy| proxy.reveal().to_owned()),
            local_addr: transport.local_addr.iter().map(ToString::to_string).collect(),
            http2: transport.http2,
            streams: number(transport.streams),
            connections: number(transport.connections),
        },
        tls: TlsArgs {
            insecure: transport.insecure,
            cacert: path(&transport.cacert),
            cert: path(&transport.cert),
            key: path(&transport.key),
            server_name: transport.server_name.clone(),
            tls: transport.tls.map(|version| if version == TlsVersion::V1_2 { "1.2" } else { "1.3" }.to_owned()),
            tls_resume: transport.tls_resume,
        },
        judgement: typed.judgement.clone(),
        variables: typed.variables.clone(),
        what: typed.what.clone(),
        load: Default::default(),
    }
}
