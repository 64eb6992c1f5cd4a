#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
#
# static.sh SOURCES LIBRARY FAKES TEMPORARY - tests of libmdx and its headers that do
# not run it. SOURCES is the directory of this Makefile, LIBRARY that of libmdx.so.1,
# FAKES that of the stand-ins for libmlx5 and libibverbs. TAP on stdout.

src=$1
lib=$2
fakes=$3
tmp=$4
: "${CC:=gcc}" "${CXX:=g++}"
count=0
status=0

# result NAME: reports the exit status of the command before it
result()
{
	if [ $? -eq 0 ]; then ok=ok; else ok="not ok"; status=1; fi
	count=$((count + 1))
	echo "$ok $count static: $1"
}

skip()
{
	count=$((count + 1))
	echo "ok $count static: $1 # SKIP $2"
}

# run COMMAND: prints its output as TAP comments
run()
{
	"$@" > "$tmp/log" 2>&1
	ret=$?
	sed 's/^/# /' "$tmp/log"
	return $ret
}

# compile LANGUAGE STANDARD HEADER: a file that only includes HEADER. The headers of
# rdma-core need _DEFAULT_SOURCE where the standard is not a GNU one.
compile()
{
	echo "#include <$3>" > "$tmp/header.$1"
	case $1 in c) cc=$CC ;; *) cc=$CXX ;; esac
	run $cc -std="$2" -D_DEFAULT_SOURCE -Wall -Wextra -Werror \
		-I "$lib/include" -c -o /dev/null "$tmp/header.$1"
}

mkdir -p "$tmp" || exit 1
echo "TAP version 13"

cat > "$tmp/want" <<-END
	_mlx5dv_query_port@@MLX5_1.19
	ibv_close_device@@IBVERBS_1.1
	ibv_import_device@@IBVERBS_1.10
	ibv_open_device@@IBVERBS_1.1
	ibv_query_device_ex@@MDX_1.1
	mdx_adopt@@MDX_1.3
	mdx_batch_create@@MDX_1.4
	mdx_batch_destroy@@MDX_1.4
	mdx_batch_drain@@MDX_1.4
	mdx_batch_failed@@MDX_1.4
	mdx_batch_free@@MDX_1.4
	mdx_batch_general@@MDX_1.4
	mdx_batch_in_flight@@MDX_1.4
	mdx_batch_link@@MDX_1.4
	mdx_batch_modify@@MDX_1.4
	mdx_batch_new@@MDX_1.4
	mdx_batch_query@@MDX_1.4
	mdx_batch_ref@@MDX_1.4
	mdx_batch_result@@MDX_1.4
	mdx_batch_run@@MDX_1.4
	mdx_batch_verbs_modify@@MDX_1.4
	mdx_batch_verbs_query@@MDX_1.4
	mdx_context_check@@MDX_1.0
	mdx_context_fd@@MDX_1.3
	mdx_context_reason@@MDX_1.0
	mdx_last_error@@MDX_1.2
	mdx_opcode_name@@MDX_1.2
	mdx_query_device_ex@@MDX_1.1
	mdx_status_name@@MDX_1.2
	mlx5dv_devx_cq_modify@@MLX5_1.8
	mlx5dv_devx_cq_query@@MLX5_1.8
	mlx5dv_devx_create_cmd_comp@@MLX5_1.9
	mlx5dv_devx_create_event_channel@@MLX5_1.11
	mlx5dv_devx_destroy_cmd_comp@@MLX5_1.9
	mlx5dv_devx_destroy_event_channel@@MLX5_1.11
	mlx5dv_devx_general_cmd@@MLX5_1.7
	mlx5dv_devx_get_async_cmd_comp@@MLX5_1.9
	mlx5dv_devx_get_event@@MLX5_1.11
	mlx5dv_devx_ind_tbl_modify@@MLX5_1.8
	mlx5dv_devx_ind_tbl_query@@MLX5_1.8
	mlx5dv_devx_obj_create@@MLX5_1.7
	mlx5dv_devx_obj_destroy@@MLX5_1.7
	mlx5dv_devx_obj_export@@MLX5_1.27
	mlx5dv_devx_obj_import@@MLX5_1.27
	mlx5dv_devx_obj_modify@@MLX5_1.7
	mlx5dv_devx_obj_query@@MLX5_1.7
	mlx5dv_devx_obj_query_async@@MLX5_1.9
	mlx5dv_devx_obj_unimport@@MLX5_1.27
	mlx5dv_devx_qp_modify@@MLX5_1.8
	mlx5dv_devx_qp_query@@MLX5_1.8
	mlx5dv_devx_srq_modify@@MLX5_1.8
	mlx5dv_devx_srq_query@@MLX5_1.8
	mlx5dv_devx_subscribe_devx_event@@MLX5_1.11
	mlx5dv_devx_subscribe_devx_event_fd@@MLX5_1.11
	mlx5dv_devx_wq_modify@@MLX5_1.8
	mlx5dv_devx_wq_query@@MLX5_1.8
	mlx5dv_open_device@@MLX5_1.7
	mlx5dv_query_port@@MDX_1.1
