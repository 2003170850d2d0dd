#!/usr/bin/env python3
"""Counts what became of the CUDA names of a code base, from the files that `tranship check --ledger FILE` writes.

usage: coverage.py LEDGER... [--top N]
       tranship check PATH --ledger names.json --output-format json > findings.json; coverage.py names.json

Prints, for all ledgers together and for each library: sites met, and how many were translated (renamed, kept or
rewritten), shimmed, or reported with a remedy. A report without a remedy is the rest: its findings must be given with
--findings FILE, the JSON lines of the same run; a finding's remedy is its help. Names that are not CUDA's at their place
(`ignored`) and code that no compiler for AMD sees (`inactive`) are not sites.
"""
import argparse, collections, json

ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
ap.add_argument('ledgers', nargs='+')
ap.add_argument('--findings', action='append', default=[], help='JSON lines of the same runs')
ap.add_argument('--top', type=int, default=20, help='names left over to list')
a = ap.parse_args()

remedies = set()
for f in a.findings:
    for line in open(f):
        try: d = json.loads(line)
        except ValueError: continue
        if d.get('type') == 'diagnostic' and d.get('help'):
            for n in range(d['line'], d['end_line'] + 1): remedies.add((d['path'], n))

count = collections.defaultdict(collections.Counter)
left = collections.Counter()
bare = collections.Counter()
for f in a.ledgers:
    for o in json.load(open(f))['names']:
        fate = o['fate']
        if fate in ('ignored', 'inactive'): continue
        kind = {'renamed': 'translated', 'kept': 'translated', 'rewritten': 'translated', 'shimmed': 'shimmed'}.get(fate)
        if kind is None:
            remedy = (o['path'], o['line']) in remedies
            kind = 'diagnosed' if remedy else 'bare'
            (left if remedy else bare)[o['library'] + ' ' + o['name']] += 1
        count[o['library']][kind] += 1
        count['all'][kind] += 1

print(f"{'library':<20}{'sites':>9}{'translated':>12}{'shimmed':>9}{'diagnosed':>11}{'bare':>7}{'covered':>10}")
for lib in sorted(count, key=lambda l: (l != 'all', -sum(count[l].values()))):
    c = count[lib]; n = sum(c.values())
    print(f"{lib:<20}{n:>9}{c['translated']:>12}{c['shimmed']:>9}{c['diagnosed']:>11}{c['bare']:>7}{100 * (n - c['bare']) / n:>9.2f}%")
for what, names in (('without a remedy', bare), ('diagnosed', left)):
    print(f'\n{what}:')
    for name, n in names.most_common(a.top): print(f'{n:>7} {name}')
