import { listSearchableWords } from '../course/search-words.ts';
import type { AccessEvent, AccessPlace, Export } from './events.ts';

/** Reasons to review an entry. Neither is proof of misuse. */
export type UnusualMark =
  /** One of many different records that the person opened within one hour. */
  | 'many-records'
  /** The mother or a child has the family name of the person who opened the record. */
  | 'own-family-name';

/** Pages and commands that show one record: the first id in their entry. */
const ONE_RECORD: ReadonlySet<AccessPlace> = new Set([
  'record',
  'record-then',
  'correction',
  'void-form',
  'restore-form',
  'history-command',
] satisfies AccessPlace[]);

/** Exports that are not about individual records, and routine system exports. */
const OF_NO_RECORD: ReadonlySet<Export> = new Set([
  'import-result',
  'access-log',
  'records-api',
] satisfies Export[]);

/**
 * Ids of the records that an event opened. A list on screen, suggested duplicates, and import results open
 * none; a printed list opens all of its records.
 */
export const listOpenedRecordIds = (event: AccessEvent): readonly string[] => {
  switch (event.type) {
    case 'RecordsShown':
      return ONE_RECORD.has(event.data.place) ? event.data.recordIds.slice(0, 1) : [];
    case 'RecordsPrinted':
      return ONE_RECORD.has(event.data.place)
        ? event.data.recordIds.slice(0, 1)
        : event.data.recordIds;
    case 'RecordsExported':
      return OF_NO_RECORD.has(event.data.what) ? [] : event.data.recordIds;
    default:
      return [];
  }
};

export interface OpenedInHour {
  /** `kind:id` of the actor. */
  readonly person: string;
  readonly hour: Date;
  readonly records: number;
}

export const MAX_PER_HOUR = 60;
export const MIN_RECORDS_TO_COMPARE = 30;
/** Multiple of the person's usual number above which an hour is unusual. */
export const TIMES_THE_USUAL = 5;
/** Number of days before the hour whose median is the person's usual number. */
export const USUAL_DAYS = 30;

const DAY_MS = 86_400_000;

/**
 * Finds the hours in which a person opened unusually many records: more than 60, or at least 30 and more
 * than five times the median of that person's active hours in the 30 days before.
 */
export const findBusyHours = (hours: readonly OpenedInHour[]): readonly OpenedInHour[] => {
  const byPerson = new Map<string, OpenedInHour[]>();
  for (const one of hours) {
    const others = byPerson.get(one.person);
    if (others === undefined) byPerson.set(one.person, [one]);
    else others.push(one);
  }
  return hours.filter((one) => {
    if (one.records > MAX_PER_HOUR) return true;
    if (one.records < MIN_RECORDS_TO_COMPARE) return false;
    const until = one.hour.getTime();
    const usual = computeMedian(
      (byPerson.get(one.person) ?? [])
        .filter(
          ({ hour }) => hour.getTime() < until && hour.getTime() >= until - USUAL_DAYS * DAY_MS,
        )
        .map(({ records }) => records),
    );
    return usual !== null && one.records > TIMES_THE_USUAL * usual;
  });
};

const computeMedian = (counts: readonly number[]): number | null => {
  const sorted = counts.toSorted((one, other) => one - other);
  const middle = sorted.length / 2;
  const [below, above] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return below === undefined || above === undefined ? null : (below + above) / 2;
};

export interface PersonCalled {
  readonly name: string | null;
  readonly email: string | null;
}

const MIN_WORD_LENGTH = 2;

/** Ignores case, accents, and apostrophes. */
const splitFamilyName = (familyName: string): readonly string[] =>
  listSearchableWords(familyName).filter((word) => word.length >= MIN_WORD_LENGTH);

/**
 * Words of a person's family name: the last word of the name, else the last part of the email before the @
 * if it has several (`ana.ruiz@cedar.example` is probably a Ruiz). Empty if neither is known.
 */
export const findOwnFamilyWords = ({ name, email }: PersonCalled): readonly string[] => {
  const called = name?.trim().split(/\s+/) ?? [];
  if (called.length > 1) return splitFamilyName(called.at(-1) ?? '');
  const parts =
    (email ?? '')
      .split('@')[0]
      ?.split(/[.\-_]+/)
      .filter((part) => part !== '') ?? [];
  return parts.length > 1 ? splitFamilyName((parts.at(-1) ?? '').split(/\d/, 1)[0] ?? '') : [];
};

export const hasFamilyName = (
  ownWords: readonly string[],
  familyNames: readonly (string | null)[],
): boolean => {
  const words = new Set(familyNames.flatMap((name) => splitFamilyName(name ?? '')));
  return ownWords.some((word) => words.has(word));
};
