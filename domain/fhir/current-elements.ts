import { isDateTime } from './dates.ts';
import { asObject, asObjects, asText, type JsonObject } from './json.ts';

/**
 * Day on which an element such as a name has to be current. An element whose period is over by
 * then, or has not begun, ranks after current ones. If null, every period with an end is over.
 */
export type HeldAgainst = string | null;

/** True if an element is not marked as old, and its period includes the day. @param day `YYYY-MM-DD` */
export const isCurrent = (element: JsonObject, day: HeldAgainst): boolean => {
  if (getUse(element) === 'old') return false;
  const { start, end } = asObject(element['period']);
  return !isOver(end, day) && !isToCome(start, day);
};

/** Returns the `use` of an element in lower case, or null. It is a modifier: `old` means no longer in use. */
export const getUse = (element: JsonObject): string | null =>
  asText(element['use'])?.toLowerCase() ?? null;

// A day or month that has begun is not over.
const isOver = (value: unknown, day: HeldAgainst): boolean => {
  const end = readDateTimePart(value);
  if (end === null) return false;
  return day === null || end.slice(0, day.length) < day.slice(0, end.length);
};

const isToCome = (value: unknown, day: HeldAgainst): boolean => {
  const start = readDateTimePart(value);
  return start !== null && day !== null && start.slice(0, day.length) > day.slice(0, start.length);
};

const readDateTimePart = (value: unknown): string | null => {
  const text = asText(value);
  return text !== null && isDateTime(text) ? text : null;
};

/** Ranks an element within its list; lower is better. */
export type Rank = (element: JsonObject) => number;

/**
 * Ranks elements by the position of their use in a list. A use that is not in the list ranks like a
 * missing one.
 */
export const rankByUse =
  (uses: readonly (string | null)[]): Rank =>
  (element) => {
    const place = uses.indexOf(getUse(element));
    return place === -1 ? uses.indexOf(null) : place;
  };

/**
 * Sorts elements by relevance to a person: current ones first, those marked as old last, then by
 * each rank, then in the order sent.
 */
export const sortByUse = (
  elements: unknown,
  day: HeldAgainst,
  ...ranks: readonly Rank[]
): readonly JsonObject[] => {
  const all = asObjects(elements);
  if (all.length < 2) return all;
  const ranked = all.map((element) => ({
    element,
    ranks: [rankByTime(element, day), ...ranks.map((rank) => rank(element))],
  }));
  ranked.sort((one, other) => {
    for (const [place, rank] of one.ranks.entries()) {
      const difference = rank - (other.ranks[place] ?? 0);
      if (difference !== 0) return difference;
    }
    return 0;
  });
  return ranked.map(({ element }) => element);
};

const rankByTime = (element: JsonObject, day: HeldAgainst): number => {
  if (isCurrent(element, day)) return 0;
  return getUse(element) === 'old' ? 2 : 1;
};
