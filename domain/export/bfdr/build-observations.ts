import { findFirstBirthDate } from '../../course/birth-times.ts';
import { hasEarlierBirths, isTenMinuteScoreNotNeeded } from '../../course/certificate-items.ts';
import {
  DELIVERY_METHODS,
  GUIDE_EDUCATION,
  PLACE_CODES,
  REGISTRY_CODES,
} from '../../course/codes.ts';
import type { Child, CourseOfCare } from '../../course/course.ts';
import { type EditFlagCode, findSentFlag } from '../../course/edit-flags.ts';
import { type Field, type FieldPath, findFieldAt } from '../../course/fields.ts';
import { toGestationDays, toWeeksAndDays } from '../../course/gestational-age.ts';
import { findHomePlan } from '../../course/home-plan.ts';
import { wasAugmented, wasInduced } from '../../course/labor.ts';
import { type CodeTable, LOINC, SNOMED, statesUnknown, UCUM } from '../../fhir/coded-values.ts';
import { isDate } from '../../fhir/dates.ts';
import { asObjects, isObject, type JsonObject } from '../../fhir/json.ts';
import { CENTIMETERS, DAYS, GRAMS, KILOGRAMS, type Units } from '../../fhir/quantities.ts';
import {
  type Coded,
  LOINC_KINDS,
  NICU_ANSWERS,
  type ObservationKind,
  REGISTRY_KINDS,
} from '../../mapping/bfdr/observation-kinds.ts';
import { VEHICLE } from '../../mapping/bfdr/place-of-birth.ts';
import { MOTHER } from './build-patients.ts';
import { buildRaceObservation } from './build-race.ts';
import {
  type Absence,
  type BundleBuilder,
  buildChildKey,
  buildFirstChildKey,
  buildKey,
  type ExportedContent,
  selectChildren,
} from './bundle-builder.ts';
import {
  type AbsentReason,
  BFDR,
  buildAbsentConcept,
  buildCodedValue,
  buildCoding,
  buildConcept,
  buildEditFlag,
  COMMON,
  declareProfiles,
  markRecorded,
  markUnrecorded,
  NO,
  NULL_FLAVOR,
  TERMINOLOGY,
  toList,
  UNKNOWN,
  UNKNOWN_ELEMENT,
  VERBATIM_MARK,
  YES,
} from './elements.ts';

export const SECTIONS = {
  prenatal: { code: '57073-9', title: 'Prenatal records' },
  medical: { code: '55752-0', title: 'Clinical information' },
  newborn: { code: '57075-4', title: 'Newborn delivery information' },
  fetus: { code: '76400-1', title: 'Fetal death information' },
  mother: { code: '92014-0', title: "Mother's administrative information" },
} as const;

export type Section = keyof typeof SECTIONS;

export interface SectionEntry {
  readonly section: Section;
  readonly key: string;
  readonly entry: JsonObject;
}

interface Guide {
  readonly profile?: string;
  readonly section?: Section;
  readonly display?: string;
  readonly category?: readonly JsonObject[];
  readonly isMeasured?: true;
  /** True if the subject is the mother and the focus is the child. */
  readonly isOfBirth?: true;
  /** True if the profile does not apply to a fetal death. */
  readonly isOfLiveBorn?: true;
}

const buildCategory = (code: string, text: string): readonly JsonObject[] => [
  { ...buildConcept(`${TERMINOLOGY}/observation-category`, code, text), text },
];

const VITAL_SIGN = {
  category: buildCategory('vital-signs', 'Vital Signs'),
  isMeasured: true,
} as const;
const SMOKING: Guide = {
  profile: `${BFDR}/Observation-cigarette-smoking-before-during-pregnancy`,
  isOfBirth: true,
};
const APGAR: Guide = {
  profile: `${BFDR}/Observation-apgar-score`,
  category: buildCategory('survey', 'Survey'),
  isOfLiveBorn: true,
};

