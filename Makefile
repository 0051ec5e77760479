# Needs only python3 and make. `make play` starts a game, `make test` runs all tests.

PYTHON ?= python3
VENV := .venv
RUN := $(VENV)/bin/python
BUNDLE := web/page/built/main.js

.PHONY: play install test test-fast web check audit soak bench shape lock catalogs release gallery dashboard format clean

play: $(VENV)/run.done ## the playground with the app connected and a match running; with Node.js, two phones show the table
	@! command -v npm >/dev/null || $(MAKE) --question $(BUNDLE) || { echo "Building the page, once …"; \
		$(MAKE) --silent $(BUNDLE) >/dev/null 2>&1; } || echo "The page can't be built, so all phones play with messages."
	@$(RUN) -m playground.play $(ARGS)

install: $(VENV)/run.done ## what the app needs to run, in .venv

test: $(VENV)/dev.done ## all tests, or those of ARGS="tests/engine -k last_card"; without a browser its tests are skipped
	$(RUN) -m pytest -n auto --dist loadfile --no-loadscope-reorder $(ARGS)

# Without the end-to-end tests, the crash tests, the browser, PostgreSQL and the pictures; with fewer random matches
# and without the tests that compare thousands of cases or many stored matches with a slow recount.
FAST := engine table analysis services presentation
SLOW := tests/engine/test_oracle.py tests/engine/test_verification.py \
	tests/engine/test_shuffle_statistics.py tests/services/test_archive.py tests/services/test_deletions.py \
	tests/services/test_profile.py tests/services/test_leaderboard.py tests/services/test_recount.py \
	tests/presentation/test_picture_texts.py tests/presentation/test_discord_limits.py
test-fast: $(VENV)/dev.done ## the tests of the rules, tables, services and texts, in about a minute and a half
	env -u TEST_DATABASE_URL GANG_OF_FOUR_MATCHES=3 \
		$(RUN) -m pytest -n auto --dist loadfile --no-loadscope-reorder $(addprefix tests/,$(FAST)) $(addprefix --ignore=,$(SLOW)) $(ARGS)

check: $(VENV)/dev.done ## the other checks of CI: format, lint, types
	$(VENV)/bin/ruff format --check
	$(VENV)/bin/ruff check
	$(VENV)/bin/mypy

web: $(BUNDLE) ## check the types of the page, and bundle it with Discord's part, for Activities; needs Node.js
	npm --prefix web run --silent check

