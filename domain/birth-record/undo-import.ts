import { accept, type Decision } from '../decision.ts';
import { findNewMatches, listRecordedFingerprints } from './decide.ts';
import type { BirthRecordEvent, RecordVersion } from './events.ts';
import {
  buildRestoreEvents,
  latestVersion,
  type RestoredCourse,
  toRestoredVersion,
} from './restore.ts';
import { evolve, noRecord } from './state.ts';

export type ImportTrace =
  | { readonly kind: 'none' }
  /** Created by the import: the undo voids it. */
  | { readonly kind: 'created' }
  /** Amended by the import: the undo restores `before`. */
  | { readonly kind: 'amended'; readonly before: RecordVersion }
  /** Revived by the import: the undo voids it again. */
  | {
      readonly kind: 'revived';
      readonly before: RecordVersion;
      readonly voided: BirthRecordEvent<'BirthRetracted'>;
    }
  /** Another version was written since: it cannot be undone. */
  | { readonly kind: 'changed' }
  | { readonly kind: 'undone'; readonly was: 'created' | 'amended' | 'revived' };

type VersionEvent = BirthRecordEvent<'BirthRecorded' | 'BirthAmended' | 'BirthRetracted'>;

const makesVersion = (event: BirthRecordEvent): event is VersionEvent =>
  event.type === 'BirthRecorded' ||
  event.type === 'BirthAmended' ||
  event.type === 'BirthRetracted';

/**
 * Only versions count as later changes: dismissing a match or merging providers does not change the
 * birth.
 */
export const traceImport = (importId: string, events: readonly BirthRecordEvent[]): ImportTrace => {
  const versions = events.filter(makesVersion);
  const isOwn = ({ data }: VersionEvent) => data.mark?.ingestionId === importId;
  const isUndo = ({ data }: VersionEvent) => data.undoneImport === importId;
  const first = versions.findIndex(isOwn);
  if (first === -1) return { kind: 'none' };
  const effect = findEffect(versions.slice(0, first));
  if (versions.some(isUndo)) return { kind: 'undone', was: effect.kind };
  return versions.slice(first).every(isOwn) ? effect : { kind: 'changed' };
};

type Effect = Extract<ImportTrace, { readonly kind: 'created' | 'amended' | 'revived' }>;

const findEffect = (earlier: readonly VersionEvent[]): Effect => {
  const before = latestVersion(earlier);
  const last = earlier.at(-1);
  if (before === null || last === undefined) return { kind: 'created' };
  return last.type === 'BirthRetracted'
    ? { kind: 'revived', before, voided: last }
    : { kind: 'amended', before };
};

export interface UndoInRecord extends RestoredCourse {
  readonly importId: string;
}

export const IMPORT_UNDONE = 'The import was undone';

/** No change if the record has changed since, or was already undone. */
export const undoImportInRecord = (
  command: UndoInRecord,
  events: readonly BirthRecordEvent[],
): Decision<BirthRecordEvent, never> => {
  const { importId, matches } = command;
  const state = events.reduce(evolve, noRecord);
  const trace = traceImport(importId, events);
  if (state.status === 'none') return accept();
  const { submissionUuid, practiceId, version } = state;
  const voiding = { submissionUuid, practiceId, mark: null, undoneImport: importId };
  switch (trace.kind) {
    case 'none':
    case 'changed':
    case 'undone':
      return accept();
    case 'created':
      return accept({
        type: 'BirthRetracted',
        // Source is the file, because no user stated that the birth never happened.
        data: {
          ...voiding,
          version: version + 1,
          source: 'csv',
          reason: IMPORT_UNDONE,
        },
      });
    case 'amended': {
      const data = { ...toRestoredVersion(trace.before, state, command), undoneImport: importId };
      const newMatches = findNewMatches(matches, listRecordedFingerprints(command), state);
      return buildRestoreEvents(data, command, state, newMatches);
    }
    case 'revived': {
      const data = { ...toRestoredVersion(trace.before, state, command), undoneImport: importId };
      const { source, reason } = trace.voided.data;
      const said = reason === undefined ? {} : { reason };
      const { events: back } = buildRestoreEvents(data, command, state, []);
      return accept<BirthRecordEvent>(...back, {
        type: 'BirthRetracted',
        data: { ...voiding, version: version + 2, source, ...said },
      });
    }
  }
};
