import { asObject, asText, type JsonObject } from './json.ts';

const ID = /^[A-Za-z0-9.-]{1,64}$/;

/** Says whether a text can be the id of a resource. @see https://hl7.org/fhir/R4/datatypes.html#id */
export const isResourceId = (text: string): boolean => ID.test(text);

/**
 * The id that a reference names, if it is one to a resource of this type on a server: relative, or
 * absolute under its address; versions count as the resource.
 */
export const referencedId = (reference: unknown, type: string, server: string): string | null => {
  const text = asText(asObject(reference)['reference']);
  if (text === null) return null;
  const base = server.endsWith('/') ? server : `${server}/`;
  const relative = text.startsWith(base) ? text.slice(base.length) : text;
  const [named, id = '', history, version, ...more] = relative.split('/');
  const isVersioned = history === '_history' && version !== undefined && more.length === 0;
  return named === type && isResourceId(id) && (history === undefined || isVersioned) ? id : null;
};

/** `Observation/123`. */
export const nameOfResource = (resource: JsonObject): string => {
  const id = asText(resource['id']) ?? '';
  return `${asText(resource['resourceType']) ?? 'Resource'}/${isResourceId(id) ? id : 'unknown'}`;
};
