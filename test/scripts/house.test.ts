import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { countHouse, findGrowth } from '../../scripts/checks/house-counts.ts';
import { temporaryDirectory } from '../harness/temporary-directory.ts';

const house = suite('the check of the house');

const CONFIG = 'scripts/checks/cspell.config.cjs';

/** Files with words to avoid, and what the check says about each. */
const AVOIDED = [
  ['comment.ts', '// Refused while somebody reads it.\n', 'fix: (a user, a member)'],
  ['name.ts', 'export const recordLedger = [];\n', 'fix: (Working set)'],
  ['page.tsx', 'export const Page = () => <p>Saved meanwhile.</p>;\n', 'fix: (since then)'],
  ['document.md', 'The behaviour of the log.\n', 'Unknown word (behaviour)'],
] as const;
const PLAIN = '// Amends the birth record: Apgar, LOINC, and the ingestion.\n';

house('a word to avoid in a comment, a name, or a text fails, and its replacement is named', () => {
  const { path, remove } = temporaryDirectory('house');
  for (const [file, text] of [...AVOIDED, ['plain.ts', PLAIN] as const])
    writeFileSync(join(path, file), text);
  const { status, stdout } = spawnSync(
    process.execPath,
    [
      'node_modules/cspell/bin.mjs',
      'lint',
      '--config',
      CONFIG,
      '--no-progress',
      '--root',
      path,
      '**',
    ],
    { encoding: 'utf8' },
  );
  remove();
  assert.is(status, 1, stdout);
  for (const [file, , line] of AVOIDED)
    assert.ok(
      stdout.split('\n').some((one) => one.includes(file) && one.includes(line)),
      `${file}\n${stdout}`,
    );
  assert.not.match(stdout, 'plain.ts');
});

const counted = (text: string, document = '') =>
  countHouse(['domain/one.ts', 'docs/one.md', 'scripts/checks/one.ts'], (file) =>
    file === 'docs/one.md' ? document : text,
  );

house('counts expressions, riddles, limits, and names', () => {
  const counts = counted(
    '/** What it told. */\nexport const MOST_ROWS = 3;\nexport const recordsIn = 1;\nconst shownName = heldName;\n',
    'There is no more of it.\n',
  );
  assert.is(counts['idioms'], 2);
  assert.is(counts['riddles'], 1);
  assert.is(counts['limits without MAX_ or MIN_'], 1);
  assert.is(counts['exports ending in In, Of, With'], 1);
  assert.is(counts['participles in names'], 2);
});

house('a count that rises fails, and one that falls does not', () => {
  const before = counted('// told\n');
  assert.equal(findGrowth(before, before), []);
  assert.equal(findGrowth(before, counted('\n')), []);
  assert.match(
    findGrowth(before, counted('// told, and told\n'))[0] ?? '',
    /^idioms: 2, at most 1/,
  );
});

house.run();
