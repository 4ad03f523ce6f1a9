import type { EnteredValues } from '../course-of-care/entering/entered-fields.ts';
import type { Prefill } from './prefill.ts';

/** Which pre-fill of which browser is meant. */
export interface PrefillName {
  /** Names the browser that launched. */
  readonly browser: string;
  readonly prefillId: string;
}

/** The record that a pre-fill was saved as. */
export interface SavedAs {
  readonly practiceId: string;
  readonly submissionUuid: string;
}

/** What a person has made of a pre-fill so far. */
export interface PrefillReview {
  /** Whose chart they take it for. */
  readonly as: Prefill['as'];
  /** What stands in the form. */
  readonly values: EnteredValues;
}

/** Reviews that someone has begun: like the pre-fills, only the browser finds them. */
export interface PrefillReviews {
  find(name: PrefillName): Promise<PrefillReview | null>;
  /** Keeps what stands in the form for half an hour. @returns when; null if it was saved already */
  keep(name: PrefillName, review: PrefillReview): Promise<Date | null>;
  /** It was saved as a record: what was typed is dropped, a late click finds the record. */
  finish(name: PrefillName, savedAs: SavedAs): Promise<void>;
  findSaved(name: PrefillName): Promise<SavedAs | null>;
  drop(name: PrefillName): Promise<void>;
}
