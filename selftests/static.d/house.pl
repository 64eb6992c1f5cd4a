#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#
# house.pl comments|functions|headers|tags|opcodes FILE... - rules about names and
# words that no other tool checks. Prints figures; the exit status is 1 where a rule
# is broken, and each place is printed as FILE:LINE.
use strict;
use warnings;

my $OPENERS = qr/^(?:what|who|how|where|whether|whoever|nobody|somebody)\b/i;
my $OPENERS_PER_MILLE = 10;

# Files that stand in for the kernel's own.
my $STAND_INS = qr{(^|/)kunit/user/(linux|asm|kunit)/};

sub slurp
{
	my ($file) = @_;

	open(my $f, '<', $file) or die "$file: $!\n";
	local $/;
	return scalar <$f>;
}

# The text of a C file in pieces: [type, text, line], where type is "code", "comment" or
# "literal".
sub c_pieces
{
	my ($text) = @_;
	my ($line, @pieces) = (1);

	while ($text =~ m{\G(?:
			(?<comment>/\*.*?\*/|//(?:\\\n|[^\n])*) |
			(?<literal>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*') |
			(?<code>[^/"']+|.))}gsx) {
		my ($type) = grep { defined $+{$_} } qw(comment literal code);

		push @pieces, [$type, $+{$type}, $line];
		$line += $+{$type} =~ tr/\n//;
	}
	return @pieces;
}

# The code alone, with as many lines as the file has. Literals are kept or emptied.
sub c_code
{
	my ($text, $keep_literals) = @_;
	my $code = '';

	for (c_pieces($text)) {
		my ($type, $piece) = @$_;

		if ($type eq 'comment') {
			$code .= ' ' . "\n" x ($piece =~ tr/\n//);
		} elsif ($type eq 'literal' && !$keep_literals) {
			$code .= '""';
		} else {
			$code .= $piece;
		}
	}
	return $code;
}

sub line_at
{
	my ($text, $offset) = @_;

	return 1 + (substr($text, 0, $offset) =~ tr/\n//);
}

# Comments of a C file as [line, text]; // on lines that follow each other is one.
sub c_comments
{
	my ($text) = @_;
	my (@comments, $last);

	for (c_pieces($text)) {
		my ($type, $piece, $line) = @$_;

		next unless $type eq 'comment';
		if ($piece =~ s{^//\s*}{}) {
			if (defined $last && $last + 1 == $line) {
				$last = $line;
				next;
			}
			$last = $line;
		} else {
			$piece =~ s{^/\*+}{};
			$piece =~ s{\*+/$}{};
			$piece =~ s/^\s*\*? ?//mg;
		}
		push @comments, [$line, $piece];
		# kernel-doc's descriptions of members and arguments
		while ($piece =~ /^\@[\w.]+: *(\S.*)$/mg) {
			push @comments, [$line + (substr($piece, 0, $-[0]) =~ tr/\n//), $1];
		}
	}
	return @comments;
}

# Comments of a shell, make or perl file: lines that begin with #, or what follows
# code behind blank and #.
sub hash_comments
{
	my ($text) = @_;
	my ($number, $in, @comments) = (0, 0);

	for my $line (split /\n/, $text) {
		$number++;
		if ($line =~ /^\s*#(?!!)\s?(.*)/) {
			my $said = $1;

			# A paragraph of its own begins anew.
			if ($said =~ /^\s*$/) {
				$in = 0;
			} elsif (!$in) {
				push @comments, [$number, $said];
				$in = 1;
			}
		} else {
			$in = 0;
		}
	}
	return @comments;
}

sub comments_of
{
	my ($file) = @_;
	my $text = slurp($file);

	return $file =~ /\.(?:[ch]|def|cocci)$/ ? c_comments($text) : hash_comments($text);
}

# The sentence of a comment: without the name that kernel-doc or a shell function's
# synopsis puts before it.
sub sentence
{
	my ($said) = @_;

	$said =~ s/^\s+//;
	$said =~ s/^(?:struct |enum |union |DOC: )?[\w.\/-]+(?:\(\))? - //;
	$said =~ s/^[\w.-]+(?: [\[\]A-Z_0-9|.=-]+| [a-z]+\|[a-z|]+)*: +(?=\S)//;
	return $said;
}

sub check_comments
{
	my ($all, @bad) = (0);

	for my $file (@_) {
		for (comments_of($file)) {
			my ($line, $said) = @$_;

			next if $said =~ /SPDX-License-Identifier|^\s*$/;
			$all++;
			$said = sentence($said);
			push @bad, "$file:$line: " . ($said =~ s/\n.*//sr) if $said =~ $OPENERS;
		}
	}
	printf "%d of %d comments (%.1f %%) begin with What, Who, How, Where, Whether, Nobody ...\n",
		scalar @bad, $all, $all ? 100 * @bad / $all : 0;
	return $all > 0 && @bad * 1000 <= $OPENERS_PER_MILLE * $all ? () : (@bad, 'too many');
}

# Static functions whose name is one bare word, as an oops or ftrace would show it.
sub check_functions
{
	my ($all, @bad) = (0);

	for my $file (grep { $_ !~ $STAND_INS } @_) {
		my $code = c_code(slurp($file));

		# Attributes have brackets, too.
		$code =~ s/\b__\w+\s*\((?:[^()\n]|\([^()\n]*\))*\)//g;
		while ($code =~ /^static\b([^;={}()#]*?)\b(\w+)\s*\(/mg) {
			my ($before, $name, $at) = ($1, $2, $-[0]);

			next if $name =~ /^[A-Z0-9_]+$/ || $before !~ /\w/;
			$all++;
			push @bad, "$file:" . line_at($code, $at) . ": $name()" if $name !~ /_/;
		}
	}
	printf "%d of %d static functions have a name of one bare word\n", scalar @bad, $all;
	return $all > 0 ? @bad : 'no static function was found';
}

sub check_headers
{
	my (%files, @bad);

	for my $file (grep { /\.h$/ && $_ !~ $STAND_INS } @_) {
		push @{$files{$file =~ s{.*/}{}r}}, $file;
	}
	for my $name (sort keys %files) {
		push @bad, "$name: @{$files{$name}}" if @{$files{$name}} > 1;
	}
	printf "%d of %d headers share their name with another\n", scalar @bad, scalar keys %files;
	return %files ? @bad : 'no header was found';
}

# A struct, union or enum that two files define. A stand-in for the kernel's says the
# same of another thing on purpose.
sub check_tags
{
	my (%files, @bad);

	for my $file (grep { $_ !~ $STAND_INS && $_ !~ m{(^|/)(?:fake|stub)[^/]*$} } @_) {
		my $code = c_code(slurp($file));

		while ($code =~ /^(?:static |const |typedef )*(?:struct|union|enum)\s+(\w+)\s*\{/mg) {
			$files{$1}{$file} = line_at($code, $-[0]);
		}
	}
	for my $tag (sort keys %files) {
		my %at = %{$files{$tag}};

		push @bad, "$tag: " . join(' ', map { "$_:$at{$_}" } sort keys %at) if keys %at > 1;
	}
	printf "%d of %d tags of structures are defined in two files\n", scalar @bad, scalar keys %files;
	return %files ? @bad : 'no structure was found';
}

# Functions that take an opcode, and at which place, by the names of their parameters:
# NAME => place.
sub opcode_functions
{
	my %place;

	for my $code (@_) {
		while ($code =~ /\b(\w+)\s*\(([^()]*)\)\s*[{;]/g) {
			my ($name, @params) = ($1, split /,/, $2);

			for my $i (0 .. $#params) {
				$place{$name} = $i
					if $params[$i] =~ /\b(?:u16|u32|uint16_t|uint32_t|int)\s+(?:opcode|op)\s*$/;
			}
		}
		while ($code =~ /^#define (\w+)\(([^()]*)\)/mg) {
			my ($name, @params) = ($1, split /,/, $2);

			for my $i (0 .. $#params) {
				$place{$name} = $i if $params[$i] =~ /^\s*opcode_?\s*$/;
			}
		}
	}
	return %place;
}

# The numbers that have a name, as a pattern. A test that wants a number without one, or
# the first of a range, has to write it.
sub known_opcodes
{
	my @numbers = slurp('opcodes/opcodes.def') =~ /^OPCODE\w*\(0x([0-9a-f]+),/mg;

	die "opcodes.def has no opcodes\n" unless @numbers > 50;
	my $any = join '|', @numbers;
	return qr/0x0?(?:$any)\b/i;
}

# An opcode as a number where its name belongs: as a value of what is called opcode, or
# as that argument of a function.
sub check_opcodes
{
	my @bad;
	my $hex = known_opcodes();

	my %code = map { $_ => c_code(slurp($_), 1) } grep { $_ !~ $STAND_INS } @_;
	my %shared = opcode_functions(@code{grep { /\.h$/ } keys %code});

	for my $file (sort keys %code) {
		my $code = $code{$file};
		my %place = (%shared, opcode_functions($code));
		my %found;

		while ($code =~ /\bopcode\b(?:\)|\])?\s*(?:[=!]=|=|,)\s*(?:cpu_to_be16\(|htobe16\()?($hex)/g) {
			$found{line_at($code, $-[1])} = $1;
		}
		for my $name (keys %place) {
			while ($code =~ /\b\Q$name\E\s*\(((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)/g) {
				my ($args, $at) = ($1, $-[0]);
				my @args = split /,(?![^(]*\))/, $args;

				next unless defined $args[$place{$name}];
				$found{line_at($code, $at)} = $1 if $args[$place{$name}] =~ /^\s*($hex)\s*$/;
			}
		}
		push @bad, map { "$file:$_: $found{$_}" } sort { $a <=> $b } keys %found;
	}
	printf "%d opcodes are written as numbers\n", scalar @bad;
	return %code ? @bad : 'no file was found';
}

my %checks = (
	comments => \&check_comments,
	functions => \&check_functions,
	headers => \&check_headers,
	tags => \&check_tags,
	opcodes => \&check_opcodes,
);

my $check = $checks{shift // ''};
if (!$check || !@ARGV) {
	print STDERR "usage: house.pl ", join('|', sort keys %checks), " FILE...\n";
	exit 2;
}
my @bad = $check->(@ARGV);
print "$_\n" for @bad;
exit(@bad > 0);
