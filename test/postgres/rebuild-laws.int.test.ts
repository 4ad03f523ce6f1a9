import fc from 'fast-check';
import { sql } from 'kysely';
import * as assert from 'uvu/assert';
import { EventLogUnavailable } from '../../adapters/eventstore/errors.ts';
import type { FollowLog } from '../../adapters/eventstore/follow-log.ts';
import type { Db } from '../../adapters/postgres/connection/database.ts';
import { applyChanges } from '../../adapters/postgres/projector/apply-changes.ts';
import {
  applyReady,
  positionOf,
  readyEntries,
} from '../../adapters/postgres/projector/apply-entries.ts';
import { ensureReadSchema } from '../../adapters/postgres/projector/read-schema.ts';
import { rebuildReadTables } from '../../adapters/postgres/rebuild/rebuild.ts';
import { NO_REPORTER } from '../../api/commands/reporter.ts';
import type { AccessEvent } from '../../domain/access-log/events.ts';
import type { MemberEvent } from '../../domain/account/member/events.ts';
import type { StaffEvent } from '../../domain/account/staff/events.ts';
import type { ApiKeyEvent } from '../../domain/api-key/events.ts';
import { emptyChild, emptyMother } from '../../domain/course-of-care/canonical-record.ts';
import type { BirthRecordEvent, RecordVersion } from '../../domain/course-of-care/events.ts';
import type { CustomFieldEvent } from '../../domain/custom-field/events.ts';
import type { LogEntry } from '../../domain/event-log.ts';
import type { IngestionEvent } from '../../domain/ingestion/events.ts';
import type { PartnerEvent } from '../../domain/partner/events.ts';
import type { PracticeEvent } from '../../domain/practice/events.ts';
import type { MergesEvent, ProviderEvent } from '../../domain/provider/events.ts';
import { changesOf } from '../../projections/read-model.ts';
import { courseOfInes, INES, OLDER } from '../support/birth-records.ts';
import { birthBundle, courseOf } from '../support/bundles.ts';
import { databaseSuite } from '../support/database-suite.ts';
import { entryAt, followEntries } from '../support/stored-entries.ts';

/** Laws of the read tables, without a service. Seeds are fixed: a failure can be repeated. */
const laws = databaseSuite('laws of a rebuild');

const SEED = 20_261_120;
const REGISTRY = 'registry';

const freshTables = async (db: Db): Promise<void> => {
  await sql`drop schema if exists read cascade`.execute(db);
  await ensureReadSchema(db, REGISTRY);
};

const uuid = (record: number): string =>
  `00000000-0000-5000-8000-${String(record).padStart(12, '0')}`;

const record = fc.integer({ min: 1, max: 3 });
const number = fc.integer({ min: 1, max: 8 });
const text = fc.constantFrom('a', 'b', 'c', 'quote " and \\ and é');

/** The last one does not fit its column: it parks the stream, however far that is. */
const chunk = fc.constantFrom(0, 1, 2, 3_000_000_000);

const version = fc
  .record({
    record,
    version: number,
    keyKind: fc.constantFrom('native' as const, 'partner' as const, null),
    stamp: fc.option(text),
    attendant: fc.option(text),
    fingerprints: fc.uniqueArray(text),
    weight: fc.option(fc.integer({ min: 300, max: 6_000 })),
    names: fc.array(text, { maxLength: 3 }),
  })
  .map(
    ({ record: of, attendant, weight, names, ...rest }): RecordVersion => ({
      submissionUuid: uuid(of),
      practiceId: 'practice',
      source: 'fhir_push',
      mark: null,
      providers: [],
      ...rest,
      course: {
        ...courseOfInes,
        attendant,
        mother: { ...emptyMother(), given_names: names },
        children: names.map((name) => ({
          ...emptyChild(),
          given_names: [name],
          birth_date: '2026-05-12',
          birth_weight_grams: weight,
        })),
      },
    }),
  );

const duplicateStep = fc.constantFrom(
  'DuplicateFlagged' as const,
  'DuplicateDismissed' as const,
  'DuplicateFlagRestored' as const,
);

