# make run · make test · make bench · make fix (CONTRIBUTING.md spells each one out)
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PORT   ?= 8501

RESULTS ?= results

.PHONY: run test test-fast test-slow test-llm test-ray test-external test-heavy lint bench results pictures fix browser postgres clean help

help:            ## list the targets
	@grep -E '^[a-z-]+:.*##' Makefile | sed 's/:.*##/ —/'

run: $(VENV)/.run    ## open the app at http://localhost:8501 (PORT=… for another)
	$(BIN)/python -m db migrate --demo
	$(BIN)/python tools/serve.py $(PORT)

test: $(VENV)/.dev browser postgres lint    ## everything CI runs
	$(BIN)/python -m pytest -n 2 --dist loadfile

test-fast: $(VENV)/.dev    ## without the browser
	$(BIN)/python -m pytest -m "not browser"

test-slow: $(VENV)/.dev browser postgres    ## what takes a second or more a test: long journeys in a browser, whole processes
	$(BIN)/python -m pytest -n 2 --dist loadfile -m slow

test-llm: $(VENV)/.dev    ## with a real, small language model on this machine
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-llm.txt
	$(BIN)/python -m pytest -m llm

test-ray: $(VENV)/.dev    ## scoring by many workers, of whom one is killed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-ray.txt
	$(BIN)/python -m pytest -m ray

test-external: $(VENV)/.dev    ## COMET with random weights, in an environment of its own (.comet)
	$(PYTHON) -m venv .comet
	.comet/bin/python -m pip install --quiet --disable-pip-version-check -r requirements-comet.txt
	$(BIN)/python -m pytest -m external

test-heavy: $(VENV)/.dev postgres    ## the same at full size, and many people at once: for many minutes
	$(BIN)/python -m pytest -m heavy -s

lint: $(VENV)/.dev    ## style, types, imports, security
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/bandit -q -c pyproject.toml -r core db pages app.py

bench: $(VENV)/.dev    ## speed and memory, one JSON line
	$(BIN)/python -m benchmarks

results: $(VENV)/.dev    ## the tables of docs/results.md again (DATA=folder; goes on where it was stopped)
	PYTHONPATH=. $(BIN)/python tools/results.py $(DATA) --out $(RESULTS)

pictures: $(VENV)/.dev browser    ## every page in both languages and themes at three widths, into shots/ (PAGES="front rate" for some)
	PYTHONPATH=. $(BIN)/python tools/pictures.py $(PAGES)

fix: $(VENV)/.dev    ## let ruff repair style
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

browser:         ## Chromium and a Japanese font, where the system's package manager may install them
	@sh tools/install_browser.sh

postgres:        ## a PostgreSQL server for the tests, where the system's package manager may install it
	@sh tools/install_postgres.sh

clean:           ## remove the environment and caches
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .import_linter_cache

$(VENV)/bin/python:
	$(PYTHON) -c 'import sys; sys.exit("Yomikurabe needs Python 3.11 or newer; set PYTHON=…" if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.run: $(VENV)/bin/python requirements.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	touch $@

$(VENV)/.dev: $(VENV)/.run requirements-dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	touch $@
