import type { SubmissionSource } from '../birth-record/events.ts';
import type { PlaceOfBirth } from '../course/codes.ts';
import type { Sex } from '../course/course.ts';
import type { ProviderRole } from '../provider/details.ts';

/** Only known answers count. */
export interface Tally {
  readonly numerator: number;
  readonly denominator: number;
}

export interface WholeTally extends Tally {
  readonly unknown: number;
}

/** Live courses of care, or children of them, with the same values in all groupings. */
export interface Cell {
  readonly year: number | null;
  readonly month: number | null;
  readonly place: PlaceOfBirth | null;
  readonly source: SubmissionSource;
  readonly plurality: number;
  /** Role of the current attendant; `null` if unknown. */
  readonly attendantRole: ProviderRole | null;
  readonly count: number;
  readonly tallies: Readonly<Record<string, WholeTally>>;
}

export interface BirthCell extends Cell {
  readonly sex: Sex | null;
  readonly fetalDeaths: number;
}

export interface Cells {
  readonly courses: readonly Cell[];
  readonly births: readonly BirthCell[];
}

export interface ContributedCell extends Pick<Cell, 'place' | 'attendantRole'> {
  readonly practiceId: string;
  readonly tallies: Readonly<Record<string, Tally>>;
}

export interface ContributedCells {
  readonly courses: readonly ContributedCell[];
  readonly births: readonly ContributedCell[];
}

export interface CellFilter {
  /** Year of birth; `null` for all, including undated births. */
  readonly year: number | null;
  /** 1 to 12; `null` for the whole year. */
  readonly month: number | null;
  readonly place: PlaceOfBirth | null;
  /** Role of the attendant; `null` for any or none. */
  readonly attendantRole: ProviderRole | null;
}

export const NO_FILTER: CellFilter = { year: null, month: null, place: null, attendantRole: null };

export type LoadPracticeCells = (practiceId: string, filter: CellFilter) => Promise<Cells>;

/** Loads the cells of all other live practices, excluding sandboxes. */
export type LoadBenchmarkCells = (
  butOf: string,
  filter: CellFilter,
) => Promise<{ readonly practices: number; readonly cells: ContributedCells }>;

export interface Exclusions {
  readonly voided: number;
  readonly sandbox: number;
  readonly attendantOther: number;
}

export type CountExclusions = (practiceId: string) => Promise<Exclusions>;