const recordEvent = fc.oneof(
  version.map((data): BirthRecordEvent => ({ type: 'BirthRecorded', data })),
  version.map((data): BirthRecordEvent => ({ type: 'BirthAmended', data })),
  fc.tuple(record, number, fc.constantFrom('fhir_push' as const, 'manual' as const)).map(
    ([of, held, source]): BirthRecordEvent => ({
      type: 'BirthRetracted',
      data: { submissionUuid: uuid(of), practiceId: 'practice', version: held, source, mark: null },
    }),
  ),
  fc.tuple(record, number).map(
    ([of, revival]): BirthRecordEvent => ({
      type: 'RevivalKept',
      data: { submissionUuid: uuid(of), practiceId: 'practice', version: revival, mark: null },
    }),
  ),
  fc.tuple(record, record, duplicateStep).map(
    ([of, older, type]): BirthRecordEvent => ({
      type,
      data: {
        submissionUuid: uuid(of),
        practiceId: 'practice',
        mark: null,
        duplicateOf: uuid(older),
      },
    }),
  ),
  fc.tuple(record, text, text).map(
    ([of, from, to]): BirthRecordEvent => ({
      type: 'AttributionRepointed',
      data: {
        submissionUuid: uuid(of),
        practiceId: 'practice',
        mark: null,
        part: 'attendant',
        from,
        to,
      },
    }),
  ),
);

const completedAt = '2026-03-01T10:00:00+00:00';

const ingestionEvent = fc
  .tuple(text, chunk, fc.integer({ min: 0, max: 4 }))
  .map(([ingestionId, of, kind]): IngestionEvent => {
    switch (kind) {
      case 0:
        return {
          type: 'IngestionQueued',
          data: {
            ingestionId,
            practiceId: 'practice',
            keyId: 'key',
            keyKind: 'native',
            attempt: uuid(1),
            courses: 1,
            correlationId: 'test',
            receivedAt: completedAt,
          },
        };
      case 1:
        return { type: 'IngestionStarted', data: { ingestionId, run: 1 } };
      case 2:
        return {
          type: 'RecordsProcessed',
          data: { ingestionId, chunk: of, accepted: [], rejected: [] },
        };
      case 3:
        return {
          type: 'IngestionCompleted',
          data: { ingestionId, accepted: 1, rejected: 0, completedAt },
        };
      default:
        return {
          type: 'IngestionFailed',
          data: {
            ingestionId,
            error: 'error',
            exception: 'exception',
            correlationId: 'test',
            completedAt,
          },
        };
    }
  });

const otherEvent = fc
  .tuple(text, text, fc.boolean(), fc.integer({ min: 0, max: 5 }))
  .map(([id, name, beta, kind]): PracticeEvent | ApiKeyEvent => {
    switch (kind) {
      case 0:
        return { type: 'PracticeCreated', data: { practiceId: id, name, sandbox: false, beta } };
      case 1:
        return { type: 'PracticeBetaSet', data: { practiceId: id, beta } };
      case 2:
        return { type: 'PracticeSandboxSet', data: { practiceId: id, sandbox: beta } };
      case 3:
        return { type: 'PracticeSandboxChangeRefused', data: { practiceId: id, sandbox: beta } };
      case 4:
        return {
          type: 'ApiKeyMinted',
          data: {
            keyId: id,
            practiceId: 'practice',
            kind: 'native',
            partnerId: null,
            name,
            scopes: ['ingest:write'],
            tokenHash: 'hash',
          },
        };
      default:
        return { type: 'ApiKeyRevoked', data: { keyId: id } };
    }
  });

const role = fc.constantFrom('Admin' as const, 'Scribe' as const);
const status = fc.constantFrom('Pending' as const, 'Active' as const, 'Suspended' as const);
const details = fc.record({
  npi: fc.option(text),
  name: fc.option(text),
  credentials: fc.option(text),
  role: fc.constantFrom('midwife' as const, 'physician' as const, 'other' as const),
});

type PersonEvent =
  | ProviderEvent
  | MergesEvent
  | PartnerEvent
  | MemberEvent
  | StaffEvent
  | CustomFieldEvent;

/** Providers with their merges, partners, seats, staff and the fields of two practices. */
const personEvent = fc
  .record({ id: text, other: text, role, status, details, is: fc.boolean(), n: number })
  .chain(({ id, other, role: seat, status: contract, details: told, is, n }) => {
    const practiceId = is ? 'practice' : 'another';
    const look = { practiceId, fieldId: id, label: other, choices: [other], order: n };
    const events: readonly PersonEvent[] = [
      {
        type: 'ProviderIdentified',
        data: { ...told, providerId: id, practiceId, partnerId: 'partner', identity: other },
      },
      { type: 'ProviderDetailsChanged', data: { ...told, providerId: id, practiceId } },
      {
        type: 'ProvidersMerged',
        data: { practiceId, partnerId: 'partner', absorbed: id, survivor: other, following: [] },
      },
      {
        type: 'PartnerCreated',
        data: { partnerId: id, name: other, beta: is, status: contract },
      },
      { type: 'PartnerBetaSet', data: { partnerId: id, beta: is } },
      { type: 'PartnerContractStatusChanged', data: { partnerId: id, status: contract } },
      { type: 'MemberAdded', data: { memberId: id, practiceId, email: other, role: seat } },
      { type: 'SeatChanged', data: { memberId: id, practiceId, role: seat } },
      { type: 'MemberRemoved', data: { memberId: id, practiceId } },
      { type: 'OneTimePasswordGiven', data: { memberId: id, practiceId } },
      { type: 'StaffAdded', data: { staffId: id, email: other } },
      { type: 'CustomFieldDefined', data: { ...look, type: 'text' } },
      { type: 'CustomFieldChanged', data: look },
      { type: 'CustomFieldRetired', data: { practiceId, fieldId: id } },
      { type: 'CustomFieldRestored', data: { practiceId, fieldId: id } },
    ];
    return fc.constantFrom(...events);
  });

