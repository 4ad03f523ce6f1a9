import { sql } from 'kysely';
import * as assert from 'uvu/assert';
import { migrate } from '../../adapters/postgres/app-schema/migrate.ts';
import { applyChanges } from '../../adapters/postgres/projector/apply-changes.ts';
import { ensureReadSchema } from '../../adapters/postgres/projector/read-schema.ts';
import { workItemsIn } from '../../adapters/postgres/queries/work-items.ts';
import { DEFAULT_ITEMS } from '../../domain/completeness/certificate-items.ts';
import {
  type CourseOfCare,
  emptyChild,
  emptyCourseOfCare,
  emptyMother,
} from '../../domain/course-of-care/canonical-record.ts';
import { VAGINAL_SPONTANEOUS } from '../../domain/course-of-care/codes.ts';
import type { RecordVersion } from '../../domain/course-of-care/events.ts';
import type { Fact, StoredEvent } from '../../domain/event-log.ts';
import { WORK_KINDS, type WorkKind } from '../../domain/work/items.ts';
import { changesOf } from '../../projections/read-model.ts';
import type { WorkFilter, WorkSeat } from '../../projections/work-items.ts';
import { databaseSuite } from '../harness/database-suite.ts';
import { entryAt } from '../support/stored-entries.ts';

/**
 * The list of things to do with 1,000 of every kind among 20,000 records, made of events by the
 * projections alone.
 */
const work = databaseSuite('things to do among many records');

const PRACTICE = 'cedar';
const OF_EACH = 1_000;
const RECORDS = 20_000;
const NOW = new Date('2026-05-20T12:00:00.000Z');

/** Each kind has a range of records of its own. */
const FIRST = { missing: 0, question: 1_000, revived: 2_000, duplicate: 3_000, usual: 5_000 };

const uuidOf = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

const complete = (n: number): CourseOfCare => ({
  ...emptyCourseOfCare(),
  chart_number: `C-${n}`,
  place_of_birth: 'Hospital',
  plurality: 1,
  delivery_method: VAGINAL_SPONTANEOUS,
  mother: {
    ...emptyMother(),
    family_name: 'Marin',
    given_names: [`Rosa ${n}`],
    birth_date: '1994-08-30',
  },
  children: [
    {
      ...emptyChild(),
      family_name: 'Marin',
      given_names: ['Ada'],
      birth_date: `2026-02-${String((n % 19) + 1).padStart(2, '0')}`,
      birth_time: '2026-02-12T14:05',
      birth_order: 1,
      sex: 'female',
      birth_weight_grams: 3_400,
      gestational_age_weeks: 39,
      apgar_five_minute: 9,
    },
  ],
});

const courseOf = (n: number): CourseOfCare => {
  const course = complete(n);
  const [child] = course.children;
  if (child === undefined) throw new Error('A birth without a child');
  if (n < FIRST.question) return { ...course, children: [{ ...child, sex: null }] };
  if (n < FIRST.revived) return { ...course, children: [{ ...child, birth_weight_grams: 9_000 }] };
  return course;
};

const versionOf = (n: number, version = 1): RecordVersion => ({
  submissionUuid: uuidOf(n),
  practiceId: PRACTICE,
  version,
  source: 'fhir_push',
  keyKind: 'native',
  course: courseOf(n),
  providers: [],
  stamp: null,
  // The second thousand of look-alikes look like the first.
  fingerprints: [`2:birth-${n >= 4_000 && n < FIRST.usual ? n - 1_000 : n}`],
  mark: null,
});

let position = 0n;

const stored = (stream: string, revision: bigint, event: Fact): StoredEvent => {
  position += 1n;
  const entry = entryAt(position, stream, revision, event);
  if (entry.kind !== 'event') throw new Error('An event that cannot be read');
  return entry.stored;
};

function* eventsOf(n: number): Generator<StoredEvent> {
  const stream = `record-${n}`;
  yield stored(stream, 0n, { type: 'BirthRecorded', data: versionOf(n) });
  const about = { submissionUuid: uuidOf(n), practiceId: PRACTICE, mark: null };
  if (n >= FIRST.revived && n < FIRST.duplicate) {
    const data = { ...about, version: 2, source: 'manual', reason: 'Entered twice' };
    yield stored(stream, 1n, { type: 'BirthRetracted', data });
    yield stored(stream, 2n, { type: 'BirthAmended', data: versionOf(n, 3) });
  }
  if (n >= 4_000 && n < FIRST.usual)
    yield stored(stream, 1n, {
      type: 'DuplicateFlagged',
      data: { ...about, duplicateOf: uuidOf(n - 1_000) },
    });
}

const refusal = (n: number): StoredEvent =>
  stored(`ingestion-${n}`, 0n, {
    type: 'SubmissionIngested',
    data: {
      ingestionId: `push-${n}`,
      practiceId: PRACTICE,
      keyId: 'key-0',
      keyKind: 'native',
      attempt: uuidOf(n),
      courses: 1,
      correlationId: 'test',
      receivedAt: NOW.toISOString(),
      accepted: [],
      rejected: [
        { reference: `R-${n}`, rejections: [{ code: 'structure', diagnostics: 'No mother' }] },
      ],
      rejectedAt: [0],
      completedAt: NOW.toISOString(),
    },
  });