END
readelf -W --dyn-syms "$lib/libmdx.so.1" |
	awk '$4 == "FUNC" && $7 != "UND" { print $8 }' | LC_ALL=C sort > "$tmp/is"
run diff "$tmp/want" "$tmp/is"
result symbols_exported

# Names of other libraries: the version must be theirs, where they are installed.
real=$($CC -print-file-name=libmlx5.so)
if [ -e "$real" ]; then
	verbs=$($CC -print-file-name=libibverbs.so)
	readelf -W --dyn-syms "$real" "$verbs" > "$tmp/installed"
	# Functions of a newer rdma-core are those of a node that is not installed.
	for name in $(grep -v '@MDX_' "$tmp/want"); do
		grep -qw "${name#*@@}" "$tmp/installed" || continue
		grep -qw "$name" "$tmp/installed" || echo "$name"
	done > "$tmp/foreign"
	run sh -c "cat '$tmp/foreign'; ! test -s '$tmp/foreign'"
	result symbol_versions_installed
else
	skip symbol_versions_installed "libmlx5.so is not installed"
fi

readelf -d "$lib/libmdx.so.1" | grep -q 'SONAME.*\[libmdx\.so\.1\]'
result soname

readelf -d "$lib/libmdx.so.1" | grep -q 'NEEDED.*libmlx5\.so\.1' &&
	readelf -d "$lib/libmdx.so.1" | grep -q 'NEEDED.*libibverbs\.so\.1'
result libraries_needed

# libmdx prints nothing and reads no environment.
! readelf -W --dyn-syms "$lib/libmdx.so.1" |
	grep -wE 'UND (_*[vfd]*printf(_chk)?|f?puts|f?write|syslog|stderr|stdout|getenv)@'
result output_environment_unused

# Each public header compiles alone.
for header in mdx/mdx.h mdx/mdx_batch.h mdx/mdx_uapi.h mdx/opcodes.h; do
	compile c c99 $header
	result "${header#*/}_c99"
	compile c c11 $header
	result "${header#*/}_c11"
	compile cc c++11 $header
	result "${header#*/}_c++11"
done

# form LANGUAGE STANDARD: compiles and runs the forms of ibv_query_device_ex()
form()
{
	cp "$src/test/forms.c" "$tmp/forms.$1"
	case $1 in c) cc=$CC ;; *) cc=$CXX ;; esac
	run $cc -std="$2" -D_DEFAULT_SOURCE -Wall -Wextra -Werror -I "$src" \
		-I "$src/test" -o "$tmp/forms" "$tmp/forms.$1" \
		"$lib/libmdx.so.1" "$fakes/libmlx5.so.1" \
		"$fakes/libibverbs.so.1" &&
		LD_LIBRARY_PATH=$lib:$fakes run "$tmp/forms"
}

for standard in c99 c11 gnu17; do
	form c $standard
	result "forms_$standard"
done
for standard in c++11 c++17 gnu++20; do
	form cc $standard
	result "forms_$standard"
done

# rejected ARGUMENTS: ibv_query_device_ex() does not compile with these
rejected()
{
	printf '#include <mdx/mdx.h>\nint f(void);\nint f(void)\n{\n\treturn ibv_query_device_ex(%s);\n}\n' \
		"$1" > "$tmp/args.c"
	! $CC -D_DEFAULT_SOURCE -I "$src" -c -o /dev/null "$tmp/args.c" \
		> "$tmp/log" 2>&1
}

rejected "NULL"
result forms_one_argument_rejected
rejected "NULL, NULL, NULL, NULL"
result forms_four_arguments_rejected

rm -rf "$tmp/root"
run make -s --no-print-directory -C "$src" O="$lib" DESTDIR="$tmp/root" PREFIX=/usr LIBDIR=/usr/lib \
	install
result install

# build FILE: against the installed headers and library, by the flags of pkg-config
build()
{
	flags=$(PKG_CONFIG_PATH=$tmp/root/usr/lib/pkgconfig \
		PKG_CONFIG_SYSROOT_DIR='' pkg-config --cflags --libs libmdx) &&
		run $CC -Wall -Werror -I "$tmp/root/usr/include" \
			-L "$tmp/root/usr/lib" -o "$tmp/user" "$1" $flags
}

build_examples()
{
	for file in "$src"/../examples/*.c; do
		build "$file" || return 1
	done
}

if command -v pkg-config > /dev/null; then
	cat > "$tmp/user.c" <<-END
		#include <mdx/mdx.h>
		int main(void)
		{
			return mdx_context_check(NULL) &&
			       mlx5dv_devx_general_cmd(NULL, NULL, 0, NULL, 0);
		}
	END
	build "$tmp/user.c" && readelf -W --dyn-syms "$tmp/user" | grep -q \
		'UND mlx5dv_devx_general_cmd@MLX5_1.7'
	result pkg_config
	build_examples
	result pkg_config_examples
else
	skip pkg_config "pkg-config is not installed"
	skip pkg_config_examples "pkg-config is not installed"
fi

echo "1..$count"
exit $status
