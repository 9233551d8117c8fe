# The two commands a newcomer needs: `make exam` and `make test`.
PYTHON ?= python3
BIN := .venv/bin
LOWEST ?= tests/answer tests/engine tests/analysis tests/psychometric tests/paradigms tests/cli tests/report

# Compiled modules are kept, whatever the caller's shell says: every worker and every process of a test loads them.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: exam test costs pages soak proof mutants lowest lint types bench docs gallery consoles notebook results models anchors lock web clean

# Three tasks of the bundled model: a habit, its eyes, its thinking.
exam: .venv/exam
	$(BIN)/snellen exam --tasks fixation,bias,winoground

# Tests of a file stay together in one worker, where they share what is made once, until the other has nothing to do.
test: .venv/dev
	$(BIN)/python -m pytest -n 2 --dist worksteal

# The same, and what each folder costs into CONTRIBUTING.md.
costs: .venv/dev
	$(BIN)/python -m pytest -n 2 --dist worksteal --junitxml=.pytest_cache/junit.xml
	$(BIN)/python tools/test_costs.py .pytest_cache/junit.xml --write

# Every command and every line of Python on the pages.
pages: .venv/dev
	$(BIN)/python -m pytest -n 2 --dist worksteal -m soak tests/docs

soak: .venv/dev
	$(BIN)/python -m pytest -n 2 --dist worksteal -m soak

# Fakes with known faults over 20 seeds, and what the diagnosis made of each (half an hour; PROOF="--only bias").
proof: .venv/dev
	cd tests && ../$(BIN)/python -m fakes.proof $(PROOF)

# A hundred planted bugs: 95 must be caught by the quick tests (an hour; MUTANTS="--only engine", "--jobs 2", "--nearest").
mutants: .venv/dev
	$(BIN)/python tools/mutants.py $(MUTANTS)

# The oldest versions that pyproject.toml allows, in an environment of their own.
lowest: .venv/python
	$(BIN)/pip install --quiet --disable-pip-version-check uv
	$(BIN)/uv venv --quiet --clear --python $(BIN)/python .venv/lowest
	$(BIN)/uv pip install --quiet --python .venv/lowest --resolution lowest-direct -e '.[test,hub,pdf]'
	.venv/lowest/bin/python -m pytest -n 2 $(LOWEST)

lint: .venv/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: .venv/dev
	$(BIN)/mypy

bench: .venv/dev
	$(BIN)/python -m bench

docs: gallery .venv/docs
	$(BIN)/mkdocs build --strict

gallery: .venv/exam
	$(BIN)/python docs/make_gallery.py
	$(BIN)/python docs/make_accuracy_hides.py

# What pages show below their commands, and what the notebook shows below its cells: both are held to it by tests.
consoles: .venv/exam
	$(BIN)/python docs/make_consoles.py

notebook: .venv/docs
	$(BIN)/python docs/make_notebook.py

# Tables and figures of docs/results, from the data beside them.
results: .venv/exam
	$(BIN)/python docs/make_results.py

# Which architectures of local models answer as transformers itself does.
models: .venv/dev
	$(BIN)/pip install --quiet --disable-pip-version-check timm
	$(BIN)/python docs/make_models.py

# The lines of readers on every eye chart, measured anew with those that are installed.
anchors: .venv/exam
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[ocr]'
	$(BIN)/python tools/make_anchors.py

# Versions for development, for all platforms.
lock: .venv/dev
	$(BIN)/pip install --quiet --disable-pip-version-check uv
	echo '# The versions that development uses: uv pip sync requirements-dev.lock. Renew: make lock' > requirements-dev.lock
	$(BIN)/uv pip compile pyproject.toml --universal --python-version 3.11 --extra dev --extra inspect --quiet \
	  --no-header --no-annotate --no-emit-index-url --no-emit-find-links >> requirements-dev.lock

web:
	cd web && npm ci && npm run build

clean:
	rm -rf .venv site

# Stamps: an environment is made once and remade when the dependencies change.
.venv/python:
	$(PYTHON) -c 'import sys; sys.exit("Snellen needs Python 3.11 or newer, found " + sys.version.split()[0] if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv .venv
	@touch $@

.venv/exam: .venv/python pyproject.toml
	$(BIN)/pip install --quiet --disable-pip-version-check -e .
	@touch $@

.venv/docs: .venv/exam
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[docs]'
	@touch $@

.venv/dev: .venv/python pyproject.toml
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[dev,inspect]'
	@touch $@ .venv/exam
