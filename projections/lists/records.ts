import type { SubmissionSource } from '../../domain/birth-record/events.ts';
import {
  foldForSearch,
  listSearchableWords,
  parseSearchWords,
} from '../../domain/course/search-words.ts';
import {
  parseRecordNumbers,
  parseSearchText,
  type ReadDate,
  type RecordNumbers,
} from '../../domain/intake/form/parse-search.ts';

/** Which lines of a list a page holds. */
export interface ListSlice {
  readonly skip: number;
  readonly most: number;
}

/** A record as a list shows it. */
export interface RecordLine {
  readonly submissionUuid: string;
  readonly chartNumber: string | null;
  readonly motherName: string | null;
  readonly childNames: string | null;
  /** `YYYY-MM-DD`, or `YYYY` where no more is kept. */
  readonly born: string | null;
  readonly children: number;
  /** How many of the children were fetal deaths. */
  readonly fetalDeaths: number;
  readonly place: string | null;
  readonly status: 'live' | 'voided';
  readonly version: number;
  readonly source: string;
  readonly keyKind: 'native' | 'partner' | null;
  readonly isSuspectedDuplicate: boolean;
  readonly changedAt: Date;
}

/** Which records of a practice a list shows; null and empty ask for nothing. */
export interface RecordSearch {
  /** Words that all must match: the beginning of a name, the start or end of the chart number. */
  readonly words: readonly string[];
  /** A day of birth, of the mother or a child, and the text that says it; null for none. */
  readonly birthDay: { readonly day: string; readonly text: string } | null;
  /** Record numbers that begin with the whole text; null for none. */
  readonly recordNumbers: RecordNumbers | null;
  /** The whole text, as the start or end of a chart number; '' for none. */
  readonly chart: string;
  readonly status: 'live' | 'voided' | null;
  /** How the latest version came in. */
  readonly source: SubmissionSource | null;
  /** Live records that are flagged as suspected duplicates. */
  readonly onlyDuplicates: boolean;
  /** Records that were never exported, or that have had another version since. */
  readonly onlyUnexported?: boolean;
}

/**
 * Finds records, those changed last first.
 * @returns with them how many there are in all; `isMore`: more than were counted
 */
export type FindRecords = (
  practiceId: string,
  search: RecordSearch,
  slice: ListSlice,
) => Promise<{
  readonly records: readonly RecordLine[];
  readonly found: number;
  readonly isMore: boolean;
}>;

/** A birth as the births log shows it. */
export interface BirthLine extends RecordLine {
  /** Of each child, in grams; null where not stated. */
  readonly weights: readonly (number | null)[];
}

/**
 * Finds live records by birth date, the latest first, without those first pre-filled from an EHR.
 * @param year null: of every year, and those without a birth date
 * @returns with them how many there are (`isMore`: more than were counted), and the first and last year
 */
export type FindBirths = (
  practiceId: string,
  year: number | null,
  slice: ListSlice,
) => Promise<{
  readonly births: readonly BirthLine[];
  readonly found: number;
  readonly isMore: boolean;
  readonly years: { readonly first: number; readonly last: number } | null;
}>;

/** What people call a record. */
export interface NamedRecord {
  readonly submissionUuid: string;
  readonly chartNumber: string | null;
  readonly motherName: string | null;
  /** `YYYY-MM-DD`, or `YYYY` where no more is kept. */
  readonly born: string | null;
}

/** Names records of a practice; those of others are left out. */
export type NameRecords = (
  practiceId: string,
  submissionUuids: readonly string[],
) => Promise<readonly NamedRecord[]>;

/** Names the records of a practice that are held under chart numbers, voided ones too. */
export type NameRecordsUnder = (
  practiceId: string,
  chartNumbers: readonly string[],
) => Promise<readonly NamedRecord[]>;

/** Looks up records of a practice by their ids; those of another one are left out. */
export type FindRecordLines = (
  practiceId: string,
  submissionUuids: readonly string[],
) => Promise<ReadonlyMap<string, RecordLine>>;

/** Records that make an open pair with another one, those changed last first. */
export interface MatchesOfRecord {
  /** Those of which the other one counts as a duplicate. */
  readonly older: readonly RecordLine[];
  /** Those that count as its duplicates. */
  readonly newer: readonly RecordLine[];
  /** Open pairs beyond those. */
  readonly more: number;
}

/** The open pairs of a record, `most` at most. */
export type FindMatches = (
  practiceId: string,
  submissionUuid: string,
  most: number,
) => Promise<MatchesOfRecord>;
export const MAX_WORDS = 8;

/** What a typed text asks for. */
export type SearchTerms = Pick<RecordSearch, 'words' | 'birthDay' | 'recordNumbers' | 'chart'>;

/** The parts of a search that a typed text asks for. @param readDate by the practice's order of dates */
export const parseSearch = (text: string, readDate?: ReadDate): SearchTerms => {
  const { rest, date } = parseSearchText(text, readDate);
  return {
    words: parseSearchWords(rest).slice(0, MAX_WORDS),
    birthDay: date === null ? null : { day: date.day, text: foldForSearch(date.text) },
    recordNumbers: parseRecordNumbers(text),
    chart: foldForSearch(text),
  };
};

/** Why a search found a record. */
export type MatchReason =
  | { readonly kind: 'mother' | 'child' | 'other-name' }
  | { readonly kind: 'born' | 'mother-or-child-born' | 'record-number' }
  | { readonly kind: 'chart-starts' | 'chart-ends'; readonly text: string };

/** Says why a search found a record, each reason once; none without a search. */
export const findMatchReasons = (
  { words, birthDay, recordNumbers, chart }: SearchTerms,
  record: Pick<RecordLine, 'submissionUuid' | 'chartNumber' | 'motherName' | 'childNames' | 'born'>,
): readonly MatchReason[] => {
  const { submissionUuid } = record;
  if (
    recordNumbers !== null &&
    recordNumbers.from <= submissionUuid &&
    submissionUuid <= recordNumbers.to
  )
    return [{ kind: 'record-number' }];
  const held = foldForSearch(record.chartNumber ?? '');
  const inChart = (text: string): readonly MatchReason[] => {
    if (text === '' || held === '') return [];
    if (held.startsWith(text)) return [{ kind: 'chart-starts', text }];
    return held.endsWith(text) ? [{ kind: 'chart-ends', text }] : [];
  };
  const whole = inChart(chart);
  if (whole.length > 0) return whole;
  const mother = listSearchableWords(record.motherName ?? '');
  const child = listSearchableWords(record.childNames ?? '');
  const reasons: MatchReason[] = words.flatMap((word): readonly MatchReason[] => {
    const begins = (name: string) => name.startsWith(word);
    if (mother.some(begins)) return [{ kind: 'mother' }];
    if (child.some(begins)) return [{ kind: 'child' }];
    const found = inChart(word);
    return found.length > 0 ? found : [{ kind: 'other-name' }];
  });
  if (birthDay !== null) {
    const found = inChart(birthDay.text);
    const born = { kind: birthDay.day === record.born ? 'born' : 'mother-or-child-born' } as const;
    reasons.push(...(found.length > 0 ? found : [born]));
  }
  const keys = reasons.map((reason) => JSON.stringify(reason));
  return reasons.filter((_, index) => keys.indexOf(keys[index] ?? '') === index);
};