$(BUNDLE): web/node_modules/.package-lock.json web/sdk.js $(wildcard web/page/*.js web/page/*.css)
	npm --prefix web run --silent bundle

web/node_modules/.package-lock.json: web/package.json web/package-lock.json
	npm ci --prefix web --ignore-scripts --no-audit --no-fund

audit: .venv-tools/tools.done ## known vulnerabilities in the packages of the app; without network it says so and passes
	@rm -rf build/audit && mkdir -p build/audit
	@if .venv-tools/bin/pip-audit --strict --disable-pip --require-hashes --requirement requirements/run.txt \
		--progress-spinner off --output build/audit/report $(ARGS) 2>build/audit/log; then tail -n 1 build/audit/log; \
	elif test -e build/audit/report; then cat build/audit/report; exit 1; \
	else tail -n 1 build/audit/log; echo "Nothing was audited: the database of vulnerabilities can't be reached."; fi

POINTS ?= 20
CLICKS ?= 100000
soak: $(VENV)/dev.done ## the long tests: a thousand matches of each kind, the levels of AI players, 200 hints, the training, a million deals, 20,000 random interactions and as many requests of pages, 100,000 presses (CLICKS=…), and the app killed at every 20th point (POINTS=1: at every point, for hours), and all screens of the gallery
	GANG_OF_FOUR_MATCHES=1000 $(RUN) -m pytest --verbose -o faulthandler_timeout=0 tests/engine/test_random_matches.py
	$(RUN) -m benchmarks.strength --deals 15 --against below --quick
	GANG_OF_FOUR_TRAINING=1 $(RUN) -m pytest --verbose -o faulthandler_timeout=0 tests/training
	GANG_OF_FOUR_HINTS=200 $(RUN) -m pytest --verbose -o faulthandler_timeout=0 tests/services/test_hints.py
	GANG_OF_FOUR_DEALS=1000000 $(RUN) -m pytest --verbose -o faulthandler_timeout=0 tests/engine/test_shuffle_statistics.py
	GANG_OF_FOUR_SOAK=1 GANG_OF_FOUR_POINTS=$(POINTS) $(RUN) -m pytest --verbose -s -o faulthandler_timeout=0 tests/disasters
	GANG_OF_FOUR_FUZZ=20000 $(RUN) -m pytest --verbose -s -o faulthandler_timeout=0 tests/disasters/test_fuzz.py tests/disasters/test_web_fuzz.py
	GANG_OF_FOUR_CLICKS=$(CLICKS) GANG_OF_FOUR_TABLES=10000 \
		$(RUN) -m pytest --verbose -s -o faulthandler_timeout=0 tests/disasters/test_soak.py
	$(RUN) -m gallery

bench: .venv-bench/bench.done $(VENV)/dev.done ## benchmarks, as ratios to peers measured in the same run
	.venv-bench/bin/python -m benchmarks.engine
	$(RUN) -m benchmarks.start
	$(RUN) -m benchmarks.leaderboard
	$(RUN) -m benchmarks.loop
	$(RUN) -m benchmarks.clicks
	$(RUN) -m benchmarks.parts
	$(RUN) -m benchmarks.busy
	$(RUN) -m benchmarks.pages
	$(RUN) -m benchmarks.first_card
	$(RUN) -m benchmarks.after_a_kill
	$(RUN) -m benchmarks.memory
	$(RUN) -m benchmarks.masters
	$(RUN) -m benchmarks.scale
	$(RUN) -m benchmarks.scale --check

shape: $(VENV)/dev.done ## the size and shape of the project: lines, words, modules that a play enters
	@$(RUN) -m benchmarks.shape

format: $(VENV)/dev.done
	$(VENV)/bin/ruff format
	$(VENV)/bin/ruff check --fix

catalogs: $(VENV)/dev.done ## update the catalogs from the texts in the code, and list what isn't translated; ARGS=pl begins Polish
	@$(RUN) -m tests.presentation.catalogs $(ARGS)

release: $(VENV)/dev.done ## can the newest commit be released? all languages complete, changelog, version, tag
	@$(RUN) -m tests.release

gallery: $(VENV)/dev.done ## pictures of all screens, in build/gallery; ARGS=--keep also replaces those in docs/gallery; needs Chromium
	$(RUN) -m gallery $(ARGS)

dashboard: $(VENV)/dev.done ## write the dashboard for Grafana, deploy/grafana-dashboard.json
	$(RUN) -m deploy.dashboard

COMPILE := .venv-tools/bin/uv pip compile --quiet --universal --generate-hashes --python-version 3.11 --no-header
UPGRADE ?= --upgrade
lock: .venv-tools/tools.done ## update and pin all dependencies; UPGRADE= keeps the pinned versions
	$(COMPILE) $(UPGRADE) pyproject.toml --extra postgresql --extra sentry -o requirements/run.txt
	$(COMPILE) $(UPGRADE) pyproject.toml --extra postgresql --extra sentry --extra dev -o requirements/dev.txt
	$(COMPILE) $(UPGRADE) requirements/tools.in -o requirements/tools.txt
	$(COMPILE) $(UPGRADE) benchmarks/requirements.in -o benchmarks/requirements.txt

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Python 3.11 or newer is needed. Choose one with make PYTHON=/path/to/python3.11."; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/run.done: $(VENV)/bin/python requirements/run.txt
	@echo "Installing what the app needs, once …"
	@test -e $(VENV)/dev.done || $(RUN) -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/run.txt
	@touch $@

$(VENV)/dev.done: $(VENV)/bin/python requirements/dev.txt
	@echo "Installing what the tests need, once …"
	@$(RUN) -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.txt
	@touch $@

.venv-bench/bench.done: benchmarks/requirements.txt
	$(PYTHON) -m venv .venv-bench
	.venv-bench/bin/pip install --quiet --disable-pip-version-check --require-hashes -r benchmarks/requirements.txt
	@touch $@

.venv-tools/tools.done: requirements/tools.txt
	$(PYTHON) -m venv .venv-tools
	.venv-tools/bin/pip install --quiet --disable-pip-version-check --require-hashes -r requirements/tools.txt
	@touch $@

clean:
	rm -rf $(VENV) .venv-bench .venv-tools build .pytest_cache .mypy_cache .ruff_cache .hypothesis web/node_modules web/page/built
