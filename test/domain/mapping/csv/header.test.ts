import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildFullLabel, parseValuePlace } from '../../../../api/pages/text/field-labels.ts';
import type { CustomField } from '../../../../domain/custom-field/state.ts';
import {
  formatColumnName,
  listTemplateColumns,
} from '../../../../domain/mapping/csv/column-names.ts';
import { readHeader, toColumnLetter } from '../../../../domain/mapping/csv/header.ts';
import { lengthsComposed } from '../../../support/slow-texts.ts';

const header = suite('the header line of a file');

const field = (fieldId: string, label: string, isRetired = false): CustomField => ({
  fieldId,
  label,
  type: 'text',
  choices: [],
  order: 0,
  item: null,
  isRetired,
});
const OWN = [field('f-1', 'Birth pool'), field('f-2', 'Old one', true)];

const pathsOf = (...headers: string[]) => {
  const reading = readHeader(headers, OWN);
  return reading.kind === 'columns' ? reading.columns.map((column) => column?.path ?? null) : null;
};

header('the template is understood by itself, column by column', () => {
  const columns = listTemplateColumns(OWN);
  assert.equal(
    pathsOf(...columns.map(({ name }) => name)),
    columns.map(({ path }) => path),
  );
  assert.is(columns.at(-1)?.path, 'custom.f-1');
});

const UNDERSTOOD: readonly (readonly [string, string])[] = [
  ['chart_number', 'chart_number'],
  ['Chart Number', 'chart_number'],
  ['CHART-NUMBER ', 'chart_number'],
  ['mother.family_name', 'mother.family_name'],
  ['Mother Family Name', 'mother.family_name'],
  ['mother.address.city', 'mother.address.city'],
  ['mother_city', 'mother.address.city'],
  ['city', 'mother.address.city'],
  ['child1_sex', 'children.0.sex'],
  ['Child 2 Sex', 'children.1.sex'],
  ['child_3_birth_date', 'children.2.birth_date'],
  ['child birth date', 'children.0.birth_date'],
  ['birth weight grams', 'children.0.birth_weight_grams'],
  ['transfer1_facility', 'transfers.0.facility'],
  ['transfer2_hours_after_birth', 'transfers.1.hours_after_birth'],
  ['Transfer 1: when', 'transfers.0.timing'],
  ['birth_order', 'children.0.birth_order'],
  ['consent.granted', 'consent.granted'],
  ['birth pool', 'custom.f-1'],
  ['place_of_birth', 'place_of_birth'],
  ['Mother: date of birth', 'mother.birth_date'],
  ['Mother: ZIP code', 'mother.address.postal_code'],
  ['Child 2: birth weight', 'children.1.birth_weight_grams'],
  ['Delivery method', 'delivery_method'],
];

header('what the pages call a value means it', () => {
  for (const { path } of listTemplateColumns([])) {
    const place = parseValuePlace(path);
    assert.ok(place);
    assert.equal(pathsOf(buildFullLabel(place, 2)), [path], path);
  }
});

for (const [name, path] of UNDERSTOOD)
  header(`${name} means ${path}`, () => {
    assert.equal(pathsOf(name), [path]);
  });

const LONG: Readonly<Record<string, string>> = {
  letters: 'a'.repeat(100_000),
  underscores: `a${'_'.repeat(100_000)}b`,
  'a letter under marks': `a${'\u0301\u0316'.repeat(50_000)}`,
  digits: '1'.repeat(100_000),
  'a name at the limit': 'a'.repeat(500),
};

for (const [name, text] of Object.entries(LONG))
  header(`long headers are unknown columns, and told so: ${name}`, () => {
    const headers = ['chart_number', ...Array.from({ length: 400 }, () => text)];
    const composed = lengthsComposed(() => void readHeader(headers, OWN));
    assert.ok(Math.max(...composed) <= 500, `${Math.max(...composed)} characters were composed`);
    const reading = readHeader(headers, OWN);
    assert.is(reading.kind === 'columns' && reading.unknown.length, 400);
  });

header('numbers of canonical paths count from 0, or from 1 where there is no 0', () => {
  assert.equal(pathsOf('children.0.sex', 'children.1.sex'), ['children.0.sex', 'children.1.sex']);
  assert.equal(pathsOf('children.1.sex', 'children.2.sex'), ['children.0.sex', 'children.1.sex']);
});

header("a practice's own names never stand for another column", () => {
  const own = ['Sex', 'sex!', '✿', 'Room 1'].map((label, index) => field(`f-${index}`, label));
  const names = listTemplateColumns(own)
    .slice(-4)
    .map(({ name }) => name);
  assert.equal(names, ['custom Sex', 'custom_f_1', 'custom_f_2', 'Room 1']);
  const reading = readHeader(['Sex', ...names, ''], own);
  assert.equal(reading.kind === 'columns' && reading.columns.map((one) => one?.path), [
    'children.0.sex',
    'custom.f-0',
    'custom.f-1',
    'custom.f-2',
    'custom.f-3',
    undefined,
  ]);
  assert.equal(
    readHeader(['custom.f-3', 'Custom Room 1'], own).kind,
    'refused',
    'both mean the same field',
  );
});

