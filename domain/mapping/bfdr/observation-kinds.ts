import {
  ATTENDANT_TITLES,
  BIRTH_POSITIONS,
  DELIVERY_METHODS,
  EDUCATION_LEVELS,
  GUIDE_EDUCATION,
  INDUCTION_INDICATIONS,
  LABOR_AGENTS,
  PLACE_CODES,
  PRESENTATIONS,
  REGISTRY_CODES,
} from '../../course/codes.ts';
import type { Child, CourseOfCare, Mother } from '../../course/course.ts';
import { toWeeksAndDays } from '../../course/gestational-age.ts';
import type { Origins } from '../../course/origins.ts';
import { yesOrNo } from '../../fhir/coded-answers.ts';
import { LOINC, readSystem, statesUnknown } from '../../fhir/coded-values.ts';
import { readRecordedBeside, readUnrecorded } from '../../fhir/extensions.ts';
import { asObjects, asText, cacheTexts, firstMatch, type JsonObject } from '../../fhir/json.ts';
import { ABSENT, leaveOut, mapReading, present, type Reading } from '../../fhir/readings.ts';
import { getProfiles, parseProfileName } from '../../fhir/resources.ts';
import {
  collectStatedValues,
  findUnusedValue,
  listStatedWords,
  omitAbsent,
  type StatedValues,
} from '../../fhir/stated-values.ts';
import {
  APGAR_VALUE,
  BIRTH_WEIGHT_VALUE,
  CIGARETTES_VALUE,
  COUNT_VALUE,
  codeValue,
  DELIVERED_VALUE,
  gestationValue,
  HEIGHT_VALUE,
  type ObservedValue,
  orOfComponent,
  PARTIAL_DATE_VALUE,
  PLURALITY_VALUE,
  TEXT_VALUE,
  type ValueForm,
  WEIGHT_VALUE,
  YES_OR_NO_VALUE,
} from '../from-fhir/observed-values.ts';
import { VEHICLE } from './place-of-birth.ts';
import type { Delivered } from './plurality.ts';
import { RACE_OBSERVATION_CODE, readRaceObservation } from './race-observation.ts';

export type AgentsField = 'induction_agents' | 'augmentation_agents';

/** `scope` is the owner of the field; a list kind adds one element. */
export type ObservationKind =
  | KindOf<'child', Partial<Child>>
  | KindOf<'mother', Partial<Mother>>
  | KindOf<'course', Partial<CourseOfCare>>
  | KindOf<'race', Origins>
  | KindOf<'delivery', Partial<Delivered>>
  | (KindOf<'agents', string> & { readonly list: AgentsField });

export type KindForm =
  | ValueForm
  | {
      readonly kind:
        | 'newborn condition'
        | 'planned place'
        | 'planned home'
        | 'race and ethnicity'
        | 'characteristics of labor';
    };

type KindOf<Scope extends string, Value> = {
  readonly scope: Scope;
  readonly field: string;
  readonly form: KindForm;
  readonly read: (observation: JsonObject) => Reading<Value>;
};

export type SubjectRule = 'any' | 'a child' | 'the mother or no person';

/** Required time of the Observation, if stated, for a general code to mean this kind. */
export type TimeRule = 'within a day of the birth' | 'not a week before the birth';

export type Coded = {
  readonly kind: ObservationKind;
  readonly subject: SubjectRule;
  /** True if the code also has other meanings, so it is used only if there is no specific code. */
  readonly isGeneral?: true;
  /** True if the code is known, but not of this code system, so that the value is not read. */
  readonly isOfOtherSystem?: true;
  readonly time?: TimeRule;
};

type Observed<T> = { readonly form: KindForm; readonly read: ObservedValue<T>['read'] };

// Wraps the value of a field in a partial object.
const wrapValue =
  <T>(name: keyof T, { read }: Observed<T[keyof T]>): ObservedValue<Partial<T>>['read'] =>
  (observation) =>
    mapReading(read(observation), (value) => ({ [name]: value }) as unknown as Partial<T>);

const ofChild = <F extends keyof Child>(name: F, value: Observed<Child[F]>): ObservationKind => ({
  scope: 'child',
  field: `children.${name}`,
  form: value.form,
  read: wrapValue<Child>(name, value),
});

const ofMother = <F extends keyof Mother>(
  name: F,
  value: Observed<Mother[F]>,
): ObservationKind => ({
  scope: 'mother',
  field: `mother.${name}`,
  form: value.form,
  read: wrapValue<Mother>(name, value),
});

