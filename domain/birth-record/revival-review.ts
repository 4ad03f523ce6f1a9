import { accept, type Decision, refuse } from '../decision.ts';
import type { BirthRecordEvent, RevivalKept } from './events.ts';
import { evolve, noRecord } from './state.ts';

/** A person voided the record, and a Bundle has made it live again: someone has to decide. */
export interface PendingRevival {
  /** The version that made the record live again. */
  readonly version: number;
  /** Places, from 0, of the void and of the Bundle among the events of the record. */
  readonly voided: number;
  readonly revived: number;
}

/**
 * Finds the void that is overruled and not decided on yet. What a sender retracted, it
 * may send again; and a person who enters the birth by hand or from a file has been asked about the record.
 * @param events of one record, oldest first
 * @see spec "Record lifecycle"
 */
export const findPendingRevival = (events: readonly BirthRecordEvent[]): PendingRevival | null => {
  let voided: number | null = null;
  let found: PendingRevival | null = null;
  for (const [at, event] of events.entries())
    switch (event.type) {
      case 'BirthRetracted':
        voided = event.data.source === 'manual' ? at : null;
        found = null;
        break;
      case 'BirthAmended':
        if (voided === null) break;
        if (event.data.source === 'fhir_push')
          found = { version: event.data.version, voided, revived: at };
        voided = null;
        break;
      case 'RevivalKept':
        if (found?.version === event.data.version) found = null;
        break;
      case 'BirthRecorded':
      case 'DuplicateFlagged':
      case 'DuplicateDismissed':
      case 'DuplicateFlagRestored':
      case 'QuestionsConfirmed':
      case 'AttributionRepointed':
        break;
    }
  return events.reduce(evolve, noRecord).status === 'live' ? found : null;
};

/** A person's word on a record that was sent again after it had been voided. */
export interface KeepRevival {
  /** The version that made the record live again, as the person saw it. */
  readonly version: number;
}

/** Keeps a record live that was sent again. Doing so again changes nothing. */
export const keepRevival = (
  { version }: KeepRevival,
  events: readonly BirthRecordEvent[],
): Decision<RevivalKept> => {
  const state = events.reduce(evolve, noRecord);
  if (state.status === 'none') return refuse({ code: 'no-record' });
  if (state.status === 'voided') return VOIDED;
  const isKept = events.some(
    (event) => event.type === 'RevivalKept' && event.data.version === version,
  );
  if (isKept) return accept();
  if (findPendingRevival(events)?.version !== version) return NOTHING_TO_DECIDE;
  const { submissionUuid, practiceId } = state;
  return accept({ type: 'RevivalKept', data: { submissionUuid, practiceId, version, mark: null } });
};

const VOIDED = refuse({ code: 'voided-since' });
const NOTHING_TO_DECIDE = refuse({ code: 'decided-already' });
