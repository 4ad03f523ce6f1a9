import { asArray, asObjects, isObject, type JsonObject } from './json.ts';
import { countName, spendBudget } from './steps.ts';

/**
 * An element read without its modifier may mean the opposite.
 * @see https://hl7.org/fhir/R4/extensibility.html#modifierExtension
 */
export const isModified = (element: unknown): boolean =>
  isObject(element) &&
  element['modifierExtension'] !== undefined &&
  asObjects(element['modifierExtension']).length > 0;

/** Resource without its modified elements, and the names of the omitted ones. */
export type Unmodified = {
  readonly resource: JsonObject;
  readonly leftOut: readonly string[];
};

// Hot path, so a loop: this runs for every list of a Bundle.
const isAnyModified = (element: unknown): boolean => {
  if (!Array.isArray(element)) return isModified(element);
  spendBudget(element.length);
  for (const one of element) if (isModified(one)) return true;
  return false;
};

export const hasModified = (resource: JsonObject): boolean => {
  if (isModified(resource)) return true;
  let names = 0;
  for (const name in resource) {
    countName(names);
    names += 1;
    const element = resource[name];
    if (typeof element === 'object' && isAnyModified(element)) return true;
  }
  return false;
};

/** Does not check nested elements. */
export const removeModified = (resource: JsonObject): Unmodified => {
  const leftOut = Object.keys(resource).filter((name) => isAnyModified(resource[name]));
  if (leftOut.length === 0) return { resource, leftOut };
  const modified: ReadonlySet<string> = new Set(leftOut);
  const elements = Object.entries(resource).flatMap(([name, element]) => {
    if (!modified.has(name)) return [[name, element] as const];
    return Array.isArray(element)
      ? [[name, asArray(element).filter((one) => !isModified(one))] as const]
      : [];
  });
  return { resource: Object.fromEntries(elements), leftOut };
};
