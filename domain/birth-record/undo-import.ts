import { accept, type Decision } from '../decision.ts';
import { findNewMatches, listRecordedFingerprints } from './decide.ts';
import type {
  BirthAmended,
  BirthRecordEvent,
  BirthRecorded,
  BirthRetracted,
  RecordVersion,
} from './events.ts';
import {
  buildRestoreEvents,
  latestVersion,
  type RestoredCourse,
  toRestoredVersion,
} from './restore.ts';
import { evolve, noRecord } from './state.ts';

/** Effect of an import on a record, and what prevents its undo. */
export type ImportTrace =
  /** The import wrote no version of it. */
  | { readonly kind: 'none' }
  /** It was created, and is to be voided. */
  | { readonly kind: 'created' }
  /** It was live, and is to say again what it said. */
  | { readonly kind: 'amended'; readonly before: RecordVersion }
  /** It was voided before, and is to be voided again. */
  | { readonly kind: 'revived'; readonly before: RecordVersion; readonly voided: BirthRetracted }
  /** Someone else has written a version since: nothing is taken back. */
  | { readonly kind: 'changed' }
  /** It is taken back already. @param was what the import did */
  | { readonly kind: 'undone'; readonly was: 'created' | 'amended' | 'revived' };

type VersionEvent = BirthRecorded | BirthAmended | BirthRetracted;

const makesVersion = (event: BirthRecordEvent): event is VersionEvent =>
  event.type === 'BirthRecorded' ||
  event.type === 'BirthAmended' ||
  event.type === 'BirthRetracted';

/**
 * Finds the effect of an import on a record. Only versions count as changes: a user who dismissed a match,
 * or merged two providers, has said nothing about the birth.
 * @param events of one record, oldest first
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

/** Takes back what an import did to one record. */
export interface UndoInRecord extends RestoredCourse {
  readonly importId: string;
}

/** Why a record is voided that an undone import had created. */
export const IMPORT_UNDONE = 'The import was undone';

/**
 * Takes back what an import did to a record: one that it created is voided, one that it amended says again
 * its content and stamp, and one that it revived is voided again. A record that a user has changed since,
 * or that was already undone, is left unchanged.
 */
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
        // It came by the file and goes by it: no person has said that there was no such birth.
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
