import { accept, type Decision, type Refusal, refuse } from '../decision.ts';
import { type TypedLine, typedLine } from '../typed-line.ts';
import type { BirthRetracted } from './events.ts';
import type { BirthRecord } from './state.ts';

/** A person's wish to void a record. */
export interface VoidRecord {
  /** Why, for readers of the history: `SHORTEST_REASON` to `LONGEST_REASON` characters. */
  readonly reason: string;
}

/** The shortest reason for voiding that says anything, in characters. */
export const SHORTEST_REASON = 3;
/** The longest reason for voiding, in characters. */
export const LONGEST_REASON = 500;
const TOO_SHORT = refuse({ code: 'void-reason-too-short' });

/**
 * Voids a live record by hand. Voiding a voided one changes nothing. Unlike a retraction that a
 * system sends it is never stale: the person has the record before their eyes.
 */
export const voidRecord = (command: VoidRecord, state: BirthRecord): Decision<BirthRetracted> => {
  if (state.status === 'none') return refuse({ code: 'no-record' });
  const reason = reasonIn(command.reason);
  if (reason.kind === 'refused') return reason;
  if (state.status === 'voided') return accept();
  const { submissionUuid, practiceId } = state;
  return accept({
    type: 'BirthRetracted',
    data: {
      submissionUuid,
      practiceId,
      version: state.version + 1,
      source: 'manual',
      reason: reason.line,
      mark: null,
    },
  });
};

const reasonIn = (text: string): Extract<TypedLine, { kind: 'line' }> | Refusal => {
  const reason = typedLine(text, LONGEST_REASON);
  switch (reason.kind) {
    case 'blank':
      return TOO_SHORT;
    case 'too long':
      return refuse({ code: 'void-reason-too-long', most: LONGEST_REASON });
    case 'unusable':
      return refuse({ code: 'void-reason-not-kept' });
    case 'line':
      return reason.line.length < SHORTEST_REASON ? TOO_SHORT : reason;
  }
};
