import { existsSync, readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ANSWERS, type AnswerKind } from './assurance/answers.ts';
import { fillInAnswers } from './assurance/fill-in-answers.ts';

/**
 * The levels of the requirements of OWASP ASVS 5.0.0, by section: the first digit is the level of the
 * section's first requirement. Only ids and levels, no text, of
 * https://github.com/OWASP/ASVS/tree/v5.0.0, which is licensed under CC BY-SA 4.0.
 */
const LEVELS: Readonly<Record<string, string>> = {
  '1.1': '22',
  '1.2': '1111122223',
  '1.3': '112222222223',
  '1.4': '222',
  '1.5': '123',
  '2.1': '122',
  '2.2': '112',
  '2.3': '12223',
  '2.4': '23',
  '3.1': '3',
  '3.2': '113',
  '3.3': '12223',
  '3.4': '11222233',
  '3.5': '11122333',
  '3.6': '3',
  '3.7': '22333',
  '4.1': '12233',
  '4.2': '23333',
  '4.3': '22',
  '4.4': '1222',
  '5.1': '2',
  '5.2': '112333',
  '5.3': '113',
  '5.4': '222',
  '6.1': '122',
  '6.2': '111111112222',
  '6.3': '11223333',
  '6.4': '112233',
  '6.5': '22222333',
  '6.6': '2223',
  '6.7': '33',
  '6.8': '2222',
  '7.1': '222',
  '7.2': '1111',
  '7.3': '22',
  '7.4': '11222',
  '7.5': '223',
  '7.6': '22',
  '8.1': '1233',
  '8.2': '1123',
  '8.3': '133',
  '8.4': '23',
  '9.1': '111',
  '9.2': '1222',
  '10.1': '22',
  '10.2': '223',
  '10.3': '22223',
  '10.4': '1111122222233333',
  '10.5': '22222',
  '10.6': '22',
  '10.7': '222',
  '11.1': '2233',
  '11.2': '22233',
  '11.3': '11233',
  '11.4': '1222',
  '11.5': '23',
  '11.6': '23',
  '11.7': '33',
  '12.1': '12233',
  '12.2': '11',
  '12.3': '22223',
  '13.1': '2333',
  '13.2': '222223',
  '13.3': '2233',
  '13.4': '1222233',
  '14.1': '22',
  '14.2': '12223333',
  '14.3': '122',
  '15.1': '12233',
  '15.2': '12233',
  '15.3': '1222222',
  '15.4': '3333',
  '16.1': '2',
  '16.2': '22222',
  '16.3': '2222',
  '16.4': '222',
  '16.5': '2223',
  '17.1': '23',
  '17.2': '22223333',
  '17.3': '22',
};

/** The requirements of ASVS 5.0.0 up to a level, as `v5.0.0-1.2.3`, in the order of the standard. */
export const asvsIdsUpTo = (most: number): readonly string[] =>
  Object.entries(LEVELS).flatMap(([section, levels]) =>
    [...levels].flatMap((level, index) =>
      Number(level) <= most ? [`v5.0.0-${section}.${index + 1}`] : [],
    ),
  );

/** Every requirement has an answer, and every answer leads somewhere. */
const assurance = suite('docs/assurance.md');

const PAGE = readFileSync('docs/assurance.md', 'utf8');
const DOCUMENT = PAGE.replaceAll(/ ?<!--.*?-->/g, '');

/** A requirement with its answer, as the page shows it. */
interface Row {
  readonly id: string;
  readonly answer: AnswerKind;
  /** Sentences, then what the answer rests on. */
  readonly text: string;
}

const cellsOf = (line: string): readonly string[] =>
  line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim());

const LABELS: Readonly<Record<string, AnswerKind>> = {
  Met: 'met',
  'Partly met': 'partly',
  'Not met': 'not met',
  Operator: 'operator',
  'Does not apply': 'does not apply',
};

/** Items of a list that begin with ids and an answer; several ids may share one. */
const rowsIn = (text: string): readonly Row[] =>
  text.split(/^(?=- |#)/m).flatMap((item) => {
    const [, ids = '', label = '', rest = ''] =
      /^- ((?:`[^`]+`[,\s]+)*`[^`]+`)\s+\*\*([A-Z][a-z ]+)\.\*\* ([\s\S]*)$/.exec(item) ?? [];
    const answer = LABELS[label];
    if (answer === undefined) return [];
    return [...ids.matchAll(/`([^`]+)`/g)].map(([, id = '']) => ({ id, answer, text: rest }));
  });

const sectionOf = (heading: string): string => {
  const section = DOCUMENT.split(/^(?=## )/m).find((part) => part.startsWith(`## ${heading}\n`));
  if (section === undefined) throw new Error(`There is no section “${heading}”.`);
  return section;
};

const ASVS = sectionOf('OWASP ASVS 5.0.0');
const CHAPTERS = ASVS.split(/^(?=### V)/m).slice(1);
const rowsOfAsvs = CHAPTERS.flatMap(rowsIn);
const OTHERS = ['HIPAA', 'NIST SP 800-63B-4'];
const everyRow = [...rowsOfAsvs, ...OTHERS.flatMap((one) => rowsIn(sectionOf(one)))];

assurance('has the answers of test/docs/assurance, as `npm run assurance` writes them', () => {
  assert.fixture(PAGE, fillInAnswers(PAGE));
});

assurance('has each requirement of ASVS 5.0.0 of the levels 1 and 2 once, in its chapter', () => {
  const expected = asvsIdsUpTo(2);
  assert.is(expected.length, 253);
  assert.equal(rowsOfAsvs.map(({ id }) => id).toSorted(), [...expected].toSorted());
  for (const part of CHAPTERS) {
    const [, chapter] = /^### V(\d+) /.exec(part) ?? [];
    for (const { id } of rowsIn(part))
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
    counted('ASVS 5.0.0, levels 1 and 2', rowsOfAsvs),
    ...OTHERS.map((one) => counted(one, rowsIn(sectionOf(one)))),
  ];
  const [, table = ''] = /^\| standard \|.*\n\|[-|]+\n((?:\|.*\n)+)/m.exec(DOCUMENT) ?? [];
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

assurance('has a row for each kind of key that the secret wraps', () => {
  const source = readFileSync('adapters/crypto/keys.ts', 'utf8');
  const [, kinds = ''] = /export type WrappingPurpose = ([^;]*);/.exec(source) ?? [];
  const wrapped = [...kinds.matchAll(/'([a-z]+)-key'/g)].map(([, kind]) => kind);
  const rows = [...DOCUMENT.matchAll(/^\| (\w+) keys? \| .* wrapped in /gm)].map(
    ([, kind]) => kind,
  );
  assert.equal(rows.sort(), wrapped.sort());
  const counted = ['no', 'one', 'two', 'three', 'four', 'five'][wrapped.length];
  assert.match(DOCUMENT, `wraps the ${counted} kinds of keys below`);
});

assurance('says of each answer what it rests on', () => {
  const leads = /`test\/[^`]+\.tsx?`|\]\([^)]+\)/;
  const without = everyRow.filter(({ answer, text }) => {
    if (answer === 'met') return !leads.test(text);
    if (answer === 'operator') return !/\]\([^)]+\)/.test(text);
    const [, gap = ''] = text.split('**Gap:**');
    // A reason in words, next to the paths.
    return (answer === 'does not apply' ? text : gap).replaceAll(/`[^`]*`/g, '').trim().length < 4;
  });
  assert.equal(
    without.map(({ id }) => id),
    [],
  );
});

assurance.run();
