# The one front door: everything that people and CI do is a target here.

# A warning is an error in this package's own targets, and a target imports only what its manifest entry names.
STRICT := --explicit-target-dependency-import-check error -Xswiftc -warnings-as-errors
# What `make test TARGET=OData` builds: Package.swift leaves out the rest.
SUITE := $(if $(TARGET),ZUMOD_TEST_TARGET="$(TARGET:%=%Tests)")
# A suite that has passed with the files that it has now is not run again, but for `make test ALL=1` and `make check`.
CHANGED := $(if $(TARGET)$(ALL)$(SKIP),,scripts/passed-suites)
BINARY := .build/release/zumod
RELEASED := .build/image/root/usr/local/bin/zumod
STATIC := .build/static/release/zumod
PREFIX ?= /usr/local
DESTDIR ?=
# The tests that `make check` runs with the released program, and more of them by chance.
RELEASED_TESTS := ^DaemonTests|ComparisonTests|TransactAgreementTests
SOURCES := $(shell find Package.swift Sources Migrations -type f)

.DEFAULT_GOAL := help
.PHONY: help build serve examples fuzz fuzz-api check check-released check-daemon check-around check-compiled test test-build Scripts soak test-browser screenshots format lint hostile proxies bench bench-scripts bench-instructions bench-parts image image-test \
	install deb deb-test dist dist-test clean packages

help: ## shows this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 16

build: $(BINARY) ## builds the program in release mode: .build/release/zumod

$(BINARY): $(SOURCES) | packages
	swift build -c release --product zumod $(STRICT)
	@touch $@

serve: $(BINARY) | packages ## serves config/ at http://127.0.0.1:8080, rows in data/zumod.sqlite3
	@exec $(BINARY) serve

examples: | packages ## builds the programs in Examples, which use the server as a library
	swift build --package-path Examples

fuzz: | packages ## throws garbled queries at the parser for five minutes
	ZUMOD_TESTS=1 ZUMOD_TEST_TARGET=ODataTests swift build --build-tests --disable-index-store $(STRICT)
	ZUMOD_FUZZ_SECONDS=300 scripts/run-tests --filter ParserFuzzTests

fuzz-api: $(BINARY) | packages ## drives the server with its own OpenAPI document for three minutes, on both stores
	@scripts/install-packages postgresql
	scripts/test-postgres scripts/fuzz-api

hostile: $(BINARY) | packages ## lets hostile clients and broken neighbours at the server, on both stores, for half an hour
	@scripts/install-packages postgresql python3
	scripts/test-postgres python3 -B Tests/hostile

proxies: $(BINARY) | packages ## tries what apps do with nginx, HAProxy, Apache, Varnish, Caddy and Squid before the server; ten minutes
	@scripts/install-packages postgresql python3 nginx-light haproxy apache2-bin varnish caddy squid
	scripts/test-postgres python3 -B Tests/proxies

check: lint ## what CI runs: the format, every test, and the program as its users have it; takes root
	@scripts/install-packages postgresql nginx-light haproxy apache2-bin varnish caddy squid prometheus python3 chromium chromium-driver nodejs node-express \
		valgrind openssl
	scripts/test-postgres --in-memory $(MAKE) --no-print-directory test check-released SKIP='$(RELEASED_TESTS)'

# What the image has is the one release build: whatever tries the released program tries that. What mostly waits runs beside
# the tests of Swift, and what measures how long others wait runs by itself.
check-released: check-compiled
	scripts/stage "image" scripts/test-image
	scripts/stage "released program" $(MAKE) --no-print-directory -j 2 --output-sync check-daemon check-around
	scripts/stage "hostile clients" python3 -B Tests/hostile --quick --program $(RELEASED)

# What the suites have left out: the tests of Swift run the released program in the place of the debug build's, and try more by
# chance.
check-daemon:
	ZUMOD_TEST_PROGRAM=$(RELEASED) ZUMOD_TEST_QUERIES=10000 ZUMOD_TEST_STATEMENTS=1500 scripts/run-tests --filter '$(RELEASED_TESTS)'

check-around:
	scripts/test-examples $(RELEASED)
	scripts/test-monitoring
	python3 -B Tests/backends --program $(RELEASED)
	python3 -B Tests/proxies --quick --program $(RELEASED)
	scripts/test-browser $(RELEASED)
	python3 -B Benchmarks/measure instructions --program $(RELEASED)
	python3 -B Benchmarks/measure ways --program .build/debug/OwnedItems

# In the folder of `make test` and by its words: what that has built is not built again.
check-compiled: | packages
	ZUMOD_TESTS=1 swift build --package-path Examples --scratch-path .build --disable-index-store $(STRICT)
	ZUMOD_TESTS=1 swift build --package-path Benchmarks --scratch-path .build --disable-index-store $(STRICT)

