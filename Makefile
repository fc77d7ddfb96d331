# Every target sets up what it needs in .venv: `check` what checking needs and no more, the others the extra `dev` too.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
CORE := $(VENV)/.core
DEV := $(VENV)/.dev
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
EDITORS := .editors
LANGUAGE_SERVER := yaml-language-server@2.0.0
# One process a core; a file of tests stays in one of them, since what it sets up serves all of its tests.
PYTEST := $(BIN)/python -m pytest -q -n auto --dist loadfile --no-loadscope-reorder

.PHONY: check test test-quick lint docs editors clean

check: $(CORE)  ## validate the base and recompute every figure in it
	$(BIN)/flopkb check

test: $(DEV)  ## run the tests
	$(PYTEST)

test-quick: $(DEV)  ## run the tests that answer at once: all but those marked slow
	$(PYTEST) -m 'not slow' --hypothesis-profile quick

lint: $(DEV)  ## style, layout and types
	$(BIN)/ruff check flopkb tests benchmarks
	$(BIN)/ruff format --check flopkb tests benchmarks
	$(BIN)/mypy

docs: $(DEV)  ## what documents say of commands, fields and outputs; the documents made from templates, as pages
	$(BIN)/python benchmarks/measured.py
	$(BIN)/flopkb fix README.md docs/mutation.md docs/readme_numbers.md
	$(BIN)/flopkb --markdown > docs/cli.md
	$(BIN)/flopkb rules --markdown > docs/rules.md
	cd tests && PYTHONPATH=.. ../$(BIN)/python -m docs.rewrite
	for template in docs/*.md.j2; do $(BIN)/flopkb render $$template --output $${template%.md.j2}.html || exit 1; done

editors: $(EDITORS)/.installed  ## the YAML language server, which the tests of editor support run (needs npm)

$(EDITORS)/.installed: Makefile
	mkdir -p $(EDITORS)
	npm install --prefix $(EDITORS) --no-save --no-package-lock --no-audit --no-fund --silent $(LANGUAGE_SERVER)
	touch $@

# Modules are compiled when they are first imported: most of what comes along never is.
$(CORE): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(PIP) --no-compile -e .
	touch $@

$(DEV): pyproject.toml | $(CORE)
	$(PIP) --no-compile -e '.[dev]'
	touch $(CORE) $@

clean:
	rm -rf $(VENV) $(EDITORS)
