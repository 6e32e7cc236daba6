# The habits of this project. CI calls these and nothing else.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
DATA   ?= ../shared/data/locomo_dev.json

.PHONY: run test check unit validate openapi lock evals bench clean

# --- set-up: done by the targets that need it, from the locks, never by hand ---

$(VENV)/.local: requirements/local.txt pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install -q --no-deps -r requirements/local.txt
	@$(BIN)/python -m pip install -q --no-deps -e .
	@touch $@

$(VENV)/.dev: requirements/dev.txt $(VENV)/.local
	@$(BIN)/python -m pip install -q --no-deps -r requirements/dev.txt
	@touch $@

# --- use ---

run: $(VENV)/.local  ## The service on this machine, on http://127.0.0.1:7437
	@STRATA_DATA=$${STRATA_DATA:-.strata} $(BIN)/strata serve

test: check $(VENV)/.dev  ## Every test
	@$(BIN)/python -m pytest
	@if [ -f "$(DATA)" ]; then $(MAKE) --no-print-directory evals DATA="$(DATA)"; fi

# --- the inner loop ---

check: $(VENV)/.dev  ## Format, lint, types, layers: under a minute
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports

unit: $(VENV)/.dev  ## The quick tests
	@$(BIN)/python -m pytest tests/unit

validate: $(VENV)/.dev  ## The template
	@$(BIN)/cfn-lint template.yaml

# --- what is made ---

LOCK := $(BIN)/uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate \
	--no-header --override requirements/overrides.txt pyproject.toml

lock: $(VENV)/.dev  ## The pinned requirements, from pyproject.toml
	@$(LOCK) --extra local -o requirements/local.txt
	@$(LOCK) --extra dev --extra aws -o requirements/dev.txt
	@$(LOCK) --extra aws --override requirements/layer.txt \
		--no-emit-package boto3 --no-emit-package botocore --no-emit-package s3transfer \
		-o layers/strata/requirements.txt

openapi: $(VENV)/.local  ## layers/strata/strata/openapi.json from the routes
	@STRATA_DATA=$$(mktemp -d) $(BIN)/python -c 'import json; from strata.bootstrap import application; print(json.dumps(application().openapi(), indent=1, ensure_ascii=False))' > openapi.new
	@mv openapi.new layers/strata/strata/openapi.json

evals: $(VENV)/.dev  ## Retrieval quality: make evals DATA=<path to LoCoMo>
	@$(BIN)/python -m evals.locomo "$(DATA)"

bench: $(VENV)/.dev  ## Speed and memory on this machine
	@$(BIN)/python -m benchmarks

clean:
	rm -rf $(VENV) .strata build dist .mypy_cache .ruff_cache