/** Who signed in, and saw what, in two practices and in none. */
const accessEvent = fc
  .record({
    id: text,
    practice: fc.constantFrom('practice', 'another', null),
    rows: fc.option(number),
  })
  .chain(({ id, practice, rows }) => {
    const happened = { at: '2026-05-12T10:00:00.000Z', practiceId: practice };
    const tried = { ...happened, accountId: rows === null ? null : id };
    const events: readonly AccessEvent[] = [
      { type: 'AccountSignedIn', data: happened },
      { type: 'AccountSignedOut', data: happened },
      { type: 'PasswordRefused', data: { ...tried, where: 'sign-in' } },
      { type: 'SignInHeldBack', data: { ...tried, by: 'address' } },
      {
        type: 'RecordsShown',
        data: { ...happened, place: 'list', recordIds: [INES, OLDER], filters: ['words'] },
      },
      { type: 'ChartsShown', data: { ...happened, prefillIds: [id] } },
      { type: 'DataExported', data: { ...happened, what: 'import-result', rows, filters: [] } },
    ];
    return fc.constantFrom(...events);
  });

type LoggedEvent =
  | BirthRecordEvent
  | IngestionEvent
  | PracticeEvent
  | ApiKeyEvent
  | PersonEvent
  | AccessEvent;

/** The id that an event's data names first is the one whose stream it is on. */
const STREAM_IDS = [
  'submissionUuid',
  'ingestionId',
  'keyId',
  'memberId',
  'staffId',
  'providerId',
  'absorbed',
  'partnerId',
  'practiceId',
];

const streamOf = ({ data }: LoggedEvent): string => {
  const values = data as Readonly<Record<string, unknown>>;
  const named = STREAM_IDS.find((name) => name in values) ?? '';
  return `${named}-${values[named]}`;
};

const log = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: recordEvent },
      { weight: 2, arbitrary: ingestionEvent },
      otherEvent,
      personEvent,
      accessEvent,
    ),
    {
      minLength: 1,
      maxLength: 60,
      size: 'max',
    },
  )
  .map((events): readonly LogEntry[] => {
    const revisions = new Map<string, bigint>();
    return events.map((event, position) => {
      const stream = streamOf(event);
      const revision = (revisions.get(stream) ?? -1n) + 1n;
      revisions.set(stream, revision);
      return entryAt(BigInt(position), stream, revision, event);
    });
  });

/** Applies entries as the projector does, in batches of these sizes over and over. */
const applyInBatches = async (
  db: Db,
  entries: readonly LogEntry[],
  sizes: readonly number[],
): Promise<number> => {
  const parked = new Set<string>();
  const left = [...entries];
  for (let batches = 0; left.length > 0; batches += 1) {
    const batch = left.splice(0, sizes[batches % sizes.length] ?? 1);
    const parkedNow = await db.transaction().execute(async (transaction) => {
      const to = batch.map(positionOf).at(-1) ?? 0n;
      await sql`update read.checkpoint set position = ${to.toString()}::bigint`.execute(
        transaction,
      );
      return applyReady(transaction, 'read', await readyEntries('read', batch, parked));
    });
    for (const stream of parkedNow) parked.add(stream);
  }
  return parked.size;
};

const partsOf = (url: string, entries: readonly LogEntry[], size: number) => ({
  databaseUrl: url,
  follow: followEntries(
    entries.length,
    (position) => {
      const entry = entries[position];
      if (entry === undefined) throw new Error(`No entry at ${position}`);
      return entry;
    },
    () => size,
  ),
  head: async () => BigInt(entries.length - 1),
  registryId: REGISTRY,
  ...NO_REPORTER,
});

/** `npm run bench:rebuild` takes five times as many. */
const EVENTS = Number(process.env['REBUILD_EVENTS'] ?? 20_000);
const ONE_BY_ONE = 1_000;
const RECORDS_AT_ONCE = 4_000;
const COURSE = courseOf(birthBundle());

