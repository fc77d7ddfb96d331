# Both targets set up what they need: a virtual environment in .venv with the project installed.
PYTHON ?= python3
VENV := .venv
STAMP := $(VENV)/.installed
EDITORS := .editors
LANGUAGE_SERVER := yaml-language-server@2.0.0

.PHONY: check test lint docs editors clean

check: $(STAMP)  ## validate the base and recompute every figure in it
	$(VENV)/bin/flopkb check

test: $(STAMP)  ## run the tests
	$(VENV)/bin/python -m pytest -q

lint: $(STAMP)  ## types and style
	$(VENV)/bin/ruff check flopkb tests benchmarks
	$(VENV)/bin/mypy

docs: $(STAMP)  ## what documents say of commands, fields and outputs
	$(VENV)/bin/flopkb --markdown > docs/cli.md
	$(VENV)/bin/flopkb rules --markdown > docs/rules.md
	cd tests && PYTHONPATH=.. ../$(VENV)/bin/python -m docs.rewrite

editors: $(EDITORS)/.installed  ## the YAML language server, which the tests of editor support run (needs npm)

$(EDITORS)/.installed: Makefile
	mkdir -p $(EDITORS)
	npm install --prefix $(EDITORS) --no-save --no-package-lock --no-audit --no-fund --silent $(LANGUAGE_SERVER)
	touch $@

$(STAMP): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check -e '.[solver,dev]'
	touch $(STAMP)

clean:
	rm -rf $(VENV) $(EDITORS)