const ofCourse = <F extends keyof CourseOfCare>(
  name: F,
  value: Observed<CourseOfCare[F]>,
): ObservationKind => ({
  scope: 'course',
  field: name,
  form: value.form,
  read: wrapValue<CourseOfCare>(name, value),
});

const ofDelivery = (name: keyof Delivered): ObservationKind => ({
  scope: 'delivery',
  field: 'plurality',
  form: DELIVERED_VALUE.form,
  read: wrapValue<Delivered>(name, DELIVERED_VALUE),
});

const agents = (list: AgentsField): ObservationKind => ({
  scope: 'agents',
  field: list,
  list,
  ...codeValue(LABOR_AGENTS),
});

const gestation = gestationValue('wk');

const gestationalAge: ObservationKind = {
  scope: 'child',
  field: 'children.gestational_age_weeks',
  form: gestation.form,
  read: (observation) =>
    mapReading(gestation.read(observation), (inDays): Partial<Child> => {
      const { weeks, days } = toWeeksAndDays(inDays);
      return { gestational_age_weeks: weeks, gestational_age_days: days };
    }),
};

/** SNOMED CT: none of the conditions or characteristics of a group. */
const NONE_OF_THESE = '260413007';

/**
 * In the group "conditions of the newborn": the admission, and none of the conditions.
 * @see LOINC 73812-0 (SNOMED CT)
 */
export const NICU_ANSWERS: ReadonlyMap<string, boolean> = new Map([
  ['830077005', true],
  [NONE_OF_THESE, false],
]);

const nicuAdmission: Observed<boolean> = {
  form: { kind: 'newborn condition' },
  read: orOfComponent((observation) => {
    const stated = collectStatedValues(observation);
    const codes = [...stated.codings.map(({ code }) => code), ...stated.texts];
    for (const [code, answer] of NICU_ANSWERS)
      if (codes.includes(code)) return omitAbsent(stated, present(answer), answer);
    return leaveOutAnswer(stated);
  }),
};

const leaveOutAnswer = (stated: StatedValues): Reading<never> => {
  const [first] = listStatedWords(stated).filter((word) => !statesUnknown(word));
  return omitAbsent(
    stated,
    first === undefined
      ? findUnusedValue(stated, 'numbers', 'quantities', 'booleans')
      : leaveOut(first, 'not-understood'),
    first,
  );
};

// An answer that names no place is left out, not rejected. `true` answers "planned to deliver at home?". A
// vehicle is never planned, but is kept if a user selected it.
const readPlannedPlace = (
  observation: JsonObject,
): Reading<CourseOfCare['planned_place_of_birth']> => {
  const stated = collectStatedValues(observation);
  const { booleans, texts, codings } = stated;
  if (booleans[0] === true || yesOrNo(texts[0] ?? '') === true)
    return omitAbsent(stated, present('Home'), 'true');
  for (const code of [...codings.map((coding) => coding.code), ...texts]) {
    const place = code === VEHICLE ? 'En route' : PLACE_CODES.get(code ?? '');
    if (place !== undefined) return omitAbsent(stated, present(place), code);
  }
  return leaveOutAnswer(stated);
};

const plannedPlace: Observed<CourseOfCare['planned_place_of_birth']> = {
  form: { kind: 'planned place' },
  read: orOfComponent(readPlannedPlace),
};

/** Yes is also the planned place. @see LOINC 73765-0 */
const PLANNED_HOME: ObservationKind = {
  scope: 'course',
  field: 'planned_home_birth',
  form: { kind: 'planned home' },
  read: orOfComponent((observation) => {
    const stated = collectStatedValues(observation);
    const { booleans } = stated;
    const words = listStatedWords(stated);
    const answer = booleans[0] ?? firstMatch(words, yesOrNo);
    if (answer === true) {
      const unrecorded = readUnrecorded(observation);
      const value: Partial<CourseOfCare> = {
        ...(unrecorded.has('planned_place_of_birth') ? {} : { planned_place_of_birth: 'Home' }),
        ...(unrecorded.has('planned_home_birth') ? {} : { planned_home_birth: 'yes' }),
      };
      return omitAbsent(stated, present(value), 'true');
    }
    if (answer === false) return omitAbsent(stated, present({ planned_home_birth: 'no' }), 'false');
    const place = readPlannedPlace(observation);
    if (place.kind !== 'none')
      return mapReading(place, (planned_place_of_birth) => ({ planned_place_of_birth }));
    return words.some(statesUnknown) && !stated.isAbsent
      ? present({ planned_home_birth: 'unknown' })
      : ABSENT;
  }),
};

