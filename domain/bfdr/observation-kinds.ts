import type { Child, CourseOfCare, Mother } from '../course-of-care/canonical-record.ts';
import {
  BIRTH_POSITIONS,
  DELIVERY_METHODS,
  EDUCATION_LEVELS,
  INDUCTION_INDICATIONS,
  LABOR_AGENTS,
  PLACE_CODES,
  PRESENTATIONS,
  REGISTRY_CODES,
} from '../course-of-care/codes.ts';
import { readBirthWeight } from '../course-of-care/from-fhir/birth-weight.ts';
import {
  type ObservationReader,
  readApgar,
  readCigarettes,
  readCodeOf,
  readCount,
  readDateValue,
  readGestation,
  readHeight,
  readPlurality,
  readWeight,
} from '../course-of-care/from-fhir/observed-values.ts';
import type { RaceAndEthnicity } from '../course-of-care/from-fhir/race-and-ethnicity.ts';
import { weeksAndDays } from '../course-of-care/gestational-age.ts';
import { MAX_TEXT } from '../course-of-care/limits.ts';
import { isLoinc, LOINC } from '../fhir/code-systems.ts';
import { codesOf, readWords, readYesNo } from '../fhir/coded-values.ts';
import { type JsonObject, objectsOf, textOf } from '../fhir/json.ts';
import { profileName, profilesOf } from '../fhir/profiles.ts';
import { mapReading, NOTHING_READ, type Reading, read } from '../fhir/readings.ts';
import {
  RACE_OBSERVATION_CODE,
  RACE_OBSERVATION_SYSTEM,
  raceAndEthnicityIn,
} from './race-observation.ts';

/** The lists of the record that several Observations fill together. */
export type AgentsField = 'induction_agents' | 'augmentation_agents';

/**
 * One kind of Observation: the field it fills (as warnings name it) and how its value is read.
 * `scope` says whose field it is; a list kind gives one element.
 */
export type ObservationKind =
  | KindOf<'child', Partial<Child>>
  | KindOf<'mother', Partial<Mother>>
  | KindOf<'course', Partial<CourseOfCare>>
  | KindOf<'race', RaceAndEthnicity>
  | (KindOf<'agents', string> & { readonly list: AgentsField });

type KindOf<Scope extends string, Value> = {
  readonly scope: Scope;
  readonly field: string;
  readonly read: (observation: JsonObject) => Reading<Value>;
};

/** Whose Observation it may be for the code to mean this kind. */
export type SubjectRule = 'any' | 'a child' | 'the mother or nobody known';

type Coded = { readonly kind: ObservationKind; readonly subject: SubjectRule };

const field = <T>(
  name: keyof T,
  reader: ObservationReader<T[keyof T]>,
): ObservationReader<Partial<T>> => {
  return (observation) =>
    mapReading(reader(observation), (value) => ({ [name]: value }) as unknown as Partial<T>);
};

const ofChild = <F extends keyof Child>(
  name: F,
  reader: ObservationReader<Child[F]>,
): ObservationKind => ({
  scope: 'child',
  field: `children.${name}`,
  read: field<Child>(name, reader),
});

const ofMother = <F extends keyof Mother>(
  name: F,
  reader: ObservationReader<Mother[F]>,
): ObservationKind => ({
  scope: 'mother',
  field: `mother.${name}`,
  read: field<Mother>(name, reader),
});

const ofCourse = <F extends keyof CourseOfCare>(
  name: F,
  reader: ObservationReader<CourseOfCare[F]>,
): ObservationKind => ({ scope: 'course', field: name, read: field<CourseOfCare>(name, reader) });

const agents = (list: AgentsField): ObservationKind => ({
  scope: 'agents',
  field: list,
  list,
  read: readCodeOf(LABOR_AGENTS),
});

const gestationalAge: ObservationKind = {
  scope: 'child',
  field: 'children.gestational_age_weeks',
  read: (observation) =>
    mapReading(readGestation(observation, 'wk'), (inDays): Partial<Child> => {
      const { weeks, days } = weeksAndDays(inDays);
      return { gestational_age_weeks: weeks, gestational_age_days: days };
    }),
};

const ADMITTED_TO_NICU = '830077005';
const NONE_OF_THESE = '260413007';

// The group "conditions of the newborn": of its values only NICU and "none" say something here.
const nicuAdmission: ObservationReader<boolean> = (observation) => {
  const codes = codesOf(observation['valueCodeableConcept']);
  if (codes.includes(ADMITTED_TO_NICU)) return read(true);
  return codes.includes(NONE_OF_THESE) ? read(false) : NOTHING_READ;
};

// Advisory: whatever says no place is ignored. `true` answers "planned to deliver at home?".
const plannedPlace: ObservationReader<CourseOfCare['planned_place_of_birth']> = (observation) => {
  if (observation['valueBoolean'] === true) return read('Home');
  for (const code of codesOf(observation['valueCodeableConcept'])) {
    const place = PLACE_CODES.get(code ?? '');
    if (place !== undefined) return read(place);
  }
  return NOTHING_READ;
};

const PLANNED_PLACE: ObservationKind = ofCourse('planned_place_of_birth', plannedPlace);

const birthWeight = ofChild('birth_weight_grams', readBirthWeight);
const height = ofMother('height_cm', readHeight);
const plurality = ofCourse('plurality', readPlurality);

const any = (kind: ObservationKind): Coded => ({ kind, subject: 'any' });

