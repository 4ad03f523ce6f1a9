import { accept, type Decision, refuse } from '../decision.ts';
import { typedReason } from '../typed-reason.ts';
import type { BirthRetracted } from './events.ts';
import type { BirthRecord } from './state.ts';

/** A person's wish to void a record. */
export interface VoidRecord {
  /** Why, for readers of the history: `MIN_REASON_LENGTH` to `MAX_REASON_LENGTH` characters. */
  readonly reason: string;
  /** The record that it is merged into. */
  readonly mergedInto?: string;
}

/**
 * Voids a live record by hand. Voiding a voided one changes nothing. Unlike a retraction that a
 * system sends it is never stale: the person has the record before their eyes.
 */
export const voidRecord = (command: VoidRecord, state: BirthRecord): Decision<BirthRetracted> => {
  if (state.status === 'none') return refuse({ code: 'no-record' });
  const reason = typedReason(command.reason);
  if (reason.kind === 'refused') return reason;
  if (state.status === 'voided') return accept();
  const { submissionUuid, practiceId } = state;
  const { mergedInto } = command;
  return accept({
    type: 'BirthRetracted',
    data: {
      submissionUuid,
      practiceId,
      version: state.version + 1,
      source: 'manual',
      reason: reason.line,
      ...(mergedInto === undefined ? {} : { mergedInto }),
      mark: null,
    },
  });
};
