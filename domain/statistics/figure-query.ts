import type { RateDefinition } from './definitions.ts';
import type { Span, TimePeriod } from './over-time.ts';
import type { CellFilter } from './ports.ts';

/** Groupings of figures. */
export type GroupName = 'place' | 'source' | 'sex' | 'plurality' | 'attendantRole';

/** Part of a rate that a list shows: its numerator, its denominator, or its unknown values. */
export const RATE_PARTS = ['counted', 'known', 'unknown'] as const;

/** @see RATE_PARTS */
export type RatePart = (typeof RATE_PARTS)[number];

/** Figure of the statistics. */
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

/** True if a figure counts children, not deliveries. */
export const isOfBirths = ({ counts }: FigureQuery): boolean =>
  typeof counts === 'string' ? counts !== 'coursesOfCare' : counts.rate.unit === 'birth';

/** Delivery that a figure counts, or a child by its one-based position. */
export interface CountedOne {
  readonly submissionUuid: string;
  readonly child: number | null;
}

/**
 * Finds the deliveries or births that a figure counts, latest first, with their total, which equals the
 * figure.
 */
export type FindCounted = (
  practiceId: string,
  filter: CellFilter,
  figure: FigureQuery,
  slice: { readonly skip: number; readonly most: number },
) => Promise<{ readonly counted: readonly CountedOne[]; readonly found: number }>;
