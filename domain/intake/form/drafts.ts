import type { TextSettings } from './convert-texts.ts';
import type { FormValues } from './form-fields.ts';

/** Owner of a draft: an account, at the practice of its seat. */
export interface DraftOwner {
  readonly accountId: string;
  readonly practiceId: string;
}

/** Identifies the form of a draft: a new birth, or the correction of a record. */
export interface DraftName {
  readonly form: 'new' | 'correct';
  /** For a new birth, the id under which it will be saved; for a correction, the submission uuid. */
  readonly draftId: string;
}

/** Form values, and the version of the record they are based on; null for a new birth. */
export interface DraftContent {
  readonly values: FormValues;
  readonly version: number | null;
  /** Settings that say what its dates and times mean; missing in drafts of 0.2. */
  readonly typedUnder?: TextSettings;
  /** Record created from the draft. */
  readonly savedAs?: string;
}

export interface Draft extends DraftContent {
  readonly draftId: string;
  /** True if the draft was saved as a record, or discarded. */
  readonly isFinished: boolean;
  readonly savedAt: Date;
  /** Number of times that it was saved, finished, or discarded. */
  readonly revision: number;
}

/** State of a draft that an open form is based on. */
export interface DraftEdition {
  /** Revision of the draft when the form was opened; 0 without a draft. */
  readonly revision: number;
  /** Id of the form, because its own saves also raise the revision. */
  readonly editor: string;
  /** Place of a request among those of the form, counted by its script; missing without a script. */
  readonly sequence?: number;
}

/**
 * Result of saving a draft. `finished`: it was saved as a record. `changed`: another form has saved or
 * discarded it since this one was opened, and nothing was replaced. `outdated`: a later request of the
 * same form arrived first, and nothing was replaced.
 */
export type SavedDraft =
  | { readonly kind: 'saved'; readonly at: Date }
  | { readonly kind: 'finished' | 'outdated' }
  | { readonly kind: 'changed'; readonly draft: Draft };

/** Birth that a Scribe could not save, because its chart number belongs to a different mother. */
export interface HandoffDraft {
  readonly id: string;
  /** Scribe who handed it over. */
  readonly memberId: string;
  /** True for a row of a file, false for a form. */
  readonly isFromFile: boolean;
  readonly handedAt: Date;
  readonly expiresAt: Date;
  readonly values: FormValues;
}
