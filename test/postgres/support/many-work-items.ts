import { sql } from 'kysely';
import type { Db } from '../../../adapters/postgres/connection/database.ts';
import { migrate } from '../../../adapters/postgres/migrations/migrate.ts';
import { applyChanges } from '../../../adapters/postgres/projector/apply-changes.ts';
import { ensureReadSchema } from '../../../adapters/postgres/projector/read-schema.ts';
import type { RecordVersion } from '../../../domain/birth-record/events.ts';
import { DEFAULT_ITEMS } from '../../../domain/course/certificate-items.ts';
import { VAGINAL_SPONTANEOUS } from '../../../domain/course/codes.ts';
import {
  type CourseOfCare,
  emptyChild,
  emptyCourseOfCare,
  emptyMother,
} from '../../../domain/course/course.ts';
import type { Fact, StoredEvent } from '../../../domain/event-log.ts';
import type { WorkFilter, WorkSeat } from '../../../projections/lists/work-items.ts';
import { collectChanges } from '../../../projections/read-model.ts';
import { entryAt } from '../../support/in-memory.ts';

export const PRACTICE = 'cedar';
export const OF_EACH = 1_000;
const RECORDS = 20_000;
const NOW = new Date('2026-05-20T12:00:00.000Z');

/** Each kind has a range of records of its own. */
const FIRST = { missing: 0, question: 1_000, revived: 2_000, duplicate: 3_000, usual: 5_000 };

const uuidOf = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

const bornOn = (n: number): string => `2026-02-${String((n % 19) + 1).padStart(2, '0')}`;

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
      birth_date: bornOn(n),
      birth_time: `${bornOn(n)}T14:05`,
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
        {
          reference: `R-${n}`,
          rejections: [{ id: 'no-mother', code: 'structure', diagnostics: 'No mother' }],
        },
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
        {
          reference: 'record[0]',
          rejections: [{ id: 'no-mother', code: 'structure', diagnostics: 'No mother' }],
        },
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

/** Who looks at the list. */
export const SEAT: WorkSeat = {
  practiceId: PRACTICE,
  memberId: 'ana',
  today: '2026-05-20',
  now: NOW,
  neededItems: DEFAULT_ITEMS,
  // Births until 18 February are late.
  daysUntilDue: 90,
  isAdmin: true,
};
export const EVERYTHING: WorkFilter = {
  kind: null,
  isMine: false,
  isLate: false,
  isDismissed: false,
};

const changed = (...events: readonly StoredEvent[]) => events.flatMap(collectChanges);

/** Pages of the list: what is looked for, and how many come before. */
export const PAGES: readonly (readonly [Partial<WorkFilter>, number])[] = [
  [{}, 0],
  [{}, 7_975],
  [{ kind: 'duplicate' }, 0],
  [{ isLate: true }, 0],
];

/** Makes 1,000 of every kind among 20,000 records, of events by the projections alone. */
export const fillWorkItems = async (db: Db): Promise<void> => {
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
};
