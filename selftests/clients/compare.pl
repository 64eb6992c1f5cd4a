#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#
# compare.pl [-u] SUITE LANE RESULTS STATUS [WAY...]: the results of guest.sh against
# expected/SUITE-LANE, as TAP, and a line of counts. With -u the file is written anew
# first, and what changed is printed; reasons come from the file causes. WAYs are those
# that ran, if not all.
use strict;
use warnings;

my $update = @ARGV && $ARGV[0] eq '-u' && shift;
die "usage: compare.pl [-u] SUITE LANE RESULTS STATUS [WAY...]\n" unless @ARGV >= 4;
my ($suite, $lane, $results, $status, @ways) = @ARGV;
my ($here) = $0 =~ m{^(.*)/} or die "$0: no directory\n";
my $expected_file = "$here/expected/$suite-$lane";
my @all_ways = qw(stock module preload);
@ways = @all_ways unless @ways;
die "compare.pl: -u needs all ways\n" if $update && @ways < @all_ways;
# These use DEVX: preloaded, their commands go through the module.
my %devx = map { $_ => 1 } qw(pyverbs pyverbs-sid ucx dpdk);

my ($count, $failed) = (0, 0);

sub ok
{
	my ($good, $text, @details) = @_;

	$count++;
	$failed++ unless $good;
	print $good ? '' : 'not ', "ok $count $text\n", map { "# $_\n" } @details;
}

# Results by test and way; the order of tests is that of their first results.
my (%got, %said, %commands, @order, @broken);
open(my $in, '<', $results) or die "$results: $!\n";
while (<$in>) {
	s/\s+$//;
	if (/^result (\S+) (\S+) (passed|skipped|failed)(?: (.*))?$/) {
		push @order, $2 unless $got{$2};
		push @broken, "two results of $2, $1" if $got{$2}{$1};
		($got{$2}{$1}, $said{$2}{$1}) = ($3, $4 // '');
	} elsif (/^commands (\S+) (\d+)$/) {
		$commands{$1} = $2;
	} elsif (/^broken |^result /) {
		push @broken, $_;
	}
}
close($in);

# The causes: a line of words, then indented rules "OUTCOME SUITES TEST [MESSAGE]".
sub read_causes
{
	my ($cause, @rules);

	local $_;
	open(my $f, '<', "$here/causes") or die "$here/causes: $!\n";
	while (<$f>) {
		chomp;
		next if /^(#|$)/;
		if (/^\t(passed|skipped|failed|differs) (\S+) (\S+)(?: (.*))?$/) {
			push @rules, [ $cause, $1, qr/^(?:$2)$/, qr/$3/, defined $4 ? qr/$4/ : qr// ];
		} elsif (/^\S/) {
			$cause = $_;
		} else {
			die "$here/causes:$.: neither a cause nor a rule\n";
		}
	}
	return \@rules;
}

my $rules;

sub cause
{
	my ($outcome, $test, $message) = @_;

	$rules //= read_causes();
	for (@$rules) {
		my ($words, $of, $in_suite, $name, $text) = @$_;

		return $words if $of eq $outcome && $suite =~ $in_suite && $test =~ $name && $message =~ $text;
	}
	return "UNEXPLAINED $outcome: $message";
}

# The reasons of a test: why it is not passed on the stock path, and why another way differs from it.
sub reason
{
	my ($test) = @_;
	my ($g, $s) = ($got{$test}, $said{$test});
	my @reasons;

	push @reasons, cause($g->{stock}, $test, $s->{stock}) if ($g->{stock} // '') ne 'passed';
	for (qw(module preload)) {
		next if ($g->{$_} // '') eq ($g->{stock} // '');
		my $words = cause('differs', $test, $s->{$_} // '');

		push @reasons, $words unless grep { $_ eq $words } @reasons;
	}
	return join('; ', @reasons);
}

sub line_of
{
	my ($test) = @_;
	my $line = sprintf('%-7s %-7s %-7s %s', (map { $got{$test}{$_} // 'none' } @ways), $test);
	my $reason = reason($test);

	return $line . ($reason ne '' ? "  $reason" : '') . "\n";
}

sub write_expected
{
	my $new = "$expected_file.new";

	open(my $f, '>', $new) or die "$new: $!\n";
	print $f "# $suite on lane $lane, by make clients UPDATE=1.\n# ", join(' ', @ways), ", the test, the reason\n";
	print $f line_of($_) for sort @order;
	close($f) or die "$new: $!\n";
	my $old = -e $expected_file ? $expected_file : '/dev/null';
	print map { "# $_" } qx(diff -U0 '$old' '$new');
	rename($new, $expected_file) or die "$expected_file: $!\n";
}

sub read_expected
{
	my %expected;

	local $_;
	open(my $f, '<', $expected_file) or return ();
	while (<$f>) {
		next if /^#/;
		my %by_way;
		(@by_way{@all_ways}, my ($test, $reason)) = split(' ', $_, 5);
		$reason //= '';
		$reason =~ s/\s+$//;
		$expected{$test} = [ @by_way{@ways}, $reason ];
	}
	return %expected;
}

write_expected() if $update && @order && $status == 0;
my %expected = read_expected();

ok(0, "$suite on lane $lane has no expected results: make clients UPDATE=1 LANES=$lane SUITES=$suite")
	unless %expected;
for my $test (%expected ? @order : ()) {
	my @now = map { $got{$test}{$_} // 'none' } @ways;
	my @want = @{ $expected{$test} // [] };
	my $reason = pop @want // '';
	my @details = map { "$_: " . ($got{$test}{$_} // 'none') . " $said{$test}{$_}" } grep { $said{$test}{$_} } @ways;

	if ("@now" ne "@want") {
		ok(0, "$suite $test is @now, expected " . (@want ? "@want" : 'nowhere') .
		   ' (make clients UPDATE=1 writes the file anew)', @details);
	} elsif (!grep { $_ ne 'passed' } @now) {
		ok(1, "$suite $test");
	} elsif ($reason eq '' || $reason =~ /UNEXPLAINED/) {
		ok(0, "$suite $test is @now without a reason: a line in selftests/clients/causes is missing", @details);
	} else {
		my $word = $now[0] eq 'skipped' ? '' : $now[0] eq 'failed' ? 'known failure: ' : 'known difference: ';

		ok(1, "$suite $test # SKIP $word$reason");
	}
}
ok(0, "$suite $_ has no result") for grep { !$got{$_} } sort keys %expected;
ok(0, "$suite: $_") for @broken;
ok(0, "$suite ran to its end: status $status of the guest") if $status || !@order || keys %commands < @ways;
if ($devx{$suite}) {
	ok(($commands{preload} // 0) > 0, "$suite goes through the module when libmdx is preloaded",
	   map { "$_: " . ($commands{$_} // 0) . ' commands' } @ways);
	ok(!($commands{stock} || $commands{module}), "$suite does not touch the module otherwise");
}

sub counts
{
	my ($way) = @_;

	return join('/', map { my $o = $_; scalar grep { ($got{$_}{$way} // '') eq $o } @order } qw(passed failed skipped));
}

my $differ = grep { ($got{$_}{preload} // '') ne ($got{$_}{stock} // '') } @order;

print "clients: $suite $lane stock=", counts('stock'), ' preload=', counts('preload'), " differ=$differ\n";
print "1..$count\n";
exit($failed ? 1 : 0);
