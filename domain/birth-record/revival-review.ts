import { accept, type Decision, refuse } from '../decision.ts';
import type { BirthRecordEvent } from './events.ts';
import { type BirthRecord, evolve, noRecord } from './state.ts';

/** A user voided the record, but a pushed Bundle revived it, so a user has to decide. */
export interface PendingRevival {
  readonly version: number;
  readonly voided: number;
  readonly revived: number;
}

/**
 * A sender may resend a record that it retracted itself, and a user who enters or imports the birth has
 * already been asked.
 */
export const findPendingRevival = (events: readonly BirthRecordEvent[]): PendingRevival | null => {
  let voided: number | null = null;
  let found: PendingRevival | null = null;
  let isLive = false;
  for (const [at, event] of events.entries())
    switch (event.type) {
      case 'BirthRetracted':
        voided = event.data.source === 'manual' ? at : null;
        found = null;
        isLive = false;
        break;
      case 'BirthAmended':
        isLive = true;
        if (voided === null) break;
        if (event.data.source === 'fhir_push')
          found = { version: event.data.version, voided, revived: at };
        voided = null;
        break;
      case 'RevivalKept':
        if (found?.version === event.data.version) found = null;
        break;
      case 'BirthRecorded':
        isLive = true;
        break;
      case 'DuplicateFlagged':
      case 'DuplicateDismissed':
      case 'DuplicateFlagRestored':
      case 'QuestionsConfirmed':
      case 'QuestionsUnverified':
      case 'ItemUnobtainable':
      case 'ItemAwaited':
      case 'ItemReasonTakenBack':
      case 'AttributionRepointed':
        break;
    }
  return isLive ? found : null;
};

export interface KeepRevival {
  readonly version: number;
}

export const keepRevival = (
  { version }: KeepRevival,
  events: readonly BirthRecordEvent[],
  state: BirthRecord = events.reduce(evolve, noRecord),
): Decision<BirthRecordEvent<'RevivalKept'>> => {
  if (state.status === 'none') return refuse({ code: 'no-record' });
  if (state.status === 'voided') return VOIDED;
  const isDecided = events.some(
    (event) => event.type === 'RevivalKept' && event.data.version === version,
  );
  if (isDecided) return accept();
  if (findPendingRevival(events)?.version !== version) return NOTHING_TO_DECIDE;
  const { submissionUuid, practiceId } = state;
  return accept({ type: 'RevivalKept', data: { submissionUuid, practiceId, version, mark: null } });
};

const VOIDED = refuse({ code: 'voided-since' });
const NOTHING_TO_DECIDE = refuse({ code: 'decided-already' });
