# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#
# make demo and make check need only Debian 12 or 13 and root: they install and
# build in chroots of their own (Documentation/lab.md).
# The other targets build for this machine.

KERNELDIR ?= /lib/modules/$(shell uname -r)/build
PREFIX ?= /usr
DESTDIR ?=
BUILD ?= $(CURDIR)/build

LAB := selftests/vm/lab
LANES ?= bookworm trixie next debug
DEMO_LANE ?= next

.PHONY: help demo check check-nightly check-hw clients bench bench-plot modules lib man install clean
.PHONY: deb dkms-install dkms-remove

help:
	@echo 'make demo      boot a VM with a software ConnectX and show DEVX at work'
	@echo 'make check     run all tests on every supported kernel and a debug kernel'
	@echo 'make check-nightly'
	@echo '               the same, with random tests for much longer'
	@echo 'make check-hw  run the tests on the ConnectX of this machine'
	@echo 'make clients   run programs of other projects, in $$(LANES); SUITES=... for some,'
	@echo '               UPDATE=1 writes their expected results and Documentation/clients.md'
	@echo 'make bench     the cost of a command, next to the stock driver, in $$(LANES)'
	@echo '               (bench-plot: and tables and picture of that in Documentation)'
	@echo 'make modules   build kmod/mlx5_devx.ko for KERNELDIR'
	@echo 'make lib       build libmdx into build/libshim'
	@echo 'make man       build the manuals into build/man'
	@echo 'make install   install the module, libmdx, the headers, mdx and the manuals'
	@echo 'make deb       build Debian packages in build/deb (DEB_LANE=trixie: in the lab)'
	@echo 'make dkms-install, make dkms-remove'
	@echo '               let DKMS build the module, for each new kernel as well'
	@echo 'make clean     remove what was built in the tree'
	@echo
	@echo "KERNELDIR=$(KERNELDIR)"
	@echo "LANES=\"$(LANES)\" (make check), DEMO_LANE=$(DEMO_LANE) (make demo)"

demo:
	@$(LAB) demo $(DEMO_LANE)

check:
	@selftests/check $(LANES)

# A kernel made for debugging is left out: its times mean nothing.
bench:
	@bench/run $(BUILD)/bench.csv $(filter-out debug arm64%,$(LANES))

bench-plot: bench
	cp $(BUILD)/bench.csv Documentation/performance.csv
	awk -f bench/plot.awk Documentation/performance.csv >Documentation/performance.svg
	awk -f bench/tables.awk Documentation/performance.csv Documentation/performance.md >$(BUILD)/performance.md
	cp $(BUILD)/performance.md Documentation/performance.md

# Some two hours, and half an hour once for a kernel more.
check-nightly:
	@FUZZ_SECONDS=$${FUZZ_SECONDS:-900} LONG_SECONDS=$${LONG_SECONDS:-900} \
		selftests/check $(LANES) $(filter-out $(LANES),kcsan arm64 arm64-16k arm64-64k)

check-hw:
	@selftests/check-hw

# Disk images have no kernel of their own, and kernels built here have no disks.
clients:
	@selftests/clients/clients $(if $(UPDATE),--update) $(SUITES:%=--only %) \
		$(filter-out debug kcsan arm64%,$(LANES))

modules:
	+@sh kmod/build.sh - $(KERNELDIR)

lib:
	$(MAKE) -C libshim O=$(BUILD)/libshim

# A machine without lowdown does without manuals.
man:
	@if command -v lowdown >/dev/null; then \
		$(MAKE) -C Documentation/man O=$(BUILD)/man; \
	else \
		echo 'mlx5-devx: lowdown is not installed, so no manuals (Debian: apt-get install lowdown)'; \
	fi

install: modules lib man
	$(MAKE) -C $(KERNELDIR) M=$(CURDIR) \
		$(if $(DESTDIR),INSTALL_MOD_PATH=$(DESTDIR)) modules_install
	$(MAKE) -C libshim O=$(BUILD)/libshim DESTDIR=$(DESTDIR) \
		PREFIX=$(PREFIX) install
	$(MAKE) -C tools/mdx O=$(BUILD)/tool DESTDIR=$(DESTDIR) \
		PREFIX=$(PREFIX) install
	@if command -v lowdown >/dev/null; then \
		$(MAKE) -C Documentation/man O=$(BUILD)/man DESTDIR=$(DESTDIR) \
			PREFIX=$(PREFIX) install; \
	fi

dkms-install:
	@sh packaging/dkms-install.sh install

dkms-remove:
	@sh packaging/dkms-install.sh remove

# With DEB_LANE, in that lane's chroot.
deb:
ifeq ($(DEB_LANE),)
	sh packaging/deb.sh $(BUILD)/deb
else
	$(LAB) setup $(DEB_LANE)
	mkdir -p $(BUILD)/deb
	$(LAB) exec --scratch $(DEB_LANE) -- sh -c 'sh packaging/deb.sh /tmp/deb >&2 && \
		cd /tmp/deb && tar -c *.deb *.changes *.buildinfo' | tar -x -C $(BUILD)/deb
endif
	@ls $(BUILD)/deb/*.deb

clean:
	-@test ! -e $(KERNELDIR)/Makefile || \
		$(MAKE) -s -C $(KERNELDIR) M=$(CURDIR) clean
	rm -rf $(BUILD)