/** A field without a section here is in the default section of its group. */
export const GUIDE_OF_FIELDS: Readonly<Partial<Record<FieldPath, Guide>>> = {
  'mother.height_cm': {
    profile: `${BFDR}/Observation-mother-height`,
    section: 'prenatal',
    ...VITAL_SIGN,
  },
  'mother.prepregnancy_weight_kg': {
    profile: `${BFDR}/Observation-mother-prepregnancy-weight`,
    section: 'prenatal',
    ...VITAL_SIGN,
  },
  'mother.delivery_weight_kg': {
    profile: `${BFDR}/Observation-mother-delivery-weight`,
    section: 'prenatal',
    display: "Mother's body weight --at delivery",
    ...VITAL_SIGN,
  },
  'mother.education': { profile: `${COMMON}/Observation-education-level-vr` },
  'mother.race': { profile: `${COMMON}/input-race-and-ethnicity-vr` },
  'children.birth_weight_grams': {
    profile: `${BFDR}/Observation-birth-weight`,
    ...VITAL_SIGN,
  },
  'children.gestational_age_weeks': { profile: `${BFDR}/Observation-gestational-age-at-delivery` },
  'children.apgar_one_minute': APGAR,
  'children.apgar_five_minute': APGAR,
  'children.apgar_ten_minute': APGAR,
  'children.presentation': {
    profile: `${BFDR}/Observation-fetal-presentation`,
    section: 'medical',
  },
  'children.living': { profile: `${BFDR}/Observation-infant-living`, isOfLiveBorn: true },
  'children.breastfed_at_discharge': {
    profile: `${BFDR}/Observation-infant-breastfed-at-discharge`,
    isOfLiveBorn: true,
  },
  'children.nicu_admission': {
    profile: `${BFDR}/Observation-nicu-admission`,
    isOfLiveBorn: true,
  },
  plurality: { section: 'newborn' },
  last_menstrual_period: { profile: `${BFDR}/Observation-last-menstrual-period` },
  first_prenatal_visit: {
    profile: `${BFDR}/Observation-date-of-first-prenatal-care-visit`,
    isOfBirth: true,
  },
  last_live_birth: { profile: `${BFDR}/Observation-date-of-last-live-birth` },
  last_other_outcome: { profile: `${BFDR}/Observation-date-of-last-other-pregnancy-outcome` },
  prenatal_visits: { profile: `${BFDR}/Observation-number-prenatal-visits` },
  wic: { profile: `${BFDR}/Observation-mother-received-wic-food`, isOfBirth: true },
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
  trial_of_labor: {
    profile: `${BFDR}/Observation-labor-trial-attempted`,
    display: 'If cesarean, a trial of labor was attempted [US Standard Certificate of Live Birth]',
    isOfBirth: true,
  },
  planned_place_of_birth: { isOfBirth: true },
  planned_home_birth: {
    profile: `${BFDR}/Observation-planned-to-deliver-at-home`,
    isOfBirth: true,
  },
};

const findSection = ({ path, group }: Field, content: ExportedContent): Section => {
  const section = GUIDE_OF_FIELDS[path]?.section ?? findSectionOfGroup(group);
  return section === 'newborn' && isFetalDeath(content) ? 'fetus' : section;
};

/** True if no child of the document was born alive, which makes it a fetal death report. */
export const isFetalDeath = (content: ExportedContent): boolean =>
  selectChildren(content).every(({ fetal_death }) => fetal_death === true);

const findSectionOfGroup = (group: Field['group']): Section => {
  if (group === 'children') return 'newborn';
  if (group === 'mother') return 'mother';
  return group === 'pregnancy' ? 'prenatal' : 'medical';
};

interface ObservationRow {
  readonly kind: ObservationKind;
  readonly field: Field;
  readonly system: string;
  readonly code: string;
  readonly coded: JsonObject;
}

const ADMITTED = [...NICU_ANSWERS].find(([, answer]) => answer)?.[0] ?? '';

const buildCode = (system: string, code: string, field: Field): JsonObject => ({
  coding: [
    buildCoding(system, code, GUIDE_OF_FIELDS[field.path]?.display),
    ...addCodings(system, field),
  ],
  text: field.label,
});

// The published code cannot express "no", but it helps other systems understand the registry's own.
const addCodings = (system: string, { path }: Field): readonly JsonObject[] =>
  system === REGISTRY_CODES && path === 'children.nicu_admission'
    ? [buildCoding(SNOMED, ADMITTED, 'Admission to neonatal intensive care unit')]
    : [];

const listFirstCodes = (
  system: string,
  kinds: ReadonlyMap<string, Coded>,
): readonly ObservationRow[] => {
  const first = new Map<string, ObservationRow>();
  for (const [code, { kind }] of kinds)
    if (!first.has(kind.field)) {
      const field = findFieldAt(kind.field as FieldPath);
      first.set(kind.field, { kind, field, system, code, coded: buildCode(system, code, field) });
    }
  return [...first.values()];
};

