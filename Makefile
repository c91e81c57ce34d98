# make demo     build, then judge examples/: real verdicts in a minute or two
# make test     everything: format, lints, unit, fixture, golden, property and tidy tests
# make conformance  the engine against the JVM: every method, 50 inputs each (JURY_SEED=n)
# make bench    compare with other tools (bench/run --help)
# make fuzz     fuzz every target for FUZZ_SECONDS (default: 30 minutes each)

SHELL := /bin/bash
FUZZ_SECONDS ?= 1800
# More than that for one input is a finding.
FUZZ_LIMITS := -rss_limit_mb=512 -malloc_limit_mb=128 -timeout=5 -max_len=32768
TARGET := $(or $(CARGO_TARGET_DIR),target)
JURY := $(TARGET)/release/jury
JAVAC := $(if $(JAVA_HOME),$(JAVA_HOME)/bin/javac,javac)
EXAMPLES := target/examples

.PHONY: demo test conformance bench fuzz clean build examples

demo: build examples
	@scripts/need python3
	@scripts/fetch-solver
	$(JURY) equals $(EXAMPLES)/equality --fail-on never

build:
	@scripts/need cargo
	cargo build --release --locked --package cli

# `old` and `new` hold the same class names, so each directory is a compilation of its own.
examples:
	@scripts/need javac
	@rm -rf $(EXAMPLES)
	@for dir in equality locks diff/old diff/new; do \
		$(JAVAC) -g -d $(EXAMPLES)/$$dir examples/$$dir/*.java || exit 1; done

# The dev profile on purpose: it is optimised enough for whole JDKs (Cargo.toml) and keeps overflow
# checks and debug assertions on, which is what reading hostile input needs in tests.
test:
	@scripts/need cargo javac mvn python3
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --locked -- -D warnings
	scripts/fetch-jars
	scripts/fetch-solver
	cargo test --workspace --locked

conformance:
	@scripts/need cargo javac mvn python3
	scripts/fetch-jars
	JURY_CONFORMANCE=all cargo test --release --locked --package cli --test conformance

bench: build
	@scripts/need javac mvn python3
	scripts/fetch-jars --set bench
	bench/run --jury $(JURY)

# What is found goes to target/fuzz; fuzz/corpus holds the committed seeds only (fuzz/make-seeds).
# The small quarantine is because freed memory that is kept to find misuse counts as used.
fuzz: export ASAN_OPTIONS = quarantine_size_mb=16
fuzz:
	@scripts/need cargo cargo-fuzz
	@for target in $$(cargo +nightly fuzz list); do \
		mkdir -p target/fuzz/$$target; \
		cargo +nightly fuzz run $$target target/fuzz/$$target fuzz/corpus/$$target -- \
			-max_total_time=$(FUZZ_SECONDS) $(FUZZ_LIMITS) || exit 1; done

clean:
	cargo clean
	rm -rf target
