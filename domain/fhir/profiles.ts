import { asArray, isObject, type JsonObject } from './json.ts';

/** The profiles a resource declares: strings of `meta.profile`. */
export const getProfiles = (resource: JsonObject): readonly string[] => {
  const meta = resource['meta'];
  if (!isObject(meta)) return [];
  return asArray(meta['profile']).filter((profile) => typeof profile === 'string');
};

/** The last path segment of a profile's address, in lower case, without its `|version`. */
export const profileName = (profile: string): string => {
  const bar = profile.indexOf('|');
  const address = (bar < 0 ? profile : profile.slice(0, bar)).trim();
  return address.slice(address.lastIndexOf('/') + 1).toLowerCase();
};

const VERSION = /^\d{1,4}(?:\.\d{1,4}){1,3}(?:[-+][A-Za-z0-9.-]{1,16})?$/;

/** Says whether a text looks like a version: `x.y.z`, perhaps with a label such as `-ballot`. */
export const isVersion = (text: string): boolean => VERSION.test(text);