test: ## what a change can break, on SQLite and on a PostgreSQL server of its own; TARGET="OData Tables" for two suites, ALL=1 for unchanged ones too
	@scripts/install-packages postgresql nginx-light haproxy python3 nodejs node-express
	$(if $(CHANGED),@$(CHANGED) --begin)
	scripts/stage "build" $(MAKE) --no-print-directory -j 2 test-build $(if $(TARGET),$(filter Scripts,$(TARGET)),Scripts)
	scripts/stage "suites" $(CHANGED) scripts/test-postgres --in-memory scripts/run-tests $(if $(SKIP),--skip '$(SKIP)')

test-build: | packages
	ZUMOD_TESTS=1 $(SUITE) swift build --build-tests --disable-index-store $(STRICT)

# The JavaScript that runs scripts waits more than it works, and needs nothing of the build.
Scripts:
	scripts/test-scripts

soak: ## what takes hours of luck to find: kills and crash loops fifty times over, hostile clients and proxies whole, garbled queries; an hour
	@scripts/install-packages postgresql nginx-light haproxy python3 python3-pip nodejs node-express
	ZUMOD_TESTS=1 swift build --build-tests --disable-index-store $(STRICT)
	ZUMOD_TEST_SILENCE=7200 ZUMOD_TEST_KILLS=50 ZUMOD_TEST_QUERIES=100000 ZUMOD_TEST_STATEMENTS=20000 ZUMOD_TEST_OPERATIONS=60000 \
		scripts/test-postgres --in-memory scripts/run-tests --filter \
		'TortureTests|KillTests|CrashLoopTests|ComparisonTests|TransactAgreementTests'
	scripts/test-scripts --other-nodes
	$(MAKE) --no-print-directory fuzz hostile proxies fuzz-api deb-test dist-test

test-browser: | packages ## tests the data page in a real browser, on both stores
	@scripts/install-packages postgresql python3 chromium chromium-driver openssl
	swift build --product zumod $(STRICT)
	scripts/test-postgres scripts/test-browser .build/debug/zumod

screenshots: | packages ## draws the pictures of the data page anew: docs/images
	@scripts/install-packages python3 chromium chromium-driver
	swift build --product zumod $(STRICT)
	scripts/test-browser .build/debug/zumod --screenshots

format: ## brings the sources into the one format
	swift format --in-place --recursive Package.swift Sources Tests Benchmarks

lint: ## says where the sources are not in the one format
	swift format lint --strict --recursive Package.swift Sources Tests Benchmarks

bench: $(STATIC) ## measures the server under load for docs/performance.md, a quarter of an hour; QUICK=1 for three minutes
	@scripts/install-packages wrk nginx-light postgresql python3
	scripts/test-postgres python3 -B Benchmarks/measure speed $(if $(QUICK),--quick) --program $(STATIC)

bench-scripts: $(STATIC) ## measures what scripts of old backends add to requests, on both stores; prints Markdown; QUICK=1 in a fifth of the time
	@scripts/install-packages wrk nodejs node-express postgresql python3
	scripts/test-postgres python3 -B Benchmarks/measure scripts $(if $(QUICK),--quick) --program $(STATIC)

bench-instructions: $(or $(PROGRAM),$(STATIC)) ## counts the instructions of eight requests against the committed ones; UPDATE=1 writes new ones, PROGRAM is another build
	@scripts/install-packages valgrind postgresql python3
	scripts/test-postgres python3 -B Benchmarks/measure instructions $(if $(UPDATE),--update) --program $<

bench-parts: | packages ## measures parser, rows and stores by themselves; what it prints depends on the machine
	swift run --package-path Benchmarks -c release zumod-benchmarks

image: ## builds the container image zumod: with Docker, Podman or Buildah, or else into .build/image
	scripts/build-image

image-test: ## builds the container image and uses it as an operator would; takes root
	@scripts/install-packages postgresql
	scripts/test-postgres scripts/test-image

# Swift's standard library is no package of a distribution, so what is installed has it inside.
$(STATIC): $(SOURCES) | packages
	swift build -c release --product zumod --static-swift-stdlib -Xlinker -s --scratch-path .build/static
	@touch $@

install: $(STATIC) ## installs program, manual, completions and units below PREFIX (/usr/local), and /etc/zumod where there is none
	scripts/install-files $(STATIC) $(PREFIX) $(DESTDIR)

deb: $(STATIC) ## builds the Debian package: .build/deb/zumod_VERSION_ARCH.deb
	@scripts/install-packages dpkg-dev xz-utils chrpath binutils
	scripts/build-deb $(STATIC)

dist: $(STATIC) ## makes a release: .build/dist/zumod-VERSION-linux-MACHINE.tar.gz, its list of parts and its sums
	@scripts/install-packages binutils
	scripts/build-dist $(STATIC)

dist-test: dist ## uses the release on clean systems: Debian 12 and 13, Ubuntu 22.04 and 24.04; takes root
	@scripts/install-packages postgresql debootstrap
	scripts/test-postgres scripts/test-dist

deb-test: deb ## looks at the Debian package, and installs and starts it on a clean Debian; takes root
	@scripts/install-packages lintian debootstrap systemd
	scripts/test-deb

clean: ## removes what was built; rows in data/ stay
	rm -rf .build Benchmarks/.build

packages:
	@scripts/install-packages
