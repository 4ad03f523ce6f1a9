import { looksLikeACode } from '../fhir/coded-values.ts';
import { MAX_CHART_NUMBER } from './chart-number.ts';
import type { FieldMessage } from './field-messages.ts';
import { MAX_CHILDREN } from './limits.ts';

/**
 * Names of the rejections of records. Those of pushed ones are anchors of the catalog of diagnostics.
 * Stored in the log: add, never rename.
 */
export const REJECTION_IDS = [
  'no-mother',
  'several-mothers',
  'no-child',
  'place-of-birth-required',
  'place-of-birth-code',
  'place-of-birth-code-unnamed',
  'chart-number-unusable',
  'course-too-long',
  'too-many-children',
  'bundle-without-entries',
  'too-many-courses',
  'stale-update',
  'duplicate-amendment',
  'no-record-to-retract',
  'another-womans-record',
  'chart-number-fixed',
] as const;

/** @see REJECTION_IDS */
export type RejectionId = (typeof REJECTION_IDS)[number];

/**
 * Why a record, or a whole Bundle, was not taken: data for the receipt, never an exception.
 * `expression` holds FHIR paths.
 * @see spec "OperationOutcome (all errors except 429)"
 */
export type Rejection = {
  /** What the rejection is known by: its words may change. */
  readonly id: RejectionId | FieldMessage['id'];
  /** The submitted code that the words name; of a row rejected before there were ids, the words. */
  readonly named?: string;
  readonly code: string;
  readonly diagnostics: string;
  readonly expression?: readonly string[];
};

/** Where programs find which entry of the catalog of diagnostics an issue is. */
export interface DiagnosticsId {
  readonly coding: readonly [{ readonly system: typeof DIAGNOSTICS; readonly code: string }];
}

/** The code system of the ids. */
export const DIAGNOSTICS = 'urn:birth-registry:diagnostics';

/** An id as an issue holds it. */
export const buildDiagnosticsId = (id: string): DiagnosticsId => ({
  coding: [{ system: DIAGNOSTICS, code: id }],
});

/** A FHIR OperationOutcome whose issues are all errors, as it stands in a receipt. */
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

/** No Patient of the course of care is a mother. @see spec "POST {base_url}/api/registry/fhir/Bundle", rule 2 */
export const NO_MOTHER: Rejection = {
  id: 'no-mother',
  code: 'structure',
  diagnostics:
    'Missing mother Patient: exactly one Patient needs a meta.profile that names a mother or maternal BFDR profile, such as Patient-mother-vr.',
  expression: PATIENT_PROFILE,
};

/** More than one Patient is a mother. @see spec "POST {base_url}/api/registry/fhir/Bundle", rule 2 */
export const SEVERAL_MOTHERS: Rejection = {
  id: 'several-mothers',
  code: 'structure',
  diagnostics:
    'More than one mother Patient: exactly one Patient may have a meta.profile that names a mother or maternal BFDR profile. Send each birth as its own Bundle.',
  expression: PATIENT_PROFILE,
};

/** No Patient of the course of care is a child. @see spec "POST {base_url}/api/registry/fhir/Bundle", rule 2 */
export const NO_CHILD: Rejection = {
  id: 'no-child',
  code: 'structure',
  diagnostics:
    'Missing child Patient: at least one Patient needs a meta.profile that names a child, newborn, fetus or decedent BFDR profile, such as Patient-child-vr.',
  expression: PATIENT_PROFILE,
};

/** A native key's record states no place of birth. @see spec "Place of birth" */
export const PLACE_OF_BIRTH_REQUIRED: Rejection = {
  id: 'place-of-birth-required',
  code: 'required',
  diagnostics:
    'Missing place of birth: the birth Encounter needs a location whose Location.type holds a code of the NCHS birth-delivery-occurred value set, such as 22232009 (Hospital).',
  expression: PLACE_OF_BIRTH,
};

/**
 * A code of a place outside the value set; names the code if it looks like one, the only submitted
 * value that a rejection may echo.
 * @param element where it stands
 * @see spec "Place of birth"
 */
