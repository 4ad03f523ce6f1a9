import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createOffsetAt } from '../../../../api/practice-time/practice-clock.ts';
import type { CourseOfCare } from '../../../../domain/course/course.ts';
import { FIELDS, type Field } from '../../../../domain/course/fields.ts';
import { buildDocumentBundle } from '../../../../domain/export/bfdr/document-bundle.ts';
import { isDate } from '../../../../domain/fhir/dates.ts';
import { asObject } from '../../../../domain/fhir/json.ts';
import { formatEntries, formatForm } from '../../../../domain/mapping/form/format-course.ts';
import { anyCourse, anyPartnerContent } from '../../../support/any-course.ts';
import { courseEntered, enter } from '../../../support/birth-records.ts';
import { birthBundle, courseOf } from '../../../support/bundles.ts';
import {
  assertAmendsNothing,
  assertBroughtBack,
  exportedRecord,
  recordOf,
} from '../../../support/exported-records.ts';
import { runs } from '../../../support/runs.ts';

const people = suite('what people enter, exported and pushed');
const RUNS = runs(400);

const knownOf = ({ codes }: Field, value: unknown): unknown => {
  if (Array.isArray(value)) return value.filter((one) => codes?.has(one));
  return codes?.has(String(value)) ? value : null;
};

/** The values of an object that a form takes: of coded answers the known ones. */
const takenIn = <T extends object>(holder: string, object: T): T => ({
  ...object,
  ...Object.fromEntries(
    FIELDS.filter((field) => field.parent === holder && field.codes !== undefined).map((field) => [
      field.name,
      knownOf(field, (object as Record<string, unknown>)[field.name]),
    ]),
  ),
});

const inYear = (year: number, date: string | null): string | null => {
  const moved = `${year}${date?.slice(4) ?? ''}`;
  return isDate(moved) ? moved : null;
};

/** A course of care as far as a form takes it: born in the past, of a mother born before. */
const typable = (course: CourseOfCare): CourseOfCare => ({
  ...takenIn('', course),
  mother: {
    ...takenIn('mother', course.mother),
    birth_date: inYear(1994, course.mother.birth_date),
    phone: course.mother.phone === null ? null : '503-555-0142',
    address: { ...course.mother.address, state: 'OR' },
  },
  children: course.children.map((child) => {
    const day = inYear(2025, child.birth_date);
    const time = child.birth_time?.slice(10) ?? null;
    return {
      ...takenIn('children', child),
      birth_date: day,
      birth_time: day === null || time === null ? null : `${day}${time}`,
    };
  }),
});

people('a birth that a person typed comes back the same', () => {
  let entered = 0;
  fc.assert(
    fc.property(anyCourse, fc.constantFrom(formatEntries, formatForm), (course, textsOf) => {
      const typed = enter(textsOf(typable(course)));
      if (typed.kind === 'refused') return;
      entered += 1;
      assertBroughtBack(exportedRecord(typed.course, null), 'native');
    }),
    RUNS,
  );
  assert.ok(entered > RUNS.numRuns / 2, `${entered} were taken`);
});

/** Everything that a form can say of a child and a birth, one value at a time. */
const ANSWERS: readonly (readonly [string, string])[] = [
  ['place_of_birth', 'En route'],
  ['place_of_birth', 'Other'],
  ['planned_place_of_birth', 'En route'],
  ['planned_place_of_birth', 'Clinic'],
  ['planned_place_of_birth', 'home'],
  ['planned_home_birth', 'yes'],
  ['planned_home_birth', 'no'],
  ['planned_home_birth', 'unknown'],
  ['delivery_method', 'c-section'],
  ['birth_position', 'in water'],
  ['induction_indication', 'elective'],
  ['induction_agents', 'oxytocin; misoprostol; balloon induction of labor'],
  ['doula_present', 'yes'],
  ['doula_present', 'no'],
  ['delayed_cord_clamping', 'no'],
  ['stat_cesarean', 'yes'],
  ['prenatal_care_site', 'Unknown'],
  ['prenatal_care_site', 'Cedar Clinic; 2nd floor'],
  ['mother.family_name', 'Unknown'],
  ['mother.given_names', 'Unk; Ana'],
  ['mother.birth_surname', 'Unknown'],
  ['mother.address.city', 'Unknown'],
  ['mother.address.line', 'unknown'],
  ['mother.race', 'White; Asian Indian; Samoan'],
  ['mother.race', 'Asian; Chinese'],
  ['mother.race', 'Chinese; Other Asian'],
  ['mother.race', 'Native Hawaiian or Other Pacific Islander; Native Hawaiian'],
  ['mother.race_absent_reason', 'declined'],
  ['mother.race_absent_reason', 'ASKU'],
  ['mother.race_absent_reason', 'unknown'],
  ['mother.ethnicity', 'not hispanic'],
  ['mother.education', "Bachelor's degree"],
  ['mother.height_cm', '5 ft 7 in'],
  ['mother.prepregnancy_weight_kg', '65 kg'],
  ['wic', 'no'],
  ['children.0.sex', ''],
  ['children.0.sex', 'other'],
  ['children.0.fetal_death', 'yes'],
  ['children.0.fetal_death', 'no'],
  ['children.0.living', 'yes'],
  ['children.0.living', 'no'],
  ['children.0.nicu_admission', 'yes'],
  ['children.0.nicu_admission', 'no'],
  ['children.0.birth_time', ''],
  ['children.0.gestational_age_weeks', '39w0d'],
  ['children.0.birth_weight_grams', '7 lb 8 oz'],
  ['transfers.0.facility', 'East Hospital'],
  ['transfers.0.direction', 'in'],
  ['transfers.0.type', 'infant'],
  ['consent.granted', 'yes'],
  ['consent.granted', 'no'],
  ['consent.status', 'active'],
  ['consent.date_time', '5/12/2026'],
];

