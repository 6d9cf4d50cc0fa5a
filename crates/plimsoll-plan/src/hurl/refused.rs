//! Options that cannot be honoured under load, and why.

/// Why an option is refused, and what there is instead.
pub(super) struct Reason {
    pub(super) why: &'static str,
    pub(super) instead: &'static str,
}

/// The reason for each option that is refused whatever its value, or unless it is `false`.
pub(super) fn reason(option: &str) -> Reason {
    let (why, instead) = match option {
        "http3" => ("HTTP/3 is not spoken", "`http2: true` or `http1.1: true`"),
        "digest" => {
            ("digest authentication needs an exchange of its own before each request", "`[BasicAuth]` or a token")
        }
        "ntlm" | "negotiate" => ("it authenticates connections, not requests", "`[BasicAuth]` or a token"),
        "netrc" | "netrc-file" | "netrc-optional" => {
            ("credentials are not taken from files that the plan does not name", "`[BasicAuth]` with variables")
        }
        "aws-sigv4" => ("signing each request is not done", "a target without signatures"),
        "limit-rate" => ("the speed of a single transfer is not limited", "the plan's load decides how much is sent"),
        "output" => ("no answer is written to a file under load", "run it with hurl to see its body"),
        "proxy" => {
            ("a proxy holds for the whole run, not for a step", "`proxy` of the plan's `[transport]`, or `--proxy`")
        }
        "resolve" | "connect-to" => {
            ("names are looked up once for the whole run", "`resolve` of the plan's `[transport]`, or `--resolve`")
        }
        "unix-socket" => (
            "a socket holds for the whole run, not for a step",
            "`unix_socket` of the plan's `[transport]`, or `--unix-socket`",
        ),
        "ipv4" | "ipv6" => (
            "addresses are looked up once for the whole run",
            "`resolve` of the plan's `[transport]` with the address wanted",
        ),
        "pinnedpubkey" => ("keys are not pinned", "`cacert`, with the only authority to trust"),
        "tls-min" | "tls-max" => (
            "the version of TLS holds for the whole run, not for a step",
            "`tls` of the plan's `[transport]`, or `--tls 1.3`",
        ),
        "path-as-is" => ("`.` and `..` in paths are resolved, as the URL standard has it", "a path without them"),
        _ => ("it is not known here", "leave it out"),
    };
    Reason { why, instead }
}
