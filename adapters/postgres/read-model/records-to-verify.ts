import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { CamelKeys } from '../../../projections/projection.ts';
import { decodeCourse } from '../../../projections/tables/course-codec.ts';
import { withCamelCase } from '../connection/camel-case.ts';
import type { Db } from '../connection/database.ts';
import { loadCheckpoint } from '../projector/read-schema.ts';
import { DISMISSED_MATCHES, isOnStream, LOADED_COLUMNS, type LoadedRow } from './load-records.ts';

const PAGE = 200;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

type Row = CamelKeys<LoadedRow>;

/** All records of the read tables, with one page in memory at a time. */
export async function* streamRecordRows(db: Db) {
  let after = BEFORE_ALL;
  for (;;) {
    const { rows } = await sql<Row>`
      select ${sql.join(LOADED_COLUMNS.map((column) => sql.ref(column)))}, ${DISMISSED_MATCHES}
      from read.birth_record where submission_uuid > ${after}
      order by submission_uuid limit ${PAGE}`.execute(withCamelCase(db));
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows.map(({ chartNumber, ...row }) => ({
      ...row,
      course: decodeCourse({ ...row, chart_number: chartNumber }),
      revision: BigInt(row.revision),
    }));
    after = last.submissionUuid;
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
