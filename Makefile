# Everything runs in `.venv`, which the targets make and keep up to date by themselves.
#
#   make setup   make .venv with the program in it; every other target does so too
#   make demo    play configs/round_robin.yaml and print the leaderboard
#   make test    every test, two at a time
#   make check   style, types, floors and the house rules: seconds
#   make coverage  the same tests; fails where a branch below the line is not taken
#   make fix     let ruff mend what it can
#   make bench   the figures that speed is judged by
#   make pictures  take the pictures of the documents again, with Chromium
#   make docs    compare the documents with the code, and make a site of them in site/
#   make clean   remove everything that was made, results too

.POSIX:
.DELETE_ON_ERROR:
.PHONY: help setup demo test coverage check style types floors house fix bench pictures docs clean

PYTHON =
TESTS =
VENV = .venv
BIN = $(VENV)/bin
# PEP 517: trueskill comes as source without a pyproject.toml, which pip warns of on its own.
PIP = $(BIN)/python -m pip --disable-pip-version-check install --quiet --use-pep517
PURE = arena/advice.py,arena/cards.py,arena/deals.py,arena/documents/*,arena/errors.py,arena/formats/*,arena/games/*,$\
  arena/plugins.py,arena/protocol.py,arena/ratings/*,arena/record.py,arena/referee/*

help:
	@sed -n 's/^#   //p' Makefile

setup: $(VENV)/.installed

demo: $(VENV)/.installed
	rm -rf results/demo
	@echo 'playing configs/round_robin.yaml'
	$(BIN)/arena run configs/round_robin.yaml --out results/demo

test: $(VENV)/.installed-dev
	$(BIN)/pytest -n 2 $(TESTS)

# The lower half decides, so every branch of it is taken by some test.
coverage: $(VENV)/.installed-dev
	$(BIN)/pytest -n 2 --cov --cov-report= $(TESTS)
	$(BIN)/coverage report
	@echo 'Below the line:'
	$(BIN)/coverage report --fail-under=100 --include='$(PURE)'

check: $(VENV)/.installed-dev
	@$(MAKE) --no-print-directory --jobs=2 --keep-going --output-sync=target types house floors style

style: $(VENV)/.installed-dev
	$(BIN)/ruff check --quiet
	$(BIN)/ruff format --check --quiet

types: $(VENV)/.installed-dev
	$(BIN)/mypy

floors: $(VENV)/.installed-dev
	$(BIN)/lint-imports --no-logo

house: $(VENV)/.installed-dev
	$(BIN)/pytest -q tests/house

fix: $(VENV)/.installed-dev
	$(BIN)/ruff check --fix --quiet
	$(BIN)/ruff format --quiet
	$(BIN)/python -m arena.config.reference > docs/reference.md.new
	mv docs/reference.md.new docs/reference.md

bench: $(VENV)/.installed-bench
	$(BIN)/python -m bench

pictures: $(VENV)/.installed-dev
	rm -rf results/pictures
	$(BIN)/arena run configs/round_robin.yaml --out results/pictures
	$(BIN)/arena report results/pictures --games all
	$(BIN)/python docs/pictures/make.py results/pictures/report

docs: $(VENV)/.installed-docs
	$(BIN)/pytest -q tests/house/test_docs.py
	NO_MKDOCS_2_WARNING=true $(BIN)/mkdocs build --quiet --strict

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .import_linter_cache .pytest_cache .hypothesis .coverage* dist site
	find results -mindepth 1 ! -name .gitkeep -delete
	find arena bots bench tests -name __pycache__ -type d -exec rm -rf {} +

# A Python of 3.11 or newer that can make virtual environments; PYTHON=… names another one.
$(BIN)/python:
	@for python in $(PYTHON) python3 python3.14 python3.13 python3.12 python3.11; do \
	  command -v "$$python" >/dev/null 2>&1 || continue; \
	  "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || continue; \
	  found=$$python; break; \
	done; \
	if [ -z "$$found" ]; then \
	  echo 'Python 3.11 or newer is needed and none was found; install it, or name one: make PYTHON=/path/to/python3' >&2; \
	  exit 1; \
	fi; \
	if ! "$$found" -c 'import ensurepip, venv' 2>/dev/null; then \
	  echo "$$found cannot make virtual environments; on Debian and Ubuntu: apt-get install python3-venv" >&2; \
	  exit 1; \
	fi; \
	echo "making $(VENV) with $$found"; \
	"$$found" -m venv --clear $(VENV) || { rm -rf $(VENV); exit 1; }

$(VENV)/.installed: $(BIN)/python pyproject.toml
	@echo 'installing the arena into $(VENV), which takes about a minute'
	$(PIP) --editable .
	@touch $@

$(VENV)/.installed-dev: $(BIN)/python pyproject.toml
	@echo 'installing what its checks and tests need into $(VENV), which takes about a minute'
	$(PIP) --editable '.[dev]'
	@touch $(VENV)/.installed $@

$(VENV)/.installed-docs: $(BIN)/python pyproject.toml
	@echo 'installing what makes the site of its documents into $(VENV), which takes about a minute'
	$(PIP) --editable '.[dev,docs]'
	@touch $(VENV)/.installed $(VENV)/.installed-dev $@

$(VENV)/.installed-bench: $(BIN)/python pyproject.toml
	@echo 'installing what it is measured with into $(VENV), which takes about a minute'
	$(PIP) --editable '.[bench]'
	@touch $(VENV)/.installed $@
