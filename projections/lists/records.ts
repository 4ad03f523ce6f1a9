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
} from '../../domain/mapping/form/parse-search.ts';
import type { CamelRow } from '../read-model.ts';

export interface ListSlice {
  readonly skip: number;
  readonly most: number;
}

export interface RecordLine
  extends Pick<
    CamelRow<'birth_record'>,
    | 'submissionUuid'
    | 'chartNumber'
    | 'motherName'
    | 'childNames'
    | 'born'
    | 'children'
    | 'fetalDeaths'
    | 'place'
    | 'status'
    | 'version'
    | 'source'
    | 'keyKind'
    | 'changedAt'
  > {
  readonly isSuspectedDuplicate: boolean;
}

/** Filter of a practice's records; null and empty values do not filter. */
export interface RecordSearch {
  /** Words that must all match the beginning of a name, or the start or end of the chart number. */
  readonly words: readonly string[];
  /** Birth date of the mother or a child, and the text it was parsed from. */
  readonly birthDay: { readonly day: string; readonly text: string } | null;
  /** Record numbers that begin with the whole text. */
  readonly recordNumbers: RecordNumbers | null;
  /** The whole text, matched with the start or end of a chart number. */
  readonly chart: string;
  readonly status: 'live' | 'voided' | null;
  readonly source: SubmissionSource | null;
  readonly onlyDuplicates: boolean;
  /** Only records that were never exported, or that have a newer version than the exported one. */
  readonly onlyUnexported?: boolean;
}

export interface BirthLine extends RecordLine {
  /** In grams, one per child; null if unknown. */
  readonly weights: readonly (number | null)[];
}

export type NamedRecord = Pick<
  RecordLine,
  'submissionUuid' | 'chartNumber' | 'motherName' | 'born'
>;

export interface MatchesOfRecord {
  readonly older: readonly RecordLine[];
  readonly newer: readonly RecordLine[];
  readonly more: number;
}

const MAX_WORDS = 8;

export type SearchTerms = Pick<RecordSearch, 'words' | 'birthDay' | 'recordNumbers' | 'chart'>;

/** Parses the text of a search. @param readDate parses a date in the practice's date order */
export const parseSearch = (text: string, readDate?: ReadDate): SearchTerms => {
  const { rest, date } = parseSearchText(text, readDate);
  return {
    words: parseSearchWords(rest).slice(0, MAX_WORDS),
    birthDay: date === null ? null : { day: date.day, text: foldForSearch(date.text) },
    recordNumbers: parseRecordNumbers(text),
    chart: foldForSearch(text),
  };
};

export type MatchReason =
  | { readonly kind: 'mother' | 'child' | 'other-name' }
  | { readonly kind: 'born' | 'mother-or-child-born' | 'record-number' }
  | { readonly kind: 'chart-starts' | 'chart-ends'; readonly text: string };

/** Lists the reasons why a search matched a record, without repeats; empty without a search text. */
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
  const chartNumber = foldForSearch(record.chartNumber ?? '');
  const matchChart = (text: string): readonly MatchReason[] => {
    if (text === '' || chartNumber === '') return [];
    if (chartNumber.startsWith(text)) return [{ kind: 'chart-starts', text }];
    return chartNumber.endsWith(text) ? [{ kind: 'chart-ends', text }] : [];
  };
  const whole = matchChart(chart);
  if (whole.length > 0) return whole;
  const mother = listSearchableWords(record.motherName ?? '');
  const child = listSearchableWords(record.childNames ?? '');
  const reasons: MatchReason[] = words.flatMap((word): readonly MatchReason[] => {
    const begins = (name: string) => name.startsWith(word);
    if (mother.some(begins)) return [{ kind: 'mother' }];
    if (child.some(begins)) return [{ kind: 'child' }];
    const found = matchChart(word);
    return found.length > 0 ? found : [{ kind: 'other-name' }];
  });
  if (birthDay !== null) {
    const found = matchChart(birthDay.text);
    const born = { kind: birthDay.day === record.born ? 'born' : 'mother-or-child-born' } as const;
    reasons.push(...(found.length > 0 ? found : [born]));
  }
  const keys = reasons.map((reason) => JSON.stringify(reason));
  return reasons.filter((_, index) => keys.indexOf(keys[index] ?? '') === index);
};
