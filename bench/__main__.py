"""`python3 bench PART`: measures, prints Markdown, and keeps it in `docs/benchmarks.md`."""

from __future__ import annotations

import sys

# Root would leave its byte code in the work tree.
sys.dont_write_bytecode = True

import argparse
import os
import signal
from collections.abc import Callable
from dataclasses import replace

import calibrate
import cost
import document
import http2
import journey
import precision
import tls
import truth
import users
from bench import Bench, Missing, find_tools, pick_cores, say
from namespace import NamespaceError, own_namespace
from process import raise_descriptors
from server import ServerError

PARTS: dict[str, Callable[[Bench], str]] = {
    "cost": cost.measure,
    "tls": tls.measure,
    "http2": http2.measure,
    "journey": journey.measure,
    "precision": precision.measure,
    "users": users.measure,
    "truth": truth.measure,
    "calibrate": calibrate.measure,
}
QUICK_ROUNDS, QUICK_SECONDS = 2, 1


def main() -> int:
    """Returns the exit code: 0 measured, 1 could not, 130 interrupted."""
    asked = arguments()
    # A plain kill cleans up as Ctrl-C does.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        return measure(asked)
    except KeyboardInterrupt:
        say("interrupted: everything that was started has been ended")
        return 130
    except (NamespaceError, Missing) as error:
        say(f"error: {error}")
        return 1


def measure(asked: argparse.Namespace) -> int:
    """Runs the parts; one that cannot run does not keep the others from it."""
    generator, server = pick_cores()
    tools, missing = find_tools()
    if missing:
        say(f"not found: {', '.join(tool.name for tool in missing)} (PLIMSOLL_BENCH_PATH may name more folders to search)")
    bench = Bench(asked.rounds, asked.seconds, asked.quick, generator, server, tools, missing, raise_descriptors())
    if asked.only:
        bench = replace(bench, tools=[t for t in tools if t.name in asked.only])
    failed = False
    with own_namespace():
        # This process shares the generator's core: it only waits while something is measured.
        os.sched_setaffinity(0, {generator})
        for part in PARTS if asked.part == "all" else [asked.part]:
            try:
                body = PARTS[part](bench)
            except (Missing, ServerError) as error:
                say(f"error: {part}: {error}")
                failed = True
                continue
            print(body, end="\n\n", flush=True)
            # Half a table must not replace a whole one.
            if not asked.quick and not asked.only:
                say(f"written to {document.write(part, body)}")
    return 1 if failed else 0


def arguments() -> argparse.Namespace:
    """What was typed."""
    parser = argparse.ArgumentParser(prog="python3 bench", description=__doc__)
    parser.add_argument("part", choices=[*PARTS, "all"])
    parser.add_argument("--rounds", type=positive, help="rounds of `cost`, `tls`, `http2` and `journey` (default: 11)")
    parser.add_argument("--seconds", type=positive, help="length of a run of these (default: 5)")
    parser.add_argument("--quick", action="store_true", help="a short look: little of everything, and nothing is written")
    parser.add_argument("--only", metavar="TOOL,…", type=lambda text: text.split(","), help="only these tools; nothing is written")
    asked = parser.parse_args()
    asked.rounds = asked.rounds or (QUICK_ROUNDS if asked.quick else 11)
    asked.seconds = asked.seconds or (QUICK_SECONDS if asked.quick else 5)
    return asked


def positive(text: str) -> int:
    """A whole number above zero."""
    number = int(text)
    if number < 1:
        raise ValueError(text)
    return number


if __name__ == "__main__":
    sys.exit(main())
