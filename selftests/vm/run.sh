# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=bash
# lab run and shell.

KEEP_LOGS=20
# Lane debug: freed memory is poisoned, the first warning ends the run, and the guest may print all leaks at once.
# With five levels of page tables, an interrupt while the kernel identifies its CPU makes KASAN report nonsense.
DEBUG_APPEND='slab_debug=FZP page_poison=1 panic_on_warn=1 printk.devkmsg=on no5lvl kunit.enable=1'
# Lane kcsan: each race of stock code warns as well.
KCSAN_APPEND='printk.devkmsg=on no5lvl kunit.enable=1'

run_defaults()
{
	LANE='' PUT=() IMAGE='' HCA_OPTIONS='' APPEND='' DEVICE=yes MODULE=yes MODULE_DIR=module ICOUNT='' TIMEOUT=300 COMMAND=()
}

run_parse()
{
	local verb=$1
	shift

	run_defaults
	while [ $# -gt 0 ]; do
		case $1 in
		--put | --hca | --append | --timeout | --module | --image)
			[ $# -ge 2 ] || usage_error "$1 needs a value"
			run_option "$1" "$2"
			shift
			;;
		--no-hca) DEVICE=no ;;
		--no-module) MODULE=no ;;
		--icount) ICOUNT=yes ;;
		--profile) ICOUNT=profile ;;
		--) shift && COMMAND=("$@") && break ;;
		-*) usage_error "$verb has no option '$1'" ;;
		*)
			[ -z "$LANE" ] || usage_error "COMMAND comes after --, not '$1'"
			LANE=$1
			;;
		esac
		shift
	done
	[ -n "$LANE" ] || usage_error "$verb needs a lane"
	lane_release "$LANE" >/dev/null
	[ "$verb" = shell ] || [ ${#COMMAND[@]} -gt 0 ] || usage_error "run needs  -- COMMAND"
}

run_option()
{
	case $1 in
	--put)
		[ -e "$2" ] || die "--put: there is no file $2"
		PUT+=("$2")
		;;
	--hca) HCA_OPTIONS=${HCA_OPTIONS:+$HCA_OPTIONS,}$2 ;;
	--append) APPEND+=" $2" ;;
	--image) IMAGE=$(image_release "$2") ;;
	--module) MODULE_DIR=module-$2 ;;
	--timeout)
		[[ $2 =~ ^[0-9]+$ ]] || usage_error "--timeout needs a number of seconds"
		TIMEOUT=$2
		;;
	esac
}

# The optional part that the guest's module lacks, if any.
module_without()
{
	case $MODULE_DIR in
	module-without-*) echo "${MODULE_DIR#module-without-}" ;;
	esac
}

