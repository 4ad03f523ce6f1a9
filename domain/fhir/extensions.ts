import { type JsonObject, objectIn, objectsOf, textOf } from './json.ts';

/** The extension of an element whose address ends in `/name`; undefined without one. */
export const extensionOf = (element: unknown, name: string): JsonObject | undefined =>
  objectsOf(objectIn(element)['extension']).find(
    (extension) => textOf(extension['url'])?.endsWith(`/${name}`) === true,
  );

/** Whether an element says that its value is absent, and why. */
export const isAbsent = (element: unknown): boolean =>
  extensionOf(element, 'data-absent-reason') !== undefined;
