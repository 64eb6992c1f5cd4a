# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=bash
# Disk images for guests: a Debian root with programs that do not fit into an initramfs, one for each release.

# Clients of the stock driver and of libmdx, which selftests/clients runs.
PACKAGES_IMAGE=(python3 python3-pyverbs python3-scapy ibverbs-utils ibverbs-providers iproute2 kmod procps pciutils)
PACKAGES_IMAGE_RELEASE=(perftest rdmacm-utils libfabric-bin ucx-utils libucx-dev dpdk-dev '?name(^librte-net-mlx5)'
	'?name(^librte-mempool-ring)')
# Examples of UCX, which are shipped as source: they compare the data that arrived.
IMAGE_EXAMPLES=(uct_hello_world ucp_client_server)

# The release whose programs are in a lane's image; sid has no lane.
image_release()
{
	[ "$1" != sid ] || { echo sid && return; }
	! lane_is_arm64 "$1" || die "there are no disk images for arm64"
	lane_release "$1"
}

image_file()
{
	echo "$CACHE/image/$1.img"
}

# sid's image has rdma-core alone, and no compiler to build examples with.
image_packages()
{
	printf '%s\n' "${PACKAGES_IMAGE[@]}"
	[ "$1" = sid ] || printf '%s\n' "${PACKAGES_IMAGE_RELEASE[@]}"
}

image_bootstrap()
{
	local release=$1 root=$2 conf include

	rm -rf --one-file-system "$root"
	conf=$(mktemp)
	apt_conf >"$conf"
	include=$(image_packages "$release" | paste -s -d ,)
	setpriv --pdeathsig TERM mmdebstrap --mode=root --variant=essential --keyring="$KEYRING" --aptopt="$conf" --dpkgopt=force-unsafe-io \
		--include="$include" "$release" "$root" - < <(sources_for "$release")
	rm -f "$conf"
}

# rdma-core's own tests are shipped as documentation, compressed.
image_tests()
{
	local root=$1

	mkdir -p "$root/usr/local/share"
	cp -r "$root/usr/share/doc/rdma-core/tests" "$root/usr/local/share/rdma-core-tests"
	find "$root/usr/local/share/rdma-core-tests" -name '*.gz' -exec gunzip {} +
}

# They are built by the release's compiler, with the image's headers and libraries.
image_examples()
{
	local release=$1 root=$2

	# shellcheck disable=SC2016
	in_chroot "$release" "$root:image" -- bash -euc '
		lib=/image/usr/lib/x86_64-linux-gnu
		cp -r /image/usr/share/doc/libucx-dev/examples /tmp/examples
		find /tmp/examples -name "*.gz" -exec gunzip {} +
		for name; do
			cc -O1 -w -I/image/usr/include -L"$lib" -Wl,-rpath-link,"$lib" \
				-o "/image/usr/local/bin/$name" "/tmp/examples/$name.c" -luct -lucp -lucs
		done' - "${IMAGE_EXAMPLES[@]}"
}

# There is room for the writes of a guest.
image_pack()
{
	local root=$1 file=$2 size

	size=$(du -s --block-size=1M "$root" | cut -f 1)
	rm -f "$file"
	mke2fs -q -t ext4 -O ^has_journal -m 0 -i 8192 -d "$root" "$file" $((size * 5 / 4 + 128))M
}

image_make()
{
	local release=$1 file=$2 root=$2.root

	image_bootstrap "$release" "$root"
	image_tests "$root"
	[ "$release" = sid ] || image_examples "$release" "$root"
	image_pack "$root" "$file.new"
	rm -rf --one-file-system "$root"
	mv "$file.new" "$file"
}

verb_image()
{
	local release file want

	[ $# = 1 ] || usage_error "image needs a lane, or sid"
	release=$(image_release "$1")
	need_root
	[ "$release" = sid ] || need_setup "$1"
	host_install "${HOST_PACKAGES[@]}"
	file=$(image_file "$release")
	mkdir -p "$CACHE/image"
	lock "image-$release" -x
	want=$(hash_of "$(hash_files "$LAB_DIR/image.sh")")
	if ! stamp_is "$file.stamp" "$want" || [ ! -f "$file" ]; then
		step "making a disk image of Debian $release" "$CACHE/logs/image-$release.log" image_make "$release" "$file"
		stamp_set "$file.stamp" "$want"
	fi
	unlock
}
