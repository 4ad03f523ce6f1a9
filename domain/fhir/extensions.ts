import { asObject, asObjects, asText, isObject, type JsonObject } from './json.ts';

/** The extension of an element whose address ends in `/name`; undefined without one. */
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
 * The registry's own extension of a text: it is meant literally, although it reads like "unknown".
 * Without it, an exported record with the city of Unknown would lose the city when it is read again.
 */
export const VERBATIM = 'urn:birth-registry:extension/verbatim';

/** True if an element marks its text as literal. */
export const isVerbatim = (element: unknown): boolean => isMarked(element, VERBATIM);

const isMarked = (element: unknown, mark: string): boolean =>
  asObjects(asObject(element)['extension']).some(
    ({ url, valueBoolean }) => url === mark && valueBoolean === true,
  );

/** The registry's own extension of an element: the value as the record has it, where FHIR or the guide wants another form. */
export const RECORDED = 'urn:birth-registry:extension/recorded';

/** The values as the record has them, in their order. */
export const readRecorded = (element: unknown): readonly string[] =>
  asObjects(asObject(element)['extension']).flatMap(({ url, valueString }) =>
    url === RECORDED && typeof valueString === 'string' ? [valueString] : [],
  );

/** The value as the record has it; null if there is none that fits the value beside it. */
export const readRecordedBeside = (
  element: unknown,
  fits: (recorded: string) => boolean,
): string | null => readRecorded(element).find(fits) ?? null;

/**
 * The registry's own extension: of the field that it names the record has no value. What stands in its
 * element is there because the guide requires one.
 */
export const UNRECORDED = 'urn:birth-registry:extension/unrecorded';

/** Fields that an element marks as not recorded. */
export const readUnrecorded = (element: unknown): ReadonlySet<string> =>
  new Set(
    asObjects(asObject(element)['extension']).flatMap(({ url, valueCode }) =>
      url === UNRECORDED && typeof valueCode === 'string' ? [valueCode] : [],
    ),
  );

/** The registry's own extension of a date: the mask left its year alone. */
export const MASKED = 'urn:birth-registry:extension/masked';

/** True if an element states that the mask left a part of it unchanged. */
export const isMasked = (element: unknown): boolean => isMarked(element, MASKED);
