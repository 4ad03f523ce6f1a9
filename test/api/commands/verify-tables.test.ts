import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { NO_REPORTER } from '../../../api/commands/reporter.ts';
import { evolveDigest } from '../../../api/operator/record-digest.ts';
import { createStreamHeads, type StreamStore } from '../../../api/operator/stream-heads.ts';
import {
  type ReadTablesToVerify,
  type RecordInTables,
  verifyTables,
} from '../../../api/operator/verify-tables.ts';
import { amended, courseOfInes, INES, recorded, retracted } from '../../support/birth-records.ts';

/** One stream fits into the memory. */
const NO_STORE: StreamStore = {
  put: () => Promise.reject(new Error('Not needed.')),
  get: () => Promise.reject(new Error('Not needed.')),
  async *pages() {
    yield [];
  },
};

const tables = suite('verifying the read tables');

/** Her record after its first event. */
const row: RecordInTables = {
  submissionUuid: INES,
  practiceId: 'practice',
  stream: 'record-ines',
  revision: 0n,
  status: 'live',
  version: 1,
  stamp: '2026-05-13T09:00:00.000000000Z',
  source: 'fhir_push',
  keyKind: 'native',
  providers: [],
  duplicateOf: null,
  dismissedMatches: [],
  attendant: courseOfInes.attendant,
  certifier: courseOfInes.certifier,
  // As Postgres gives it back: the fields in another order.
  course: Object.fromEntries(Object.entries(courseOfInes).reverse()),
  fingerprints: ['ines-12-may'],
};

const digest = evolveDigest(null, recorded);
const inLog = { revision: 0n, record: digest, isUnreadable: false };

const verified = async (
  held: readonly RecordInTables[],
  {
    standing = 'reached',
    parked = [],
    seen = inLog,
    isAhead = false,
    lastRevision = 0n,
  }: {
    readonly standing?: 'reached' | 'behind' | 'other';
    readonly parked?: readonly string[];
    readonly seen?: typeof inLog;
    readonly isAhead?: boolean;
    readonly lastRevision?: bigint;
  } = {},
) => {
  const problems: string[] = [];
  const lines: string[] = [];
  const ports: ReadTablesToVerify = {
    areAheadOfLog: async () => isAhead,
    standing: async () => standing,
    parkedStreams: async () => parked,
    async *records() {
      yield held;
    },
    holding: async (streams) =>
      held.map(({ stream }) => stream).filter((stream) => streams.includes(stream)),
  };
  const streams = createStreamHeads(NO_STORE);
  Object.assign(await streams.at('record-ines', 0n), seen);
  const wereCompared = await verifyTables(
    ports,
    { streams, head: 5n, lastRevision: async () => lastRevision },
    (_, problem) => problems.push(problem),
    { ...NO_REPORTER, report: (line) => lines.push(line) },
  );
  return { problems, lines, wereCompared };
};

tables('a row that says what the events say is no problem', async () => {
  assert.equal(await verified([row]), { problems: [], lines: [], wereCompared: true });
});

tables('each part of a row that differs is named, and no value', async () => {
  const { problems } = await verified([
    { ...row, status: 'voided', duplicateOf: INES, course: { ...courseOfInes, chart_number: 'X' } },
  ]);
  assert.equal(problems, [
    'The status in the read tables is not what the events say. Run `rebuild`.',
    'The duplicate flag in the read tables is not what the events say. Run `rebuild`.',
    'The course of care in the read tables is not what the events say. Run `rebuild`.',
  ]);
});

tables('a voided record keeps the fingerprints of its last version', async () => {
  const seen = { ...inLog, record: evolveDigest(digest, retracted(2)) };
  const voided: RecordInTables = { ...row, status: 'voided', version: 2 };
  assert.equal((await verified([voided], { seen })).problems, []);
  assert.equal((await verified([{ ...voided, fingerprints: [] }], { seen })).problems, [
    'The list of fingerprints in the read tables is not what the events say. Run `rebuild`.',
  ]);
});

tables('a row with later events than were read is left to the next time', async () => {
  const later = { ...row, revision: 1n, version: 2 };
  assert.equal((await verified([later], { lastRevision: 1n })).problems, []);
});

tables('a row with later events than its stream holds tells that they are missing', async () => {
  const later = { ...row, revision: 2n, version: 3 };
  assert.equal((await verified([later], { lastRevision: 1n })).problems, [
    'Events are missing: the read tables hold revision 2 of the stream, which ends with 1. Restore the log from a backup.',
  ]);
});

tables('tables ahead of the log are a problem, and compared all the same', async () => {
  const found = await verified([{ ...row, status: 'voided' }], { isAhead: true });
  assert.equal(found.problems, [
    'Events are missing: the read tables are ahead of the log. Restore the log from a backup, or run `rebuild` if this log is the right one.',
    'The status in the read tables is not what the events say. Run `rebuild`.',
  ]);
  assert.is(found.wereCompared, true);
});

tables('a record without a row, and a row without a record', async () => {
  assert.equal((await verified([])).problems, [
    'The read tables do not hold the record. Run `rebuild`.',
  ]);
  const other = { ...row, stream: 'record-other' };
  assert.equal((await verified([row, other], { lastRevision: -1n })).problems, [
    'The read tables hold a record that the log does not hold. Run `rebuild`.',
  ]);
  assert.equal((await verified([row, other], { lastRevision: 0n })).problems, [], 'a newer one');
});

tables('of a parked stream only that is said', async () => {
  const seen = { ...inLog, record: evolveDigest(digest, amended({ stamp: null })) };
  assert.equal((await verified([row], { seen, parked: ['record-ines'] })).problems, [
    'The stream is parked: its later events are not in the read tables. Fix the cause, then run `unpark`.',
  ]);
});

tables(
  'tables that are behind, or of another version, are not compared, and that is said',
  async () => {
    for (const standing of ['behind', 'other'] as const) {
      const { problems, lines, wereCompared } = await verified([], { standing });
      assert.is(wereCompared, false);
      assert.equal(problems, []);
      assert.is(lines.length, 1);
    }
  },
);

tables.run();
