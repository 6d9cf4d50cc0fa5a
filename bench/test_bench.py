"""What is computed here must not be wrong quietly. Run with `python3 -m unittest discover -s bench`."""

from __future__ import annotations

import tempfile
import time
import unittest
from dataclasses import replace
from pathlib import Path
from unittest import mock

import calibrate
import document
import figures
import hurl
import journey
import nginx
import rounds
import tls
import truth
import users
import verdicts
from bench import Shot
from process import Command, Finished, Running, run, wait_together
from tools import EVERY_TOOL, Load, Reading
from tools.base import SCRIPTS
from tools.go import K6, Fortio, Hey
from tools.native import Ab, H2load, Wrk, Wrk2
from tools.others import Locust
from tools.plimsoll import Plimsoll, PlimsollJourney, PlimsollResuming

WRK = """  Thread Stats   Avg      Stdev     Max   +/- Stdev
  Latency Distribution
     50%  500.00us
     90%    1.20ms
     99%    2.00s
  87929 requests in 1.00s, 12.00MB read
  Socket errors: connect 0, read 3, write 0, timeout 1
  Non-2xx or 3xx responses: 5
"""
WRK2 = " 50.000%    1.00ms\n 99.000%    2.00ms\n 99.900%    3.00ms\n100.000%    4.00ms\n  10 requests in 1.00s, 1MB read\n"
HEY = """  Slowest:	0.0100 secs
Latency distribution:
  50% in 0.0010 secs
Status code distribution:
  [200]	90 responses
  [503]	10 responses
Error distribution:
  [2]	Get "http://127.0.0.1:1/": EOF
"""
AB = """Complete requests:      1405
Failed requests:        3
Non-2xx responses:      2
"""
STATUS = """Active connections: 65
server accepts handled requests
 7 7 194923
Reading: 0 Writing: 64 Waiting: 1
"""


def said(text: str) -> Finished:
    """A tool that ended well."""
    return Finished(0, text, "", 1.0, 1.0, 0)


class Figures(unittest.TestCase):
    """Quantiles, ratios, paper."""

    def test_agreement_has_no_direction(self) -> None:
        """A figure may be the larger on either side."""
        for ratio, expected in {1.0: True, 1.15: True, 1 / 1.15: True, 1.16: False, 0.86: False}.items():
            self.assertEqual(calibrate.agrees(ratio), expected, msg=str(ratio))

    def test_a_freeze_on_paper(self) -> None:
        """In closed form: a fifth waits, uniformly up to a second."""
        for name, value in {"p50": 0.0, "p90": 500.0, "p95": 750.0, "p99": 950.0, "max": 1000.0}.items():
            self.assertAlmostEqual(truth.even_paper(30)[name], value, delta=1.001, msg=name)

    def test_the_phase_starts_with_the_first_request(self) -> None:
        """Wherever that is."""
        self.assertEqual(figures.on_paper([7.5, 11.5], 1.0, 5.0)["max"], 1000.0)
        self.assertEqual(figures.on_paper([7.5, 11.4], 1.0, 5.0)["max"], 0.0)

    def test_ratios_are_taken_within_rounds(self) -> None:
        """A round that one of them lacks is left out."""
        self.assertEqual(figures.ratios([2.0, None, 6.0], [1.0, 5.0, 2.0]), figures.Spread(2.5, 2.0, 3.0))
        self.assertIsNone(figures.ratios([None], [1.0]))

    def test_users_fit_the_limits(self) -> None:
        """All of them, in as few processes as possible."""
        self.assertEqual(users.shares(50_000, 1 << 20), [50_000])
        self.assertEqual(users.shares(50_000, 20_000), [16_667, 16_667, 16_666])
        self.assertEqual(users.shares(1, 20_000), [1])


class Reports(unittest.TestCase):
    """Reports that are text: they are what changes between versions."""

    load = Load("http://127.0.0.1:1/", 1, 64, None, Path("/nonexistent"))

    def test_wrk(self) -> None:
        """Units, and every kind of failure."""
        reading = Wrk().read(said(WRK), self.load)
        self.assertEqual((reading.requests, reading.failures), (87929, 9))
        self.assertEqual(reading.latency_ms, {"p50": 0.5, "p90": 1.2, "p99": 2000.0})

    def test_wrk2(self) -> None:
        """p99.9 is not p99."""
        self.assertEqual(Wrk2().read(said(WRK2), self.load).latency_ms, {"p50": 1.0, "p99": 2.0, "max": 4.0})

    def test_hey(self) -> None:
        """Statuses and errors look alike."""
        reading = Hey().read(said(HEY), self.load)
        self.assertEqual((reading.requests, reading.failures), (100, 12))
        self.assertEqual(reading.latency_ms, {"p50": 1.0, "max": 10.0})

    def test_ab(self) -> None:
        """Answers that are none are counted apart."""
        reading = Ab().read(said(AB), self.load)
        self.assertEqual((reading.requests, reading.failures), (1405, 5))

    def test_an_unknown_report_is_refused(self) -> None:
        """Never read as zero."""
        for tool in (Wrk(), H2load(), Hey(), Ab()):
            with self.assertRaises(ValueError):
                tool.read(said("nothing of the kind"), self.load)