export const rejectPlaceCode = (
  code: string,
  element: 'Location.type' | 'Encounter.location.physicalType' = 'Location.type',
): Rejection => {
  const named = looksLikeACode(code) ? code : undefined;
  return {
    ...(named === undefined
      ? { id: 'place-of-birth-code-unnamed' }
      : { id: 'place-of-birth-code', named }),
    code: 'code value',
    diagnostics: `Unrecognised ${element} code${
      named === undefined ? '' : ` ${named}`
    }: use 22232009, 91154008, 408839006, 67190003, 39350007 or OTH.`,
    expression: element === 'Location.type' ? PLACE_OF_BIRTH : [...PLACE_OF_BIRTH, element],
  };
};

/** A chart number that cannot be kept as it was sent. @see `readChartNumber` */
export const CHART_NUMBER_UNUSABLE: Rejection = {
  id: 'chart-number-unusable',
  code: 'value',
  diagnostics: `Unusable chart number: Bundle.identifier.value may have up to ${MAX_CHART_NUMBER} characters of well-formed text without control characters. Send it as it stands in the chart.`,
  expression: ['Bundle.identifier.value'],
};

/** A course of care of more than 5 MiB of compact JSON text. */
export const COURSE_TOO_LONG: Rejection = {
  id: 'course-too-long',
  code: 'too-long',
  diagnostics:
    'Course of care too long: one Bundle may hold up to 5 MiB of JSON. Leave out attachments and narrative.',
  expression: ['Bundle'],
};

/** A course of care with more than `MAX_CHILDREN` children. */
export const TOO_MANY_CHILDREN: Rejection = {
  id: 'too-many-children',
  code: 'too-long',
  diagnostics: `Too many child Patients: one course of care may hold up to ${MAX_CHILDREN}. Send each birth as its own Bundle.`,
  expression: PATIENT_PROFILE,
};

/** A Bundle with nothing in it; reported with the reference `Bundle`. */
export const BUNDLE_WITHOUT_ENTRIES: Rejection = {
  id: 'bundle-without-entries',
  code: 'structure',
  diagnostics:
    'No entries in the Bundle: entry needs to be an array with the resources of the birth.',
  expression: ['Bundle.entry'],
};

/** A Bundle of more than 1,000 courses of care; reported with the reference `Bundle`. */
export const TOO_MANY_COURSES: Rejection = {
  id: 'too-many-courses',
  code: 'too-costly',
  diagnostics: 'Too many courses of care: a Bundle may hold up to 1,000. Split it into several.',
  expression: ['Bundle.entry'],
};

/** An amendment or retraction older than the version it names. @see spec "Record lifecycle" */
export const STALE_UPDATE: Rejection = {
  id: 'stale-update',
  code: 'conflict',
  diagnostics: 'Stale update ignored',
};

/** An amendment with the mother and newborn date/time of another live record. @see spec "Record lifecycle" */
export const DUPLICATE_AMENDMENT: Rejection = {
  id: 'duplicate-amendment',
  code: 'conflict',
  diagnostics:
    'The amendment would duplicate a different record: another chart number holds the same mother and newborn date/time. Check the chart number, or retract one of the two.',
};

/** A retraction that names no chart number, or one that no record holds. @see spec "Record lifecycle" */
export const NO_RECORD_TO_RETRACT: Rejection = {
  id: 'no-record-to-retract',
  code: 'not-found',
  diagnostics:
    'No record to retract: Bundle.identifier.value needs to be the chart number of a record of this practice, exactly as it was sent.',
  expression: ['Bundle.identifier.value'],
};

/** The OperationOutcome of a rejected receipt entry, issues in the order given. */
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

/**
 * What a person who dismisses a rejection has read: the rejection, and the code that it names. With
 * another code it is another matter.
 */
export const getDismissalKey = ({ id, named }: Pick<Rejection, 'id' | 'named'>): string =>
  named === undefined ? id : `${id}:${named}`;
