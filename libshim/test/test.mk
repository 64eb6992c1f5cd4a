# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# The unit tests. $(T) holds the fakes and the programs, $(S) libmdx and the main
# program built with sanitizers. SAN=thread selects another one, SAN= none.

T := $(O)/test
TSRC := $(SRCDIR)/test
SAN ?= address,undefined
comma := ,
S := $(T)/san-$(subst $(comma),-,$(SAN))
SAN_CFLAGS := -fsanitize=$(SAN) -fno-sanitize-recover=undefined \
	-fno-omit-frame-pointer

TEST_CFLAGS := -std=gnu11 $(WARN) -Wno-missing-prototypes -I$(TSRC) -I$(SRCDIR) \
	-I$(SRCDIR)/../opcodes -I$(SRCDIR)/../uapi $(CPPFLAGS) $(CFLAGS)
# Calls of the fake libmlx5 to itself must not be inlined.
FAKE_CFLAGS := -std=gnu11 $(WARN) -Wno-missing-prototypes -I$(TSRC) \
	-fPIC -fsemantic-interposition $(CFLAGS)

$(T) $(T)/bare $(S):
	mkdir -p $@

$(T)/libibverbs.so.1: $(TSRC)/fake_verbs.c $(TSRC)/fake.h | $(T)
	$(CC) $(FAKE_CFLAGS) -shared -Wl,-soname,libibverbs.so.1 \
		-Wl,--version-script=$(TSRC)/fake_verbs.map -o $@ $<

$(T)/libmlx5.so.1: $(TSRC)/fake_mlx5.c $(TSRC)/fake.h $(T)/libibverbs.so.1
	$(CC) $(FAKE_CFLAGS) -shared -Wl,-soname,libmlx5.so.1 \
		-Wl,--version-script=$(TSRC)/fake_mlx5.map -o $@ $< \
		$(T)/libibverbs.so.1

$(T)/bare/libmlx5.so.1: $(TSRC)/fake_mlx5.c $(T)/libibverbs.so.1 | $(T)/bare
	$(CC) $(FAKE_CFLAGS) -DFAKE_BARE -shared -Wl,-soname,libmlx5.so.1 \
		-Wl,--version-script=$(TSRC)/fake_mlx5.map -o $@ $< \
		$(T)/libibverbs.so.1

FAKES := $(T)/libmlx5.so.1 $(T)/libibverbs.so.1
SHIM_TEST := $(addprefix $(TSRC)/,user.c call_test.c forward_test.c ctx_test.c \
	verbs_test.c port_test.c attr_test.c last_test.c debug_test.c share_test.c \
	event_test.c async_test.c consumed_test.c batch_user.c batch_test.c \
	batch_rules_test.c fake_kernel.c fake_submit.c)
# The fake kernel orders the items of a batch as the real one does.
SHIM_TEST_OBJS := $(T)/submit_chain.o
TEST_HDRS := $(wildcard $(TSRC)/*.h)
# libmdx calls the open(), close() and ioctl() that the program defines.
TEST_LIBS := -rdynamic -Wl,--no-as-needed

$(T)/submit_chain.o: $(CHAIN).c $(HDRS) | $(T)
	$(CC) $(TEST_CFLAGS) $(CHAIN_CFLAGS) -c -o $@ $<

$(T)/linked: $(SHIM_TEST) $(SHIM_TEST_OBJS) $(TEST_HDRS) $(O)/libmdx.so.1 $(FAKES)
	$(CC) $(TEST_CFLAGS) $(TEST_LIBS) -o $@ $(SHIM_TEST) $(SHIM_TEST_OBJS) \
		$(O)/libmdx.so.1 $(FAKES) -pthread -ldl

$(T)/unmodified: $(SHIM_TEST) $(SHIM_TEST_OBJS) $(TEST_HDRS) $(FAKES)
	$(CC) $(TEST_CFLAGS) $(TEST_LIBS) -o $@ $(SHIM_TEST) $(SHIM_TEST_OBJS) $(FAKES) \
		-pthread -ldl

$(T)/dlopen: $(TSRC)/dlopen_test.c $(TEST_HDRS) $(FAKES)
	$(CC) $(TEST_CFLAGS) $(TEST_LIBS) -o $@ $< $(FAKES) -ldl

$(S)/submit_chain.o: $(CHAIN).c $(HDRS) | $(S)
	$(CC) $(ALL_CFLAGS) $(CHAIN_CFLAGS) $(SAN_CFLAGS) -c -o $@ $<

$(S)/libmdx.so.1: $(SRCS:%=$(SRCDIR)/%) $(S)/submit_chain.o $(HDRS)
	$(CC) $(ALL_CFLAGS) $(SAN_CFLAGS) -shared -Wl,-soname,libmdx.so.1 \
		-Wl,--version-script=$(SRCDIR)/libmdx.map -o $@ \
		$(SRCS:%=$(SRCDIR)/%) $(S)/submit_chain.o $(LIBS)

$(S)/linked: $(SHIM_TEST) $(SHIM_TEST_OBJS) $(TEST_HDRS) $(S)/libmdx.so.1 $(FAKES)
	$(CC) $(TEST_CFLAGS) $(SAN_CFLAGS) $(TEST_LIBS) -o $@ $(SHIM_TEST) $(SHIM_TEST_OBJS) \
		$(S)/libmdx.so.1 $(FAKES) -pthread -ldl

check-linked = LD_LIBRARY_PATH=$(O):$(T) $(T)/linked
check-unmodified = LD_LIBRARY_PATH=$(T) LD_PRELOAD=$(O)/libmdx.so.1 \
	$(T)/unmodified unmodified
check-bare = LD_LIBRARY_PATH=$(O):$(T)/bare:$(T) $(T)/linked bare
check-dlopen = LD_LIBRARY_PATH=$(T) $(T)/dlopen $(O)/libmdx.so.1
check-san = LD_LIBRARY_PATH=$(S):$(T) $(S)/linked sanitized
check-static = CC="$(CC)" CXX="$(CXX)" sh $(TSRC)/static.sh $(SRCDIR) $(O) \
	$(T) $(T)/static

# A suite that fails does not keep the others from running.
check: all $(T)/linked $(T)/unmodified $(T)/bare/libmlx5.so.1 $(T)/dlopen \
		$(if $(SAN),$(S)/linked)
	@ret=0; $(check-linked) || ret=1; $(check-unmodified) || ret=1; \
	$(check-bare) || ret=1; $(check-dlopen) || ret=1; \
	$(check-static) || ret=1; $(if $(SAN),$(check-san) || ret=1;) exit $$ret
