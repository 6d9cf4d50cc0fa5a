"""The smallest locust user that does what is measured: one GET, with the faster of its two clients."""

import os

from locust import FastHttpUser, constant_throughput, task

PER_USER = float(os.environ.get("BENCH_PER_USER", "0"))


class Bench(FastHttpUser):
    """Asks again at once, or so many times a second."""

    if PER_USER:
        wait_time = constant_throughput(PER_USER)

    @task
    def get(self) -> None:
        """The host is the whole URL; an empty path would be refused."""
        self.client.get(self.host)
