import { type Refusal, refuse } from '../decision.ts';
import { parseReason } from '../text-input.ts';

/** Why people correct records, as the form offers it; what is kept is the text. */
export const CORRECTION_REASONS = [
  'Typing error',
  'Information came later',
  'Wrong record',
  'Mother’s request',
] as const;

/** The answer for everything else: it asks for a text. */
export const OTHER_REASON = 'Other';

/** Chosen reason, with the text typed beside it. */
export interface ChosenReason {
  readonly choice: string;
  readonly text: string;
}

/** A reason to keep, or what is wrong with the one that was given. */
export type CorrectionReason =
  | { readonly kind: 'reason'; readonly reason: string }
  /** @param about what of the two has to be mended */
  | { readonly kind: 'refused'; readonly why: Refusal; readonly about: 'choice' | 'text' };

/** Reads why a record is corrected: one of the offered reasons, with more to say or not, or a text. */
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