/** Only that there were none is read: the guide states those that there were by Procedures. @see LOINC 73813-8 */
const LABOR_CHARACTERISTICS: ObservationKind = {
  scope: 'course',
  field: 'induction',
  form: { kind: 'characteristics of labor' },
  read: orOfComponent((observation) => {
    const { codings } = collectStatedValues(observation);
    return codings.some(({ code }) => code === NONE_OF_THESE)
      ? present({ induction: false, augmentation: false })
      : ABSENT;
  }),
};

const levels = codeValue(EDUCATION_LEVELS);

// Exports contain the guide's level, plus the recorded code if it differs.
const education: Observed<string> = {
  form: levels.form,
  read: (observation) => {
    const stated = levels.read(observation);
    if (stated.kind !== 'value') return stated;
    const guide = stated.value;
    const value = readRecordedBeside(
      observation['valueCodeableConcept'],
      (one) => GUIDE_EDUCATION.get(one) === guide,
    );
    return value === null ? stated : { ...stated, value };
  },
};

const PLANNED_PLACE: ObservationKind = ofCourse('planned_place_of_birth', plannedPlace);

const birthWeight = ofChild('birth_weight_grams', BIRTH_WEIGHT_VALUE);
const height = ofMother('height_cm', HEIGHT_VALUE);
const plurality = ofCourse('plurality', PLURALITY_VALUE);

const any = (kind: ObservationKind): Coded => ({ kind, subject: 'any' });

const weightOfChild: Coded = {
  kind: birthWeight,
  subject: 'a child',
  isGeneral: true,
  time: 'within a day of the birth',
};
const weekOfPregnancy: Coded = {
  kind: gestationalAge,
  subject: 'any',
  isGeneral: true,
  time: 'not a week before the birth',
};

/** Kinds by LOINC code; several codes of one kind are aliases. */
export const LOINC_KINDS: ReadonlyMap<string, Coded> = new Map([
  ['8339-4', any(birthWeight)],
  ['3141-9', weightOfChild],
  ['29463-7', weightOfChild],
  ['11884-4', any(gestationalAge)],
  ['18185-9', weekOfPregnancy],
  ['57714-8', weekOfPregnancy],
  ['76516-4', { kind: gestationalAge, subject: 'any', isGeneral: true }],
  ['9272-6', any(ofChild('apgar_one_minute', APGAR_VALUE))],
  ['9274-2', any(ofChild('apgar_five_minute', APGAR_VALUE))],
  ['9271-8', any(ofChild('apgar_ten_minute', APGAR_VALUE))],
  ['73761-9', any(ofChild('presentation', codeValue(PRESENTATIONS)))],
  ['73757-7', any(ofChild('living', YES_OR_NO_VALUE))],
  ['73756-9', any(ofChild('breastfed_at_discharge', YES_OR_NO_VALUE))],
  ['73812-0', any(ofChild('nicu_admission', nicuAdmission))],
  // 8302-2 and 3137-7 (BFDR 1.1.0) also mean a child's length.
  ['8302-2', { kind: height, subject: 'the mother or no person' }],
  ['3137-7', { kind: height, subject: 'the mother or no person' }],
  ['56077-1', any(ofMother('prepregnancy_weight_kg', WEIGHT_VALUE))],
  ['69461-2', any(ofMother('delivery_weight_kg', WEIGHT_VALUE))],
  ['57712-2', any(ofMother('education', education))],
  ['69044-6', any(ofCourse('first_prenatal_visit', PARTIAL_DATE_VALUE))],
  ['68493-6', any(ofCourse('prenatal_visits', COUNT_VALUE))],
  ['8665-2', any(ofCourse('last_menstrual_period', PARTIAL_DATE_VALUE))],
  ['87303-4', any(ofCourse('wic', YES_OR_NO_VALUE))],
  ['64794-1', any(ofCourse('cigarettes_before', CIGARETTES_VALUE))],
  ['87298-6', any(ofCourse('cigarettes_first_trimester', CIGARETTES_VALUE))],
  ['87299-4', any(ofCourse('cigarettes_second_trimester', CIGARETTES_VALUE))],
  ['64795-8', any(ofCourse('cigarettes_third_trimester', CIGARETTES_VALUE))],
  ['11638-4', any(ofCourse('previous_births_living', COUNT_VALUE))],
  ['68496-9', any(ofCourse('previous_births_dead', COUNT_VALUE))],
  ['68499-3', any(ofCourse('last_live_birth', PARTIAL_DATE_VALUE))],
  ['68500-8', any(ofCourse('last_other_outcome', PARTIAL_DATE_VALUE))],
  ['69043-8', any(ofCourse('other_outcomes', COUNT_VALUE))],
  ['68497-7', any(ofCourse('previous_cesareans', COUNT_VALUE))],
  ['57722-1', any(plurality)],
  // Only the sum of the two is the plurality.
  ['73773-4', any(ofDelivery('live_births'))],
  ['73772-6', any(ofDelivery('fetal_deaths'))],
  ['73762-7', any(ofCourse('delivery_method', codeValue(DELIVERY_METHODS)))],
  ['73760-1', any(ofCourse('trial_of_labor', YES_OR_NO_VALUE))],
  ['73765-0', any(PLANNED_HOME)],
  ['73813-8', any(LABOR_CHARACTERISTICS)],
]);

