import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { EVENT_SCHEMAS } from '../../adapters/event-log/schemas/event-schemas.ts';
import { openApiDocument } from '../../api/openapi/document.ts';
import { FIELDS } from '../../domain/course/fields.ts';
import { fillInParts } from '../../scripts/reference/generated-parts.ts';
import {
  breakSentences,
  getFirstSentence,
  getMainClause,
} from '../../scripts/reference/markdown.ts';
import { REFERENCES } from '../../scripts/reference/references.ts';

const generated = suite('the generated documents');

const read = (path: string): string =>
  readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

for (const [file, build] of Object.entries(REFERENCES))
  generated(`${file} is what \`npm run reference\` writes`, async () => {
    const text = read(file);
    assert.fixture(text, await build(text));
    assert.equal(
      text.split('\n').filter((line) => line.length > 160),
      [],
    );
  });

generated('a document without the place of a part is a fault', () => {
  assert.throws(() => fillInParts('', { commands: '' }), /no <!-- commands -->/);
});

const listed = (file: string, row: RegExp): readonly string[] =>
  [...read(file).matchAll(row)].map(([, name = '']) => name).sort();

generated('every event type is listed once, with its meaning', () => {
  const events = listed(
    'docs/reference/events.md',
    /^- `(\w+)`(?: \(version \d+\))?: [A-Z].+\.$/gm,
  );
  assert.equal(events, Object.keys(EVENT_SCHEMAS).sort());
});

generated('every field is listed once', () => {
  const fields = listed('docs/reference/fields.md', /^- `([a-z_.]+)`: /gm);
  assert.equal(fields, FIELDS.map(({ path }) => path).sort());
});

generated('every operation is listed once', () => {
  const operations = listed('docs/reference/api.md', /^`([A-Z]+ \/[^`]*)`, operation/gm);
  const inContract = Object.entries(openApiDocument('https://registry.example').paths).flatMap(
    ([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  assert.equal(operations, inContract.sort());
});

generated('a sentence gets a line of its own, and a long one several', () => {
  assert.is(
    breakSentences('One. Two, see `a.b c`. `Three`!', '  '),
    'One.\n  Two, see `a.b c`.\n  `Three`!',
  );
  const long = `${'word '.repeat(40)}end.`;
  assert.ok(
    breakSentences(long)
      .split('\n')
      .every((line) => line.length <= 160),
  );
  assert.is(breakSentences(long).replaceAll('\n', ' '), long);
});

generated('the first sentence of a comment ends at its point', () => {
  assert.is(getFirstSentence('A key\nwas minted. It works.'), 'A key was minted.');
  assert.is(getFirstSentence('No end'), 'No end');
  assert.is(getMainClause('A key was minted; it works. Now.'), 'A key was minted.');
  assert.is(getMainClause('The body is too long: over 20 MiB.'), 'The body is too long.');
});

generated.run();
