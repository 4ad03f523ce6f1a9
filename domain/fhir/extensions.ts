import { asObject, asObjects, asText, isObject, type JsonObject } from './json.ts';

/** The extension of an element whose address ends in `/name`; undefined without one. */
export const findExtension = (element: unknown, name: string): JsonObject | undefined => {
  const extensions = isObject(element) ? element['extension'] : undefined;
  if (extensions === undefined) return undefined;
  const end = `/${name}`;
  return asObjects(extensions).find(({ url }) => asText(url)?.endsWith(end) === true);
};

/** Whether an element says that its value is absent, and why. */
export const isAbsent = (element: unknown): boolean =>
  (findExtension(element, 'data-absent-reason') ??
    findExtension(element, 'iso21090-nullFlavor')) !== undefined;

/**
 * The registry's own extension of a text: it is meant as it stands, although it reads like "unknown".
 * Without it a record in which somebody typed the city of Unknown would not be read back.
 */
export const VERBATIM = 'urn:birth-registry:extension/verbatim';

/** Whether an element says that its text is meant as it stands. */
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

/** The value as the record has it; null where none stands there that fits the value beside it. */
export const readRecordedBeside = (
  element: unknown,
  fits: (recorded: string) => boolean,
): string | null => readRecorded(element).find(fits) ?? null;

/**
 * The registry's own extension: of the field that it names the record has no value. What stands in its
 * element is there because the guide requires one.
 */
export const UNRECORDED = 'urn:birth-registry:extension/unrecorded';

/** The fields of which an element says that they are not recorded. */
export const readUnrecorded = (element: unknown): ReadonlySet<string> =>
  new Set(
    asObjects(asObject(element)['extension']).flatMap(({ url, valueCode }) =>
      url === UNRECORDED && typeof valueCode === 'string' ? [valueCode] : [],
    ),
  );

/** The registry's own extension of a date: the mask left its year alone. */
export const MASKED = 'urn:birth-registry:extension/masked';

/** Whether an element says that the mask left a part of it alone. */
export const isMasked = (element: unknown): boolean => isMarked(element, MASKED);
