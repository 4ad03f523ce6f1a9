import { type Refusal, refuse } from '../decision.ts';
import { parseReason } from '../text-input.ts';

/** Stored as text. */
export const CORRECTION_REASONS = [
  'Typing error',
  'Information came later',
  'Wrong record',
  'Mother’s request',
] as const;

export const OTHER_REASON = 'Other';

export interface ChosenReason {
  readonly choice: string;
  readonly text: string;
}

export type CorrectionReason =
  | { readonly kind: 'reason'; readonly reason: string }
  | { readonly kind: 'refused'; readonly why: Refusal; readonly about: 'choice' | 'text' };

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
