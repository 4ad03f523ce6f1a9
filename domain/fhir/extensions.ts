import { asObject, asObjects, asText, isObject, type JsonObject } from './json.ts';

export const findExtension = (element: unknown, name: string): JsonObject | undefined => {
  const extensions = isObject(element) ? element['extension'] : undefined;
  if (extensions === undefined) return undefined;
  return asObjects(extensions).find(({ url }) => isNamed(asText(url), name));
};

// Hot path: puts no text together.
const isNamed = (url: string | null, name: string): boolean =>
  url?.endsWith(name) === true && url[url.length - name.length - 1] === '/';

export const listExtensions = (element: unknown, name: string): readonly JsonObject[] =>
  asObjects(asObject(element)['extension']).filter(({ url }) => isNamed(asText(url), name));

export const isAbsent = (element: unknown): boolean =>
  (findExtension(element, 'data-absent-reason') ??
    findExtension(element, 'iso21090-nullFlavor')) !== undefined;

/** Without it, importing an exported record would lose a city named Unknown. */
export const VERBATIM = 'urn:birth-registry:extension/verbatim';

export const isVerbatim = (element: unknown): boolean => isMarked(element, VERBATIM);

const isMarked = (element: unknown, mark: string): boolean =>
  asObjects(asObject(element)['extension']).some(
    ({ url, valueBoolean }) => url === mark && valueBoolean === true,
  );

/** The registry's own extension for the recorded value, if FHIR or the guide requires another form. */
export const RECORDED = 'urn:birth-registry:extension/recorded';

export const readRecorded = (element: unknown): readonly string[] =>
  listStated(element, RECORDED, 'valueString');

// Hot path, so a loop: hardly any element has one.
const listStated = (element: unknown, mark: string, name: string): readonly string[] => {
  const stated: string[] = [];
  for (const extension of asObjects(asObject(element)['extension'])) {
    const value = extension['url'] === mark ? extension[name] : null;
    if (typeof value === 'string') stated.push(value);
  }
  return stated;
};

// Our choice: exports contain one. Each is compared with the entire value.
const MAX_RECORDED = 16;

/** `null` if none matches the element's value. */
export const readRecordedBeside = (
  element: unknown,
  fits: (recorded: string) => boolean,
): string | null => readRecorded(element).slice(0, MAX_RECORDED).find(fits) ?? null;

/** The element has a value only because the guide requires one. */
export const UNRECORDED = 'urn:birth-registry:extension/unrecorded';

export const readUnrecorded = (element: unknown): ReadonlySet<string> =>
  new Set(listStated(element, UNRECORDED, 'valueCode'));

/** The registry's own extension for a date that masking reduced to its year. */
export const MASKED = 'urn:birth-registry:extension/masked';

export const isMasked = (element: unknown): boolean => isMarked(element, MASKED);
