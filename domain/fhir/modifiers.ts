import { isObject, type JsonObject, objectsOf } from './json.ts';

/**
 * Says whether an element has a modifier extension. The registry knows none, so whoever reads the
 * element without knowing it may read the opposite of what it says.
 * @see https://hl7.org/fhir/R4/extensibility.html#modifierExtension
 */
export const isModified = (element: unknown): boolean =>
  isObject(element) &&
  element['modifierExtension'] !== undefined &&
  objectsOf(element['modifierExtension']).length > 0;

/** A resource without its modified elements, and the names of those. */
export type Unmodified = {
  readonly resource: JsonObject;
  readonly leftOut: readonly string[];
};

const NONE: readonly never[] = [];

// A loop: every list of a Bundle comes by here.
const isAnyModified = (element: object): boolean => {
  if (!Array.isArray(element)) return isModified(element);
  for (const one of element) if (isModified(one)) return true;
  return false;
};

/** Leaves out the elements of a resource that are modified; what is deeper than those is not looked at. */
export const withoutModified = (resource: JsonObject): Unmodified => {
  let leftOut: string[] | null = null;
  // Nearly all resources have none: they are looked through without a copy.
  for (const name in resource) {
    const element = resource[name];
    if (typeof element !== 'object' || element === null) continue;
    if (isAnyModified(element)) {
      leftOut ??= [];
      leftOut.push(name);
    }
  }
  if (leftOut === null) return { resource, leftOut: NONE };
  const modified: ReadonlySet<string> = new Set(leftOut);
  const kept = Object.entries(resource).flatMap(([name, element]) => {
    if (!modified.has(name)) return [[name, element] as const];
    return Array.isArray(element)
      ? [[name, element.filter((one) => !isModified(one))] as const]
      : [];
  });
  return { resource: Object.fromEntries(kept), leftOut };
};
