import { parseDateAndTime, toUtcSecond } from './dates.ts';
import { asObject, asText, type JsonObject } from './json.ts';

/**
 * Says whether the later listed of two versions of one resource is the one that counts: it was
 * updated later, else has the higher version, else is simply the last.
 */
export const isNewerVersion = (listedLater: JsonObject, listedBefore: JsonObject): boolean => {
  const [meta, metaBefore] = [asObject(listedLater['meta']), asObject(listedBefore['meta'])];
  return (
    isHigher(updatedAt(meta), updatedAt(metaBefore)) ??
    isHigher(versionOf(meta), versionOf(metaBefore)) ??
    true
  );
};

// Null where they are equal, or one of them is not stated.
const isHigher = (one: string | null, other: string | null): boolean | null =>
  one === null || other === null || one === other ? null : one > other;

// Sorts in order of time.
const updatedAt = (meta: JsonObject): string | null => {
  const text = asText(meta['lastUpdated']);
  const time = text === null ? null : parseDateAndTime(text);
  const second = time === null ? null : toUtcSecond(time);
  return time === null || second === null ? null : `${second}.${time.fraction}`;
};

const VERSION_LENGTH = 64;

// Only numbers have an order.
const versionOf = (meta: JsonObject): string | null => {
  const version = asText(meta['versionId']);
  return version !== null && /^\d{1,64}$/.test(version)
    ? version.padStart(VERSION_LENGTH, '0')
    : null;
};