// LOINC codes; several codes of one kind are aliases.
const LOINC_KINDS: ReadonlyMap<string, Coded> = new Map([
  ['8339-4', any(birthWeight)],
  ['3141-9', { kind: birthWeight, subject: 'a child' }],
  ['29463-7', { kind: birthWeight, subject: 'a child' }],
  ['11884-4', any(gestationalAge)],
  ['18185-9', any(gestationalAge)],
  ['57714-8', any(gestationalAge)],
  ['76516-4', any(gestationalAge)],
  ['9272-6', any(ofChild('apgar_one_minute', readApgar))],
  ['9274-2', any(ofChild('apgar_five_minute', readApgar))],
  ['9271-8', any(ofChild('apgar_ten_minute', readApgar))],
  ['73761-9', any(ofChild('presentation', readCodeOf(PRESENTATIONS)))],
  ['73757-7', any(ofChild('living', readYesNo))],
  ['73756-9', any(ofChild('breastfed_at_discharge', readYesNo))],
  ['73812-0', any(ofChild('nicu_admission', nicuAdmission))],
  // 8302-2 and 3137-7 (BFDR 1.1.0) also stand for a child's length.
  ['8302-2', { kind: height, subject: 'the mother or nobody known' }],
  ['3137-7', { kind: height, subject: 'the mother or nobody known' }],
  ['56077-1', any(ofMother('prepregnancy_weight_kg', readWeight))],
  ['69461-2', any(ofMother('delivery_weight_kg', readWeight))],
  ['57712-2', any(ofMother('education', readCodeOf(EDUCATION_LEVELS)))],
  ['69044-6', any(ofCourse('first_prenatal_visit', readDateValue))],
  ['68493-6', any(ofCourse('prenatal_visits', readCount))],
  ['8665-2', any(ofCourse('last_menstrual_period', readDateValue))],
  ['87303-4', any(ofCourse('wic', readYesNo))],
  ['64794-1', any(ofCourse('cigarettes_before', readCigarettes))],
  ['87298-6', any(ofCourse('cigarettes_first_trimester', readCigarettes))],
  ['87299-4', any(ofCourse('cigarettes_second_trimester', readCigarettes))],
  ['64795-8', any(ofCourse('cigarettes_third_trimester', readCigarettes))],
  ['11638-4', any(ofCourse('previous_births_living', readCount))],
  ['68496-9', any(ofCourse('previous_births_dead', readCount))],
  ['69043-8', any(ofCourse('other_outcomes', readCount))],
  ['68497-7', any(ofCourse('previous_cesareans', readCount))],
  ['57722-1', any(plurality)],
  ['73773-4', any(plurality)],
  ['73762-7', any(ofCourse('delivery_method', readCodeOf(DELIVERY_METHODS)))],
  ['73760-1', any(ofCourse('trial_of_labor', readYesNo))],
  ['73765-0', any(PLANNED_PLACE)],
]);

// The registry's own code system: code = field name.
const REGISTRY_KINDS: ReadonlyMap<string, Coded> = new Map([
  ['birth_position', any(ofCourse('birth_position', readCodeOf(BIRTH_POSITIONS)))],
  [
    'induction_indication',
    any(ofCourse('induction_indication', readCodeOf(INDUCTION_INDICATIONS))),
  ],
  ['induction_agents', any(agents('induction_agents'))],
  ['augmentation_agents', any(agents('augmentation_agents'))],
  ['stat_cesarean', any(ofCourse('stat_cesarean', readYesNo))],
  ['doula_present', any(ofCourse('doula_present', readYesNo))],
  ['delayed_cord_clamping', any(ofCourse('delayed_cord_clamping', readYesNo))],
  ['prenatal_care_site', any(ofCourse('prenatal_care_site', (one) => readWords(one, MAX_TEXT)))],
]);

/** The codes of the registry's own code system, for the page that lists them to integrators. */
export const REGISTRY_OBSERVATION_CODES: readonly string[] = [...REGISTRY_KINDS.keys()];

const RACE: Coded = any({
  scope: 'race',
  field: 'mother.race',
  read: (observation) => read(raceAndEthnicityIn(observation)),
});

/**
 * Finds the kind of an Observation by the system and code of `code.coding`, where no system means
 * LOINC; null for the kinds that the registry does not read. The profile decides for the planned
 * place of birth alone, which has no published code.
 */
export const kindOf = (
  observation: JsonObject,
  registryCodeSystems: readonly string[],
): Coded | null => {
  for (const concept of objectsOf(observation['code'])) {
    for (const coding of objectsOf(concept['coding'])) {
      const code = textOf(coding['code']);
      if (code === null) continue;
      const kind = kindByCode(textOf(coding['system']) ?? LOINC, code, registryCodeSystems);
      if (kind !== undefined) return kind;
    }
  }
  return profilesOf(observation).some(namesPlannedBirthplace) ? any(PLANNED_PLACE) : null;
};

const kindByCode = (
  system: string,
  code: string,
  registryCodeSystems: readonly string[],
): Coded | undefined => {
  if (isLoinc(system)) return LOINC_KINDS.get(code);
  if (system === REGISTRY_CODES || registryCodeSystems.includes(system))
    return REGISTRY_KINDS.get(code);
  return system === RACE_OBSERVATION_SYSTEM && code === RACE_OBSERVATION_CODE ? RACE : undefined;
};

const namesPlannedBirthplace = (profile: string): boolean => {
  // Most profiles are ruled out before their name is made.
  if (!/planned/i.test(profile)) return false;
  const name = profileName(profile);
  return name.includes('planned') && name.includes('birthplace');
};
