import { existsSync, readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { asvsIdsUpTo } from '../support/asvs.ts';

/** Every requirement has an answer, and every answer leads somewhere. */
const assurance = suite('docs/assurance.md');

const DOCUMENT = readFileSync('docs/assurance.md', 'utf8').replaceAll(/ ?<!--.*?-->/g, '');

const ANSWERS = ['met', 'partly', 'not met', 'operator', 'does not apply'] as const;
type Answer = (typeof ANSWERS)[number];

/** A requirement with its answer. */
interface Row {
  readonly id: string;
  readonly answer: Answer;
  readonly how: string;
  readonly heldBy: string;
}

const cellsOf = (line: string): readonly string[] =>
  line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim());

const isAnswer = (text: string): text is Answer => (ANSWERS as readonly string[]).includes(text);

const rowsIn = (text: string): readonly Row[] =>
  text.split('\n').flatMap((line) => {
    const [id = '', , answer = '', how = '', heldBy = '', ...more] = cellsOf(line);
    if (!line.startsWith('|') || heldBy === '' || more.length > 0 || !isAnswer(answer)) return [];
    return [{ id: id.replaceAll('`', ''), answer, how, heldBy }];
  });

/** What does not apply as a whole stands in a line of ids. */
const rowsInLists = (text: string): readonly Row[] =>
  text
    .split('\n')
    .filter((line) => !line.startsWith('|'))
    .flatMap((line) => [...line.matchAll(/`(v5\.0\.0-[\d.]+)`/g)])
    .map(([, id = '']) => ({ id, answer: 'does not apply', how: 'its line', heldBy: '–' }));

const sectionOf = (heading: string): string => {
  const section = DOCUMENT.split(/^(?=## )/m).find((part) => part.startsWith(`## ${heading}\n`));
  if (section === undefined) throw new Error(`There is no section “${heading}”.`);
  return section;
};

const ASVS = sectionOf('OWASP ASVS 5.0.0');
const CHAPTERS = ASVS.split(/^(?=### V)/m).slice(1);
const rowsOfAsvs = CHAPTERS.flatMap((part) => [...rowsIn(part), ...rowsInLists(part)]);
const OTHERS = ['HIPAA', 'NIST SP 800-63B-4'];
const everyRow = [...rowsOfAsvs, ...OTHERS.flatMap((one) => rowsIn(sectionOf(one)))];

assurance('has each requirement of ASVS 5.0.0 of the levels 1 and 2 once, in its chapter', () => {
  const expected = asvsIdsUpTo(2);
  assert.is(expected.length, 253);
  assert.equal(rowsOfAsvs.map(({ id }) => id).toSorted(), [...expected].toSorted());
  for (const part of CHAPTERS) {
    const [, chapter] = /^### V(\d+) /.exec(part) ?? [];
    for (const { id } of [...rowsIn(part), ...rowsInLists(part)])
      assert.ok(id.startsWith(`v5.0.0-${chapter}.`), `${id} stands under V${chapter}`);
  }
});

assurance('has each technical safeguard of HIPAA once', () => {
  const ids = rowsIn(sectionOf('HIPAA')).map(({ id }) => id);
  const technical = ids.filter((id) => id.startsWith('164.312'));
  const [a, e] = ['164.312(a)', '164.312(e)'];
  const implementations = ['i', 'ii', 'iii', 'iv'].map((number) => `${a}(2)(${number})`);
  assert.equal(technical, [
    `${a}(1)`,
    ...implementations,
    '164.312(b)',
    '164.312(c)(1)',
    '164.312(c)(2)',
    '164.312(d)',
    `${e}(1)`,
    `${e}(2)(i)`,
    `${e}(2)(ii)`,
  ]);
  assert.is(new Set(ids).size, ids.length);
});

assurance('counts them rightly', () => {
  const counted = (name: string, rows: readonly Row[]): string =>
    [name, rows.length, ...ANSWERS.map((one) => rows.filter(({ answer }) => answer === one).length)]
      .map(String)
      .join(' | ');
  const expected = [
    ...CHAPTERS.map((part) =>
      counted(/^### (.*)/.exec(part)?.[1] ?? '', [...rowsIn(part), ...rowsInLists(part)]),
    ),
    counted('ASVS 5.0.0, levels 1 and 2', rowsOfAsvs),
    ...OTHERS.map((one) => counted(one, rowsIn(sectionOf(one)))),
  ];
  const [, table = ''] = /^\| chapter \|.*\n\|[-|]+\n((?:\|.*\n)+)/m.exec(DOCUMENT) ?? [];
  assert.equal(
    table
      .trim()
      .split('\n')
      .map((line) => cellsOf(line).join(' | ')),
    expected,
  );
});

assurance('names only what is in the tree', () => {
  const paths = [
    ...DOCUMENT.matchAll(
      /`((?:domain|projections|adapters|api|scripts|test)\/[^`\s]*|tsconfig\.json)`/g,
    ),
  ].map(([, path = '']) => path);
  assert.ok(paths.length > 300, `only ${paths.length} paths were seen`);
  assert.equal(
    paths.filter((path) => !existsSync(path)),
    [],
  );
});

assurance('says of each answer what it rests on', () => {
  const leads = /`test\/[^`]+\.tsx?`|\]\([^)]+\)/;
  const without = everyRow.filter(({ answer, how, heldBy }) => {
    if (answer === 'met') return !leads.test(heldBy);
    if (answer === 'operator') return !/\]\([^)]+\)/.test(heldBy);
    // A reason in words, beside the paths.
    return how.replaceAll(/`[^`]*`/g, '').length < 4;
  });
  assert.equal(
    without.map(({ id }) => id),
    [],
  );
});

assurance.run();