const importOf = (n: number): StoredEvent =>
  stored(`ingestion-import-${n}`, 0n, {
    type: 'SubmissionIngested',
    data: {
      ingestionId: `import-${n}`,
      practiceId: PRACTICE,
      keyId: null,
      keyKind: null,
      imported: { memberId: 'ana', fileHash: `file-${n}`, emptyRows: [] },
      attempt: uuidOf(n),
      courses: 1,
      correlationId: 'test',
      receivedAt: NOW.toISOString(),
      accepted: [],
      rejected: [
        { reference: 'record[0]', rejections: [{ code: 'structure', diagnostics: 'No mother' }] },
      ],
      rejectedAt: [0],
      completedAt: NOW.toISOString(),
    },
  });

function* keyOf(n: number): Generator<StoredEvent> {
  const keyId = `key-${n}`;
  yield stored(`key-${keyId}`, 0n, {
    type: 'ApiKeyMinted',
    data: {
      keyId,
      practiceId: PRACTICE,
      kind: 'native',
      partnerId: null,
      name: `EHR ${n}`,
      scopes: ['ingest:write'],
      tokenHash: 'hash',
    },
  });
  yield stored(`key-${keyId}`, 1n, {
    type: 'ApiKeyEndSet',
    data: { keyId, endsAt: '2026-05-30T10:00:00.000Z' },
  });
}

const seat: WorkSeat = {
  practiceId: PRACTICE,
  memberId: 'ana',
  today: '2026-05-20',
  now: NOW,
  neededItems: DEFAULT_ITEMS,
  // Births until 18 February are late.
  daysUntilDue: 90,
  isAdmin: true,
};
/** Measured beside other work, on two cores with a load of 14: up to 90 ms. */
const MOST_MS = 250;
const EVERYTHING: WorkFilter = { kind: null, isMine: false, isLate: false, isDismissed: false };

const changed = (...events: readonly StoredEvent[]) => events.flatMap(changesOf);

work.before(async ({ db }) => {
  await migrate(db as never);
  await ensureReadSchema(db, 'registry');
  const BATCH = 500;
  for (let n = 0; n < RECORDS; n += BATCH) {
    const events = Array.from({ length: BATCH }, (_, index) => [...eventsOf(n + index)]).flat();
    await applyChanges(db, 'read', changed(...events));
  }
  for (let n = 0; n < OF_EACH; n += BATCH) {
    const events = Array.from({ length: BATCH }, (_, index) => [
      refusal(n + index),
      importOf(n + index),
      ...keyOf(n + index),
    ]).flat();
    await applyChanges(db, 'read', changed(...events));
  }
  await applyChanges(
    db,
    'read',
    changed(
      stored('member-ana', 0n, {
        type: 'MemberAdded',
        data: { memberId: 'ana', practiceId: PRACTICE, email: 'ana@cedar.example', role: 'Admin' },
      }),
    ),
  );
  await sql`
    insert into app.handed_over (id, practice_id, member_id, from_file, sealed, handed_at, expires_at)
    select 'birth-' || n, ${PRACTICE}, 'sam', false, '', ${NOW}, ${NOW}::timestamptz + interval '1 day'
    from generate_series(1, ${OF_EACH}) n`.execute(db);
  await sql`analyze`.execute(db);
});

/** The fastest of some runs, in milliseconds: the others waited for other tests. */
const fastestOf = async (run: () => Promise<unknown>): Promise<number> => {
  const times: number[] = [];
  for (let n = 0; n < 20; n += 1) {
    const from = performance.now();
    await run();
    times.push(performance.now() - from);
  }
  return Math.min(...times);
};

work('every kind is found, and counted', async ({ db }) => {
  const { counts, found, items } = await workItemsIn(db).find(seat, EVERYTHING, {
    skip: 0,
    most: 25,
  });
  // The review comes up once a practice, and not yet.
  const expected = new Map<WorkKind, number>(
    WORK_KINDS.filter((kind) => kind !== 'access-review').map((kind) => [kind, OF_EACH]),
  );
  assert.equal(new Map([...counts.byKind].sort()), new Map([...expected].sort()));
  assert.equal([counts.total, found, items.length], [8_000, 8_000, 25]);
  // Of every kind that is about a birth, 18 of 19 days are late.
  assert.is(counts.late, 1_895);
  assert.is(counts.mine, 0);
});

work('a page of them is found at once, beside other tests too', async ({ db }) => {
  const { find, details, countForMenu } = workItemsIn(db);
  const page = async (filter: Partial<WorkFilter>, skip = 0) => {
    const { items } = await find(seat, { ...EVERYTHING, ...filter }, { skip, most: 25 });
    await details(PRACTICE, items);
  };
  const figures = {
    everything: await fastestOf(() => page({})),
    lastPage: await fastestOf(() => page({}, 7_975)),
    duplicates: await fastestOf(() => page({ kind: 'duplicate' })),
    late: await fastestOf(() => page({ isLate: true })),
    menu: await fastestOf(() => countForMenu(seat)),
  };
  // Without the bits of missing items it takes 250 ms more.
  for (const [name, ms] of Object.entries(figures)) assert.ok(ms < MOST_MS, `${name}: ${ms} ms`);
  if (process.env['FIGURES'] !== undefined) console.log(figures);
});

work.run();