/**
 * First code of each kind that the intake reads, LOINC before the registry's own. Derived from the
 * intake tables so that every value read from an Observation is also exported as one.
 */
export const OBSERVATION_ROWS: readonly ObservationRow[] = [
  ...listFirstCodes(LOINC, LOINC_KINDS),
  ...listFirstCodes(REGISTRY_CODES, REGISTRY_KINDS),
];

export const buildObservations = (
  content: ExportedContent,
  draft: BundleBuilder,
): readonly SectionEntry[] => {
  const race = buildRaceObservation(content.course.mother);
  const field = findFieldAt('mother.race');
  const statements = [
    ...(race === null
      ? []
      : [
          {
            field,
            child: content.positions[0] ?? 0,
            elements: { ...race, focus: [draft.to(MOTHER)] },
            isByGuide: true,
          },
        ]),
    ...OBSERVATION_ROWS.flatMap((row) => listStatements(row, content)),
    ...content.absences.flatMap((one) => buildAbsence(one, content)),
    ...buildDatesUnknown(content),
    ...buildTenMinuteScoreUnknown(content),
  ];
  // The registry's own code is used only for values that the published code cannot express.
  const first = new Map<string, SectionEntry>();
  for (const statement of statements) {
    const key = buildStatementKey(statement, content);
    if (!first.has(key)) first.set(key, buildObservation(key, statement, content, draft));
  }
  return [
    ...first.values(),
    ...countBornTogether(content, draft),
    ...buildPreviousCesarean(content, draft),
    ...buildDeliveryProcedure(content, draft),
    ...buildLaborProcedures(content, draft),
  ];
};

const DELIVERY = 'delivery_method';

/** Added for other systems: the guide uses a Procedure, which this registry does not read. */
const buildDeliveryProcedure = (
  content: ExportedContent,
  draft: BundleBuilder,
): readonly SectionEntry[] => {
  const { delivery_method: method } = content.course;
  const category = OBSERVATION_ROWS.find(({ field }) => field.path === DELIVERY)?.code;
  if (method === null || category === undefined || !DELIVERY_METHODS.has(method)) return [];
  const code = buildCodedValue(method, DELIVERY_METHODS);
  const guide = { profile: 'Procedure-final-route-method-delivery', category, code };
  return [buildProcedure(DELIVERY, guide, content, draft)];
};

/** Added like the delivery: the guide has the fact without methods or reasons. */
const buildLaborProcedures = (
  content: ExportedContent,
  draft: BundleBuilder,
): readonly SectionEntry[] => {
  const category = '73813-8';
  const induced = {
    profile: 'Procedure-induction-of-labor',
    category,
    code: buildConcept(SNOMED, '236958009', 'Induction of labor'),
  };
  const augmented = {
    profile: 'Procedure-augmentation-of-labor',
    category,
    code: buildConcept(SNOMED, '237001001', 'Augmentation of labor'),
  };
  return [
    ...(wasInduced(content.course) ? [buildProcedure('induction', induced, content, draft)] : []),
    ...(wasAugmented(content.course)
      ? [buildProcedure('augmentation', augmented, content, draft)]
      : []),
  ];
};

const buildProcedure = (
  name: string,
  guide: { readonly profile: string; readonly category: string; readonly code: JsonObject },
  content: ExportedContent,
  draft: BundleBuilder,
): SectionEntry => {
  const key = buildKey(content, `${name}/procedure`);
  const born = findFirstBirthDate(selectChildren(content));
  const procedure = {
    ...declareProfiles(`${BFDR}/${guide.profile}`),
    status: 'completed',
    category: buildConcept(LOINC, guide.category),
    code: guide.code,
    subject: draft.to(MOTHER),
    ...(born === null ? { _performedDateTime: UNKNOWN_ELEMENT } : { performedDateTime: born }),
  };
  return { section: 'medical', key, entry: draft.entry(key, 'Procedure', procedure) };
};

/** Added for other systems, which do not derive the risk factor from the number of cesareans. */
const buildPreviousCesarean = (
  { course }: ExportedContent,
  draft: BundleBuilder,
): readonly SectionEntry[] => {
  if ((course.previous_cesareans ?? 0) === 0) return [];
  const elements = {
    code: { ...buildConcept(LOINC, '73775-9'), text: 'Pregnancy risk factors' },
    valueCodeableConcept: buildConcept(SNOMED, '200144004', 'Deliveries by cesarean'),
  };
  return [buildOfMother('previous-cesarean', 'medical', elements, draft)];
};

const buildOfMother = (
  key: string,
  section: Section,
  elements: JsonObject,
  draft: BundleBuilder,
): SectionEntry => {
  const observation = { status: 'final', ...elements, subject: draft.to(MOTHER) };
  return { section, key, entry: draft.entry(key, 'Observation', observation) };
};

const DELIVERY_COUNTS = [
  { code: '73773-4', name: 'live-births', text: 'Live births in this delivery', isFetal: false },
  { code: '73772-6', name: 'fetal-deaths', text: 'Fetal deaths in this delivery', isFetal: true },
] as const;

/** The guide's form of the plurality, exported only if the outcome of every child is known. */
const countBornTogether = (
  content: ExportedContent,
  draft: BundleBuilder,
): readonly SectionEntry[] => {
  const { children, plurality } = content.course;
  if (children.length !== plurality || children.some(({ fetal_death: one }) => one === null))
    return [];
  return DELIVERY_COUNTS.map(({ code, name, text, isFetal }) => {
    const key = `plurality/${name}`;
    const observation = {
      ...declareProfiles(`${BFDR}/Observation-number-${name}-this-delivery`),
      status: 'final',
      code: { ...buildConcept(LOINC, code), text },
      subject: draft.to(MOTHER),
      valueInteger: children.filter(({ fetal_death }) => fetal_death === isFetal).length,
    };
    return {
      section: findSection(findFieldAt('plurality'), content),
      key,
      entry: draft.entry(key, 'Observation', observation),
    };
  });
};

interface Statement {
  readonly field: Field;
  readonly child: number | null;
  /** Distinguishes Observations of the same field and person. */
  readonly number?: number;
  readonly elements: JsonObject;
  readonly isByGuide: boolean;
}

const findSubject = (child: number | null): string =>
  child === null ? MOTHER : buildChildKey(child);

const buildStatementKey = (
  { field, child, number }: Statement,
  content: ExportedContent,
): string => {
  const key = `${field.path}/${findSubject(child)}${number === undefined ? '' : `/${number}`}`;
  return GUIDE_OF_FIELDS[field.path]?.isOfBirth === true ? buildKey(content, key) : key;
};

const buildObservation = (
  key: string,
  statement: Statement,
  content: ExportedContent,
  draft: BundleBuilder,
): SectionEntry => {
  const { field, child, elements } = statement;
  const { profile, category, isMeasured, isOfBirth } = GUIDE_OF_FIELDS[field.path] ?? {};
  const measuredOn = isMeasured === true ? findBirthDay(child, content) : null;
  const hasProfile = profile !== undefined && isConforming(statement, content, measuredOn);
  // Hot path: most of a document is built here, and spreads are slower.
  const resource: Record<string, unknown> = {};
  if (hasProfile) Object.assign(resource, declareProfiles(profile));
  resource['status'] = 'final';
  if (category !== undefined) resource['category'] = category;
  if (measuredOn !== null) resource['effectiveDateTime'] = measuredOn;
  for (const name in elements) resource[name] = elements[name];
  resource['subject'] = draft.to(findSubject(child));
  if (isOfBirth === true) resource['focus'] = [draft.to(buildFirstChildKey(content))];
  return {
    section: findSection(field, content),
    key,
    entry: draft.entry(key, 'Observation', resource),
  };
};

const findBirthDay = (child: number | null, content: ExportedContent): string | null => {
  const children = selectChildren(child === null ? content : { ...content, positions: [child] });
  return findFirstBirthDate(children.filter(({ birth_date }) => isDate(birth_date ?? '')));
};

// A profile is declared only if the Observation conforms to it.
const isConforming = (
  { field, child, isByGuide }: Statement,
  { course }: ExportedContent,
  measuredOn: string | null,
): boolean => {
  const { isMeasured, isOfLiveBorn } = GUIDE_OF_FIELDS[field.path] ?? {};
  const isFetal = child !== null && course.children[child]?.fetal_death === true;
  return (
    isByGuide && (isMeasured !== true || measuredOn !== null) && (isOfLiveBorn !== true || !isFetal)
  );
};

