import { isObject, type JsonObject } from './json.ts';

/** Types that lists are read from. Any other name of a type is submitted text. */
const NAMED_TYPES: ReadonlySet<unknown> = new Set([
  ...['Composition', 'Consent', 'Encounter', 'Location', 'Observation', 'Organization', 'Patient'],
  ...['Practitioner', 'PractitionerRole'],
]);

interface Place {
  readonly value: unknown;
  readonly path: string;
}

/** Contains no submitted text: lists are read by fixed names, except values, shown as `value[x]`. */
export const findListPath = (
  list: readonly unknown[],
  { entry: _entries, ...bundle }: JsonObject,
  resources: readonly JsonObject[],
): string => {
  // Own stack, because senders control the nesting depth.
  const open: Place[] = [
    { value: bundle, path: 'Bundle' },
    ...resources.map((value) => ({ value, path: nameType(value) })),
  ];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const { value, path } = place;
    if (value === list) return path;
    if (Array.isArray(value)) for (const element of value) open.push({ value: element, path });
    else if (isObject(value))
      for (const name in value)
        open.push({ value: value[name], path: `${path}.${nameElement(name)}` });
  }
  return 'Bundle';
};

const nameType = ({ resourceType }: JsonObject): string =>
  NAMED_TYPES.has(resourceType) ? String(resourceType) : 'Resource';

const nameElement = (name: string): string => {
  const element = name.startsWith('_') ? name.slice(1) : name;
  return element.startsWith('value') && element !== 'value' ? 'value[x]' : element;
};
