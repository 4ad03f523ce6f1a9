import type { EnteredValues } from '../form/form-fields.ts';
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
  /** Pre-fills of the same browser that were added to it. */
  readonly with?: readonly string[];
  /** What stands in the form. */
  readonly values: EnteredValues;
}
