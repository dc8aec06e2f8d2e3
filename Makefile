# Two commands matter: `make play` and `make test`. Each sets up everything it needs, without asking.

VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.set-up

# tools/web builds the client when something under web/ has changed.
.PHONY: play test quick nightly check web-check bench bench-peers coverage pythons lock clean set-up

# Tests start processes by the hundred: what Python has compiled is kept for the next one, whatever the shell says.
unexport PYTHONDONTWRITEBYTECODE

# Nothing here starts a server, a browser or a stranger's program; what takes long is marked `slow`.
QUICK := tests/house tests/cases tests/unit/games tests/unit/kernel tests/unit/pictures tests/unit/wire
ROUNDS ?= 3
# More than there are cores: tests of servers and browsers wait for most of their time.
WORKERS ?= $(shell echo $$(( $$(getconf _NPROCESSORS_ONLN) * 2 )))

play: set-up            ## Play and watch in a browser, until Ctrl-C
	@$(BIN)/polemos serve --folder out/tables --open

test: set-up            ## Run all tests, the same ones in the same order every time
	@tools/toolchains
	@tools/both "$(MAKE) --no-print-directory check" tools/compile
	@rm -f .pytest_cache/v/cache/lastfailed
	@$(BIN)/python -m pytest -p no:randomly -n $(WORKERS) --dist worksteal || { [ $$? = 1 ] && $(BIN)/python tools/again; }

quick: set-up           ## Style, types, house, cases and quick units: an answer within 90 seconds on two cores
	@$(BIN)/ruff format --check --quiet . || { echo "run: $(BIN)/ruff format ."; exit 1; }
	@$(BIN)/ruff check --quiet --output-format concise .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-logo
	@$(BIN)/python -m pytest -q -p no:randomly -n auto --dist worksteal -m "not slow" $(QUICK)

nightly: check          ## All tests in any order, then ROUNDS searches for counter-examples, with new seeds every time
	@POLEMOS_PROXIES="nginx caddy" tools/toolchains
	@tools/compile
	@POLEMOS_NIGHTLY=1 POLEMOS_PROXIES="nginx caddy" $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal
	@for round in $$(seq $(ROUNDS)); do \
	  POLEMOS_SEARCH=1 $(BIN)/python -m pytest -q -n auto --dist worksteal -m hypothesis || exit 1; done

check: set-up web-check ## Check style, types and import contracts
	@$(BIN)/ruff format --check --quiet . || { echo "run: $(BIN)/ruff format ."; exit 1; }
	@$(BIN)/ruff check --quiet --output-format concise .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-logo

web-check: set-up       ## Check the client: format, lint, types, unit tests
	@tools/web-check

bench: set-up           ## Measure the speed of every game; the history is in benchmarks/results.md
	@$(BIN)/polemos bench

# Measured here only, so they are in no extra.
bench-peers: set-up     ## Measure our games beside OpenSpiel, PettingZoo and Pgx, in one table (needs the network)
	@$(BIN)/python -c "import chess, pgx, pygame" 2>/dev/null || $(BIN)/python -m pip install --quiet pgx==2.6.0 pygame chess
	@$(BIN)/python benchmarks/peers.py

coverage: set-up        ## Measure how many branches of the interpreted rules the cases reach
	@POLEMOS_INTERPRET=1 $(BIN)/coverage run -m pytest -q tests/cases tests/unit && $(BIN)/coverage report

pythons: set-up         ## Test the wheel on every supported Python that is installed (needs the network)
	@tools/pythons

lock: set-up            ## Resolve the versions again (needs uv)
	@uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-header \
	  --extra dev pyproject.toml -o requirements.lock

set-up: $(STAMP)
	@tools/both tools/web "$(BIN)/polemos prepare"

$(STAMP): requirements.lock pyproject.toml tools/set-up
	@tools/set-up $(VENV)
	@touch $@

clean:
	rm -rf $(VENV) out dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage
