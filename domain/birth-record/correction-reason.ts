import { type Refusal, refuse } from '../decision.ts';
import { parseReason } from '../text-input.ts';

/** Correction reasons that the form offers. They are stored as text. */
export const CORRECTION_REASONS = [
  'Typing error',
  'Information came later',
  'Wrong record',
  'Mother’s request',
] as const;

/** Choice for any other reason, which requires a text. */
export const OTHER_REASON = 'Other';

/** Chosen reason, with the text that was entered. */
export interface ChosenReason {
  readonly choice: string;
  readonly text: string;
}

/** Parsed reason, or the problem with it. */
export type CorrectionReason =
  | { readonly kind: 'reason'; readonly reason: string }
  /** @param about field to fix */
  | { readonly kind: 'refused'; readonly why: Refusal; readonly about: 'choice' | 'text' };

/** Parses a correction reason: an offered one with optional text, or only text. */
export const parseCorrectionReason = ({ choice, text }: ChosenReason): CorrectionReason => {
  const isOffered = CORRECTION_REASONS.some((one) => one === choice);
  if (!isOffered && choice !== OTHER_REASON)
    return { kind: 'refused', why: NOT_CHOSEN, about: 'choice' };
  if (isOffered && text.trim() === '') return { kind: 'reason', reason: choice };
  const typed = parseReason(text);
  if (typed.kind === 'refused') return { kind: 'refused', why: typed, about: 'text' };
  return { kind: 'reason', reason: isOffered ? `${choice}: ${typed.line}` : typed.line };
};

const NOT_CHOSEN = refuse({ code: 'correction-without-reason' });
