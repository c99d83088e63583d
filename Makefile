# Each target calls the script of the same name in scripts/.
.PHONY: help run test sim mutants bench lighthouse check reset tools generate advisories
.NOTPARALLEL:

help:
	@echo "make run         start the complete product on this machine; Ctrl-C stops it"
	@echo "make test        run all checks and tests"
	@echo "make sim         simulate trades with faults; ORDERS=100000 sets the number of orders"
	@echo "make mutants     plant faults that tests must notice; SHARD=0/50 plants a sample (scripts/mutants)"
	@echo "make check       check formatting, lints, layer rules, licenses and generated files"
	@echo "make reset       delete the development environment's database and chain"
	@echo "make tools       build cargo-deny, cargo-machete and typos for make check"
	@echo "make advisories  check dependencies for known vulnerabilities"
	@echo "make generate    rewrite the generated files"
	@echo "make bench       measure the speed; ONLY=order_lives,hall selects, QUICK=1 measures briefly (scripts/bench)"
	@echo "make lighthouse  measure the main screens with Lighthouse (scripts/lighthouse)"

run:
	@exec scripts/run

test:
	@exec scripts/test

# The number of orders that make sim places.
ORDERS ?= 10000

sim:
	@exec scripts/sim run --orders $(ORDERS)

mutants:
	@exec scripts/mutants $(if $(SHARD),--shard $(SHARD))

check:
	@scripts/setup check
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

bench:
	@exec scripts/bench

lighthouse:
	@exec scripts/lighthouse