const TYPED = {
  chart_number: 'C-1',
  place_of_birth: 'home',
  'children.0.birth_date': '5/12/2026',
  'children.0.birth_time': '2:05 pm',
};

for (const [path, text] of ANSWERS)
  people(`“${path}” as “${text}” comes back`, () => {
    const course = courseEntered({ ...TYPED, [path]: text });
    assertBroughtBack(exportedRecord(course, null), 'native');
    assertAmendsNothing(recordOf([course, null]), 'native');
  });

for (const [chart, written] of [
  ['MRN-1234567', 'MRN-1234567'],
  // Readers take twelve characters for year, jurisdiction, and certificate.
  ['2026OH001234', null],
  ['MRN-123456789', null],
  ['M'.repeat(255), null],
] as const)
  people(`a chart number of ${chart.length} characters comes back`, () => {
    const course = courseEntered({ ...TYPED, chart_number: chart });
    const record = exportedRecord(course, null);
    const { value } = asObject(buildDocumentBundle(record)['identifier']);
    assert.is(value, written ?? record.submissionUuid.replaceAll('-', '').slice(0, 11));
    assertBroughtBack(record, 'native');
    assertAmendsNothing(recordOf([course, null]), 'native');
  });

for (const [zone, written] of [
  ['America/Chicago', '2026-05-12T09:05:00-05:00'],
  // The day there is another one than the date of birth.
  ['Pacific/Auckland', '2026-05-12T14:05:00Z'],
  [null, '2026-05-12T14:05:00Z'],
] as const)
  people(`a time in UTC leaves as ${written} in ${zone ?? 'no time zone'}, and comes back`, () => {
    const course = courseOf(
      birthBundle({ children: [{ birthDate: '2026-05-12', birthTime: '2026-05-12T14:05:00Z' }] }),
    );
    assert.is(course.children[0]?.birth_time, '2026-05-12T14:05:00Z');
    const offsetAt = zone === null ? null : createOffsetAt(zone);
    const bundle = buildDocumentBundle(exportedRecord(course, null), offsetAt);
    assert.ok(JSON.stringify(bundle).includes(`"valueDateTime":"${written}"`));
    assert.equal(courseOf(bundle).children, course.children);
  });

people('twins who were both moved to one hospital stay two transfers', () => {
  const course = courseEntered({
    ...TYPED,
    'children.1.birth_date': '5/12/2026',
    'transfers.0.type': 'infant',
    'transfers.0.direction': 'out',
    'transfers.0.facility': 'East Hospital',
    'transfers.1.type': 'infant',
    'transfers.1.direction': 'out',
    'transfers.1.facility': 'East Hospital',
  });
  assert.is(course.transfers.length, 2);
  assertBroughtBack(exportedRecord(course, null), 'native');
});

const CORRECTIONS: readonly Readonly<Record<string, string>>[] = [
  { delivery_method: 'forceps' },
  { 'mother.family_name': 'Amaral' },
  { 'children.0.sex': '', 'children.0.apgar_five_minute': '9' },
  { 'consent.granted': 'no', 'consent.status': '' },
];

const correct = (held: CourseOfCare, values: Readonly<Record<string, string>>) =>
  enter(values, { existing: held, isPartnerRecord: true });

people('a correction of a native record comes back the same, and amends nothing', () => {
  fc.assert(
    fc.property(anyCourse, fc.constantFrom(...CORRECTIONS), (course, values) => {
      const held = { ...course, chart_number: 'C-1' };
      const corrected = correct(held, values);
      if (corrected.kind === 'refused') throw new Error(JSON.stringify(corrected.errors));
      assertBroughtBack(exportedRecord(corrected.course, null), 'native');
      assertAmendsNothing(recordOf([held, 'native'], [corrected.course, null]), 'native');
    }),
    RUNS,
  );
});

people('a correction of a partner’s record amends nothing with the partner’s key', () => {
  fc.assert(
    fc.property(
      anyPartnerContent,
      fc.constantFrom(...CORRECTIONS),
      ({ course, providers }, values) => {
        const held = { ...course, chart_number: 'C-1' };
        const corrected = correct(held, values);
        if (corrected.kind === 'refused') throw new Error(JSON.stringify(corrected.errors));
        assertAmendsNothing(
          recordOf([held, 'partner', { providers }], [corrected.course, null]),
          'partner',
        );
      },
    ),
    RUNS,
  );
});

people.run();
