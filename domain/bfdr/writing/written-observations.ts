import type { Child, CourseOfCare } from '../../course-of-care/canonical-record.ts';
import { DELIVERY_METHODS, PLACE_CODES, REGISTRY_CODES } from '../../course-of-care/codes.ts';
import { type Field, type FieldPath, fieldAt } from '../../course-of-care/fields.ts';
import { gestationDays, weeksAndDays } from '../../course-of-care/gestational-age.ts';
import { LOINC, SNOMED, UCUM } from '../../fhir/code-systems.ts';
import { statesUnknown } from '../../fhir/coded-values.ts';
import type { JsonObject } from '../../fhir/json.ts';
import { CENTIMETRES, DAYS, GRAMS, KILOGRAMS, type Units, withoutNoise } from '../../fhir/units.ts';
import {
  type Coded,
  LOINC_KINDS,
  NICU_ANSWERS,
  type ObservationKind,
  REGISTRY_KINDS,
} from '../observation-kinds.ts';
import { VEHICLE } from '../place-of-birth.ts';
import type { Draft } from './draft.ts';
import {
  BFDR,
  COMMON,
  codedValue,
  concept,
  NO,
  NULL_FLAVOR,
  ofProfile,
  TERMINOLOGY,
  VERBATIM_MARK,
  YES,
} from './elements.ts';
import { childKey, MOTHER } from './written-patients.ts';
import { raceObservation } from './written-race.ts';

/** The sections of a report that have entries of the record, by their LOINC codes. */
export const SECTIONS = {
  prenatal: { code: '57073-9', title: 'Prenatal records' },
  medical: { code: '55752-0', title: 'Clinical information' },
  newborn: { code: '57075-4', title: 'Newborn delivery information' },
  mother: { code: '92014-0', title: "Mother's administrative information" },
} as const;

/** One of the sections. */
export type Section = keyof typeof SECTIONS;

/** An entry of the Bundle that a section of the report lists. */
export interface SectionEntry {
  readonly section: Section;
  readonly key: string;
  readonly entry: JsonObject;
}

/** What the guide says of a field beside its code. */
interface Guide {
  readonly profile?: string;
  readonly section?: Section;
}

const SMOKING: Guide = {
  profile: `${BFDR}/Observation-cigarette-smoking-before-during-pregnancy`,
};
const APGAR: Guide = { profile: `${BFDR}/Observation-apgar-score` };

/** Profiles and sections of the guide, where a field has one or is not in the section of its group. */
const GUIDE: Readonly<Partial<Record<FieldPath, Guide>>> = {
  'mother.height_cm': { profile: `${BFDR}/Observation-mother-height`, section: 'prenatal' },
  'mother.prepregnancy_weight_kg': {
    profile: `${BFDR}/Observation-mother-prepregnancy-weight`,
    section: 'prenatal',
  },
  'mother.delivery_weight_kg': {
    profile: `${BFDR}/Observation-mother-delivery-weight`,
    section: 'prenatal',
  },
  'mother.education': { profile: `${COMMON}/Observation-education-level-vr` },
  'mother.race': { profile: `${COMMON}/input-race-and-ethnicity-vr` },
  'children.birth_weight_grams': { profile: `${BFDR}/Observation-birth-weight` },
  'children.gestational_age_weeks': { profile: `${BFDR}/Observation-gestational-age-at-delivery` },
  'children.apgar_one_minute': APGAR,
  'children.apgar_five_minute': APGAR,
  'children.apgar_ten_minute': APGAR,
  'children.presentation': {
    profile: `${BFDR}/Observation-fetal-presentation`,
    section: 'medical',
  },
  'children.living': { profile: `${BFDR}/Observation-infant-living` },
  'children.breastfed_at_discharge': {
    profile: `${BFDR}/Observation-infant-breastfed-at-discharge`,
  },
  plurality: { section: 'newborn' },
  last_menstrual_period: { profile: `${BFDR}/Observation-last-menstrual-period` },
  first_prenatal_visit: { profile: `${BFDR}/Observation-date-of-first-prenatal-care-visit` },
  prenatal_visits: { profile: `${BFDR}/Observation-number-prenatal-visits` },
  wic: { profile: `${BFDR}/Observation-mother-received-wic-food` },
  cigarettes_before: SMOKING,
  cigarettes_first_trimester: SMOKING,
  cigarettes_second_trimester: SMOKING,
  cigarettes_third_trimester: SMOKING,
  previous_births_living: { profile: `${BFDR}/Observation-number-births-now-living` },
  previous_births_dead: { profile: `${BFDR}/Observation-number-births-now-dead` },
  other_outcomes: { profile: `${BFDR}/Observation-number-other-pregnancy-outcomes` },
  previous_cesareans: {
    profile: `${BFDR}/Observation-number-previous-cesareans`,
    section: 'medical',
  },
  trial_of_labor: { profile: `${BFDR}/Observation-labor-trial-attempted` },
};

