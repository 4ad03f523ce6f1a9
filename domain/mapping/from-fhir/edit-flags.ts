import type { FieldFlag } from '../../course/course.ts';
import type { EditFlag } from '../../course/edit-flags.ts';
import { readCodes } from '../../fhir/coded-values.ts';
import { findExtension } from '../../fhir/extensions.ts';
import type { JsonObject } from '../../fhir/json.ts';

const EDIT_FLAG = 'BypassEditFlag';

/**
 * Edit flag on the value of an Observation, or on an element of a Patient.
 * @see StructureDefinition BypassEditFlag of the Vital Records Common Library
 */
export const readEditFlag = (
  { field, codes }: EditFlag,
  child: number | null,
  elements: readonly unknown[],
): readonly FieldFlag[] => {
  for (const element of elements) {
    const stated = readCodes(findExtension(element, EDIT_FLAG)?.['valueCodeableConcept']);
    const known = codes.find(({ code, digit }) => stated.includes(code) || stated.includes(digit));
    if (known !== undefined) return [{ field, child, flag: known.digit }];
  }
  return [];
};

/** The value itself, and the element beside a primitive one. */
export const listValueElements = (observation: JsonObject): readonly unknown[] =>
  Object.keys(observation)
    .filter((name) => name.startsWith('value') || name.startsWith('_value'))
    .map((name) => observation[name]);
