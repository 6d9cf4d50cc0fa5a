"""`python3 bench/hurl.py FOLDER`: what becomes of every Hurl file in a folder, and why.

An oracle that is not part of `bench all`: it measures no load. Every file that hurl's own parser accepts must be accepted, or
refused with a place and a reason. The files are of whoever has some: hurl's own tests are a good choice.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# What must not happen, whatever the files.
WRONG = {"accepted, and not Hurl", "refused without a place"}
# A command line has a limit.
AT_ONCE = 500


@dataclass(frozen=True)
class Read:
    """One file."""

    file: str
    becomes: str
    reasons: Sequence[str]


def main() -> int:
    """Returns the exit code: 0 all as it must be, 1 not, 2 no files."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--files", action="store_true", help="name the files that are refused")
    asked = parser.parse_args()
    files = sorted(asked.folder.rglob("*.hurl"))
    if not files:
        print(f"error: no Hurl files in {asked.folder}", file=sys.stderr)
        return 2
    reads = list(read(files))
    print("\n".join(tally(reads)))
    if asked.files:
        print("\n".join(f"{one.becomes}: {one.file}: {'; '.join(one.reasons)}" for one in reads if one.reasons))
    return 1 if len(reads) != len(files) or any(one.becomes in WRONG for one in reads) else 0


def read(files: Sequence[Path]) -> Iterator[Read]:
    """Asks the program. Should it die over a file, those behind it are missing from its answer."""
    build = ["cargo", "run", "--quiet", "--package", "plimsoll-plan", "--example", "hurl_tally", "--"]
    for start in range(0, len(files), AT_ONCE):
        names = [str(file.resolve()) for file in files[start : start + AT_ONCE]]
        answer = subprocess.run(build + names, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)
        for line in answer.stdout.splitlines():
            one = json.loads(line)
            yield Read(one["file"], one["becomes"], one["reasons"])


def tally(reads: Sequence[Read]) -> list[str]:
    """Markdown: how many of each, and the reasons of those that hurl's parser accepts."""
    kinds = Counter(one.becomes for one in reads)
    refused = [one for one in reads if one.becomes == "refused"]
    reasons = Counter(reason for one in refused for reason in set(map(shape, one.reasons)))
    lines = ["| Hurl files | |", "|---|---:|", *(f"| {kind} | {count} |" for kind, count in kinds.most_common())]
    if reasons:
        lines += ["", "| refused because | |", "|---|---:|", *(f"| {why} | {count} |" for why, count in reasons.most_common())]
    return lines


def shape(reason: str) -> str:
    """A reason without the names of one file."""
    return re.sub(r"cannot read `[^`]*`", "cannot read `…`", reason)


if __name__ == "__main__":
    sys.exit(main())
