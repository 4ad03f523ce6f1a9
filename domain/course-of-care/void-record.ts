import { accept, type CommandDecision, refuse } from '../command-decision.ts';
import { NO_RECORD } from '../unknown-ids.ts';
import type { BirthRetracted } from './events.ts';
import type { BirthRecord } from './state.ts';

/** A person's wish to void a record. */
export interface VoidRecord {
  /** Why, for whoever reads the history: 3 to 500 characters. */
  readonly reason: string;
}

const SHORTEST_REASON = 3;
const LONGEST_REASON = 500;
/** With white space to drop; judged before the accents are composed, which takes long in long texts. */
const LONGEST_READ = 5_000;
const TOO_LONG = refuse(`The reason has more than ${LONGEST_REASON} characters. Shorten it.`);
const UNUSABLE = /[\p{Cc}\p{Cs}]/u;

/**
 * Voids a live record by hand. Voiding a voided one changes nothing. Unlike a retraction that a
 * system sends it is never stale: the person has the record before their eyes.
 */
export const voidRecord = (
  command: VoidRecord,
  state: BirthRecord,
): CommandDecision<BirthRetracted> => {
  if (state.status === 'none') return NO_RECORD;
  if (command.reason.length > LONGEST_READ) return TOO_LONG;
  const reason = command.reason.normalize('NFC').trim().replace(/\s+/gu, ' ');
  if (reason.length < SHORTEST_REASON)
    return refuse('Say why the record is voided, in a few words at least.');
  if (reason.length > LONGEST_REASON) return TOO_LONG;
  if (UNUSABLE.test(reason))
    return refuse('The reason has characters that cannot be kept. Type it again.');
  if (state.status === 'voided') return accept();
  const { submissionUuid, practiceId } = state;
  return accept({
    type: 'BirthRetracted',
    data: {
      ...{ submissionUuid, practiceId, version: state.version + 1 },
      ...{ source: 'manual', reason, mark: null },
    },
  });
};
