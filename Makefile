# Two commands matter: `make play` and `make test`. Each sets up everything it needs, without asking.

VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.set-up

# tools/web builds the client when something under web/ has changed.
.PHONY: play test check web-check bench coverage pythons lock clean set-up

play: set-up            ## Play and watch in a browser, until Ctrl-C
	@$(BIN)/polemos serve --folder out/tables --open

test: check             ## Run all tests
	@tools/toolchains
	@$(BIN)/python -m pytest -n auto --dist worksteal

check: set-up web-check ## Check style, types and import contracts
	@$(BIN)/ruff format --check --quiet . || { echo "run: $(BIN)/ruff format ."; exit 1; }
	@$(BIN)/ruff check --quiet --output-format concise .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-logo

web-check: set-up       ## Check the client: format, lint, types, unit tests
	@tools/web-check

bench: set-up           ## Measure the speed of every game; the history is in benchmarks/results.md
	@$(BIN)/polemos bench

coverage: set-up        ## Measure how many branches of the interpreted rules the cases reach
	@POLEMOS_INTERPRET=1 $(BIN)/coverage run -m pytest -q tests/cases tests/unit && $(BIN)/coverage report

pythons: set-up         ## Test the wheel on every supported Python that is installed (needs the network)
	@tools/pythons

lock: set-up            ## Resolve the versions again (needs uv)
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
