import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Child, emptyChild } from '../../domain/course/course.ts';
import { collectChanges } from '../../projections/read-model.ts';
import { amended, courseOfInes } from '../support/birth-records.ts';
import { entryAt } from '../support/in-memory.ts';

const facts = suite('facts for statistics');

/** What the rows of a record with these children count, and when. */
const rowsOf = (...children: readonly Partial<Child>[]): readonly unknown[] => {
  const course = {
    ...courseOfInes,
    children: children.map((child) => ({ ...emptyChild(), ...child })),
  };
  const entry = entryAt(1n, 'record-ines', 1n, amended({ course }));
  if (entry.kind !== 'event') throw new Error('An event that cannot be read');
  return collectChanges(entry.stored).flatMap((change) =>
    change.kind === 'replace' && change.table === 'statistics_fact'
      ? change.rows.map(({ part, is_course, is_birth, year, month, transfer, preterm, vbac }) => [
          part,
          is_course ? 'course' : '',
          is_birth ? 'birth' : '',
          year,
          month,
          transfer,
          preterm,
          vbac,
        ])
      : [],
  );
};

facts('one row counts the birth and its course of care', () => {
  assert.equal(rowsOf({ birth_date: '2026-05-12', gestational_age_weeks: 39 }), [
    [0, 'course', 'birth', 2026, 5, 0, 0, -1],
  ]);
});

facts(
  'a course of care counts in the month of its first dated child, each birth in its own',
  () => {
    assert.equal(
      rowsOf({ birth_date: null }, { birth_date: '2025-12-31' }, { birth_date: '2026-01-01' }),
      [
        [0, '', 'birth', null, null, undefined, -1, undefined],
        [1, 'course', 'birth', 2025, 12, 0, -1, -1],
        [2, '', 'birth', 2026, 1, undefined, -1, undefined],
      ],
    );
  },
);

facts('without a date it counts in none, and once', () => {
  assert.equal(rowsOf({}, {}), [
    [0, 'course', 'birth', null, null, 0, -1, -1],
    [1, '', 'birth', null, null, undefined, -1, undefined],
  ]);
});

facts('without children there is a course of care and no birth', () => {
  assert.equal(rowsOf(), [[0, 'course', '', null, null, 0, undefined, -1]]);
});

facts('what a rate is not about is neither counted nor unknown', () => {
  assert.equal(rowsOf({ fetal_death: true, gestational_age_weeks: 30 }), [
    [0, 'course', 'birth', null, null, 0, null, -1],
  ]);
});

facts('99 earlier cesareans that were stored before are not known', () => {
  const course = { ...courseOfInes, delivery_method: '700000006', previous_cesareans: 99 };
  const entry = entryAt(1n, 'record-ines', 1n, amended({ course }));
  if (entry.kind !== 'event') throw new Error('An event that cannot be read');
  const rows = collectChanges(entry.stored).flatMap((change) =>
    change.kind === 'replace' && change.table === 'statistics_fact' ? change.rows : [],
  );
  assert.equal(
    rows.map(({ vbac, primary_cesarean }) => [vbac, primary_cesarean]),
    [[-1, -1]],
  );
});

facts.run();
