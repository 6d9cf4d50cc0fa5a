"""The journey of `journey.hurl` for locust, with the faster of its two clients: every status is checked, and two answers in JSON."""

from locust import FastHttpUser, task


class Bench(FastHttpUser):
    """Begins again at once."""

    @task
    def journey(self) -> None:
        """From login to logout."""
        login = self.ask("POST", "/login", 200, json={"name": "ada", "password": "lovelace"})
        token = {"Authorization": f"Bearer {login['token']}"}
        self.ask("POST", "/orders", 201, "state", "new", json={"sku": "tea", "count": 2}, headers=token)
        self.ask("GET", "/orders/42", 200, headers=token)
        self.ask("GET", "/products?sort=price&page=2", 200, "total", 2, headers=token)
        self.ask("GET", "/profile", 200, headers=token)
        self.ask("PUT", "/orders/42", 200, json={"sku": "tea", "count": 3}, headers=token)
        self.ask("DELETE", "/orders/42", 204, headers=token)
        self.ask("POST", "/logout", 204, headers=token)

    def ask(self, method: str, path: str, status: int, name: str = "", value: object = None, **more: object) -> dict:
        """One step; what it says in JSON where somebody looks at it."""
        with self.client.request(method, path, catch_response=True, **more) as answer:
            said = answer.json() if name or path == "/login" else {}
            if answer.status_code != status:
                answer.failure(f"status is {answer.status_code}, not {status}")
            elif name and said[name] != value:
                answer.failure(f"{name} is {said[name]}, not {value}")
            return said
