import type { RateDefinition } from './definitions.ts';
import type { Span, TimePeriod } from './over-time.ts';
import type { CellFilter } from './ports.ts';

/** What figures are told apart by. */
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

/** Whether a figure counts children, not deliveries. */
export const isOfBirths = ({ counts }: FigureQuery): boolean =>
  typeof counts === 'string' ? counts !== 'coursesOfCare' : counts.rate.unit === 'birth';

/** One that a figure counts: a delivery, or a child of it by its place, one-based. */
export interface CountedOne {
  readonly submissionUuid: string;
  readonly child: number | null;
}

/** What a figure counts, the latest births first, and how many there are in all: as many as the figure says. */
export type FindCounted = (
  practiceId: string,
  filter: CellFilter,
  figure: FigureQuery,
  slice: { readonly skip: number; readonly most: number },
) => Promise<{ readonly counted: readonly CountedOne[]; readonly found: number }>;