class Loads(unittest.TestCase):
    """Who can make which load, and is told so in its own words."""

    fresh = Load("https://127.0.0.1:443/", 1, 64, None, fresh=True)
    verified = replace(fresh, authority=Path("authority.pem"))
    few = Load("https://127.0.0.1:443/", 1, 4, None, streams=16)
    many = Load("https://127.0.0.1:443/", 1, 64, None, streams=1)
    steps = Load("http://127.0.0.1:80", 1, 64, None, journey=True)

    def test_models(self) -> None:
        """One field decides."""
        loads = (self.fresh, self.verified, self.few, self.steps, Load("", 1, 1, None), Load("", 1, 1, 5))
        self.assertEqual([load.model for load in loads], ["fresh", "verified", "http2", "journey", "closed", "open"])

    def test_every_tool_has_a_command_for_what_it_can_do(self) -> None:
        """Else a part would end in the middle."""
        for make in EVERY_TOOL:
            tool = make()
            for load in (self.fresh, self.verified, self.few, self.many, self.steps):
                if tool.can(load):
                    self.assertTrue(any(load.url in word for word in tool.command(load).argv), tool.name)

    def test_streams_share_connections_where_a_tool_can_do_that(self) -> None:
        """The product is the same for all."""
        self.assertIn("--connections 4 --streams 16", " ".join(Plimsoll().command(self.few).argv))
        self.assertIn("-c 64 --http2", " ".join(Plimsoll().command(self.few).argv))
        self.assertIn("-c4 -m16", " ".join(H2load().command(self.few).argv))
        self.assertEqual([Fortio().can(load) for load in (self.fresh, self.few, self.many)], [False, False, True])

    def test_everybody_goes_the_same_way(self) -> None:
        """Each in the words of its own script, and the server knows every place of it."""
        for tool, script in {PlimsollJourney: "journey.hurl", K6: "journey.js", Locust: "journey.py"}.items():
            self.assertIn(script, " ".join(tool().command(self.steps).argv))
            text = (SCRIPTS / script).read_text(encoding="utf-8")
            for place in nginx.API:
                self.assertIn(place, text, f"{script} {place}")

    def test_ours_comes_back_only_where_that_is_its_name(self) -> None:
        """They differ in nothing else."""
        self.assertEqual([*Plimsoll().command(self.fresh).argv, "--tls-resume"], PlimsollResuming().command(self.fresh).argv)


class Servers(unittest.TestCase):
    """What nginx says."""

    def test_only_the_first_request_of_a_connection_had_a_handshake(self) -> None:
        """A tool that keeps its connections makes few."""
        self.assertEqual(nginx.logged(b"1.\n2.\n1r\n11r\n12.\n"), nginx.Logged(5, 2, 1))
        self.assertEqual(nginx.Logged(5, 2, 1) + nginx.Logged(1, 1, 0), nginx.Logged(6, 3, 1))

    def test_stub_status(self) -> None:
        """The first number and the third; never zero for want of one."""
        self.assertEqual(nginx.counts_of(STATUS), (7, 194923))
        with self.assertRaises(ValueError):
            nginx.counts_of("<html>")


class Oracle(unittest.TestCase):
    """What is put to hurl and to us."""

    def test_lines_and_blocks_become_files(self) -> None:
        """Each line is an assert on its path; a block is a file as it stands."""
        found = verdicts.cases("# why\nstatus == 200\n/xml | xpath \"//a\" exists\n----\nGET {{host}}/go\nHTTP 302\n----\n")
        self.assertEqual(found[0], "GET {{host}}/json\nHTTP *\n[Asserts]\nstatus == 200\n")
        self.assertEqual(found[1], "GET {{host}}/xml\nHTTP *\n[Asserts]\nxpath \"//a\" exists\n")
        self.assertEqual(found[2:], ["GET {{host}}/go\nHTTP 302\n"])


