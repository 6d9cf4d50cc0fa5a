# Everything a person needs: `make demo` shows it, `make test` tests it. Each says what it installs.

SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help demo build test check fmt bench fuzz clean

help: ## Show this list
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-8s %s\n", $$1, $$2}'

demo: tools ## Start a server of known truth, drive it, print the result (about 20 s)
	cargo run --release --quiet -p plimsoll -- demo

build: tools ## Build the command `target/release/plimsoll`
	cargo build --release -p plimsoll -p plimsoll-testkit

test: tools servers ## All tests; those that need a server start a real one (also nginx, and one built with Go)
	cargo test --workspace --locked

check: tools check-tools servers ## What CI runs: format, lints, docs, dependencies, tests
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --locked -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --locked --quiet
	cargo deny --locked check bans licenses sources
	cargo machete
	python3 -m unittest discover -q -s bench
	$(MAKE) --no-print-directory test

bench: build nginx ## Compare with other tools, on the testkit and nginx, in a network namespace of its own (root; 65 min)
	python3 bench all

fuzz: ## Fuzz the parsers, a minute each (nightly Rust)
	for target in response chunk inflate h2 hpack; do cargo +nightly fuzz run $$target -- -max_total_time=60 || exit 1; done

fmt: ## Format the code
	cargo fmt --all

clean: ## Remove what was built
	cargo clean

# What a fresh Debian machine lacks. Nothing is installed that is there already.
.PHONY: tools check-tools
tools:
	@command -v cargo >/dev/null || { echo "Rust is missing: install it with rustup, then run make again"; exit 1; }
	@command -v cc >/dev/null || { echo "installing a linker: apt-get install build-essential"; \
	  $(SUDO) apt-get update -q && $(SUDO) apt-get install -y -q build-essential; }
	@command -v python3 >/dev/null || { echo "installing what the benchmark scripts run on: apt-get install python3"; \
	  $(SUDO) apt-get update -q && $(SUDO) apt-get install -y -q python3; }
	@{ pkg-config --exists libxml-2.0 && ls /usr/lib/llvm-*/lib/libclang.so* >/dev/null; } 2>/dev/null \
	  || ! command -v apt-get >/dev/null \
	  || { echo "installing what the reading of Hurl files is built on: apt-get install libclang-dev libxml2-dev pkg-config"; \
	  $(SUDO) apt-get update -q && $(SUDO) apt-get install -y -q libclang-dev libxml2-dev pkg-config; }

# Servers that are not ours: tests and benchmarks start their own, with configurations of their own.
.PHONY: servers nginx go
servers: nginx go
nginx:
	@PATH="$$PATH:/usr/sbin:/usr/local/sbin" command -v nginx >/dev/null || { \
	  echo "installing a server that tests and benchmarks drive: apt-get install nginx-light"; \
	  echo "(Debian then starts one on port 80, which is not used here: systemctl disable --now nginx ends it)"; \
	  $(SUDO) apt-get update -q && $(SUDO) apt-get install -y -q nginx-light; }
	@command -v openssl >/dev/null || { echo "installing what makes its certificate: apt-get install openssl"; \
	  $(SUDO) apt-get update -q && $(SUDO) apt-get install -y -q openssl; }
go:
	@PATH="$$PATH:/usr/local/go/bin:/usr/lib/go/bin" command -v go >/dev/null || { \
	  echo "installing what builds a server that tests drive: apt-get install golang-go"; \
	  $(SUDO) apt-get update -q && $(SUDO) apt-get install -y -q golang-go; }

check-tools:
	@cargo deny --version >/dev/null 2>&1 || { echo "installing cargo-deny"; cargo install --locked --quiet cargo-deny; }
	@cargo machete --version >/dev/null 2>&1 || { echo "installing cargo-machete"; cargo install --locked --quiet cargo-machete; }

SUDO := $(shell [ "$$(id -u)" = 0 ] || echo sudo)
