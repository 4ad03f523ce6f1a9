import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { COMMANDS } from '../../scripts/operator/commands.ts';

/** The reference names what there is, and nothing else. */
const reference = suite('docs/commands.md and docs/settings.md');

const read = (path: string): string =>
  readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

reference('every operator command has a row, and no other', () => {
  const rows = [...read('docs/commands.md').matchAll(/^\| `([a-z -]+?)(?: --| \[|`)/gm)];
  assert.equal(
    rows.map(([, words]) => words).sort(),
    COMMANDS.map(({ words }) => words.join(' ')).sort(),
  );
});

reference('every setting has a row, and no other', () => {
  const rows = [...read('docs/settings.md').matchAll(/^\| (`.*?`) \|/gm)];
  const named = rows.flatMap(([, names = '']) => [...names.matchAll(/`(\w+)`/g)]);
  const source = read('api/settings/settings.ts');
  const known = [...source.matchAll(/'([A-Z_]{4,})'/g)].map(([, name]) => name);
  assert.ok(known.length > 10);
  assert.equal(named.map(([, name]) => name).sort(), [...new Set(known)].sort());
});

reference.run();
