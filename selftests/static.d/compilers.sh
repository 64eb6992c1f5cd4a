# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=bash
# Sparse and clang.

sparse_module()
{
	local dir out

	dir=$(mktemp -d)
	cp -r Kbuild kmod uapi "$dir/"
	out=$(make -C "$KERNELDIR" M="$dir" C=2 W=1 modules 2>&1) || {
		echo "$out"
		rm -rf "$dir"
		return 1
	}
	rm -rf "$dir"
	! grep -E '(warning|error):' <<<"$out"
}

# 7.x asks for a sparse newer than Debian's.
sparse_checks()
{
	if "$KERNELDIR/scripts/checker-valid.sh" 2>/dev/null ||
		[ ! -e "$KERNELDIR/scripts/checker-valid.sh" ]; then
		t sparse_module sparse_module
	else
		t_skip sparse_module "these headers want a newer sparse"
	fi
}

# no_warnings COMMAND...: COMMAND succeeds without a warning.
no_warnings()
{
	local out

	out=$("$@" 2>&1) || {
		grep -E -A 3 'error:|undefined' <<<"$out" || tail -n 20 <<<"$out"
		return 1
	}
	! grep -E -A 3 'warning:' <<<"$out"
}

# For headers of others: the harness compares pointers to functions with <, and
# mlx5_ifc.h nests structs of variable size.
NOT_OURS='-Wno-ordered-compare-function-pointers -Wno-gnu-variable-sized-type-not-at-end'

clang_make()
{
	no_warnings make -s -k -C "$1" O="$clang_out/$1" CC=clang CXX=clang++ \
		LIBMDX="$clang_out/libshim" CFLAGS="-O2 -g $NOT_OURS" "${@:2}"
}

# Kernels built by gcc ask for options that clang has not. Warnings that matter
# are those that a kernel built by clang would have on.
clang_module()
{
	local dir

	dir=$(mktemp -d)
	cp -r Kbuild kmod uapi "$dir/"
	cat >"$dir/cc" <<-'CC'
		#!/bin/bash
		args=()
		for arg; do
			case $arg in
			-mpreferred-stack-boundary=* | -mindirect-branch* | \
			-fmin-function-alignment=* | -fconserve-stack | \
			-fsanitize=bounds-strict | -mrecord-mcount) ;;
			*) args+=("$arg") ;;
			esac
		done
		exec clang "${args[@]}" -Wno-unknown-warning-option -Wno-gnu \
			-Wno-sign-compare -Wno-unused-parameter \
			-Wno-address-of-packed-member -Wno-format-security \
			-Wno-missing-field-initializers
	CC
	chmod +x "$dir/cc"
	make -k -C "$KERNELDIR" M="$dir" CC="$dir/cc" W=1 modules >"$dir/log" 2>&1 || {
		grep -A 3 'error:' "$dir/log" || tail -n 20 "$dir/log"
		return 1
	}
	! grep -E -A 3 '^([^ ]*/)?kmod/[^ ]*warning:' "$dir/log"
}

clang_checks()
{
	clang_out=$(mktemp -d)
	t clang_libshim clang_make libshim
	t clang_hca clang_make selftests/hca
	t clang_kselftests clang_make selftests/mdx
	t clang_demo clang_make selftests/demo
	t clang_examples clang_make examples
	t clang_module clang_module
}
