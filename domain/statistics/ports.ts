import type { SubmissionSource } from '../birth-record/events.ts';
import type { PlaceOfBirth } from '../course/codes.ts';
import type { Sex } from '../course/course.ts';
import type { ProviderRole } from '../provider/details.ts';

/** Numerator and denominator of a rate in a cell, where the answer is known. */
export interface Tally {
  readonly numerator: number;
  readonly denominator: number;
}

/** Tally with the number of unknown answers. */
export interface WholeTally extends Tally {
  readonly unknown: number;
}

/** Live courses of care, or children of them, that are alike in everything that figures go by. */
export interface Cell {
  readonly year: number | null;
  readonly month: number | null;
  readonly place: PlaceOfBirth | null;
  readonly source: SubmissionSource;
  readonly plurality: number;
  /** Role of the attendant that the record is attributed to now; null: none is known. */
  readonly attendantRole: ProviderRole | null;
  readonly count: number;
  /** By the name of the rate. */
  readonly tallies: Readonly<Record<string, WholeTally>>;
}

/** A cell of children. */
export interface BirthCell extends Cell {
  readonly sex: Sex | null;
  readonly fetalDeaths: number;
}

/** The cells of a practice. */
export interface Cells {
  readonly courses: readonly Cell[];
  readonly births: readonly BirthCell[];
}

/** A cell of one of the practices that a benchmark adds up. */
export interface ContributedCell extends Pick<Cell, 'place' | 'attendantRole'> {
  readonly practiceId: string;
  /** By the name of the rate. */
  readonly tallies: Readonly<Record<string, Tally>>;
}

/** The cells of the practices that a benchmark adds up. */
export interface ContributedCells {
  readonly courses: readonly ContributedCell[];
  readonly births: readonly ContributedCell[];
}

/** Filter of a figure. */
export interface CellFilter {
  /** Year of birth; null: all of them, undated ones too. */
  readonly year: number | null;
  /** 1 to 12; null: the whole year. */
  readonly month: number | null;
  readonly place: PlaceOfBirth | null;
  /** Role of the attendant; null: any, or none. */
  readonly attendantRole: ProviderRole | null;
}

/** Nothing is left out. */
export const NO_FILTER: CellFilter = { year: null, month: null, place: null, attendantRole: null };

/** The cells of one practice. */
export type LoadPracticeCells = (practiceId: string, filter: CellFilter) => Promise<Cells>;

/** The cells of all live practices but one; a sandbox is none. */
export type LoadBenchmarkCells = (
  butOf: string,
  filter: CellFilter,
) => Promise<{ readonly practices: number; readonly cells: ContributedCells }>;

/** Numbers of records that figures or benchmarks leave out, by reason. */
export interface Exclusions {
  readonly voided: number;
  readonly sandbox: number;
  readonly attendantOther: number;
}

/** @see Exclusions */
export type CountExclusions = (practiceId: string) => Promise<Exclusions>;
