# Both targets set up what they need: a virtual environment in .venv with the project installed.
PYTHON ?= python3
VENV := .venv
STAMP := $(VENV)/.installed

.PHONY: check test lint clean

check: $(STAMP)  ## validate the base and recompute every figure in it
	$(VENV)/bin/flopkb check

test: $(STAMP)  ## run the tests
	$(VENV)/bin/python -m pytest -q

lint: $(STAMP)  ## types and style
	$(VENV)/bin/ruff check flopkb tests benchmarks
	$(VENV)/bin/mypy

$(STAMP): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check -e '.[solver,dev]'
	touch $(STAMP)

clean:
	rm -rf $(VENV)
