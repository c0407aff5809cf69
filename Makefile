# Everything runs in .venv, which the first target makes: `make demo` and `make test` work on a fresh clone.

PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip install -qq --no-compile -c constraints.txt
# The CPU build of PyTorch; where this index is out of reach, the default one is asked.
TORCH := torch --retries 0 --extra-index-url https://download.pytorch.org/whl/cpu
MAKEFLAGS += --no-print-directory

.SILENT:
.DELETE_ON_ERROR:
.PHONY: help demo test lint slow bench results clean

help:
	echo 'make demo     upscale the bundled map and draw it before and after'
	echo 'make test     every check, under eight minutes on two cores'
	echo 'make slow     the tests that take longer'
	echo 'make results  measure what changed and write docs/results.md; DATA=DIR holds the data'
	echo 'make bench    install what the benchmarks of speed compare with'

.venv/installed: pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "atgvnet needs Python 3.11 or newer; set PYTHON=")'
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install -qq --upgrade pip
	$(PIP) $(TORCH)
	$(PIP) --editable . --group dev
	touch $@

.venv/benchmarks: .venv/installed
	$(PIP) --group bench
	touch $@

demo: .venv/installed
	$(BIN)/python tools/demo.py

lint: .venv/installed
	$(BIN)/ruff format --quiet --check .
	$(BIN)/ruff check --quiet .
	$(BIN)/mypy --no-error-summary
	$(BIN)/lint-imports --no-logo > .venv/imports.log || { cat .venv/imports.log; exit 1; }

# The wheel's test is named first as it takes longest: the other worker goes on meanwhile.
test: lint
	$(BIN)/python -m pytest -n 2 --dist worksteal -m 'not slow' tests/test_wheel.py tests src

slow: .venv/installed
	$(BIN)/python -m pytest -m slow --timeout 3600

bench: .venv/benchmarks

DATA ?= data
results: .venv/installed
	$(BIN)/python tools/results.py --data $(DATA) $(OPTIONS)

clean:
	rm -rf .venv out dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
