# Two commands matter: `make play` and `make test`. Each sets up what it needs and never asks.

VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.set-up

# tools/web builds the client when something under web/ has changed.
.PHONY: play test check web-check bench coverage pythons lock clean set-up

play: set-up            ## Play and watch in a browser, until Ctrl-C
	@$(BIN)/polemos serve --folder out/tables --open

test: check             ## All tests
	@tools/toolchains
	@$(BIN)/python -m pytest -n auto --dist worksteal

check: set-up web-check ## Style, types, import contracts
	@$(BIN)/ruff format --check --quiet . || { echo "run: $(BIN)/ruff format ."; exit 1; }
	@$(BIN)/ruff check --quiet --output-format concise .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-logo

web-check: set-up       ## Layout, lint, types and unit tests of the client
	@tools/web-check

bench: set-up           ## Speed of every game; the history is in benchmarks/results.md
	@$(BIN)/polemos bench

coverage: set-up        ## Branch coverage of interpreted rules by the cases
	@POLEMOS_INTERPRET=1 $(BIN)/coverage run -m pytest -q tests/cases tests/unit && $(BIN)/coverage report

pythons: set-up         ## The wheel on every supported Python that is here (needs the network)
	@tools/pythons

lock: set-up            ## Resolve the versions anew (needs uv)
	@uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-header \
	  --extra dev pyproject.toml -o requirements.lock

set-up: $(STAMP)
	@tools/web
	@$(BIN)/polemos prepare

$(STAMP): requirements.lock pyproject.toml tools/set-up
	@tools/set-up $(VENV)
	@touch $@

clean:
	rm -rf $(VENV) out dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage
