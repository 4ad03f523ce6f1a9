import { looksLikeACode } from '../fhir/coded-values.ts';
import { MAX_CHART_NUMBER } from './chart-number.ts';
import { GUIDE_PLACE_CODES, PLACE_CODES } from './codes.ts';
import type { FieldMessage } from './field-messages.ts';
import { MAX_CHILDREN } from './limits.ts';

/**
 * Ids of pushed records are also anchors in the catalog of diagnostics. The log stores ids: never
 * rename one.
 */
export const REJECTION_IDS = [
  'no-mother',
  'several-mothers',
  'no-child',
  'place-of-birth-required',
  'place-of-birth-code',
  'place-of-birth-code-unnamed',
  'chart-number-unusable',
  'several-chart-numbers',
  'name-twice',
  'course-too-long',
  'too-many-children',
  'list-too-long',
  'too-costly-to-read',
  'bundle-without-entries',
  'too-many-courses',
  'stale-update',
  'duplicate-amendment',
  'no-record-to-retract',
  'another-womans-record',
  'chart-number-fixed',
] as const;

export type RejectionId = (typeof REJECTION_IDS)[number];

/**
 * Data for the receipt, never an exception. `expression` contains FHIR paths.
 * @see spec "OperationOutcome (all errors except 429)"
 */
export type Rejection = {
  /** Identifies the rejection; its text may change. */
  readonly id: RejectionId | FieldMessage['id'];
  /** Submitted code that the text quotes. For a row rejected before ids existed, the text itself. */
  readonly named?: string;
  readonly code: string;
  readonly diagnostics: string;
  readonly expression?: readonly string[];
};

export interface DiagnosticsId {
  readonly coding: readonly [{ readonly system: typeof DIAGNOSTICS; readonly code: string }];
}

export const DIAGNOSTICS = 'urn:birth-registry:diagnostics';

export const buildDiagnosticsId = (id: string): DiagnosticsId => ({
  coding: [{ system: DIAGNOSTICS, code: id }],
});

/** Every issue is an error. */
export type OperationOutcome = {
  readonly resourceType: 'OperationOutcome';
  readonly issue: readonly {
    readonly severity: 'error';
    readonly code: string;
    readonly diagnostics: string;
    readonly expression?: readonly string[];
    readonly details: DiagnosticsId;
  }[];
};

const PATIENT_PROFILE = ['Bundle.entry.resource.ofType(Patient).meta.profile'];
const PLACE_OF_BIRTH = ['Encounter.location.location.type'];

/** @see spec "POST {base_url}/api/registry/fhir/Bundle", rule 2 */
export const NO_MOTHER: Rejection = {
  id: 'no-mother',
  code: 'structure',
  diagnostics:
    'Missing mother Patient: exactly one Patient needs a meta.profile that names a mother or maternal BFDR profile, such as Patient-mother-vr.',
  expression: PATIENT_PROFILE,
};

export const SEVERAL_MOTHERS: Rejection = {
  id: 'several-mothers',
  code: 'structure',
  diagnostics:
    'More than one mother Patient: exactly one Patient may have a meta.profile that names a mother or maternal BFDR profile. Send each birth as its own Bundle.',
  expression: PATIENT_PROFILE,
};

export const NO_CHILD: Rejection = {
  id: 'no-child',
  code: 'structure',
  diagnostics:
    'Missing child Patient: at least one Patient needs a meta.profile that names a child, newborn, fetus or decedent BFDR profile, such as Patient-child-vr.',
  expression: PATIENT_PROFILE,
};

/** @see spec "Place of birth" */
export const PLACE_OF_BIRTH_REQUIRED: Rejection = {
  id: 'place-of-birth-required',
  code: 'required',
  diagnostics:
    'Missing place of birth: the birth Encounter needs a location whose Location.type holds a code of the NCHS birth-delivery-occurred value set, such as 22232009 (Hospital).',
  expression: PLACE_OF_BIRTH,
};

const listCodes = (codes: Iterable<string>): string =>
  [...codes].join(', ').replace(/, (?=[^,]*$)/, ' or ');

const CODES_TO_USE = {
  'Location.type': listCodes(PLACE_CODES.keys()),
  'Encounter.location.physicalType': listCodes(GUIDE_PLACE_CODES.keys()),
};

/**
 * Quotes the code only if it looks like one: no other submitted value may be echoed.
 * @see spec "Place of birth"
 */
export const rejectPlaceCode = (
  code: string,
  element: keyof typeof CODES_TO_USE = 'Location.type',
): Rejection => {
  const named = looksLikeACode(code) ? code : undefined;
  return {
    ...(named === undefined
      ? { id: 'place-of-birth-code-unnamed' }
      : { id: 'place-of-birth-code', named }),
    code: 'code value',
    diagnostics: `Unrecognised ${element} code${
      named === undefined ? '' : ` ${named}`
    }: use ${CODES_TO_USE[element]}.`,
    expression: element === 'Location.type' ? PLACE_OF_BIRTH : [...PLACE_OF_BIRTH, element],
  };
};

export const CHART_NUMBER_UNUSABLE: Rejection = {
  id: 'chart-number-unusable',
  code: 'value',
  diagnostics: `Unusable chart number: Bundle.identifier.value may have up to ${MAX_CHART_NUMBER} characters of well-formed text without control characters. Send it as it stands in the chart.`,
  expression: ['Bundle.identifier.value'],
};

export const SEVERAL_CHART_NUMBERS: Rejection = {
  id: 'several-chart-numbers',
  code: 'structure',
  diagnostics:
    'Several chart numbers: Bundle.identifier is a list whose values differ. Send one Bundle.identifier.',
  expression: ['Bundle.identifier'],
};

export const NAME_TWICE: Rejection = {
  id: 'name-twice',
  code: 'structure',
  diagnostics:
    'Same property name twice in one JSON object: one of the two values would be lost. Send each name once.',
  expression: ['Bundle'],
};

export const COURSE_TOO_LONG: Rejection = {
  id: 'course-too-long',
  code: 'too-long',
  diagnostics:
    'Course of care too long: one Bundle may hold up to 5 MiB of JSON. Leave out attachments and narrative.',
  expression: ['Bundle'],
};

export const TOO_MANY_CHILDREN: Rejection = {
  id: 'too-many-children',
  code: 'too-long',
  diagnostics: `Too many child Patients: one course of care may hold up to ${MAX_CHILDREN}. Send each birth as its own Bundle.`,
  expression: PATIENT_PROFILE,
};

/** @param path never submitted text, such as `Observation.focus` */
export const rejectLongList = (path: string, length: number, most: number): Rejection => ({
  id: 'list-too-long',
  code: 'too-costly',
  diagnostics: `Too many elements: ${path} has ${length}, and may have up to ${most}. Send what belongs to this birth.`,
  expression: [toBundlePath(path)],
});

const toBundlePath = (path: string): string => {
  const [type = '', ...names] = path.split('.');
  if (type === 'Bundle') return path;
  return ['Bundle.entry.resource', `ofType(${type})`, ...names].join('.');
};

export const TOO_COSTLY_TO_READ: Rejection = {
  id: 'too-costly-to-read',
  code: 'too-costly',
  diagnostics:
    'Course of care too costly to read: its resources repeat the same elements or refer to each other far more often than any birth needs. Send each resource once.',
  expression: ['Bundle'],
};

/** Reported with the reference `Bundle`. */
export const BUNDLE_WITHOUT_ENTRIES: Rejection = {
  id: 'bundle-without-entries',
  code: 'structure',
  diagnostics:
    'No entries in the Bundle: entry needs to be an array with the resources of the birth.',
  expression: ['Bundle.entry'],
};

export const TOO_MANY_COURSES: Rejection = {
  id: 'too-many-courses',
  code: 'too-costly',
  diagnostics: 'Too many courses of care: a Bundle may hold up to 1,000. Split it into several.',
  expression: ['Bundle.entry'],
};

/** @see spec "Record lifecycle" */
export const STALE_UPDATE: Rejection = {
  id: 'stale-update',
  code: 'conflict',
  diagnostics: 'Stale update ignored',
};

export const DUPLICATE_AMENDMENT: Rejection = {
  id: 'duplicate-amendment',
  code: 'conflict',
  diagnostics:
    'The amendment would duplicate a different record: another chart number holds the same mother and newborn date/time. Check the chart number, or retract one of the two.',
};

export const NO_RECORD_TO_RETRACT: Rejection = {
  id: 'no-record-to-retract',
  code: 'not-found',
  diagnostics:
    'No record to retract: Bundle.identifier.value needs to be the chart number of a record of this practice, exactly as it was sent.',
  expression: ['Bundle.identifier.value'],
};

export const toOperationOutcome = (rejections: readonly Rejection[]): OperationOutcome => ({
  resourceType: 'OperationOutcome',
  issue: rejections.map(({ id, code, diagnostics, expression }) => ({
    severity: 'error',
    code,
    diagnostics,
    ...(expression && { expression }),
    details: buildDiagnosticsId(id),
  })),
});

/** Dismissing a rejection covers only the code that it quotes: another code needs another dismissal. */
export const getDismissalKey = ({ id, named }: Pick<Rejection, 'id' | 'named'>): string =>
  named === undefined ? id : `${id}:${named}`;