const listStatements = (row: ObservationRow, content: ExportedContent): readonly Statement[] => {
  const { kind, field } = row;
  const { course, positions } = content;
  const statement = (
    child: number | null,
    holder: object,
    number?: number,
  ): readonly Statement[] => {
    const rawValue = (holder as JsonObject)[field.name];
    const value = buildValue(row, rawValue, holder);
    if (value === null) return [];
    const flag = findSentFlag(course, field.path, child);
    const elements = { code: row.coded, ...(flag === null ? value : addEditFlag(value, flag)) };
    const isByGuide = row.system === LOINC && hasGuideCode(field, rawValue);
    return [{ field, child, elements, isByGuide, ...(number === undefined ? {} : { number }) }];
  };
  switch (kind.scope) {
    case 'child':
      return positions.flatMap((position) => statement(position, course.children[position] ?? {}));
    case 'mother':
      return statement(null, course.mother);
    case 'agents':
      return course[kind.list].flatMap((agent, at) =>
        statement(null, { [field.name]: agent }, at + 1),
      );
    case 'course':
      return statement(null, course);
    case 'race':
    case 'delivery':
      return [];
  }
};

/** On the value, or beside a primitive one. */
const addEditFlag = (value: JsonObject, flag: EditFlagCode): JsonObject => {
  const [[name, stated] = ['', null]] = Object.entries(value);
  const flags = (extensions: readonly JsonObject[]) => [...extensions, buildEditFlag(flag)];
  return isObject(stated)
    ? { ...value, [name]: { ...stated, extension: flags(asObjects(stated['extension'])) } }
    : { ...value, [`_${name}`]: { extension: flags([]) } };
};

const hasGuideCode = ({ path }: Field, value: unknown): boolean =>
  path !== 'mother.education' || GUIDE_EDUCATION.has(String(value));

/** Dates whose absence readers interpret as no prenatal care, no earlier birth, or no other outcome. */
const DATES_OF_SOMETHING = [
  { path: 'first_prenatal_visit', isNone: ({ prenatal_visits }) => prenatal_visits === 0 },
  { path: 'last_live_birth', isNone: (course) => !hasEarlierBirths(course) },
  { path: 'last_other_outcome', isNone: ({ other_outcomes }) => other_outcomes === 0 },
] as const satisfies readonly {
  readonly path: FieldPath;
  readonly isNone: (course: CourseOfCare) => boolean;
}[];

/** States explicitly that a date is unknown. */
const buildDatesUnknown = ({ course }: ExportedContent): readonly Statement[] =>
  DATES_OF_SOMETHING.flatMap(({ path, isNone }) =>
    course[path] !== null || isNone(course) ? [] : buildUnknown(path, null),
  );

/**
 * Readers interpret a missing score as one that was not needed, which is true only if the score at five
 * minutes was not low.
 */
const buildTenMinuteScoreUnknown = ({ course, positions }: ExportedContent): readonly Statement[] =>
  positions
    .filter((position) => {
      const child = course.children[position];
      return (
        child?.apgar_ten_minute === null && !isTenMinuteScoreNotNeeded(child) && !child.fetal_death
      );
    })
    .flatMap((position) => buildUnknown('children.apgar_ten_minute', position));

/** Codes of several items: of none, it would say that all of them are unknown. */
const SHARED_CODES: ReadonlySet<ObservationKind['form']['kind']> = new Set([
  'race and ethnicity',
  'characteristics of labor',
  'newborn condition',
]);

/** Fields for which the guide has an answer "unknown". */
const WITH_UNKNOWN: ReadonlySet<FieldPath> = new Set([
  'mother.education',
  'wic',
  'children.presentation',
]);

const buildAbsence = (
  { path, child, reason }: Absence,
  { positions }: ExportedContent,
): readonly Statement[] => {
  if (child !== null && !positions.includes(child)) return [];
  const statements = buildUnknown(path, child, reason);
  return reason === 'asked-unknown' && WITH_UNKNOWN.has(path)
    ? statements.map(({ elements: { code }, ...one }) => ({
        ...one,
        elements: { code, valueCodeableConcept: UNKNOWN },
        isByGuide: true,
      }))
    : statements;
};

/** Statement that a value is not known. The guide's profiles require a value, so none is declared. */
const buildUnknown = (
  path: FieldPath,
  child: number | null,
  reason: AbsentReason = 'unknown',
): readonly Statement[] =>
  OBSERVATION_ROWS.filter(
    ({ field, system, kind }) =>
      field.path === path && system === LOINC && !SHARED_CODES.has(kind.form.kind),
  ).map(({ field, coded }) => ({
    field,
    child,
    elements: { code: coded, dataAbsentReason: buildAbsentConcept(reason) },
    isByGuide: false,
  }));

