import type { TextSettings } from './convert-texts.ts';
import type { FormValues } from './form-fields.ts';

export interface DraftOwner {
  readonly accountId: string;
  readonly practiceId: string;
}

export interface DraftName {
  readonly form: 'new' | 'correct';
  /** For a new birth, the id under which it will be saved; for a correction, the submission uuid. */
  readonly draftId: string;
}

export interface DraftContent {
  readonly values: FormValues;
  /** Version of the record that it corrects; `null` for a new birth. */
  readonly version: number | null;
  /** Time zone and date order in which its texts were typed; missing in drafts of 0.2. */
  readonly typedUnder?: TextSettings;
  readonly savedAs?: string;
}

export interface Draft extends DraftContent {
  readonly draftId: string;
  /** Saved as a record, or discarded. */
  readonly isFinished: boolean;
  readonly savedAt: Date;
  readonly revision: number;
}

export interface DraftEdition {
  /** Revision of the draft when the form was opened; 0 without a draft. */
  readonly revision: number;
  /** Id of the form, because its own saves also raise the revision. */
  readonly editor: string;
  /** Place of a request among those of the form, counted by its script; missing without a script. */
  readonly sequence?: number;
}

/**
 * `changed`: another form has saved or discarded it. `outdated`: a later request of the same form
 * arrived first. Nothing was replaced in either case.
 */
export type SavedDraft =
  | { readonly kind: 'saved'; readonly at: Date }
  | { readonly kind: 'finished' | 'outdated' }
  | { readonly kind: 'changed'; readonly draft: Draft };

/** Birth that a Scribe could not save, because its chart number belongs to a different mother. */
export interface HandoffDraft {
  readonly id: string;
  readonly memberId: string;
  /** True for a row of a file, false for a form. */
  readonly isFromFile: boolean;
  readonly handedAt: Date;
  readonly expiresAt: Date;
  readonly values: FormValues;
}