export const REGISTRY_KINDS: ReadonlyMap<string, Coded> = new Map([
  // The published codes of these fields do not cover every value that a user can enter.
  ['planned_place_of_birth', any(PLANNED_PLACE)],
  ['planned_home_birth', any(PLANNED_HOME)],
  ['nicu_admission', any(ofChild('nicu_admission', YES_OR_NO_VALUE))],
  ['birth_position', any(ofCourse('birth_position', codeValue(BIRTH_POSITIONS)))],
  ['induction', any(ofCourse('induction', YES_OR_NO_VALUE))],
  ['augmentation', any(ofCourse('augmentation', YES_OR_NO_VALUE))],
  ['induction_indication', any(ofCourse('induction_indication', codeValue(INDUCTION_INDICATIONS)))],
  ['induction_agents', any(agents('induction_agents'))],
  ['augmentation_agents', any(agents('augmentation_agents'))],
  ['stat_cesarean', any(ofCourse('stat_cesarean', YES_OR_NO_VALUE))],
  ['doula_present', any(ofCourse('doula_present', YES_OR_NO_VALUE))],
  ['delayed_cord_clamping', any(ofCourse('delayed_cord_clamping', YES_OR_NO_VALUE))],
  ['prenatal_care_site', any(ofCourse('prenatal_care_site', TEXT_VALUE))],
  ['mother_transfer', any(ofCourse('mother_transfer', YES_OR_NO_VALUE))],
  ['transfer_within_day', any(ofChild('transfer_within_day', YES_OR_NO_VALUE))],
  ['attendant_name', any(ofCourse('attendant_name', TEXT_VALUE))],
  ['attendant_title', any(ofCourse('attendant_title', codeValue(ATTENDANT_TITLES)))],
]);

export const RACE: Coded = any({
  scope: 'race',
  field: 'mother.race',
  form: { kind: 'race and ethnicity' },
  read: (observation) => present(readRaceObservation(observation)),
});

/**
 * A known code of another system is marked. Only the planned place of birth is also found by
 * profile, because no published code covers all of its places.
 */
export const findObservationKind = (
  observation: JsonObject,
  registryCodeSystems: readonly string[],
): Coded | null => {
  let elsewhere: Coded | null = null;
  for (const concept of asObjects(observation['code'])) {
    for (const coding of asObjects(concept['coding'])) {
      // Fast path: nearly all codings have this form.
      const { system, code: sent } = coding;
      const usual =
        system === LOINC && typeof sent === 'string' ? LOINC_KINDS.get(sent) : undefined;
      if (usual !== undefined) return usual;
      const code = asText(sent);
      if (code === null) continue;
      // Accepted with any system: senders use several, and no other code system has this code.
      if (code === RACE_OBSERVATION_CODE) return RACE;
      const kind = kindByCode(readSystem(system) ?? LOINC, code, registryCodeSystems);
      if (kind !== undefined) return kind;
      const known = LOINC_KINDS.get(code) ?? REGISTRY_KINDS.get(code);
      if (known !== undefined) elsewhere ??= { ...known, isOfOtherSystem: true };
    }
  }
  return getProfiles(observation).some(namesPlannedBirthplace) ? any(PLANNED_PLACE) : elsewhere;
};

const kindByCode = (
  system: string,
  code: string,
  registryCodeSystems: readonly string[],
): Coded | undefined => {
  if (system === LOINC) return LOINC_KINDS.get(code);
  return system === REGISTRY_CODES || registryCodeSystems.includes(system)
    ? REGISTRY_KINDS.get(code)
    : undefined;
};

const namesPlannedBirthplace = cacheTexts((profile) => {
  const name = parseProfileName(profile);
  return name.includes('planned') && name.includes('birthplace');
});
