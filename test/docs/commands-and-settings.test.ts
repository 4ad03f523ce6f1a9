import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SUBJECTS } from '../../scripts/operator/commands.ts';
import { settingNames } from '../support/deployment.ts';

/** The reference names what there is, and nothing else. */
const reference = suite('docs/operate/commands.md and docs/operate/configure.md');

const read = (path: string): string =>
  readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

reference('every operator command is listed, and no other', () => {
  const [, list = ''] = read('docs/operate/commands.md').split(/<!-- (?:end of )?commands -->/);
  const listed = [...list.matchAll(/^- `([a-z -]+?)(?: --| \[| \(|`:)/gm)];
  assert.equal(
    listed.map(([, words]) => words).sort(),
    Object.values(SUBJECTS)
      .flat()
      .map(({ words }) => words.join(' '))
      .sort(),
  );
});

reference('every setting is listed, and no other', () => {
  const listed = [...read('docs/operate/configure.md').matchAll(/^- `([A-Z_]+)` \(/gm)];
  const source = read('api/settings/settings.ts');
  const known = [...source.matchAll(/'([A-Z_]{4,})'/g)].map(([, name = '']) => name);
  assert.ok(known.length > 10);
  const names = listed.map(([, name = '']) => name).sort();
  assert.equal(names, [...new Set(known)].sort());
  assert.equal(names, [...settingNames()].sort());
});

reference.run();