const sectionOf = ({ path, group }: Field): Section => {
  const section = GUIDE[path]?.section;
  if (section !== undefined) return section;
  if (group === 'children') return 'newborn';
  if (group === 'mother') return 'mother';
  return group === 'pregnancy' ? 'prenatal' : 'medical';
};

/** A kind that the registry reads, under the code that it writes. */
interface WrittenKind {
  readonly kind: ObservationKind;
  readonly field: Field;
  readonly system: string;
  readonly code: string;
}

const underFirstCodes = (
  system: string,
  kinds: ReadonlyMap<string, Coded>,
): readonly WrittenKind[] => {
  const first = new Map<string, WrittenKind>();
  for (const [code, { kind }] of kinds)
    if (!first.has(kind.field))
      first.set(kind.field, { kind, field: fieldAt(kind.field as FieldPath), system, code });
  return [...first.values()];
};

/**
 * The kinds that are read, under the first code of each: LOINC before the registry's own. So every
 * value that is read from an Observation is written as one.
 */
const WRITTEN_KINDS: readonly WrittenKind[] = [
  ...underFirstCodes(LOINC, LOINC_KINDS),
  ...underFirstCodes(REGISTRY_CODES, REGISTRY_KINDS),
];

/** The Observations of the course of care, each with its section. */
export const writtenObservations = (
  course: CourseOfCare,
  draft: Draft,
): readonly SectionEntry[] => {
  const race = raceObservation(course.mother);
  const field = fieldAt('mother.race');
  const statements = [
    ...(race === null
      ? []
      : [{ field, about: childKey(0), content: { ...race, focus: [draft.to(MOTHER)] } }]),
    ...WRITTEN_KINDS.flatMap((written) => statementsOf(written, course)),
  ];
  // The registry's own code is for what the published one cannot say.
  const first = new Map<string, SectionEntry>();
  for (const statement of statements) {
    const key = keyOf(statement);
    if (!first.has(key)) first.set(key, observation(key, statement, draft));
  }
  return [...first.values(), ...deliveryProcedure(course, draft)];
};

const DELIVERY = 'delivery_method';

/** The guide's own form of the delivery method, for other readers: the registry reads no Procedures. */
const deliveryProcedure = (
  { delivery_method: method }: CourseOfCare,
  draft: Draft,
): readonly SectionEntry[] => {
  const code = WRITTEN_KINDS.find(({ field }) => field.path === DELIVERY)?.code;
  if (method === null || code === undefined || !DELIVERY_METHODS.has(method)) return [];
  const key = `${DELIVERY}/procedure`;
  const procedure = {
    ...ofProfile(`${BFDR}/Procedure-final-route-method-delivery`),
    status: 'completed',
    category: concept(LOINC, code),
    code: codedValue(method, DELIVERY_METHODS),
    subject: draft.to(MOTHER),
  };
  return [{ section: 'medical', key, entry: draft.entry(key, 'Procedure', procedure) }];
};

/** One Observation: the field that it fills, whom it is about, its code and value. */
interface Statement {
  readonly field: Field;
  readonly about: string;
  /** Tells it from others of the same field and person. */
  readonly number?: number;
  readonly content: JsonObject;
}

const keyOf = ({ field, about, number }: Statement): string =>
  `${field.path}/${about}${number === undefined ? '' : `/${number}`}`;

const observation = (
  key: string,
  { field, about, content }: Statement,
  draft: Draft,
): SectionEntry => {
  const profile = GUIDE[field.path]?.profile;
  const resource = {
    ...(profile === undefined ? {} : ofProfile(profile)),
    status: 'final',
    ...content,
    subject: draft.to(about),
  };
  return { section: sectionOf(field), key, entry: draft.entry(key, 'Observation', resource) };
};

