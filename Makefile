# Everything a person or a machine does with this checkout. `make run` and `make test` work from
# an empty folder and need nothing first but Python >= 3.11 with venv, and make.

PYTHON ?= python3
BIN := .venv/bin
UV_VERSION := 0.13.9

# uv is only a quicker pip here: without it the same locked files are installed by pip itself.
INSTALL = if $(BIN)/uv --version >/dev/null 2>&1; \
	then VIRTUAL_ENV=$(CURDIR)/.venv $(BIN)/uv pip install --quiet --require-hashes -r $(1); \
	else $(BIN)/python -m pip install --quiet --require-hashes -r $(1); fi

.PHONY: help run test check lint types contracts schema audit bench screenshots messages mutate format lock clean

help:
	@echo "make run      the whole site on http://127.0.0.1:8000 (PORT, CALLBREAK_VAR)"
	@echo "make test     the whole test suite, on SQLite and on PostgreSQL"
	@echo "make check    lint, types, contracts, schema and make test: what CI runs"
	@echo "make format   rewrite the code in the one style"
	@echo "make bench    the benchmarks      make mutate   mutation tests of the rules"
	@echo "make screenshots   pictures of every page, in var/screenshots"
	@echo "make messages      bring the catalogues in locale/ up to date (needs gettext)"
	@echo "make lock     compile the lock files again"

# Targets are marker files, so a second `make run` installs nothing.
.venv: .venv/installed

.venv/created:
	@echo "Making the virtual environment ..." >&2
	@$(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet uv==$(UV_VERSION) || echo "no uv: pip will do" >&2
	@touch $@

.venv/installed: requirements.txt .venv/created
	@echo "Installing $< ..." >&2
	@$(call INSTALL,$<)
	@touch $@

.venv/installed-dev: requirements-dev.txt .venv/installed
	@echo "Installing $< ..." >&2
	@$(call INSTALL,$<)
	@touch $@

run: .venv/installed
	@$(BIN)/python manage.py play --with-parent

# The whole suite on SQLite, then every test that touches the database on PostgreSQL; of each, first what
# may run two at a time, then what starts processes of its own. All say what they skipped, and why.
TEST = $(BIN)/python -m pytest -ra
TWO = -n 2 --dist loadfile
POSTGRESQL = -p tests.pgserver
test: .venv/installed-dev
	$(TEST) $(TWO) -m "not alone" $(ARGS)
	$(TEST) -m "alone" $(ARGS)
	$(TEST) $(POSTGRESQL) $(TWO) -m "(django_db or postgres) and not alone" $(ARGS)
	$(TEST) $(POSTGRESQL) -m "(django_db or postgres) and alone" $(ARGS)

check: lint types contracts schema
	$(MAKE) test

lint: .venv/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/djade --check --target-version 5.2 $$(git ls-files 'templates/*.html' 'templates/*.txt')
	$(BIN)/djlint --quiet --lint templates
	$(BIN)/python -c "import yaml; yaml.safe_load(open('docker-compose.yml'))"

types: .venv/installed-dev
	$(BIN)/mypy

contracts: .venv/installed-dev
	$(BIN)/lint-imports

# A model without its migration, or an answer that the committed schema does not know, stops here.
schema: .venv/installed-dev
	$(BIN)/python manage.py makemigrations --check --dry-run
	$(BIN)/python manage.py spectacular --validate --fail-on-warn --file .venv/openapi.yaml
	diff -u games/api/openapi.yaml .venv/openapi.yaml

audit: .venv/installed-dev
	$(BIN)/pip-audit --strict --require-hashes --disable-pip -r requirements.txt

bench: .venv/installed-dev
	$(BIN)/python -m bench

screenshots: .venv/installed-dev
	$(BIN)/python -m tests.browser.screenshots

# Compiling them needs no target: whatever starts the site, or the tests, compiles what is out of date.
messages: .venv/installed-dev
	$(BIN)/python -m tests.i18n.extract

mutate: .venv/installed-dev
	$(BIN)/mutmut run
	$(BIN)/mutmut results

format: .venv/installed-dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/djade --target-version 5.2 $$(git ls-files 'templates/*.html' 'templates/*.txt')

LOCK = $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header
lock: .venv/created
	$(LOCK) requirements.in -o requirements.txt
	$(LOCK) requirements-push.in -o requirements-push.txt
	$(LOCK) requirements-dev.in -o requirements-dev.txt

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .import_linter_cache staticfiles
