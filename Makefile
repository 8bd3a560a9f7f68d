# SPDX-License-Identifier: Apache-2.0
# A front for CMake: the targets a newcomer would guess.
PREFIX ?= /usr/local
JOBS := $(shell env -u OMP_NUM_THREADS nproc)

.PHONY: build cuda setup demo check check-long bench install clean help

build:
	cmake --preset cpu
	cmake --build --preset cpu -j $(JOBS)

cuda:
	cmake --preset cuda
	cmake --build --preset cuda -j $(JOBS)

help:
	@echo "make setup       install the packages Parseval needs (Debian, Ubuntu)"
	@echo "make [build]     build/cpu/parseval, libparseval, tests"
	@echo "make cuda        build/cuda/parseval, for GPUs too; needs nvcc, runs without a GPU as well"
	@echo "make demo        a first result"
	@echo "make check       every check that a change must pass (minutes)"
	@echo "make check-long  also the slow tests and every rank count in every build"
	@echo "make bench       compare with FFTW-MPI on 2 and 4 ranks, records in bench/results"
	@echo "make install     PREFIX=$(PREFIX)"
	@echo "make clean       remove build/"

setup:
	scripts/setup

demo: setup build
	scripts/demo

check: setup
	scripts/check

check-long: setup
	scripts/check --long

bench: build
	bench/run build/cpu

install: build
	cmake --install build/cpu --prefix $(PREFIX)

clean:
	rm -rf build
