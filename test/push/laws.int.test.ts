import fc from 'fast-check';
import { sql } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openServiceLog } from '../../api/process/logging.ts';
import { openStores, type Stores } from '../../api/stores/stores.ts';
import { type StoredRecordEvent, toLoadedRecord } from '../../domain/birth-record/replay.ts';
import type { Receipt } from '../../domain/submission/receipt.ts';
import { decodeCourse, type StoredCourse } from '../../projections/tables/course-codec.ts';
import { buildSingleBundles } from '../../scripts/synthesis/written-submissions.ts';
import {
  newPractice,
  post,
  push,
  receiptAddress,
  receiptAt,
  startTestService,
  type TestService,
} from '../harness/service.ts';
import { batchOf, birthBundle, retractionBundle, twinsBundle } from '../support/bundles.ts';
import { runs } from '../support/runs.ts';

/** Laws of the lane, on the running service. Seeds are fixed: a failure can be repeated. */
const laws = suite<{ service: TestService; stores: Stores }>('laws of the push lane');

laws.before(async (context) => {
  context.service = await startTestService({ RATE_LIMIT_PER_MINUTE: '1000000' });
  context.stores = await openStores(context.service.settings, 'command', openServiceLog('silent'));
});
laws.after(async ({ service, stores }) => {
  await stores.close();
  await service.stop();
});

const course = fc
  .record({
    chart: fc.constantFrom('A', 'B', 'C', 'D', null),
    family: fc.constantFrom('Amaral', 'Okafor', null),
    hour: fc.integer({ min: 0, max: 9 }),
    kind: fc.constantFrom('birth', 'birth', 'birth', 'retraction', 'childless'),
  })
  .map(({ chart, family, hour, kind }) => {
    const lastUpdated = `2026-05-12T0${hour}:00:00Z`;
    if (kind === 'retraction') return retractionBundle(chart, lastUpdated);
    const mother = { family, given: [] };
    const children = kind === 'childless' ? { children: [] } : {};
    return birthBundle({ chartNumber: chart, lastUpdated, mother, ...children });
  });

// The submission uuid comes from the ingestion, and `record[N]` from the batch.
const told = (receipt: Receipt): unknown => {
  if (receipt.status !== 'completed') return receipt.status;
  const { accepted, rejected } = receipt.outcome;
  const known = (reference: string) => reference.replace(/^record\[\d+\]$/, 'record');
  return {
    accepted: accepted.map(({ submission_uuid: _, reference, ...entry }) => ({
      reference: known(reference),
      ...entry,
    })),
    rejected: rejected.map(({ reference, outcome }) => [known(reference), outcome.issue]),
  };
};

laws('a batch equals its records one by one', async ({ service }) => {
  await fc.assert(
    fc.asyncProperty(fc.array(course, { minLength: 2, maxLength: 12 }), async (courses) => {
      const together = await newPractice(service.commands);
      const apart = await newPractice(service.commands);
      const batch = told(await push(service.url, together.token, batchOf(courses)));
      const singles: Receipt[] = [];
      for (const one of courses) singles.push(await push(service.url, apart.token, batchOf([one])));
      const merged = singles.map((receipt) => told(receipt)) as {
        accepted: unknown[];
        rejected: unknown[];
      }[];
      assert.equal(batch, {
        accepted: merged.flatMap(({ accepted }) => accepted),
        rejected: merged.flatMap(({ rejected }) => rejected),
      });
    }),
    runs(12),
  );
});

laws('replaying the log equals the live tables', async ({ stores }) => {
  const streams = new Map<string, StoredRecordEvent[]>();
  for await (const entry of stores.log.readAll()) {
    if (entry.kind !== 'event' || !entry.stored.stream.startsWith('record-')) continue;
    const stored = entry.stored as StoredRecordEvent;
    streams.set(stored.stream, [...(streams.get(stored.stream) ?? []), stored]);
  }
  const { rows } = await sql<{
    stream: string;
    revision: string;
    status: string;
    version: number;
    stamp: string | null;
    chart_number: string | null;
    course: StoredCourse;
    duplicate_of: string | null;
    fingerprints: string[];
  }>`
    select stream, revision, status, version, stamp, chart_number, course, duplicate_of, fingerprints
    from read.birth_record`.execute(stores.db);
  assert.is(rows.length, streams.size);
  assert.ok(rows.length > 20);
  for (const row of rows) {
    const { state, expectedRevision: expected } = toLoadedRecord(streams.get(row.stream) ?? []);
    if (state.status === 'none') throw new Error('A row without a record');
    assert.equal(
      [row.status, row.version, row.stamp, row.duplicate_of, BigInt(row.revision)],
      [state.status, state.version, state.stamp, state.duplicateOf, expected],
    );
    assert.equal(decodeCourse(row), state.course);
    assert.equal(row.fingerprints, state.fingerprints);
  }
});

/** A batch, a retraction, and courses of 2 to 30 KB. */
const bodies = [
  birthBundle(),
  twinsBundle(2_450, '2026-03-14T10:00:00Z'),
  retractionBundle('MRN-1001'),
  batchOf([birthBundle(), birthBundle({ mother: null })]),
  ...[
    ...buildSingleBundles({
      courses: 4,
      seed: 'damaged',
      lane: 'partner',
      year: 2025,
      until: null,
      practicePrefix: 'D',
    }),
  ].map(({ bundle }) => bundle),
].map((bundle) => JSON.stringify(bundle));

const damaged = fc
  .tuple(fc.constantFrom(...bodies), fc.nat(), fc.nat({ max: 40 }), fc.string())
  .map(([body, at, length, text]) => {
    const from = at % body.length;
    return body.slice(0, from) + text + body.slice(from + length);
  });
const anyBundle = fc.record(
  {
    resourceType: fc.constant('Bundle'),
    type: fc.anything(),
    identifier: fc.oneof(fc.record({ value: fc.string({ unit: 'binary' }) }), fc.jsonValue()),
    meta: fc.jsonValue(),
    entry: fc.oneof(
      fc.array(
        fc.record({
          resource: fc.record({
            resourceType: fc.constantFrom('Patient', 'Bundle', 'Encounter', 'Observation'),
            meta: fc.record({ profile: fc.constantFrom(['x/mother'], ['x/child'], 'x/child', 7) }),
            name: fc.jsonValue(),
            birthDate: fc.jsonValue(),
            entry: fc.jsonValue(),
          }),
        }),
        { maxLength: 6 },
      ),
      fc.jsonValue(),
    ),
  },
  { requiredKeys: ['resourceType'] },
);
const anyBody = fc.oneof(
  damaged,
  fc.string({ unit: 'binary' }),
  anyBundle.map((bundle) => JSON.stringify(bundle)),
  fc.json(),
);

laws('nothing answers 5xx to any body whatsoever, and every 202 completes', async ({ service }) => {
  const { token } = await newPractice(service.commands);
  await fc.assert(
    fc.asyncProperty(fc.array(anyBody, { minLength: 16, maxLength: 16 }), async (many) => {
      await Promise.all(
        many.map(async (body) => {
          const response = await post(service.url, token, body);
          assert.ok([202, 400].includes(response.status), String(response.status));
          if (response.status !== 202) return;
          const address = receiptAddress(response);
          assert.is((await receiptAt(address, token)).status, 'completed');
        }),
      );
    }),
    runs(40),
  );
  assert.equal((await service.commands.verify()).problems, []);
});

laws.run();
