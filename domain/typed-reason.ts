import { type Refusal, refuse } from './decision.ts';
import { type TypedLine, typedLine } from './typed-line.ts';

/** The shortest reason that says anything, in characters. */
export const SHORTEST_REASON = 3;
/** The longest reason, in characters. */
export const LONGEST_REASON = 500;
const TOO_SHORT = refuse({ code: 'reason-too-short' });

/** Reads why a person does something that others will want to understand. */
export const typedReason = (text: string): Extract<TypedLine, { kind: 'line' }> | Refusal => {
  const reason = typedLine(text, LONGEST_REASON);
  switch (reason.kind) {
    case 'blank':
      return TOO_SHORT;
    case 'too long':
      return refuse({ code: 'reason-too-long', most: LONGEST_REASON });
    case 'unusable':
      return refuse({ code: 'reason-not-kept' });
    case 'line':
      return reason.line.length < SHORTEST_REASON ? TOO_SHORT : reason;
  }
};