/** Record events as in a year of a practice: most are new, every fifth amends an earlier record. */
const recordEntry = (position: number): LogEntry => {
  const isAmendment = position % 5 === 4;
  const of = isAmendment ? Math.max(position - RECORDS_AT_ONCE - 1, 0) : position;
  const data = {
    submissionUuid: uuid(of),
    practiceId: 'practice',
    version: isAmendment ? 2 : 1,
    source: 'fhir_push',
    keyKind: 'native',
    providers: [],
    mark: null,
    stamp: '2026-05-13T09:00:00.000000000Z',
    fingerprints: [`fingerprint-of-forty-three-characters-${position}`],
    course: { ...COURSE, chart_number: `C-${of}` },
  };
  const type = isAmendment ? 'BirthAmended' : 'BirthRecorded';
  return entryAt(BigInt(position), `record-${of}`, isAmendment ? 1n : 0n, { type, data });
};

/** In one transaction: no commit is counted, only the statements. */
const secondsOneByOne = async (db: Db, from: number): Promise<number> => {
  const events = Array.from({ length: ONE_BY_ONE }, (_, index) => recordEntry(from + index));
  const started = performance.now();
  await db.transaction().execute(async (transaction) => {
    for (const one of events)
      if (one.kind === 'event') await applyChanges(transaction, 'read', changesOf(one.stored));
  });
  return (performance.now() - started) / 1_000;
};

laws(
  'a rebuild is five times as fast as a statement per event, in flat memory',
  async (context) => {
    const { db, url } = context;
    await freshTables(db);
    const before = await secondsOneByOne(db, 0);
    await sql`drop schema read cascade`.execute(db);
    const idle = process.memoryUsage().rss;
    let most = idle;
    const { eventsPerSecond, events } = await rebuildReadTables(
      {
        databaseUrl: url,
        registryId: REGISTRY,
        ...NO_REPORTER,
        follow: followEntries(EVENTS, recordEntry, () => 2_000),
        head: async () => BigInt(EVENTS - 1),
        afterStep: () => {
          most = Math.max(most, process.memoryUsage().rss);
        },
      },
      'swap',
    );
    const oneByOne = (2 * ONE_BY_ONE) / (before + (await secondsOneByOne(db, EVENTS)));
    const grownMiB = (most - idle) / 1_048_576;
    console.log(
      `rebuild ${eventsPerSecond} events/s, one statement per event ${Math.round(oneByOne)} events/s, ` +
        `ratio ${(eventsPerSecond / oneByOne).toFixed(1)}, RSS +${grownMiB.toFixed(0)} MiB`,
    );
    assert.is(events, EVENTS);
    assert.ok(eventsPerSecond >= 5 * oneByOne);
    assert.ok(grownMiB <= 100);
  },
);

/** A log that ends each subscription after so many batches. */
const endingAfter = (batches: number, follow: FollowLog, onEnd: () => void): FollowLog => {
  return async (from, onBatch, onCaughtUp, signal) => {
    let left = batches;
    const endOrPass: typeof onBatch = async (batch) => {
      if (left === 0) {
        onEnd();
        throw new EventLogUnavailable('Consumer too slow.');
      }
      left -= 1;
      await onBatch(batch);
    };
    await follow(from, endOrPass, onCaughtUp, signal);
  };
};

laws('a rebuild goes on when the log ends its subscription', async ({ db, url }) => {
  await freshTables(db);
  const entries = Array.from({ length: 9 }, (_, position) => recordEntry(position));
  await applyInBatches(db, entries, [9]);
  const parts = partsOf(url, entries, 2);
  let ends = 0;
  const onEnd = () => {
    ends += 1;
  };
  const { differences, events } = await rebuildReadTables(
    { ...parts, follow: endingAfter(1, parts.follow, onEnd) },
    'compare',
  );
  assert.equal([differences, events], [[], 9]);
  assert.ok(ends >= 4);
  const withoutAny = { ...parts, follow: endingAfter(0, parts.follow, onEnd) };
  const fault = await rebuildReadTables(withoutAny, 'compare').catch((error: unknown) => error);
  assert.instance(fault, EventLogUnavailable);
});

laws('applied in batches of any size = rebuilt from zero, table by table', async ({ db, url }) => {
  const size = fc.integer({ min: 1, max: 9 });
  let parkedStreams = 0;
  await fc.assert(
    fc.asyncProperty(
      log,
      fc.array(size, { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 1, max: 70 }),
      async (entries, sizes, rebuiltBy) => {
        await freshTables(db);
        parkedStreams += await applyInBatches(db, entries, sizes);
        const { differences, events } = await rebuildReadTables(
          partsOf(url, entries, rebuiltBy),
          'compare',
        );
        assert.equal(differences, []);
        assert.is(events, entries.length);
      },
    ),
    { seed: SEED, numRuns: 40 },
  );
  assert.ok(parkedStreams > 10, 'the sequences park streams, too');
});

laws.run();
