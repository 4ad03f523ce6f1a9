import { isObject, type JsonObject, objectIn, objectsOf, textOf } from './json.ts';

/** The extension of an element whose address ends in `/name`; undefined without one. */
export const extensionOf = (element: unknown, name: string): JsonObject | undefined => {
  const extensions = isObject(element) ? element['extension'] : undefined;
  if (extensions === undefined) return undefined;
  const end = `/${name}`;
  return objectsOf(extensions).find(({ url }) => textOf(url)?.endsWith(end) === true);
};

/** Whether an element says that its value is absent, and why. */
export const isAbsent = (element: unknown): boolean =>
  (extensionOf(element, 'data-absent-reason') ?? extensionOf(element, 'iso21090-nullFlavor')) !==
  undefined;

/**
 * The registry's own extension of a text: it is meant as it stands, although it reads like "unknown".
 * Without it a record in which somebody typed the city of Unknown would not be read back.
 */
export const VERBATIM = 'urn:birth-registry:extension/verbatim';

/** Whether an element says that its text is meant as it stands. */
export const isVerbatim = (element: unknown): boolean =>
  objectsOf(objectIn(element)['extension']).some(
    ({ url, valueBoolean }) => url === VERBATIM && valueBoolean === true,
  );
