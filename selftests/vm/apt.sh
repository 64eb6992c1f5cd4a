# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=bash
# Which Debian mirrors to use: those of this machine's own apt configuration.

KEYRING=/usr/share/keyrings/debian-archive-keyring.gpg

# One line per package index that apt knows here: URI SUITE
apt_sources()
{
	apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' |
		awk '$3 == "main" { print $1, $2 }' | sort -u
}

# The first mirror with the Debian archive itself (not one of third parties, whose suites have other names).
mirror_main()
{
	local names='bookworm|trixie|forky|duke|sid|oldstable|stable|testing|unstable'

	if [ -n "${MDX_MIRROR:-}" ]; then
		echo "$MDX_MIRROR"
		return
	fi
	apt_sources | awk -v re="^($names)\$" '$2 ~ re && !n++ { print $1 }'
}

mirror_security()
{
	if [ -n "${MDX_SECURITY_MIRROR:-}" ]; then
		echo "$MDX_SECURITY_MIRROR"
		return
	fi
	apt_sources | awk '$2 ~ /^[a-z]+-security$/ && !n++ { print $1 }'
}

# The sources.list of a chroot for RELEASE.
sources_for()
{
	local release=$1 main security

	main=$(mirror_main)
	security=$(mirror_security)
	[ -n "$main" ] ||
		die "apt is configured here without a Debian mirror; set MDX_MIRROR to the URI of one"
	echo "deb $main $release main"
	echo "deb $main $release-updates main"
	if [ -n "$security" ]; then
		echo "deb $security $release-security main"
	else
		say "no security mirror in this machine's apt configuration: going on without (MDX_SECURITY_MIRROR sets one)"
	fi
	[ "$release" != trixie ] || echo "deb $main $release-backports main"
}

# apt's settings for chroots: the lab's own, then this machine's ways to reach mirrors.
apt_conf()
{
	cat <<'CONF'
APT::Install-Recommends "false";
APT::Sandbox::User "root";
APT::Keep-Downloaded-Packages "true";
Acquire::Languages "none";
Acquire::Retries "3";
Dpkg::Use-Pty "false";
CONF
	apt-config dump --no-empty --format '%F "%v";%n' Acquire::http Acquire::https Acquire::Check-Valid-Until \
		Acquire::Check-Date
}

host_install()
{
	local missing=() package

	for package in "$@"; do
		dpkg-query -W -f '${db:Status-Status}\n' "$package" 2>/dev/null | grep -x installed >/dev/null ||
			missing+=("$package")
	done
	[ ${#missing[@]} = 0 ] && return
	step "reading this machine's package lists" "$CACHE/logs/host-update.log" apt-get -q update
	step "installing on this machine: ${missing[*]}" "$CACHE/logs/host-install.log" \
		env DEBIAN_FRONTEND=noninteractive apt-get -qy --no-install-recommends install "${missing[@]}"
}
