#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#
# page.pl: Documentation/clients.md, from the files of expected/.
use strict;
use warnings;

my ($here) = $0 =~ m{^(.*)/} or die "$0: no directory\n";
my @suites = qw(pyverbs pyverbs-sid perftest ucx dpdk rdmacm libfabric);
my @lanes = qw(bookworm trixie next);
my %about = (
	pyverbs => "rdma-core's own tests (python3-pyverbs)",
	'pyverbs-sid' => 'the same of Debian sid',
	perftest => "perftest and libibverbs' ping-pongs; of these, only `ibv_rc_pingpong -c` looks at the data",
	ucx => '`ucx_info`, `ucx_perftest` over each transport, and two examples of UCX whose received data is compared',
	dpdk => '`dpdk-testpmd` in its three flow modes; commands by opcode and log are the same each way',
	rdmacm => "librdmacm's tools; rping and rstream compare data",
	libfabric => '`fi_info`, and `fi_pingpong`, which compares data',
);

# $n{SUITE}{LANE}{WAY}{OUTCOME}, and reasons: $why{KIND}{REASON}{SUITE}{LANE}.
my (%n, %why);

sub read_one
{
	my ($suite, $lane) = @_;

	local $_;
	open(my $f, '<', "$here/expected/$suite-$lane") or return;
	while (<$f>) {
		next if /^#/;
		chomp;
		my ($stock, $module, $preload, undef, $reason) = split(' ', $_, 5);
		my ($first, $second) = split(/; /, $reason // '', 2);
		my $n = $n{$suite}{$lane} //= {};

		$n->{stock}{$stock}++;
		$n->{module}{$module}++;
		$n->{preload}{$preload}++;
		$n->{tests}++;
		$n->{differ}++ if $stock ne $preload || $stock ne $module;
		if ($stock ne 'passed') {
			$why{$stock}{$first}{$suite}{$lane}++;
		} else {
			$second = $first;
		}
		$why{differs}{$second}{$suite}{$lane}++ if $stock ne $preload || $stock ne $module;
	}
}

sub counts
{
	my ($of) = @_;

	return join(' / ', map { $of->{$_} // 0 } qw(passed failed skipped));
}

sub reasons
{
	my ($kind, $title) = @_;
	my $table = $why{$kind} or return '';
	my $text = "\n## $title\n\n| reason | suite | " . join(' | ', @lanes) . " |\n|---|---|" . '---|' x @lanes . "\n";

	for my $reason (sort keys %$table) {
		for my $suite (grep { $table->{$reason}{$_} } @suites) {
			my $by_lane = $table->{$reason}{$suite};

			$text .= "| $reason | $suite | " . join(' | ', map { $by_lane->{$_} // '' } @lanes) . " |\n";
		}
	}
	return $text;
}

for my $suite (@suites) {
	read_one($suite, $_) for @lanes;
}

print <<'TEXT';
# Other people's programs

The suites of `selftests/clients` are programs of other projects, from Debian's packages, on
the software ConnectX. Each runs three ways in one guest: stock, without the module; with the
module loaded; and with libmdx preloaded. The result of every test is in
`selftests/clients/expected/SUITE-LANE`, with the reason of each that is not passed. A result
that differs from that file fails the check, better ones included, and so does a test
without a reason.

    make clients                        all suites on lanes bookworm, trixie and next
    make clients LANES=next SUITES=ucx  one of them
    make clients UPDATE=1               write the expected results and this page anew, and show what changed

The reasons come from `selftests/clients/causes`: patterns of test names and messages for
each. `make check` runs pyverbs and ucx on lane next, without the second way; `make
check-nightly` runs all that have expected results. What each test printed last stays in
`logs/clients` of the lab's cache.

TEXT
print "| suite | content |\n|---|---|\n";
print "| $_ | $about{$_} |\n" for @suites;
print "\n## Results\n\nPassed / failed / skipped. Different: tests that end differently with the module or libmdx.\n\n";
print "| suite | lane | tests | stock | module | preload | different |\n|---|---|---|---|---|---|---|\n";
for my $suite (@suites) {
	for my $lane (grep { $n{$suite}{$_} } @lanes) {
		my $n = $n{$suite}{$lane};

		print "| $suite | $lane | $n->{tests} | ", join(' | ', map { counts($n->{$_}) } qw(stock module preload)),
		      ' | ', $n->{differ} // 0, " |\n";
	}
}
print reasons('failed', 'Failed, by cause'), reasons('skipped', 'Skipped, by what is missing'),
      reasons('differs', 'Different with the module or libmdx');
