# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# Completion of mdx(1) for bash.
_mdx()
{
	local word=${COMP_WORDS[COMP_CWORD]} last=${COMP_WORDS[COMP_CWORD-1]} verb=${COMP_WORDS[1]} words

	if [ "$COMP_CWORD" = 1 ]; then
		words="info port device cmd batch ps trace replay run selftest doctor --help --version"
	elif [ "$last" = -d ] || [ "$last" = --device ]; then
		words=$(cd /sys/class/infiniband 2>/dev/null && echo mlx5*)
	elif [ "$last" = -c ] || [ "$last" = --opcode ]; then
		words=$(mdx cmd --list 2>/dev/null | cut -d ' ' -f 2)
	elif [ "$last" = -p ] || [ "$last" = --pid ]; then
		words=$(cd /proc && echo [0-9]*)
	# "=" is a word of its own for readline.
	elif [ "$verb" = cmd ] && [ "$last" = = ] && [ "${COMP_WORDS[COMP_CWORD-2]}" = opcode ]; then
		words=$(mdx cmd --list 2>/dev/null | cut -d ' ' -f 2)
	else
		words="--json --device --help"
		case $verb in
		cmd) words="$words --in-len --out-len --wait --list opcode= op_mod= obj_type= obj_id= id=" ;;
		batch) words=$(compgen -W "$words --answers --in-flight --wait" -- "$word"; compgen -f -- "$word") ;;
		ps) words="$words --objects $(cd /proc && echo [0-9]*)" ;;
		trace) words="$words --pid --opcode --failed --count --time --all --kernel --summary --record" ;;
		replay) words=$(compgen -W "$words --execute" -- "$word"; compgen -f -- "$word") ;;
		run) words="--report --" ;;
		selftest) words=$(compgen -W "$words --output --show" -- "$word"; compgen -f -- "$word") ;;
		esac
	fi
	mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
	case ${COMPREPLY[0]-} in
	*=) compopt -o nospace ;;
	esac
}
complete -F _mdx mdx
