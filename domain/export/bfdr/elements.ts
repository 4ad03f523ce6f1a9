import { REGISTRY_CODES } from '../../course/codes.ts';
import type { EditFlagCode } from '../../course/edit-flags.ts';
import { type CodeTable, SNOMED } from '../../fhir/coded-values.ts';
import { RECORDED, UNRECORDED, VERBATIM } from '../../fhir/extensions.ts';
import type { JsonObject } from '../../fhir/json.ts';

/** Base URLs of the profiles of BFDR, of the Vital Records Common Library, and of US Core. */
export const BFDR = 'http://hl7.org/fhir/us/bfdr/StructureDefinition';
export const COMMON = 'http://hl7.org/fhir/us/vr-common-library/StructureDefinition';
export const US_CORE = 'http://hl7.org/fhir/us/core/StructureDefinition';

export const TERMINOLOGY = 'http://terminology.hl7.org/CodeSystem';

/** Code system for unknown values, and for values that a value set does not cover. */
export const NULL_FLAVOR = `${TERMINOLOGY}/v3-NullFlavor`;

export const omitNull = <T>(value: T | null, element: (value: T) => JsonObject): JsonObject =>
  value === null ? {} : element(value);

/** FHIR forbids empty arrays, so an empty list is omitted. */
export const toList = (name: string, values: readonly unknown[]): JsonObject =>
  values.length === 0 ? {} : { [name]: values };

export const buildCoding = (system: string, code: string, display?: string): JsonObject => ({
  system,
  code,
  ...(display === undefined ? {} : { display }),
});

export const buildConcept = (system: string, code: string, display?: string): JsonObject => ({
  coding: [buildCoding(system, code, display)],
});

/** `meta` that declares profiles; empty if there are none. */
export const declareProfiles = (...profiles: readonly string[]): JsonObject =>
  profiles.length === 0 ? {} : { meta: { profile: profiles } };

const SNOMED_CODE = /^\d{6,18}$/;

const findSystem = (code: string): string => {
  if (SNOMED_CODE.test(code)) return SNOMED;
  return code === 'OTH' ? NULL_FLAVOR : REGISTRY_CODES;
};

/** CodeableConcept for a stored value: a code from the table, another code, or text. */
export const buildCodedValue = (value: string, table: CodeTable): JsonObject => {
  if (table.has(value)) return buildConcept(findSystem(value), value, table.get(value));
  // Text that differs from a code only by case would be read as that code.
  return table.has(value.toLowerCase()) ? { coding: [{ code: value }] } : { text: value };
};

export const addExtension = (url: string, extension: readonly JsonObject[]): JsonObject => ({
  url,
  extension,
});

/** Extension with the recorded value of an element that the guide requires in a different form. */
export const markRecorded = (valueString: string): JsonObject => ({ url: RECORDED, valueString });

/** Marks a field that the guide requires but the record has no value for. */
export const markUnrecorded = (field: string): JsonObject => ({
  url: UNRECORDED,
  valueCode: field,
});

/** Edit flag that the sender stated beside the value. */
export const buildEditFlag = ({ system, code, display }: EditFlagCode): JsonObject => ({
  url: `${COMMON}/BypassEditFlag`,
  valueCodeableConcept: buildConcept(system, code, display),
});

/** Marks text that looks like "unknown" but is meant literally. */
export const VERBATIM_MARK: JsonObject = { url: VERBATIM, valueBoolean: true };

/** Answers to a question with yes or no. @see ValueSet-yes-no-unknown-vr */
export const YES = buildConcept(`${TERMINOLOGY}/v2-0136`, 'Y', 'Yes');
export const NO = buildConcept(`${TERMINOLOGY}/v2-0136`, 'N', 'No');

export const UNKNOWN = buildConcept(NULL_FLAVOR, 'UNK', 'unknown');

/** Reason the record has no value: it was never entered, masking removed it, or a user gave the reason. */
export type AbsentReason = 'unknown' | 'masked' | 'asked-unknown' | 'temp-unknown';

const ABSENT_DISPLAYS: Readonly<Record<AbsentReason, string>> = {
  unknown: 'Unknown',
  masked: 'Masked',
  'asked-unknown': 'Asked But Unknown',
  'temp-unknown': 'Temporarily Unknown',
};

export const buildAbsentConcept = (reason: AbsentReason): JsonObject =>
  buildConcept(`${TERMINOLOGY}/data-absent-reason`, reason, ABSENT_DISPLAYS[reason]);

/** @see http://hl7.org/fhir/StructureDefinition/data-absent-reason */
export const buildAbsent = (
  reason: AbsentReason | 'asked-declined' | 'asked-unknown',
): JsonObject => ({
  url: 'http://hl7.org/fhir/StructureDefinition/data-absent-reason',
  valueCode: reason,
});

export const UNKNOWN_ELEMENT: JsonObject = { extension: [buildAbsent('unknown')] };
