import type { GivenReason } from '../../domain/birth-record/item-reasons.ts';
import {
  type Child,
  type CourseOfCare,
  emptyChild,
  emptyCourseOfCare,
  emptyMother,
  type Mother,
} from '../../domain/course/course.ts';
import { maskForPartner } from '../../domain/course/mask.ts';
import type { ExportedRecord } from '../../domain/export/bfdr/document-bundle.ts';
import { exportedRecord } from './exported-records.ts';
import { buildTransfer } from './transfers.ts';

/** A birth as it leaves, and the lane in which it comes back. */
export interface BirthOfShape {
  readonly name: string;
  readonly record: ExportedRecord;
  /** Of its practice; null: it has set none. */
  readonly timeZone: string | null;
}

const ROSA: Mother = {
  ...emptyMother(),
  family_name: 'Marin',
  given_names: ['Rosa', 'Inés'],
  birth_surname: 'Oliveira',
  birth_date: '1994-06-02',
  age_at_delivery: 31,
  race: ['2106-3'],
  ethnicity: '2186-5',
  address: {
    line: '12 Elm Street',
    city: 'Springfield',
    county: 'Lane',
    state: 'OR',
    postal_code: '97477',
    country: 'US',
  },
  phone: '503-555-0142',
  medical_record_number: 'M-77',
};

const CHILD: Child = {
  ...emptyChild(),
  family_name: 'Marin',
  given_names: ['Ana'],
  birth_date: '2026-03-12',
  birth_time: '2026-03-12T04:31:00-05:00',
  sex: 'female',
  birth_order: 1,
  fetal_death: false,
  living: true,
  medical_record_number: 'N-1',
};

const COURSE: CourseOfCare = {
  ...emptyCourseOfCare(),
  chart_number: 'C-1',
  place_of_birth: 'Hospital',
  plurality: 1,
  mother: ROSA,
  children: [CHILD],
};

const NEW_YORK = 'America/New_York';

/** @param changes of the course, its mother and its only child */
const birth = (
  name: string,
  changes: {
    readonly course?: Partial<CourseOfCare>;
    readonly mother?: Partial<Mother>;
    readonly child?: Partial<Child>;
    readonly timeZone?: string;
    readonly record?: Partial<ExportedRecord>;
  } = {},
): BirthOfShape => {
  const course = {
    ...COURSE,
    mother: { ...ROSA, ...changes.mother },
    children: [{ ...CHILD, ...changes.child }],
    ...changes.course,
  };
  const record = exportedRecord(course, 'native', changes.record);
  return { name, record, timeZone: changes.timeZone ?? null };
};

const neverKnown = (item: string, child: number | null): GivenReason => ({
  item,
  child,
  children: 1,
  reason: { kind: 'unobtainable' },
});

const brood = (count: number): readonly Child[] =>
  Array.from({ length: count }, (_, at) => ({
    ...CHILD,
    birth_time: `2026-03-12T04:3${at}`,
    birth_order: at + 1,
    medical_record_number: `N-${at + 1}`,
  }));

const addressed = (country: string | null, state: string | null) => ({
  address: { ...ROSA.address, country, state },
});

const origins = (hispanic_origins: readonly string[]) => ({
  ethnicity: '2135-2',
  hispanic_origins,
});

const CATEGORIES = ['2131-1', '2106-3', '2076-8', '2054-5', '2028-9', '1002-5'];

const SPARSE: CourseOfCare = {
  ...emptyCourseOfCare(),
  chart_number: 'C-2',
  place_of_birth: 'Hospital',
  children: [emptyChild()],
};

