import { parseDateAndTime, toUtcSecond } from './dates.ts';
import { asArray, asObject, asText, cacheTexts, isObject, type JsonObject } from './json.ts';
import { countText } from './steps.ts';

const ID = /^[A-Za-z0-9.-]{1,64}$/;

/** @see https://hl7.org/fhir/R4/datatypes.html#id */
export const isResourceId = (text: string): boolean => ID.test(text);

/** Relative or absolute; `null` for other references. Ignores versions. */
export const parseReferencedId = (
  reference: unknown,
  type: string,
  server: string,
): string | null => {
  const text = asText(asObject(reference)['reference']);
  if (text === null) return null;
  const base = server.endsWith('/') ? server : `${server}/`;
  const relative = text.startsWith(base) ? text.slice(base.length) : text;
  const [named, id = '', history, version, ...more] = relative.split('/');
  const isVersioned = history === '_history' && version !== undefined && more.length === 0;
  return named === type && isResourceId(id) && (history === undefined || isVersioned) ? id : null;
};

/** `Observation/123`. */
export const formatResourceName = (resource: JsonObject): string => {
  const id = asText(resource['id']) ?? '';
  return `${asText(resource['resourceType']) ?? 'Resource'}/${isResourceId(id) ? id : 'unknown'}`;
};

export const getProfiles = (resource: JsonObject): readonly string[] => {
  const meta = resource['meta'];
  if (!isObject(meta)) return [];
  const listed = asArray(meta['profile']);
  const profiles = listed.every(isString) ? listed : listed.filter(isString);
  for (const profile of profiles) countText(profile);
  return profiles;
};

const isString = (value: unknown): value is string => typeof value === 'string';

/** Returns the last path segment of a profile's URL in lower case, without its `|version`. */
export const parseProfileName = cacheTexts((profile) => {
  const bar = profile.indexOf('|');
  const sent = (bar < 0 ? profile : profile.slice(0, bar)).trim();
  const address = sent.endsWith('/') ? sent.slice(0, -1) : sent;
  return address.slice(address.lastIndexOf('/') + 1).toLowerCase();
});

const VERSION = /^\d{1,4}(?:\.\d{1,4}){1,3}(?:[-+][A-Za-z0-9.-]{1,16})?$/;

/** True if text looks like a version: `x.y.z`, with an optional label such as `-ballot`. */
export const isVersion = (text: string): boolean => VERSION.test(text);

export interface VersionMark {
  readonly updatedAt: string | null;
  readonly version: string | null;
}

export const readVersionMark = (resource: JsonObject): VersionMark => {
  const meta = asObject(resource['meta']);
  return { updatedAt: readUpdatedAt(meta), version: readVersion(meta) };
};

/** Updated later, else a higher version, else last. */
export const isNewer = (listedLater: VersionMark, listedBefore: VersionMark): boolean =>
  isHigher(listedLater.updatedAt, listedBefore.updatedAt) ??
  isHigher(listedLater.version, listedBefore.version) ??
  true;

// Null if they are equal or one is missing.
const isHigher = (one: string | null, other: string | null): boolean | null =>
  one === null || other === null || one === other ? null : one > other;

// The result sorts by time.
const readUpdatedAt = (meta: JsonObject): string | null => {
  const text = asText(meta['lastUpdated']);
  const time = text === null ? null : parseDateAndTime(text);
  const second = time === null ? null : toUtcSecond(time);
  return time === null || second === null ? null : `${second}.${time.fraction}`;
};

const VERSION_LENGTH = 64;

// Only numeric versions have an order.
const readVersion = (meta: JsonObject): string | null => {
  const version = asText(meta['versionId']);
  return version !== null && /^\d{1,64}$/.test(version)
    ? version.padStart(VERSION_LENGTH, '0')
    : null;
};

export const VOID_STATUSES: ReadonlySet<string> = new Set(['entered-in-error', 'cancelled']);

export const isVoid = (resource: JsonObject): boolean =>
  VOID_STATUSES.has(asText(resource['status']) ?? '');

/** True for a record of a person that is no longer used. */
export const isInactive = ({ active }: JsonObject): boolean =>
  active === false || asText(active)?.toLowerCase() === 'false';

export const FINAL_STATUSES: ReadonlySet<string> = new Set(['final', 'amended', 'corrected']);

export const isFinal = (observation: JsonObject): boolean =>
  FINAL_STATUSES.has(asText(observation['status']) ?? '');

export const PLANNED_STATUSES: ReadonlySet<string> = new Set(['planned', 'reserved']);

export const isPlanned = (element: JsonObject): boolean =>
  PLANNED_STATUSES.has(asText(element['status']) ?? '');
