import { isDateTime } from './dates.ts';
import { asObject, asObjects, asText, type JsonObject } from './json.ts';

/**
 * Day for which elements such as names are compared: those whose period is over by then, or has not begun,
 * rank behind current ones. If null, any period that has an end is over.
 */
export type HeldAgainst = string | null;

/** True if an element is not marked as former, not over, and not in the future. @param day `YYYY-MM-DD` */
export const isCurrent = (element: JsonObject, day: HeldAgainst): boolean => {
  if (getUse(element) === 'old') return false;
  const { start, end } = asObject(element['period']);
  return !isOver(end, day) && !isToCome(start, day);
};

/** The use of an element in lower case; null without one. It is a modifier: `old` is not in use. */
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

/** Ranks an element among others of its list, the best lowest. */
export type Rank = (element: JsonObject) => number;

/** The place of an element's use in a list of uses; a use that the list does not have is as none. */
export const rankByUse =
  (uses: readonly (string | null)[]): Rank =>
  (element) => {
    const place = uses.indexOf(getUse(element));
    return place === -1 ? uses.indexOf(null) : place;
  };

/**
 * The elements of a list in the order in which they count for a person: those that hold before those
 * that do not, those marked as former last of all, then by each rank, then as they were sent.
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