# The file of --hca personality=FILE, where the device finds it.
run_personality()
{
	local file=${HCA_OPTIONS##*personality=}

	[[ $HCA_OPTIONS == *personality=* ]] || return 0
	file=${file%%,*}
	[ -e "$file" ] || die "--hca personality: there is no file $file"
	cp -- "$file" "$JOB/personality"
	HCA_OPTIONS=${HCA_OPTIONS/personality=$file/personality=\/job\/personality}
}

# One argument a word for the guest's shell, whatever is in it.
quote_command()
{
	local word

	for word in "$@"; do
		printf "'%s' " "${word//\'/\'\\\'\'}"
	done
	echo
}

# The files of this run's own initramfs.
run_files()
{
	local mode=$1 files=$JOB/files

	mkdir -p "$files/lab" "$files/opt/put"
	cp "$LAB_DIR/init" "$files/init"
	cp "$LAB_DIR/kernel-complaints" "$LAB_DIR/kernel-harmless" "$LAB_DIR/leaks-harmless" "$files/lab/"
	[ ${#PUT[@]} = 0 ] || cp -RL --preserve=mode -t "$files/opt/put" -- "${PUT[@]}"
	cat >"$files/lab/config" <<-CONFIG
		mode=$mode device=$DEVICE module=$MODULE lane=$LANE without=$(module_without) image=$IMAGE
		size="$(stty size 2>/dev/null </dev/tty || true)" term="${TERM:-linux}"
	CONFIG
	quote_command ${COMMAND[@]+"${COMMAND[@]}"} >"$files/lab/command"
	cp "$files/lab/command" "$LOGS/command"
}

run_initrd()
{
	lock "build-$LANE" -s
	in_lane_ro "$LANE" "$JOB:job" "$(kernel_dir "$LANE"):kernel:ro" -- /src/selftests/vm/overlay.sh \
		"$(kernel_release "$LANE")" "$MODULE_DIR"
	unlock
}

in_lane_ro()
{
	local lane=$1
	shift

	mkdir -p "$(build_dir "$lane")"
	in_chroot "$(lane_release "$lane")" "$REPO:src:ro" "$(build_dir "$lane"):build:ro" "$@"
}

# Missing parts are said before the guest boots.
run_check_built()
{
	if [ -n "$IMAGE" ] && [ ! -f "$(image_file "$IMAGE")" ]; then
		die "there is no disk image of $IMAGE here: run  lab image $([ "$IMAGE" = sid ] && echo sid || echo "$LANE")"
	fi
	if [ "$DEVICE" = yes ] && [ ! -x "$(build_dir hca)/mdx-hca" ]; then
		die "the software ConnectX is not built: run  lab build $LANE  (or run with --no-hca)"
	fi
	if [ "$MODULE" = yes ] && [ ! -e "$(build_dir "$LANE")/$MODULE_DIR/kmod/mlx5_devx.ko" ]; then
		[ "$MODULE_DIR" = module ] ||
			die "there is no $MODULE_DIR for lane $LANE: run  lab build $LANE --without PART"
		[ ! -e "$REPO/Kbuild" ] ||
			die "mlx5_devx is not built for lane $LANE: run  lab build $LANE  (or run with --no-module)"
		say "no module built: the guest runs without mlx5_devx"
		MODULE=no
	fi
}

run_begin()
{
	mkdir -p "$CACHE/run" "$CACHE/logs/$LANE"
	find "$CACHE/run" -mindepth 1 -maxdepth 1 -mtime +0 -exec rm -rf {} +
	JOB=$(mktemp -d "$CACHE/run/XXXXXXXX")
	LOGS=$CACHE/logs/$LANE/$(date +%Y%m%d-%H%M%S)-$$
	mkdir "$LOGS"
	find "$CACHE/logs/$LANE" -mindepth 1 -maxdepth 1 | sort -r | tail -n +$((KEEP_LOGS + 1)) | xargs -r rm -rf
}

# session MODE ACCEL: becomes QEMU's session (call it in a subshell)
session()
{
	local mode=$1 accel=$2 memory=1G image=() ENTER
	local release=trixie append="panic=-1 oops=panic mitigations=off log_buf_len=8M printk.time=1 \
loglevel=7 random.trust_cpu=on cryptomgr.notests=1 rdinit=/init"

	if lane_is_arm64 "$LANE"; then
		release=$ARM64_RELEASE append+=" console=ttyAMA0"
	else
		append+=" console=ttyS0"
		[ "$accel" = kvm ] || append+=" tsc=reliable no_timer_check"
	fi
	! lane_builds_kernel "$LANE" && [ -z "$IMAGE" ] || memory=2G
	case $LANE in
	debug) append+=" $DEBUG_APPEND" ;;
	kcsan) append+=" $KCSAN_APPEND" ;;
	esac
	[ -z "$IMAGE" ] || image=("$CACHE/image:image:ro")
	mkdir -p "$(build_dir hca)"
	enter_command "$release"
	exec "${ENTER[@]}" "$LAB_DIR:lab:ro" "$(kernel_dir "$LANE"):kernel:ro" "$(build_dir hca):build:ro" \
		"$JOB:job:ro" "$LOGS:logs" ${image[@]+"${image[@]}"} -- \
		env LANE="$LANE" IMAGE="$IMAGE" MODE="$mode" ACCEL="$accel" ICOUNT="$ICOUNT" DEVICE="$DEVICE" HCA_OPTIONS="$HCA_OPTIONS" TIMEOUT="$TIMEOUT" \
		MEMORY="$memory" APPEND="$append$APPEND" /lab/session.sh
}

# The kernel's own lines that say that something is wrong with it, numbered as in console.log.
kernel_complaints()
{
	tr -d '\r' <"$LOGS/console.log" 2>/dev/null | grep -a -n -E '^\[ *[0-9]+\.[0-9]+\]' |
		grep -a -v 'mdx-lab:' | grep -a -E -f "$LAB_DIR/kernel-complaints" |
		grep -a -v -E -f "$LAB_DIR/kernel-harmless"
}

# The first complaint with the lines after it, then the others' first lines.
show_complaints()
{
	local first=${1%%:*}

	[ -n "$1" ] || return 0
	awk -v first="$first" 'NR >= first && NR < first + 40' "$LOGS/console.log" | tr -d '\r' | sed 's/^/    | /'
	sed 1d <<<"$1" | awk -F: -v after="$((first + 40))" '$1 >= after && n++ < 20' | sed 's/^/    | line /'
} >&2

status_word()
{
	awk -v key="$1" -v field="$2" '$1 == key { print $field; exit }' "$LOGS/status" 2>/dev/null
}

console_tail()
{
	echo "    the console ends with:"
	tail -n "${1:-15}" "$LOGS/console.log" 2>/dev/null | tr -d '\r' | sed 's/^/    | /'
	[ ! -s "$LOGS/qemu.log" ] || sed 's/^/    | qemu: /' "$LOGS/qemu.log" | tail -n 5
} >&2

# run_verdict STATUS: lab's exit status, from QEMU's, the guest's report and the kernel's log.
run_verdict()
{
	local qemu=$1 code complaints

	complaints=$(kernel_complaints || true)
	code=$(status_word exit 2)
	if [ -n "$complaints" ] || [ "$(status_word kernel 2)" = complaints ]; then
		say "FAILED: the guest's kernel complained (the command's status was ${code:-never reported}):"
		show_complaints "$complaints"
		VERDICT=$EXIT_KERNEL
	elif [ "$qemu" = 124 ] || [ "$qemu" = 137 ]; then
		say "FAILED: the guest said nothing for $TIMEOUT s, times its slowness (--timeout sets how long to wait)"
		console_tail
		VERDICT=$EXIT_TIMEOUT
	elif grep -q '^error ' "$LOGS/status" 2>/dev/null; then
		say "FAILED: $(sed -n 's/^error //p' "$LOGS/status")"
		console_tail
		VERDICT=$EXIT_LAB
	elif [ -z "$code" ] || [ "$(tail -n 1 "$LOGS/status")" != end ]; then
		say "FAILED: the guest ended without a report (QEMU's status: $qemu)"
		console_tail 25
		VERDICT=$EXIT_LAB
	else
		VERDICT=$code
	fi
}

run_report()
{
	local ready ended

	ready=$(status_word ready 2)
	ended=$(status_word exit 3)
	[ -z "$ended" ] || say "command ended with status $(status_word exit 2): guest ready after ${ready} s," \
		"command done after ${ended} s, kernel log $(status_word kernel 2)"
	[ "$VERDICT" = 0 ] || say "logs: $LOGS (console.log, hca.log, hca.out, qemu.log, status)"
}

# KVM is used where a trial boot works; the outcome is kept until the kernel or QEMU changes.
accel()
{
	local file=$CACHE/accel key outcome

	if [ -n "${MDX_ACCEL:-}" ]; then
		echo "$MDX_ACCEL"
		return
	fi
	key="$(uname -r) $(stat -c %Y "$(chroot_dir trixie)/usr/bin/qemu-system-x86_64")"
	if [ -f "$file" ] && [ "$(head -n 1 "$file")" = "$key" ]; then
		tail -n 1 "$file"
		return
	fi
	outcome=tcg
	[ ! -w /dev/kvm ] || ! accel_trial || outcome=kvm
	say "guests run with $outcome here"
	printf '%s\n%s\n' "$key" "$outcome" >"$file"
	echo "$outcome"
}

accel_trial()
{
	say "trying once whether KVM works here (at most 15 s)"
	(
		DEVICE=no MODULE=no TIMEOUT=15 COMMAND=(true) HCA_OPTIONS=''
		LOGS=$JOB/trial JOB=$JOB/trial-job
		mkdir "$JOB" "$LOGS"
		run_files run && run_initrd && (session run kvm) >/dev/null || exit 1
		[ "$(status_word exit 2)" = 0 ] && [ "$(tail -n 1 "$LOGS/status")" = end ]
	)
}

run_guest()
{
	local mode=$1 accel qemu=0

	need_root
	need_setup "$LANE"
	run_check_built
	run_begin
	run_personality
	accel=tcg
	[ -n "$ICOUNT" ] || lane_is_arm64 "$LANE" || accel=$(accel)
	run_files "$mode"
	run_initrd
	say "booting lane $LANE: kernel $(kernel_release "$LANE"), $accel"
	if [ "$mode" = shell ]; then
		(session "$mode" "$accel") || qemu=$?
		stty sane
	else
		session "$mode" "$accel" &
		wait $! || qemu=$?
	fi
	run_verdict "$qemu"
	run_report
	exit "$VERDICT"
}

verb_run()
{
	run_parse run "$@"
	run_guest run
}

verb_shell()
{
	[ -t 0 ] || usage_error "shell needs a terminal; use run for commands"
	run_parse shell "$@"
	run_guest shell
}
