import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildComparedRows } from '../../api/pages/duplicates/compared-rows.ts';
import { maskForPartner } from '../../domain/course/mask.ts';
import { type BirthParts, birthBundle, courseOf } from '../support/bundles.ts';

const compared = suite('two records of a pair, value by value');

const words = { timeZone: 'America/New_York', clock: '12' } as const;
const native = (parts: BirthParts = {}) => ({
  course: courseOf(birthBundle(parts)),
  keyKind: 'native' as const,
});
const deIdentified = (parts: BirthParts = {}) => ({
  course: maskForPartner(courseOf(birthBundle(parts), 'partner')),
  keyKind: 'partner' as const,
});
const differing = (...pair: readonly Parameters<typeof buildComparedRows>[0]['older'][]) => {
  const [older = native(), newer = native()] = pair;
  return buildComparedRows({ older, newer }, [], words).flatMap(({ heading, rows }) =>
    rows.flatMap((row) => (row.differs ? [`${heading}: ${row.label}`] : [])),
  );
};

compared('only what differs is marked; a second child is compared by its position', () => {
  assert.equal(differing(native(), native()), []);
  assert.equal(
    differing(
      native({ children: [{}, { given: ['Sol'], weight: 2900 }] }),
      native({ place: '91154008', children: [{}, { given: ['Sol'], weight: 2910 }] }),
    ),
    ['Labor and birth: Place of birth', 'Child 2: Birth weight'],
  );
  assert.ok(differing(native(), native({ children: [{}, {}] })).includes('Child 2: Birth weight'));
});

compared('the days of a gestational age are told with its weeks', () => {
  const [older, newer] = [
    native({ children: [{ weeks: 39 }] }),
    native({ children: [{ weeks: 39.6 }] }),
  ];
  assert.equal(differing(older, newer), ['Child: Gestational age']);
});

compared(
  'what is not kept of a de-identified record is no difference, its year of birth is',
  () => {
    const older = native();
    assert.equal(differing(older, deIdentified()), []);
    assert.equal(
      differing(older, deIdentified({ children: [{ birthDate: '2025-03-12', birthTime: null }] })),
      ['Mother: Age at delivery', 'Child: Date of birth'],
    );
    const [mother] = buildComparedRows({ older, newer: deIdentified() }, [], words);
    assert.equal(mother?.rows[0], {
      label: 'Family name',
      fullLabel: 'Mother: family name',
      older: 'Marin',
      newer: 'Not stored',
      differs: false,
    });
  },
);

compared('values of the practice’s own fields are compared too, retired fields included', () => {
  const field = {
    fieldId: 'f1',
    label: 'Room',
    fullLabel: 'Room',
    type: 'text',
    choices: [],
    order: 1,
    item: null,
    isRetired: true,
  };
  const older = native();
  const newer = { ...older, course: { ...older.course, custom: { f1: 'Blue' } } };
  const groups = buildComparedRows({ older, newer }, [{ ...field, type: 'text' }], words);
  assert.equal(groups.at(-1)?.rows, [
    { label: 'Room', fullLabel: 'Room', older: '–', newer: 'Blue', differs: true },
  ]);
});

compared.run();