const buildValue = (
  { kind: { form }, system, field }: ObservationRow,
  value: unknown,
  holder: object,
): JsonObject | null => {
  if (form.kind === 'planned home') return buildPlannedHome(holder as CourseOfCare, system);
  if (value === null || value === undefined) return null;
  switch (form.kind) {
    case 'measure':
      return form.units === DAYS
        ? buildGestation(holder as Child)
        : { valueQuantity: buildQuantity(value as number, form.units) };
    case 'whole number':
      return { valueInteger: value };
    case 'code':
      return {
        valueCodeableConcept:
          field.path === 'mother.education'
            ? buildEducation(value as string, form.table)
            : buildCodedValue(value as string, form.table),
      };
    case 'date':
    case 'partial date':
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
      return value === true ? NICU_ADMISSION : null;
    case 'planned place':
      return buildPlannedPlace(value as string, holder as CourseOfCare);
    case 'race and ethnicity':
    case 'characteristics of labor':
      return null;
  }
};

// The guide's code is for other systems. A different stored code goes into an extension, because
// HL7's validator rejects a second coding.
const buildEducation = (value: string, table: CodeTable): JsonObject => {
  const guide = GUIDE_EDUCATION.get(value);
  if (guide === undefined) return buildCodedValue(value, table);
  const system = DEGREES.has(guide) ? 'v2-0360' : 'v3-EducationLevel';
  return {
    ...(guide === value ? {} : { extension: [markRecorded(value)] }),
    coding: [buildCoding(`${TERMINOLOGY}/${system}`, guide, table.get(guide))],
  };
};

// Codes from HL7 v2 instead of v3.
const DEGREES: ReadonlySet<string> = new Set(['AA', 'BA', 'MA']);

/** The guide's UCUM units. */
const UNITS: ReadonlyMap<Units, string> = new Map([
  [CENTIMETERS, '[in_i]'],
  [KILOGRAMS, '[lb_av]'],
  [GRAMS, 'g'],
]);

/** One decimal more than records store, so that converting and reading back changes no value. */
const DECIMALS = 1e10;

const buildQuantity = (value: number, units: Units): JsonObject => {
  const guide = UNITS.get(units) ?? '';
  const inUnits = value / (units.get(guide.replace(/[[\]]/g, '')) ?? 1);
  const exact = Math.round(inUnits * DECIMALS) / DECIMALS;
  // Readers cut off a fraction, and state files round it.
  const whole = Math.round(inUnits);
  const recorded = exact === whole ? [] : [markRecorded(String(exact))];
  return { ...toList('extension', recorded), ...toUnit(whole, guide) };
};

const toUnit = (value: number, code: string): JsonObject => ({
  value,
  unit: code,
  system: UCUM,
  code,
});

const buildGestation = (child: Child): JsonObject | null => {
  const inDays = toGestationDays(child);
  if (inDays === null) return null;
  const { weeks, days } = toWeeksAndDays(inDays);
  return { valueQuantity: days === 0 ? toUnit(weeks, 'wk') : toUnit(inDays, 'd') };
};

const NICU_ADMISSION: JsonObject = { valueCodeableConcept: buildConcept(SNOMED, ADMITTED) };

// The published question has no answer "unknown".
const buildPlannedHome = (course: CourseOfCare, system: string): JsonObject | null => {
  const { planned_home_birth: answer, planned_place_of_birth: place } = course;
  if (system !== LOINC) return answer === 'unknown' ? { valueCodeableConcept: UNKNOWN } : null;
  if (answer === 'no') return { valueBoolean: false };
  if (findHomePlan(course) !== 'yes') return null;
  const unrecorded = [
    ...(answer === null ? ['planned_home_birth'] : []),
    ...(place === 'Home' ? [] : ['planned_place_of_birth']),
  ];
  return { ...toList('extension', unrecorded.map(markUnrecorded)), valueBoolean: true };
};

// The published question covers only home births.
const buildPlannedPlace = (place: string, course: CourseOfCare): JsonObject | null =>
  place === 'Home' && findHomePlan(course) === 'yes'
    ? null
    : { valueCodeableConcept: { coding: [buildPlaceCoding(place)] } };

export const buildPlaceCoding = (place: string): JsonObject => {
  const code = [...PLACE_CODES].find(([, name]) => name === place)?.[0];
  if (code === undefined)
    return {
      system: `${TERMINOLOGY}/location-physical-type`,
      code: VEHICLE,
      display: 'Vehicle',
    };
  return { system: code === 'OTH' ? NULL_FLAVOR : SNOMED, code, display: place };
};
