import type { EnteredValues } from './form-fields.ts';

/** A birth that a Scribe could not save, because its chart number belongs to another woman. */
export interface HandedOver {
  readonly id: string;
  /** Who handed it over. */
  readonly memberId: string;
  /** A row of a file; else a form. */
  readonly isFromFile: boolean;
  readonly handedAt: Date;
  readonly expiresAt: Date;
}

/** The same with what was typed. */
export interface HandedOverBirth extends HandedOver {
  readonly values: EnteredValues;
}
