import { type Refusal, refuse } from './decision.ts';
import { type TypedLine, typedLine } from './typed-line.ts';

/** The shortest reason that says anything, in characters. */
export const MIN_REASON_LENGTH = 3;
/** The longest reason, in characters. */
export const MAX_REASON_LENGTH = 500;
const TOO_SHORT = refuse({ code: 'reason-too-short' });

/** Reads why a person does something that others will want to understand. */
export const typedReason = (text: string): Extract<TypedLine, { kind: 'line' }> | Refusal => {
  const reason = typedLine(text, MAX_REASON_LENGTH);
  switch (reason.kind) {
    case 'blank':
      return TOO_SHORT;
    case 'too long':
      return refuse({ code: 'reason-too-long', most: MAX_REASON_LENGTH });
    case 'unusable':
      return refuse({ code: 'reason-not-kept' });
    case 'line':
      return reason.line.length < MIN_REASON_LENGTH ? TOO_SHORT : reason;
  }
};
