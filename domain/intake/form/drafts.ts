import type { FormValues } from './form-fields.ts';

/** Whose draft it is: an account, at the practice of its seat. */
export interface DraftOwner {
  readonly accountId: string;
  readonly practiceId: string;
}

/** Which form was begun: a new birth under an id of its own, or the correction of a record. */
export interface DraftName {
  readonly form: 'new' | 'correct';
  /** Of a new birth the id under which it will be saved once, of a correction the submission uuid. */
  readonly draftId: string;
}

/** What was typed, and the version of the record that it began from; null for a new birth. */
export interface DraftContent {
  readonly values: FormValues;
  readonly version: number | null;
  /** The record that it was saved as. */
  readonly savedAs?: string;
}

/** A form that was begun. */
export interface Draft extends DraftContent {
  readonly draftId: string;
  /** It was saved as a record. */
  readonly isFinished: boolean;
  readonly savedAt: Date;
}

/** A birth that a Scribe could not save, because its chart number belongs to another woman. */
export interface Handoff {
  readonly id: string;
  /** Who handed it over. */
  readonly memberId: string;
  /** A row of a file; else a form. */
  readonly isFromFile: boolean;
  readonly handedAt: Date;
  readonly expiresAt: Date;
}

/** The same with what was typed. */
export interface HandoffDraft extends Handoff {
  readonly values: FormValues;
}