header('what nobody may enter is no column, nor a retired field', () => {
  for (const name of ['stamp', 'attendant', 'mother_age_at_delivery', 'Old one', 'child21_sex'])
    assert.equal(pathsOf('chart_number', name), ['chart_number', null]);
});

const SUGGESTED: readonly (readonly [string, readonly string[]])[] = [
  ['birth_date', ['mother_birth_date', 'child1_birth_date', 'child2_birth_date']],
  ['chart_nmuber', ['chart_number']],
  ['child3_birth_wieght_grams', ['child3_birth_weight_grams']],
  ['Insurance', []],
];

for (const [name, suggestions] of SUGGESTED)
  header(`${name} is told as not understood, with what it may have meant`, () => {
    const reading = readHeader(['chart_number', name], OWN);
    assert.equal(reading.kind === 'columns' && reading.unknown, [
      { letter: 'B', header: name, suggestions },
    ]);
  });

header('two columns of one meaning are refused by their letters', () => {
  const reading = readHeader(['sex', 'chart_number', 'Child 1 Sex'], OWN);
  assert.equal(reading, {
    kind: 'refused',
    id: 'same-columns',
    problem: 'Columns A and C both mean child1_sex. Keep one of them.',
  });
});

header('a first row without a single name of the template is refused', () => {
  const reading = readHeader(['C-1', 'Amaral', '3400'], OWN);
  assert.match(reading.kind === 'refused' ? reading.problem : '', /none of the column names/);
});

const REMEMBERED = [
  { heading: 'mom_last', label: 'Mom last', path: 'mother.family_name' },
  { heading: 'last_name_of_mom', label: 'Last name of mom', path: 'mother.family_name' },
  { heading: 'pool', label: 'Pool', path: 'custom.f-1' },
  { heading: 'old', label: 'Old', path: 'custom.f-2' },
  { heading: 'room', label: 'Room', path: null },
  { heading: 'sex', label: 'Sex', path: 'mother.phone' },
];

header('headings that the practice has explained are read so, in any case', () => {
  const reading = readHeader(['MOM LAST', 'pool', 'Room', 'chart_number'], OWN, REMEMBERED);
  if (reading.kind === 'refused') throw new Error(reading.problem);
  assert.equal(
    reading.columns.map((column) => column?.path ?? null),
    ['mother.family_name', 'custom.f-1', null, 'chart_number'],
  );
  assert.equal(reading.unknown, []);
  assert.equal(
    reading.chosen.map(({ letter, path }) => `${letter} ${path}`),
    ['A mother.family_name', 'B custom.f-1', 'C null'],
  );
});

header('a field that another column holds already is not read twice: it is said', () => {
  const takenBy = (...headers: string[]) => {
    const reading = readHeader(headers, OWN, REMEMBERED);
    return reading.kind === 'columns' && reading.unknown.map((one) => [one.letter, one.takenBy]);
  };
  assert.equal(takenBy('Mom last', 'mother_family_name'), [['A', 'B']]);
  assert.equal(takenBy('Mom last', 'Last name of mom'), [['B', 'A']]);
});

header('a name of the template means what it says, and a retired field nothing', () => {
  const reading = readHeader(['Sex', 'Old'], OWN, REMEMBERED);
  if (reading.kind === 'refused') throw new Error(reading.problem);
  assert.equal(
    reading.columns.map((column) => column?.path ?? null),
    ['children.0.sex', null],
  );
  assert.equal(
    reading.unknown.map(({ letter }) => letter),
    ['B'],
  );
});

header(
  'headings of another program alone are asked about; a first birth and a short list are not',
  () => {
    const kindOf = (...headers: string[]) => readHeader(headers, OWN).kind;
    assert.is(kindOf('Chart #', 'Mom', 'Where born', 'Baby DOB'), 'columns');
    assert.is(kindOf('fruit', 'price'), 'refused');
    assert.is(kindOf('C-1', 'Amaral', 'Rosa', 'Home', '5/12/2026'), 'refused');
    assert.is(readHeader(['Room', 'fruit'], OWN, REMEMBERED).kind, 'columns');
  },
);

header('columns are named as a spreadsheet does', () => {
  assert.equal([0, 25, 26, 51, 52, 701, 702].map(toColumnLetter), [
    'A',
    'Z',
    'AA',
    'AZ',
    'BA',
    'ZZ',
    'AAA',
  ]);
});

header('a path without a column has the name of the template', () => {
  assert.is(formatColumnName('children.1.birth_date'), 'child2_birth_date');
  assert.is(formatColumnName('mother.address.city'), 'mother_address_city');
});

header.run();
