import { isDateTime } from './dates.ts';
import { asObject, asObjects, asText, type JsonObject } from './json.ts';

/** Day on which a name or the like has to be current; if null, every period with an end is over. */
export type ReferenceDay = string | null;

export const isCurrent = (element: JsonObject, day: ReferenceDay): boolean => {
  if (getUse(element) === 'old') return false;
  const { start, end } = asObject(element['period']);
  return !isOver(end, day) && !isToCome(start, day);
};

/** Returns the `use` of an element in lower case, or null. It is a modifier: `old` means no longer in use. */
export const getUse = (element: JsonObject): string | null =>
  asText(element['use'])?.toLowerCase() ?? null;

// A day or month that has begun is not over.
const isOver = (value: unknown, day: ReferenceDay): boolean => {
  const end = readDateTimePart(value);
  if (end === null) return false;
  return day === null || end.slice(0, day.length) < day.slice(0, end.length);
};

const isToCome = (value: unknown, day: ReferenceDay): boolean => {
  const start = readDateTimePart(value);
  return start !== null && day !== null && start.slice(0, day.length) > day.slice(0, start.length);
};

const readDateTimePart = (value: unknown): string | null => {
  const text = asText(value);
  return text !== null && isDateTime(text) ? text : null;
};

export type Rank = (element: JsonObject) => number;

/** A use that is not in the list ranks like a missing one. */
export const rankByUse =
  (uses: readonly (string | null)[]): Rank =>
  (element) => {
    const place = uses.indexOf(getUse(element));
    return place === -1 ? uses.indexOf(null) : place;
  };

/** Current ones first, those marked as old last, then by each rank, then in the order sent. */
export const sortByUse = (
  elements: unknown,
  day: ReferenceDay,
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

const rankByTime = (element: JsonObject, day: ReferenceDay): number => {
  if (isCurrent(element, day)) return 0;
  return getUse(element) === 'old' ? 2 : 1;
};
