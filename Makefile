# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#
# make demo and make check need nothing but Debian 12 or 13 and root: what they
# use is installed and built in chroots of their own (Documentation/lab.md).
# The other targets build for this machine.

KERNELDIR ?= /lib/modules/$(shell uname -r)/build
PREFIX ?= /usr
DESTDIR ?=
BUILD ?= $(CURDIR)/build

LAB := selftests/vm/lab
LANES ?= bookworm trixie next
DEMO_LANE ?= next

.PHONY: help demo check check-hw modules lib install clean

help:
	@echo 'make demo      boot a VM with a software ConnectX and show DEVX at work'
	@echo 'make check     run all tests on every supported kernel'
	@echo 'make check-hw  run the tests on the ConnectX of this machine'
	@echo 'make modules   build kmod/mlx5_devx.ko for KERNELDIR'
	@echo 'make lib       build libmdx into build/libshim'
	@echo 'make install   install the module, libmdx and the headers'
	@echo 'make clean     remove what was built in the tree'
	@echo
	@echo "KERNELDIR=$(KERNELDIR)"
	@echo "LANES=\"$(LANES)\" (make check), DEMO_LANE=$(DEMO_LANE) (make demo)"

demo:
	$(LAB) setup $(DEMO_LANE)
	$(LAB) build $(DEMO_LANE)
	$(LAB) run $(DEMO_LANE) -- /opt/mdx/bin/devx_demo

check:
	@selftests/check $(LANES)

check-hw:
	@selftests/check-hw

modules:
	@test -e $(KERNELDIR)/Makefile || { \
		echo 'No kernel headers in $(KERNELDIR). Install them (Debian:'; \
		echo 'apt-get install linux-headers-$$(uname -r)) or set KERNELDIR.'; \
		exit 1; }
	$(MAKE) -C $(KERNELDIR) M=$(CURDIR) modules

lib:
	$(MAKE) -C libshim O=$(BUILD)/libshim

install: modules lib
	$(MAKE) -C $(KERNELDIR) M=$(CURDIR) \
		$(if $(DESTDIR),INSTALL_MOD_PATH=$(DESTDIR)) modules_install
	$(MAKE) -C libshim O=$(BUILD)/libshim DESTDIR=$(DESTDIR) \
		PREFIX=$(PREFIX) install

clean:
	-@test ! -e $(KERNELDIR)/Makefile || \
		$(MAKE) -s -C $(KERNELDIR) M=$(CURDIR) clean
	rm -rf $(BUILD)
