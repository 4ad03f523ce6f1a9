import type { RateDefinition } from './definitions.ts';
import type { Span, TimePeriod } from './over-time.ts';
import type { CellFilter } from './ports.ts';

export type GroupName = 'place' | 'source' | 'sex' | 'plurality' | 'attendantRole';

/** Part of a rate that a list shows: its numerator, its denominator, or its unknown values. */
export const RATE_PARTS = ['counted', 'known', 'unknown'] as const;

export type RatePart = (typeof RATE_PARTS)[number];

export interface FigureQuery {
  readonly counts:
    | 'coursesOfCare'
    | 'births'
    | 'fetalDeaths'
    | { readonly rate: RateDefinition; readonly part: RatePart };
  /** Group to list; `null` for all. */
  readonly group: { readonly by: GroupName; readonly name: string } | null;
  readonly dated:
    | { readonly kind: 'any' | 'undated' | 'year-only' }
    | { readonly kind: 'within'; readonly period: TimePeriod }
    | { readonly kind: 'outside'; readonly span: Span };
}

export const isOfBirths = ({ counts }: FigureQuery): boolean =>
  typeof counts === 'string' ? counts !== 'coursesOfCare' : counts.rate.unit === 'birth';

/** Delivery that a figure counts, or a child by its one-based position. */
export interface CountedOne {
  readonly submissionUuid: string;
  readonly child: number | null;
}

/** Latest first. */
export type FindCounted = (
  practiceId: string,
  filter: CellFilter,
  figure: FigureQuery,
  slice: { readonly skip: number; readonly most: number },
) => Promise<{ readonly counted: readonly CountedOne[]; readonly found: number }>;
