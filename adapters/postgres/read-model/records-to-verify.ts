import { setTimeout as sleep } from 'node:timers/promises';
import { decodeCourse } from '../../../projections/tables/course-codec.ts';
import type { Db } from '../connection/database.ts';
import { loadCheckpoint } from '../projector/read-schema.ts';
import { DISMISSED_MATCHES, isOnStream, LOADED_COLUMNS } from './load-records.ts';

export interface RecordRow {
  readonly submissionUuid: string;
  readonly practiceId: string;
  readonly stream: string;
  readonly revision: bigint;
  readonly status: 'live' | 'voided';
  readonly version: number;
  readonly stamp: string | null;
  readonly source: string;
  readonly keyKind: string | null;
  readonly course: unknown;
  readonly providers: unknown;
  readonly fingerprints: unknown;
  readonly duplicateOf: string | null;
  readonly dismissedMatches: readonly string[];
  readonly attendant: string | null;
  readonly certifier: string | null;
}

const PAGE = 200;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/** All records of the read tables, with one page in memory at a time. */
export async function* streamRecordRows(db: Db): AsyncIterable<readonly RecordRow[]> {
  let after = BEFORE_ALL;
  for (;;) {
    const rows = await db
      .selectFrom('read.birth_record')
      .select([...LOADED_COLUMNS, DISMISSED_MATCHES])
      .where('submission_uuid', '>', after)
      .orderBy('submission_uuid')
      .limit(PAGE)
      .execute();
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows.map((row) => {
      const { stream, status, version, stamp, source, providers, fingerprints } = row;
      const { attendant, certifier } = row;
      return {
        stream,
        status,
        version,
        stamp,
        source,
        providers,
        fingerprints,
        attendant,
        certifier,
        course: decodeCourse(row),
        submissionUuid: row.submission_uuid,
        practiceId: row.practice_id,
        revision: BigInt(row.revision),
        keyKind: row.key_kind,
        duplicateOf: row.duplicate_of,
        dismissedMatches: row.dismissed_matches,
      };
    });
    after = last.submission_uuid;
  }
}

export const createFindExistingStreams =
  (db: Db) =>
  async (streams: readonly string[]): Promise<readonly string[]> => {
    if (streams.length === 0) return [];
    const rows = await db
      .selectFrom('read.birth_record')
      .select('stream')
      .where(isOnStream(streams))
      .execute();
    return rows.map(({ stream }) => stream);
  };

const POLL_MS = 50;

/** `other` if the tables are missing or another version built them. */
export const waitForProjection = async (
  db: Db,
  position: bigint,
  withinMs: number,
): Promise<'reached' | 'behind' | 'other'> => {
  const started = performance.now();
  for (;;) {
    const checkpoint = await loadCheckpoint(db);
    if (checkpoint?.tables !== 'same') return 'other';
    if (checkpoint.position >= position) return 'reached';
    if (performance.now() - started > withinMs) return 'behind';
    await sleep(POLL_MS);
  }
};