const statementsOf = (written: WrittenKind, course: CourseOfCare): readonly Statement[] => {
  const { kind, field } = written;
  const statement = (about: string, holder: object, number?: number): readonly Statement[] => {
    const value = valueElement(written, (holder as JsonObject)[field.name], holder);
    if (value === null) return [];
    const content = { code: codeOf(written), ...value };
    return [{ field, about, content, ...(number === undefined ? {} : { number }) }];
  };
  switch (kind.scope) {
    case 'child':
      return course.children.flatMap((child, position) => statement(childKey(position), child));
    case 'mother':
      return statement(MOTHER, course.mother);
    case 'agents':
      return course[kind.list].flatMap((agent, at) =>
        statement(MOTHER, { [field.name]: agent }, at + 1),
      );
    case 'course':
      return statement(MOTHER, course);
    case 'race':
    case 'delivery':
      return [];
  }
};

const codeOf = ({ system, code, field }: WrittenKind): JsonObject => ({
  ...concept(system, code),
  text: field.label,
});

/** The value of an Observation; null where there is none, or none that its code can have. */
const valueElement = (
  { kind: { form }, system, field }: WrittenKind,
  value: unknown,
  holder: object,
): JsonObject | null => {
  if (value === null || value === undefined) return null;
  switch (form.kind) {
    case 'measure':
      return form.units === DAYS
        ? gestation(holder as Child)
        : { valueQuantity: quantity(value as number, form.units) };
    case 'whole number':
      return { valueInteger: value };
    case 'code':
      return {
        valueCodeableConcept: codedValue(
          value as string,
          form.table,
          systemOfAnswers(field, value),
        ),
      };
    case 'date':
      return { valueDateTime: value };
    case 'yes or no':
      return field.path === 'wic'
        ? { valueCodeableConcept: value === true ? YES : NO }
        : { valueBoolean: value };
    case 'text':
      return {
        valueString: value,
        ...(statesUnknown(value as string) ? { _valueString: { extension: [VERBATIM_MARK] } } : {}),
      };
    case 'newborn condition':
      return value === true ? nicuAdmission : null;
    case 'planned place':
      return plannedPlace(value as string, system);
    case 'race and ethnicity':
      return null;
  }
};

// The degrees are of HL7 v2.
const systemOfAnswers = ({ path }: Field, value: unknown): string => {
  if (path !== 'mother.education') return REGISTRY_CODES;
  return /^[ABM]A$/.test(String(value))
    ? `${TERMINOLOGY}/v2-0360`
    : `${TERMINOLOGY}/v3-EducationLevel`;
};

/** The units of the guide, by the tables that read them; each beside the one that records hold. */
const UNITS: ReadonlyMap<Units, { readonly guide: string; readonly held: string }> = new Map([
  [CENTIMETRES, { guide: '[in_i]', held: 'cm' }],
  [KILOGRAMS, { guide: '[lb_av]', held: 'kg' }],
  [GRAMS, { guide: 'g', held: 'g' }],
]);

// In the unit of the guide, unless the conversion there and back changes the value.
const quantity = (value: number, units: Units): JsonObject => {
  const { guide, held } = UNITS.get(units) ?? { guide: '', held: '' };
  const factor = units.get(guide.replace(/[[\]]/g, '')) ?? 1;
  const converted = withoutNoise(value / factor);
  return withoutNoise(converted * factor) === value
    ? inUnit(converted, guide)
    : inUnit(value, held);
};

const inUnit = (value: number, code: string): JsonObject => ({
  value,
  unit: code,
  system: UCUM,
  code,
});

const gestation = (child: Child): JsonObject | null => {
  const inDays = gestationDays(child);
  if (inDays === null) return null;
  const { weeks, days } = weeksAndDays(inDays);
  return { valueQuantity: days === 0 ? inUnit(weeks, 'wk') : inUnit(inDays, 'd') };
};

const ADMITTED = [...NICU_ANSWERS].find(([, answer]) => answer)?.[0] ?? '';
const nicuAdmission: JsonObject = { valueCodeableConcept: concept(SNOMED, ADMITTED) };

// The published question is about the home alone.
const plannedPlace = (place: string, system: string): JsonObject | null => {
  if (system === LOINC) return place === 'Home' ? { valueBoolean: true } : null;
  return { valueCodeableConcept: { coding: [placeCoding(place)] } };
};

/** The Coding of a place of birth; a vehicle for one on the way. */
export const placeCoding = (place: string): JsonObject => {
  const code = [...PLACE_CODES].find(([, named]) => named === place)?.[0];
  if (code === undefined)
    return {
      system: `${TERMINOLOGY}/location-physical-type`,
      code: VEHICLE,
      display: 'Vehicle',
    };
  return { system: code === 'OTH' ? NULL_FLAVOR : SNOMED, code, display: place };
};
