import type { Request } from 'express';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  addCurrentChoices,
  MAX_LISTED,
} from '../../api/pages/parts/birth-form/form/form-layout.ts';
import {
  addListItem,
  buildFormContent,
  buildFormViewModel,
  readPostedValues,
} from '../../api/pages/parts/birth-form/form/form-values.ts';
import { DEFAULT_TIME_FORMAT } from '../../api/pages/text/format-times.ts';
import { createPracticeClock } from '../../api/practice-time/practice-clock.ts';
import { findFormOverLimit } from '../../api/web/form-body.ts';
import { EDITABLE_FIELDS } from '../../domain/mapping/form/form-fields.ts';
import { parseCourse } from '../../domain/mapping/form/parse-course.ts';
import { assertGrowsInProportion, createCountingRows } from '../support/executed-blocks.ts';

const limits = suite('the limits of a form');
const counting = createCountingRows(limits, import.meta.url);

type Body = Readonly<Record<string, string | readonly string[]>>;

const numbered = (count: number, name: (index: number) => string): Body =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [name(index), 'x']));
const repeated = (count: number) => Array.from({ length: count }, (_, index) => `x${index}`);

const refusalOf = (body: Body): string => {
  const refusal = findFormOverLimit(body);
  return refusal === null ? 'read' : `${refusal.status} ${refusal.text}`;
};

const REFUSED: readonly { name: string; body: Body; says: string }[] = [
  {
    name: 'more children than a record holds',
    body: numbered(999, (index) => `children.${index}.given_names`),
    says: 'The form has 999 children: it may have up to 20.',
  },
  {
    name: 'more transfers than a record holds',
    body: numbered(11, (index) => `transfers.${index}.facility`),
    says: 'The form has 11 transfers: it may have up to 10.',
  },
  {
    name: 'answers about more children than a record holds',
    body: numbered(21, (index) => `pick.children.${index}.sex`),
    says: 'The form has 21 children: it may have up to 20.',
  },
  {
    name: 'a numbered list that no page has',
    body: numbered(21, (index) => `constructor.${index}.name`),
    says: 'The form has 21 entries in one list: it may have up to 20.',
  },
  {
    name: 'one name many times',
    body: { 'mother.race': repeated(201) },
    says: 'The form has 201 answers to one question: it may have up to 200.',
  },
  {
    name: 'a long text',
    body: { domains: 'x'.repeat(20_001) },
    says: 'The form has 20,001 characters in one field: it may have up to 20,000.',
  },
  {
    name: 'a long name',
    body: { ['x'.repeat(201)]: '' },
    says: 'The form has 201 characters in the name of a field: it may have up to 200.',
  },
];

for (const { name, body, says } of REFUSED)
  limits(`refuse ${name}, with how many there are and may be`, () => {
    assert.ok(refusalOf(body).startsWith('413 '));
    assert.match(refusalOf(body), says);
  });

limits('count the children that are there, not the gaps between them', () => {
  const body = numbered(20, (index) => `children.${index * 40}.sex`);
  assert.is(refusalOf(body), 'read');
});

limits('are never passed by a button of the form', () => {
  for (const list of ['children', 'transfers'] as const) {
    let values = {};
    for (let press = 0; press < 30; press += 1) values = addListItem(list, values);
    const indexes = new Set(Object.keys(values).map((key) => key.split('.')[1]));
    assert.is(indexes.size, MAX_LISTED[list]);
    assert.is(refusalOf(values), 'read');
  }
});

/** Lists of the birth form, longer with the count. */
const SHAPES: Readonly<Record<string, (count: number) => Body>> = {
  children: (count) => numbered(count, (index) => `children.${index}.given_names`),
  transfers: (count) => numbered(count / 2, (index) => `transfers.${index}.facility_name`),
  codes: (count) => ({ 'mother.race': repeated(count * 12) }),
  texts: (count) => ({ 'mother.given_names': repeated(count * 12).join('; ') }),
  custom: (count) => numbered(count * 3, (index) => `custom.${index}`),
  'fields of no form': (count) => numbered(count * 100, (index) => `x${index}`),
};
const COUNT = 4;
const CLOCK = createPracticeClock('America/New_York', new Date('2026-11-26T12:00:00Z'));

const read = (body: Body, count: number): void => {
  const customFields = Array.from({ length: count * 3 }, (_, index) => ({
    fieldId: String(index),
    label: `Field ${index}`,
    type: 'text' as const,
    choices: [],
    order: index,
    item: null,
    isRetired: false,
  }));
  assert.is(findFormOverLimit(body), null);
  const values = readPostedValues({ body } as Request, customFields, {}, CLOCK);
  const course = parseCourse(values, {
    ...CLOCK,
    customFields,
    existing: null,
    unitIsNamed: false,
    asksConsent: true,
  });
  const errors = course.kind === 'refused' ? course.errors : [];
  buildFormViewModel(buildFormContent(values, errors, course.notices), DEFAULT_TIME_FORMAT, CLOCK);
  for (const field of EDITABLE_FIELDS.filter(({ type }) => type === 'codes'))
    addCurrentChoices(field, (values[field.path] ?? '').split('; '));
};

for (const [name, shape] of Object.entries(SHAPES))
  counting(`twice as long, it takes about twice the steps: ${name}`, () =>
    assertGrowsInProportion((count) => {
      const body = shape(count);
      return () => read(body, count);
    }, COUNT),
  );

limits('know each list that a field can be in or hold', () => {
  const lists = EDITABLE_FIELDS.flatMap(({ parent, type }) => [
    ...(['', 'mother', 'mother.address', 'consent'].includes(parent) ? [] : [parent]),
    ...(type.endsWith('s') && type !== 'marks' ? [type] : []),
  ]);
  assert.equal(
    [...new Set(lists)].filter((list) => !(list in SHAPES)),
    [],
  );
});

limits.run();