class Verdicts(unittest.TestCase):
    """Wanted, and how it came out."""

    @staticmethod
    def row(tool: object, *served: int) -> rounds.Row:
        """A tool that was served so much, each time for a second of CPU; where it was nothing, it made no report."""
        shots = [Shot(said(""), Reading(n) if n else None, n, 0.0, resumed=n // 4) for n in served]
        return rounds.Row(tool, shots=list(shots))  # type: ignore[arg-type]

    def test_wanted_is_by_the_median_of_the_rounds(self) -> None:
        """One lucky round is not enough."""
        rows = [self.row(Plimsoll(), 8, 9, 20), self.row(H2load(), 10, 10, 10)]
        self.assertIn("ratio 0.90 (0.80–2.00), so **not met**", rounds.wanted(rows, "plimsoll", "h2load"))
        self.assertIn("so **met**", rounds.wanted(rows, "h2load", "plimsoll"))

    def test_who_failed_has_met_nothing(self) -> None:
        """Nor has who was not there."""
        rows = [self.row(Plimsoll(), 0), self.row(H2load(), 10)]
        self.assertIn("**not shown**", rounds.wanted(rows, "plimsoll", "h2load"))
        self.assertIn("**not shown**", rounds.wanted(rows, "h2load", "oha"))

    def test_the_aim(self) -> None:
        """A figure of its own, beside nobody's."""
        self.assertIn("not reached", tls.aim(self.row(Plimsoll(), 5000, 5100)))
        self.assertIn("is reached", tls.aim(self.row(Plimsoll(), 6000, 7000)))
        self.assertEqual(tls.aim(None), "")

    def test_the_price_of_a_journey(self) -> None:
        """At most so much, or at least: by the median, and an aim is no bound."""
        plain, ours = self.row(Plimsoll(), 17, 18, 30), self.row(PlimsollJourney(), 10, 10, 10)
        said = [journey.verdict([plain, ours, self.row(K6(), 2, 2, 2)], bound) for bound in journey.BOUNDS]
        self.assertIn("at most 2: 1.80 (1.70–3.00), so **met**. Aim: 1.5, which is not reached", said[0])
        self.assertIn("at least 6: 5.00 (5.00–5.00), so **not met**.", said[1])
        self.assertIn("**not shown**", said[2])

    def test_the_share_resumed(self) -> None:
        """Of all rounds together."""
        self.assertEqual(self.row(Plimsoll(), 4, 12).share_resumed, 0.25)


class Documents(unittest.TestCase):
    """The block of a part is replaced, the rest stays."""

    def test_a_block_is_replaced(self) -> None:
        """Twice the same part, then another."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "docs" / "benchmarks.md"
            with mock.patch.object(document, "DOCUMENT", path), mock.patch.object(document, "ROOT", Path(folder)):
                document.write("cost", "first")
                document.write("truth", "third")
                document.write("cost", "second")
            text = path.read_text(encoding="utf-8")
        self.assertNotIn("first", text)
        self.assertLess(text.index("second"), text.index("third"))
        self.assertEqual(text.count("<!-- bench:cost -->"), 1)

    def test_cells_cannot_break_a_table(self) -> None:
        """What a tool says may hold anything."""
        self.assertEqual(document.table(["a"], [["x|y\nz"]]).count("\n"), 2)


class HurlFiles(unittest.TestCase):
    def test_reasons_count_once_a_file_and_without_its_names(self) -> None:
        reads = [
            hurl.Read("a", "refused", ["cannot read `a.bin`: gone", "cannot read `b.bin`: gone"]),
            hurl.Read("b", "refused", ["cannot read `c.bin`: gone"]),
            hurl.Read("c", "not Hurl", ["expected a filter"]),
            hurl.Read("d", "accepted", []),
        ]
        lines = hurl.tally(reads)
        self.assertIn("| refused | 2 |", lines)
        self.assertIn("| cannot read `…`: gone | 2 |", lines)
        self.assertNotIn("expected a filter", "".join(lines))


class Processes(unittest.TestCase):
    """Ends, kills, accounts."""

    def test_cpu_counts_descendants(self) -> None:
        """A shell that waits for a child which works."""
        done = run(Command(["sh", "-c", "sh -c 'i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done'; true"]), 0, 60)
        self.assertEqual(done.code, 0)
        self.assertGreater(done.cpu_s, 0.02)

    def test_too_long_is_killed_with_its_children(self) -> None:
        """Also what it started in the background."""
        began = time.monotonic()
        done = run(Command(["sh", "-c", "echo working; sleep 600 & sleep 600"]), 0, 0.3)
        self.assertTrue(done.timed_out)
        self.assertIn("working", done.complaint())
        self.assertLess(time.monotonic() - began, 60)

    def test_memory_of_each_is_looked_at(self) -> None:
        """While all of them run."""
        with Running(Command(["sleep", "0.3"]), 0) as a, Running(Command(["sleep", "0.3"]), 0) as b:
            self.assertTrue(all(done.rss_bytes > 0 for done in wait_together([a, b], 60)))


if __name__ == "__main__":
    unittest.main()
