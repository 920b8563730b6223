# Everything is set up by tools/bootstrap.py; on Windows call it directly: py tools\bootstrap.py run
PYTHON ?= python3
ARGS ?=

.PHONY: run test lint bench setup lock clean

run:    ## open the window; without a display process the demo clip
	@$(PYTHON) tools/bootstrap.py run $(ARGS)

test:   ## run the test suite
	@$(PYTHON) tools/bootstrap.py test $(ARGS)

lint:   ## ruff and mypy
	@$(PYTHON) tools/bootstrap.py lint

bench:  ## measure the figures in docs/performance.md
	@$(PYTHON) tools/bootstrap.py bench $(ARGS)

setup:  ## create .venv and install the locked packages
	@$(PYTHON) tools/bootstrap.py setup

lock:   ## renew the locked versions (needs uv)
	@sh tools/lock.sh

clean:
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache
