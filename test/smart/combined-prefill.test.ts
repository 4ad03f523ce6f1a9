import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { combinePrefills } from '../../domain/mapping/us-core/combined-prefill.ts';
import type { Prefill, PrefillValue } from '../../domain/mapping/us-core/prefill.ts';
import { buildPrefilledCourse } from '../../domain/mapping/us-core/prefilled-course.ts';

const combined = suite('the charts of mother and newborn together');

const chart = (
  as: Prefill['as'],
  values: Readonly<Record<string, readonly PrefillValue['value'][]>>,
  changes: Partial<Prefill> = {},
): Prefill => ({
  as,
  children: as === 'newborn' ? 1 : 0,
  hints: [],
  notTaken: [],
  leftOut: 0,
  values: Object.fromEntries(
    Object.entries(values).map(([path, all]) => [
      path,
      all.map((value) => ({
        value,
        ...(path.startsWith('children.')
          ? { subject: 'child' as const, child: 0 }
          : { subject: 'mother' as const, child: null }),
        from: { resource: `Patient/${as}`, code: null, date: null, display: null },
        derived: null,
        caution: null,
      })),
    ]),
  ),
  ...changes,
});

const told = ({ values }: Prefill) =>
  Object.fromEntries(
    Object.entries(values).map(([path, all]) => [path, all.map(({ value }) => value)]),
  );

combined('each chart gives what it knows, and what they say alike is said once', () => {
  const mother = chart('mother', {
    'mother.family_name': ['Amaral'],
    'mother.phone': ['555-0100'],
    'children.0.sex': ['female'],
  });
  const newborn = chart('newborn', {
    'mother.family_name': ['Amaral'],
    'children.0.sex': ['female'],
    'children.0.birth_weight_grams': [3_200],
  });
  assert.equal(told(combinePrefills(mother, [newborn])), {
    'mother.family_name': ['Amaral'],
    'mother.phone': ['555-0100'],
    'children.0.sex': ['female'],
    'children.0.birth_weight_grams': [3_200],
  });
});

combined('what they say differently has both, from the chart of whom it describes first', () => {
  const mother = chart('mother', {
    'mother.family_name': ['Amaral'],
    'children.0.birth_weight_grams': [3_200],
  });
  const newborn = chart('newborn', {
    'mother.family_name': ['Berg'],
    'children.0.birth_weight_grams': [3_100],
  });
  const both = combinePrefills(mother, [newborn]);
  assert.equal(told(both), {
    'mother.family_name': ['Amaral', 'Berg'],
    'children.0.birth_weight_grams': [3_100, 3_200],
  });
  const { sources } = buildPrefilledCourse(both);
  assert.equal(
    sources.map(({ field, from }) => `${field} ${from?.resource}`),
    ['mother.family_name Patient/mother', 'children.birth_weight_grams Patient/newborn'],
  );
});

combined('weeks and days of gestation stay together', () => {
  const weeks = 'children.0.gestational_age_weeks';
  const days = 'children.0.gestational_age_days';
  const both = combinePrefills(chart('mother', { [weeks]: [39, 38], [days]: [0, 4] }), [
    chart('newborn', { [weeks]: [39, 39], [days]: [4, 0] }),
  ]);
  assert.equal(told(both), { [weeks]: [39, 39, 38], [days]: [4, 0, 4] });
});

combined('twins take the rows of their birth order, in whatever order they were added', () => {
  const twin = (order: number | null, weight: number) =>
    chart('newborn', {
      ...(order === null ? {} : { 'children.0.birth_order': [order] }),
      'children.0.birth_weight_grams': [weight],
    });
  const mother = chart('mother', { plurality: [2] }, { children: 2 });
  const weights = (...twins: readonly Prefill[]) => {
    const both = combinePrefills(mother, twins);
    assert.is(both.children, 2);
    return buildPrefilledCourse(both).children.map(({ birth_weight_grams: grams }) => grams);
  };
  assert.equal(weights(twin(2, 2_200), twin(1, 2_400)), [2_400, 2_200]);
  assert.equal(weights(twin(null, 2_400), twin(null, 2_200)), [2_400, 2_200]);
  assert.equal(weights(twin(null, 2_200), twin(1, 2_400)), [2_400, 2_200]);
  assert.equal(weights(twin(2, 2_200)), [null, 2_200]);
});

combined.run();
