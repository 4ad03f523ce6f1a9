import type { RateDefinition } from './definitions.ts';
import type { Span, TimePeriod } from './over-time.ts';
import type { CellFilter } from './ports.ts';

/** Groups of a figure. */
export type GroupName = 'place' | 'source' | 'sex' | 'plurality' | 'attendantRole';

/** Which part of a rate a list shows: its numerator, its denominator, or what it leaves out as unknown. */
export const RATE_PARTS = ['counted', 'known', 'unknown'] as const;

/** @see RATE_PARTS */
export type RatePart = (typeof RATE_PARTS)[number];

/** One figure of the statistics under their filter. */
export interface FigureQuery {
  readonly counts:
    | 'coursesOfCare'
    | 'births'
    | 'fetalDeaths'
    | { readonly rate: RateDefinition; readonly part: RatePart };
  /** By the name of the group in the figures; null: all of them. */
  readonly group: { readonly by: GroupName; readonly name: string } | null;
  readonly dated:
    | { readonly kind: 'any' | 'undated' | 'year-only' }
    | { readonly kind: 'within'; readonly period: TimePeriod }
    | { readonly kind: 'outside'; readonly span: Span };
}

/** True if a figure counts children instead of deliveries. */
export const isOfBirths = ({ counts }: FigureQuery): boolean =>
  typeof counts === 'string' ? counts !== 'coursesOfCare' : counts.rate.unit === 'birth';

/** Counted item of a figure: a delivery, or a child by its one-based position. */
export interface CountedOne {
  readonly submissionUuid: string;
  readonly child: number | null;
}

/** Finds the births that a figure counts, latest first, with their total, which equals the figure. */
export type FindCounted = (
  practiceId: string,
  filter: CellFilter,
  figure: FigureQuery,
  slice: { readonly skip: number; readonly most: number },
) => Promise<{ readonly counted: readonly CountedOne[]; readonly found: number }>;