/** Births of every shape that a record can have, as far as it is people who make the difference. */
export const BIRTHS: readonly BirthOfShape[] = [
  birth('a singleton'),
  birth('a time without an offset, in a practice without a time zone', {
    child: { birth_time: '2026-03-12T04:31:07.25' },
  }),
  birth('a time without seconds or offset, in a practice with a time zone', {
    child: { birth_time: '2026-03-12T04:31' },
    timeZone: NEW_YORK,
  }),
  birth('a time that the clocks show twice', {
    mother: { age_at_delivery: 32 },
    child: { birth_date: '2026-11-01', birth_time: '2026-11-01T01:30' },
    timeZone: NEW_YORK,
  }),
  birth('a time that the clocks skip', {
    child: { birth_date: '2026-03-08', birth_time: '2026-03-08T02:30:00' },
    timeZone: NEW_YORK,
  }),
  birth('a time on another day than the date, without an offset', {
    child: { birth_time: '2026-03-13T00:10:00' },
  }),
  birth('a time without a date', { child: { birth_date: null, birth_time: '2026-03-12T04:31' } }),
  birth('a year alone', { child: { birth_date: '2026', birth_time: null } }),
  birth('a year alone, and a time without an offset', {
    child: { birth_date: '2026', birth_time: '2026-03-12T04:31' },
  }),
  birth('twins', { course: { plurality: 2, children: brood(2) }, timeZone: NEW_YORK }),
  birth('dates of which only parts are known', {
    course: {
      last_menstrual_period: '2025-06',
      first_prenatal_visit: '2025',
      previous_births_living: 1,
      previous_births_dead: 0,
      last_live_birth: '2021-03',
      other_outcomes: 1,
      last_other_outcome: '2019',
    },
    mother: { birth_date: '1994-01', age_at_delivery: 32 },
  }),
  birth('no transfers in, and one out on a later day', {
    course: {
      mother_transfer: false,
      transfers: [
        buildTransfer({ type: 'mother', direction: 'in', facility: 'Her home' }),
        buildTransfer({ type: 'infant', direction: 'out', facility: 'East Hospital' }),
      ],
    },
    child: { transfer_within_day: false },
  }),
  birth('answers about transfers alone', {
    course: { mother_transfer: true },
    child: { transfer_within_day: true },
  }),
  birth('transfers with all their details, which alone answer', {
    course: {
      transfers: [
        buildTransfer({
          type: 'mother',
          direction: 'in',
          place: 'birth center',
          facility: 'Pine Birth Center',
          timing: 'during labor',
          urgency: 'not urgent',
          reason: 'Slow progress of labor',
        }),
        buildTransfer({
          type: 'infant',
          child_birth_order: 1,
          direction: 'out',
          place: 'hospital',
          facility: 'East Hospital',
          timing: 'after birth',
          hours_after_birth: 6,
          urgency: 'emergency',
          reason: 'Respiratory distress',
        }),
      ],
    },
  }),
  birth('a mother who came from home, and moved on after the birth', {
    course: {
      transfers: [
        buildTransfer({
          type: 'mother',
          direction: 'in',
          place: 'home',
          timing: 'during labor',
          urgency: 'urgent',
        }),
        buildTransfer({
          type: 'mother',
          direction: 'out',
          place: 'hospital',
          timing: 'after birth',
          hours_after_birth: 2,
        }),
      ],
    },
  }),
  birth('a mother who was admitted after a birth at home', {
    course: {
      place_of_birth: 'Home',
      transfers: [
        buildTransfer({ type: 'mother', direction: 'in', place: 'home', timing: 'after birth' }),
        buildTransfer({ type: 'infant', direction: 'out', place: 'home', hours_after_birth: 3 }),
      ],
    },
  }),
  birth('twins, of whom the second was moved', {
    course: {
      plurality: 2,
      children: brood(2),
      transfers: [
        buildTransfer({
          type: 'infant',
          child_birth_order: 2,
          direction: 'out',
          facility: 'East Hospital',
          hours_after_birth: 24,
        }),
      ],
    },
  }),
  birth('a child who was moved on the second day', {
    course: {
      transfers: [
        buildTransfer({
          type: 'infant',
          direction: 'out',
          facility: 'East Hospital',
          hours_after_birth: 25,
        }),
      ],
    },
  }),
  birth('labor neither induced nor augmented', {
    course: { induction: false, augmentation: false },
  }),
  birth('edit flags that were sent, of twins and their mother', {
    course: {
      plurality: 2,
      prenatal_visits: 60,
      previous_cesareans: 2,
      previous_births_living: 1,
      children: brood(2).map((child) => ({
        ...child,
        birth_weight_grams: 4_000,
        gestational_age_weeks: 32,
        gestational_age_days: 0,
      })),
      edit_flags: [
        { field: 'mother.birth_date', child: null, flag: '1' },
        { field: 'mother.education', child: null, flag: '4' },
        { field: 'prenatal_visits', child: null, flag: '2' },
        { field: 'mother.height_cm', child: null, flag: '0' },
        { field: 'previous_cesareans', child: null, flag: '1' },
        { field: 'children.birth_weight_grams', child: 0, flag: '1' },
        { field: 'children.birth_weight_grams', child: 1, flag: '2' },
        { field: 'children.gestational_age_weeks', child: 1, flag: '1' },
        { field: 'plurality', child: null, flag: '2' },
      ],
    },
    mother: { education: 'BD', height_cm: 199 },
  }),
  birth('triplets', { course: { plurality: 3, children: brood(3) } }),
  birth('a total without an order', { course: { plurality: 2 }, child: { birth_order: null } }),
  birth('an order without a total', { course: { plurality: null }, child: { birth_order: 2 } }),
  birth('a total below an order', { course: { plurality: 1 }, child: { birth_order: 2 } }),
  birth('a fetal death', { child: { fetal_death: true, living: false } }),
  birth('a fetal death of which nobody said whether it lives', {
    child: { fetal_death: true, living: null },
  }),
  birth('a live-born twin beside one that was born dead', {
    course: {
      plurality: 2,
      children: [CHILD, { ...CHILD, birth_order: 2, fetal_death: true, living: false }],
    },
  }),
  birth('a live-born child that died', { child: { living: false } }),
  birth('a child that lives, of which nobody stated whether it was a fetal death', {
    course: { plurality: 1 },
    child: { fetal_death: null, living: true },
  }),
  birth('a trial of labor before a delivery that nobody stated', {
    course: { delivery_method: null, trial_of_labor: true },
  }),
  birth('unknown whether it was a fetal death', { child: { fetal_death: null, living: null } }),
  ...(['male', 'other', 'unknown', null] as const).map((sex) =>
    birth(`sex: ${sex ?? 'not recorded'}`, { child: { sex } }),
  ),
  birth('no name but one before marriage', {
    mother: { family_name: null, given_names: [] },
    child: { family_name: null, given_names: [] },
  }),
  birth('names that read like unknown', {
    mother: { family_name: 'Unknown', given_names: ['Unk', 'Ana'] },
  }),
  birth('items that will never be known, and a name that is awaited', {
    mother: { birth_date: null },
    child: { family_name: null, given_names: [], medical_record_number: null },
    record: {
      reasons: [
        ...['mother-birth-date', 'education', 'height', 'wic', 'last-menstrual-period'].map(
          (item) => neverKnown(item, null),
        ),
        ...['child-record-number', 'birth-weight', 'gestational-age', 'presentation'].map((item) =>
          neverKnown(item, 0),
        ),
        { ...neverKnown('child-name', 0), reason: { kind: 'awaited', until: '2026-03-20' } },
      ],
    },
  }),
  birth('no medical record numbers, and no dates of birth', {
    mother: { medical_record_number: null, birth_date: null },
    child: { medical_record_number: null, birth_date: null, birth_time: null },
  }),
  birth('a first pregnancy, of which nobody stated cesareans', {
    course: {
      previous_births_living: 0,
      previous_births_dead: 0,
      other_outcomes: 0,
      previous_cesareans: null,
    },
  }),
  birth('no chart number', { course: { chart_number: null } }),
  birth('races: none, and no ethnicity', { mother: { race: [], ethnicity: null } }),
  birth('races: a category and its detail', {
    mother: { race: ['2028-9', '2034-7'], ethnicity: '2135-2' },
  }),
  birth('races: Asian alone', { mother: { race: ['2028-9'] } }),
  birth('races: the answer Other Asian', { mother: { race: ['other-asian'] } }),
  birth('races: Other Asian beside its category and another of it', {
    mother: { race: ['2036-2', 'other-asian', '2028-9'] },
  }),
  birth('races: Pacific Islander alone', { mother: { race: ['2076-8'] } }),
  birth('races: Pacific Islander and Samoan', { mother: { race: ['2080-0', '2076-8'] } }),
  birth('races: all categories', { mother: { race: CATEGORIES } }),
  birth('races: detail before categories', { mother: { race: ['2047-9', '2106-3', '2054-5'] } }),
  birth('races: texts, and a code that the worksheet does not know', {
    mother: { race: ['Garifuna', '1004-1', '2106-3', 'Creole', 'Cajun'], ethnicity: null },
  }),
  birth('races: declined', {
    mother: { race: [], race_absent_reason: 'declined' },
  }),
  birth('races: asked, but unknown', {
    mother: { race: [], race_absent_reason: 'asked but unknown' },
  }),
  birth('races: one, and a reason that there is none', {
    mother: { race_absent_reason: 'unknown' },
  }),
  birth('races: a refusal that was stored as text', { mother: { race: ['Declined'] } }),
  birth('races: listed twice', { mother: { race: ['2106-3', '2106-3'] } }),
  birth('races: two names beside each answer that has lines for them', {
    mother: {
      race: ['1002-5', 'other-asian', '2500-7', '2131-1'],
      tribes: ['Navajo', 'Confederated Tribes of Coos, Lower Umpqua and Siuslaw'],
      other_asian_races: ['Hmong', 'Laotian'],
      other_pacific_races: ['Tongan', 'Fijian'],
      other_races: ['Garifuna', 'Unknown'],
    },
  }),
  birth('races: another race of each field', {
    mother: { race: ['2106-3', 'Creole', 'Cajun'], other_races: ['Garifuna'] },
  }),
  birth('Hispanic origins: Mexican', { mother: origins(['2148-5']) }),
  birth('Hispanic origins: Puerto Rican, Cuban, and another', {
    mother: {
      ...origins(['2180-8', '2182-4', 'other-hispanic']),
      other_hispanic_origin: 'Dominican',
    },
  }),
  birth('Hispanic origins: another that nobody stated', { mother: origins(['other-hispanic']) }),
  birth('Hispanic origins: another whose name is the general term', {
    mother: { ...origins(['other-hispanic']), other_hispanic_origin: 'Hispanic or Latino' },
  }),
  birth('Hispanic origins: Cuban, and not Hispanic', {
    mother: { ...origins(['2182-4']), ethnicity: '2186-5' },
  }),
  birth('Hispanic origins: declined', {
    mother: { ethnicity: null, ethnicity_absent_reason: 'declined' },
  }),
  birth('Hispanic origins: not Hispanic, and a reason that none is given', {
    mother: { ethnicity_absent_reason: 'asked but unknown' },
  }),
  birth('ethnicity: a code of CDC for an origin', { mother: { ethnicity: '2148-5' } }),
  birth('ethnicity: a text', { mother: { ethnicity: 'Andalusian' } }),
  birth('a state and a country by their names', { mother: addressed('USA', 'Utah') }),
  birth('an address in Germany', { mother: addressed('DE', 'BW') }),
  birth('an address in Australia', { mother: addressed('AU', 'Victoria') }),
  birth('an address in Quebec', { mother: addressed('CA', 'Quebec') }),
  birth('an address in Namibia, whose code reads like unknown, in a state that does, too', {
    mother: addressed('NA', 'Und'),
  }),
  birth('an address in Puerto Rico, as a country', { mother: addressed('PR', 'PR') }),
  birth('an address abroad', { mother: addressed('Canada', null) }),
  birth('an address of which only unknown parts were typed', {
    mother: { address: { ...emptyMother().address, city: 'Unknown' } },
  }),
  { name: 'a sparse record', record: exportedRecord(SPARSE, 'native'), timeZone: null },
  {
    name: 'a masked record of a partner',
    record: exportedRecord(maskForPartner(COURSE), 'partner'),
    timeZone: NEW_YORK,
  },
  {
    name: 'a sparse record of a partner',
    record: exportedRecord(maskForPartner(SPARSE), 'partner'),
    timeZone: null,
  },
  birth('voided', { record: { status: 'voided' } }),
];
