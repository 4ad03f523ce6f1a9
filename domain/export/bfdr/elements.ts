import { REGISTRY_CODES } from '../../course/codes.ts';
import { type CodeTable, SNOMED } from '../../fhir/coded-values.ts';
import { RECORDED, UNRECORDED, VERBATIM } from '../../fhir/extensions.ts';
import type { JsonObject } from '../../fhir/json.ts';

/** Where the profiles of the BFDR guide stand, of the Vital Records Common Library, and of US Core. */
export const BFDR = 'http://hl7.org/fhir/us/bfdr/StructureDefinition';
export const COMMON = 'http://hl7.org/fhir/us/vr-common-library/StructureDefinition';
export const US_CORE = 'http://hl7.org/fhir/us/core/StructureDefinition';

/** Where the code systems of HL7 stand. */
export const TERMINOLOGY = 'http://terminology.hl7.org/CodeSystem';

/** Codes for what a value set has no code for, and for unknown values. */
export const NULL_FLAVOR = `${TERMINOLOGY}/v3-NullFlavor`;

/** An element under its name, or none where there is no value. */
export const omitNull = <T>(value: T | null, element: (value: T) => JsonObject): JsonObject =>
  value === null ? {} : element(value);

/** A list under its name, or none where it is empty. */
export const toList = (name: string, values: readonly unknown[]): JsonObject =>
  values.length === 0 ? {} : { [name]: values };

/** A Coding. */
export const buildCoding = (system: string, code: string, display?: string): JsonObject => ({
  system,
  code,
  ...(display === undefined ? {} : { display }),
});

/** A CodeableConcept of one Coding. */
export const buildConcept = (system: string, code: string, display?: string): JsonObject => ({
  coding: [buildCoding(system, code, display)],
});

/** `meta` that declares profiles; none where there is none. */
export const withProfile = (...profiles: readonly string[]): JsonObject =>
  profiles.length === 0 ? {} : { meta: { profile: profiles } };

const SNOMED_CODE = /^\d{6,18}$/;

/** The system of a code of the registry's tables. */
const findSystem = (code: string): string => {
  if (SNOMED_CODE.test(code)) return SNOMED;
  return code === 'OTH' ? NULL_FLAVOR : REGISTRY_CODES;
};

/** A coded value as the record holds it: a code of the table, another code, or a text. */
export const buildCodedValue = (value: string, table: CodeTable): JsonObject => {
  if (table.has(value)) return buildConcept(findSystem(value), value, table.get(value));
  // A text that is a code in other letters would be read as that code.
  return table.has(value.toLowerCase()) ? { coding: [{ code: value }] } : { text: value };
};

/** An extension, or a part of one, that has parts of its own. */
export const addExtension = (url: string, extension: readonly JsonObject[]): JsonObject => ({
  url,
  extension,
});

/** Marks an element whose value the guide wants in another form than the record has it in. */
export const markRecorded = (valueString: string): JsonObject => ({ url: RECORDED, valueString });

/** Marks a field without a value in the record, of which the guide wants one. */
export const markUnrecorded = (field: string): JsonObject => ({
  url: UNRECORDED,
  valueCode: field,
});

/** Marks a text that reads like "unknown" and is meant as it stands. */
export const VERBATIM_MARK: JsonObject = { url: VERBATIM, valueBoolean: true };

/** Answers to a question with yes or no. @see ValueSet-yes-no-unknown-vr */
export const YES = buildConcept(`${TERMINOLOGY}/v2-0136`, 'Y', 'Yes');
/** @see YES */
export const NO = buildConcept(`${TERMINOLOGY}/v2-0136`, 'N', 'No');

/** Why the record has no value: nobody stated it, or the mask dropped it. */
export type AbsentReason = 'unknown' | 'masked';

/** Why an element has no value. @see http://hl7.org/fhir/StructureDefinition/data-absent-reason */
export const buildAbsent = (reason: AbsentReason): JsonObject => ({
  url: 'http://hl7.org/fhir/StructureDefinition/data-absent-reason',
  valueCode: reason,
});

/** A primitive element without a value. */
export const UNKNOWN_ELEMENT: JsonObject = { extension: [buildAbsent('unknown')] };
