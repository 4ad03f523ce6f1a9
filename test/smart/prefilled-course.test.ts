import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { formatEntries } from '../../domain/mapping/form/format-course.ts';
import { parseCourse } from '../../domain/mapping/form/parse-course.ts';
import { buildPrefilledCourse } from '../../domain/mapping/us-core/prefilled-course.ts';
import { chartsAt } from '../../scripts/ehr-simulator/charts.ts';
import { mapped, motherChart, TODAY } from '../support/charts.ts';

const course = suite('a course of care from a pre-fill');

const chartOf = (patientId: string) => {
  const chart = chartsAt(new Date(`${TODAY}T18:00:00Z`))[patientId];
  assert.ok(chart);
  return mapped(motherChart({ patientId, ...chart }));
};

const context = {
  today: TODAY,
  offsetAt: () => '-05:00',
  customFields: [],
  unitIsNamed: false,
} as const;

course('takes the first candidate, and marks every value with whom it describes', () => {
  const { children, mother, sources } = buildPrefilledCourse(chartOf('newborn-1').asNewborn);
  assert.is(children[0]?.apgar_five_minute, 10);
  assert.is(mother.family_name, 'Quintanilla-Brandvold');
  assert.ok(
    sources.some(
      ({ field, subject, child, source }) =>
        field === 'children.apgar_five_minute' &&
        subject === 'child' &&
        child === 0 &&
        source === 'ehr_pull',
    ),
  );
  assert.ok(
    sources.some(
      ({ field, subject, child }) =>
        field === 'mother.family_name' && subject === 'mother' && child === null,
    ),
  );
});

course('every mark says where in the chart the value stood, and nothing more', () => {
  const { sources } = buildPrefilledCourse(chartOf('newborn-1').asNewborn);
  const of = (name: string) => sources.find(({ field }) => field === name)?.from;
  const { resource, code, date } = of('children.apgar_five_minute') ?? {};
  assert.match(resource ?? '', /^Observation\/./);
  assert.is(code, '9274-2');
  assert.match(date ?? '', /^\d{4}-\d\d-\d\d/);
  assert.equal(of('children.sex'), { resource: 'Patient/newborn-1', code: null, date: null });
  for (const { from } of sources)
    assert.equal(Object.keys(from ?? {}).sort(), ['code', 'date', 'resource']);
});

course('takes another candidate, or none, where the clinician says so', () => {
  const { asNewborn } = chartOf('newborn-1');
  const path = 'children.0.apgar_five_minute';
  assert.is(buildPrefilledCourse(asNewborn, { [path]: 1 }).children[0]?.apgar_five_minute, 9);
  const none = buildPrefilledCourse(asNewborn, { [path]: null });
  assert.is(none.children[0]?.apgar_five_minute, null);
  assert.not.ok(none.sources.some(({ field }) => field === 'children.apgar_five_minute'));
  assert.is(buildPrefilledCourse(asNewborn, { [path]: 7 }).children[0]?.apgar_five_minute, null);
});

course('weeks and days of gestation are taken together', () => {
  const { asNewborn } = chartOf('newborn-1');
  const none = buildPrefilledCourse(asNewborn, { 'children.0.gestational_age_weeks': null });
  const [child] = none.children;
  assert.equal([child?.gestational_age_weeks, child?.gestational_age_days], [null, null]);
});

course('has a row for each child of twins, and one where nothing is known', () => {
  assert.is(buildPrefilledCourse(chartOf('mother-2').asMother).children.length, 2);
  assert.is(buildPrefilledCourse(chartOf('mother-4').asMother).children.length, 1);
});

for (const patientId of ['mother-1', 'newborn-1', 'mother-2', 'twin-a'])
  course(`what a form shows of ${patientId} is read back as it was, with its marks`, () => {
    const { asMother, asNewborn, launched } = chartOf(patientId);
    const held = buildPrefilledCourse(launched === 'newborn' ? asNewborn : asMother);
    const values = { ...formatEntries(held), place_of_birth: 'Hospital' };
    const entered = parseCourse(values, { ...context, existing: held });
    assert.is(entered.kind, 'course');
    if (entered.kind !== 'course') return;
    assert.equal(entered.course.sources, held.sources);
    assert.ok(entered.course.sources.every(({ from }) => from !== undefined));
    assert.equal(entered.course.children, held.children);
  });

course('a value that is typed over loses its mark', () => {
  const held = buildPrefilledCourse(chartOf('newborn-1').asNewborn);
  const values = {
    ...formatEntries(held),
    place_of_birth: 'Hospital',
    'mother.family_name': 'Brandvold',
  };
  const entered = parseCourse(values, { ...context, existing: held });
  assert.is(entered.kind, 'course');
  if (entered.kind !== 'course') return;
  assert.is(entered.course.sources.length, held.sources.length - 1);
});

course.run();
