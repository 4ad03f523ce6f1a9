import { accept, type Decision, type Refusal, refuse } from '../decision.ts';
import { type TypedLine, typedLine } from '../typed-line.ts';
import { NO_RECORD } from '../unknown-ids.ts';
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
const TOO_SHORT = refuse('Say why the record is voided, in a few words at least.');

/**
 * Voids a live record by hand. Voiding a voided one changes nothing. Unlike a retraction that a
 * system sends it is never stale: the person has the record before their eyes.
 */
export const voidRecord = (command: VoidRecord, state: BirthRecord): Decision<BirthRetracted> => {
  if (state.status === 'none') return NO_RECORD;
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
      return refuse(`The reason has more than ${LONGEST_REASON} characters. Shorten it.`);
    case 'unusable':
      return refuse('The reason has characters that cannot be kept. Type it again.');
    case 'line':
      return reason.line.length < SHORTEST_REASON ? TOO_SHORT : reason;
  }
};
