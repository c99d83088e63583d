# The commands of this project. Each is a script of the same name in scripts/, which says what it does.
.PHONY: help run test check reset tools generate advisories
.NOTPARALLEL:

help:
	@echo "make run       start the whole product on this machine; Ctrl-C ends it"
	@echo "make test      run everything there is to test"
	@echo "make check     formatting, lints, the law of the layers, licences"
	@echo "make reset     forget the development world: database and chain together"
	@echo "make tools     build cargo-deny, cargo-machete and typos for make check"
	@echo "make advisories  ask whether a dependency has a known vulnerability"
	@echo "make generate  write the generated files again"

run:
	@exec scripts/run

test:
	@exec scripts/test

check:
	@scripts/setup run
	@exec scripts/check

reset:
	@exec scripts/reset

tools:
	@exec scripts/tools

advisories:
	@exec scripts/advisories

generate:
	@scripts/setup run
	@exec scripts/generate
