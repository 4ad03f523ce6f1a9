import { asObject, asObjects, asText, isObject, type JsonObject } from './json.ts';

/** Returns the extension whose URL ends in `/name`, or undefined if there is none. */
export const findExtension = (element: unknown, name: string): JsonObject | undefined => {
  const extensions = isObject(element) ? element['extension'] : undefined;
  if (extensions === undefined) return undefined;
  const end = `/${name}`;
  return asObjects(extensions).find(({ url }) => asText(url)?.endsWith(end) === true);
};

/** True if an element states that its value is absent. */
export const isAbsent = (element: unknown): boolean =>
  (findExtension(element, 'data-absent-reason') ??
    findExtension(element, 'iso21090-nullFlavor')) !== undefined;

/**
 * The registry's own extension for text that looks like "unknown" but is meant literally. Without
 * it, importing an exported record would lose a city named Unknown.
 */
export const VERBATIM = 'urn:birth-registry:extension/verbatim';

/** True if an element marks its text as literal. */
export const isVerbatim = (element: unknown): boolean => isMarked(element, VERBATIM);

const isMarked = (element: unknown, mark: string): boolean =>
  asObjects(asObject(element)['extension']).some(
    ({ url, valueBoolean }) => url === mark && valueBoolean === true,
  );

/** The registry's own extension for the recorded value, if FHIR or the guide requires another form. */
export const RECORDED = 'urn:birth-registry:extension/recorded';

/** Returns the recorded values of an element, in order. */
export const readRecorded = (element: unknown): readonly string[] =>
  asObjects(asObject(element)['extension']).flatMap(({ url, valueString }) =>
    url === RECORDED && typeof valueString === 'string' ? [valueString] : [],
  );

// Our choice: exports contain one. Each is compared with the entire value.
const MAX_RECORDED = 16;

/** Returns the recorded value, or null if none matches the element's value. */
export const readRecordedBeside = (
  element: unknown,
  fits: (recorded: string) => boolean,
): string | null => readRecorded(element).slice(0, MAX_RECORDED).find(fits) ?? null;

/**
 * The registry's own extension for a field without a recorded value. The element has a value only
 * because the guide requires one.
 */
export const UNRECORDED = 'urn:birth-registry:extension/unrecorded';

/** Fields that an element marks as not recorded. */
export const readUnrecorded = (element: unknown): ReadonlySet<string> =>
  new Set(
    asObjects(asObject(element)['extension']).flatMap(({ url, valueCode }) =>
      url === UNRECORDED && typeof valueCode === 'string' ? [valueCode] : [],
    ),
  );

/** The registry's own extension for a date that masking reduced to its year. */
export const MASKED = 'urn:birth-registry:extension/masked';

/** True if masking reduced the element. */
export const isMasked = (element: unknown): boolean => isMarked(element, MASKED);
