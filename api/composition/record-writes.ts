import { randomUUID } from 'node:crypto';
import { idOf } from '../../adapters/crypto/deterministic-ids.ts';
import {
  findRecordStreamIn,
  loadFingerprintHoldersFrom,
} from '../../adapters/postgres/turns/held-records.ts';
import { type RecordChanges, recordChangesWith } from '../write-path/change-record.ts';
import { type HoldTurn, holdTurnWith } from '../write-path/hold-turn.ts';
import { findPracticeOffsetsWith } from '../write-path/practice-offsets.ts';
import { type SaveCourse, saveCourseWith } from '../write-path/save-course.ts';
import type { SharedParts } from './parts.ts';

/** What people write into records. */
export interface RecordWrites extends RecordChanges {
  readonly saveCourse: SaveCourse;
}

type WriteParts = Pick<SharedParts, 'stores' | 'leases' | 'progress' | 'now'>;

/** Wires what people write to the stores. */
export const recordWritesOf = (parts: WriteParts): RecordWrites => {
  const { db, log, identity } = parts.stores;
  const { readStream } = log;
  const holdTurn = turnOfPeople(parts);
  const findRecordStream = findRecordStreamIn(db);
  return {
    saveCourse: saveCourseWith({
      holdTurn,
      readStream,
      findRecordStream,
      idOf,
      loadFingerprintHolders: loadFingerprintHoldersFrom(db),
      recordHash: identity.recordHash,
      submissionHash: identity.submissionHash,
      fingerprint: identity.fingerprint,
      findPracticeOffsets: findPracticeOffsetsWith(readStream),
      now: parts.now,
    }),
    ...recordChangesWith({ holdTurn, readStream, findRecordStream, newEventId: randomUUID }),
  };
};

interface TurnParts extends Pick<SharedParts, 'stores' | 'leases'> {
  readonly progress: Pick<SharedParts['progress'], 'reach'>;
}

/** The turn of a practice for what people do, ahead of the worker. */
export const turnOfPeople = ({ stores, leases, progress }: TurnParts): HoldTurn =>
  holdTurnWith({
    append: stores.log.append,
    head: stores.log.head,
    takeLease: leases.take,
    renewLease: leases.renew,
    releaseLease: leases.release,
    requestLease: leases.request,
    withdrawRequest: leases.withdraw,
    reachProjection: progress.reach,
    newId: randomUUID,
  });
