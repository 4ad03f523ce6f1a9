import { asObjects, isObject, type JsonObject } from './json.ts';

/**
 * True if an element has a modifier extension. The registry supports none, and an element read without
 * its modifier may mean the opposite.
 * @see https://hl7.org/fhir/R4/extensibility.html#modifierExtension
 */
export const isModified = (element: unknown): boolean =>
  isObject(element) &&
  element['modifierExtension'] !== undefined &&
  asObjects(element['modifierExtension']).length > 0;

/** A resource without its modified elements, and the names of those. */
export type Unmodified = {
  readonly resource: JsonObject;
  readonly leftOut: readonly string[];
};

// A loop: every list of a Bundle comes by here.
const isAnyModified = (element: unknown): boolean => {
  if (!Array.isArray(element)) return isModified(element);
  for (const one of element) if (isModified(one)) return true;
  return false;
};

/** True if a resource or any of its elements has a modifier extension; rare in practice. */
export const hasModified = (resource: JsonObject): boolean => {
  if (isModified(resource)) return true;
  for (const name in resource) {
    const element = resource[name];
    if (typeof element === 'object' && isAnyModified(element)) return true;
  }
  return false;
};

/** Leaves out the elements of a resource that are modified; what is deeper than those is not looked at. */
export const removeModified = (resource: JsonObject): Unmodified => {
  const leftOut = Object.keys(resource).filter((name) => isAnyModified(resource[name]));
  if (leftOut.length === 0) return { resource, leftOut };
  const modified: ReadonlySet<string> = new Set(leftOut);
  const kept = Object.entries(resource).flatMap(([name, element]) => {
    if (!modified.has(name)) return [[name, element] as const];
    return Array.isArray(element)
      ? [[name, element.filter((one) => !isModified(one))] as const]
      : [];
  });
  return { resource: Object.fromEntries(kept), leftOut };
};
