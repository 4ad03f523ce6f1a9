import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createBatchRecords } from '../../api/ingestion/batch-records.ts';
import type { WorkerPorts } from '../../api/ingestion/worker-ports.ts';
import { mapSubmission } from '../../api/push/map-submission.ts';
import type { LoadFingerprintHolders } from '../../domain/birth-record/ports.ts';
import type { ItemOutcome } from '../../domain/submission/decide-item.ts';
import { median } from '../bench/quantile.ts';
import {
  newPractice,
  push,
  startWritingService,
  type TestPractice,
  type WritingService,
} from '../harness/service.ts';
import { batchOf, birthBundle } from '../support/bundles.ts';

/** A sender that pushes the same birth under thousands of chart numbers, one by one. */
const alike = suite<{ service: WritingService }>('the next of many births that look alike');

alike.before(async (context) => {
  context.service = await startWritingService();
});
alike.after(({ service }) => service.stop());

const PER_BUNDLE = 1_000;
const ROUNDS = 25;
/** Of the time that loading all of them takes. */
const MAX_SHARE = 1 / 2;

const bundleOf = (n: number) => birthBundle({ chartNumber: `A-${n}` });

/** Pushes alike births until there are so many. @returns the uuids of the oldest two */
const fillTo = async (
  { url }: WritingService,
  { token }: TestPractice,
  from: number,
  to: number,
): Promise<readonly string[]> => {
  let oldest: readonly string[] = [];
  for (let first = from; first < to; first += PER_BUNDLE) {
    const length = Math.min(PER_BUNDLE, to - first);
    const numbers = Array.from({ length }, (_, index) => first + index);
    const receipt = await push(url, token, batchOf(numbers.map(bundleOf)));
    if (receipt.status !== 'completed') throw new Error(`The receipt is ${receipt.status}`);
    const { accepted } = receipt.outcome;
    assert.equal(
      accepted.map(({ reference }) => reference),
      numbers.map((n) => `A-${n}`),
    );
    if (oldest.length === 0) oldest = accepted.slice(0, 2).map((one) => one.submission_uuid);
  }
  return oldest;
};

const neverWritten = (): never => {
  throw new Error('Nothing is written.');
};

/** What the worker does with the next one under a new lease, up to its decision. */
const decideNext = async (
  { registry }: WritingService,
  { practiceId, keyId }: TestPractice,
  n: number,
): Promise<{
  readonly outcome: ItemOutcome;
  readonly rows: number;
  readonly fingerprints: readonly string[];
}> => {
  let rows = 0;
  let fingerprints: readonly string[] = [];
  const loadFingerprintHolders: LoadFingerprintHolders = async (...asked) => {
    const found = await registry.hotReads.loadFingerprintHolders(...asked);
    rows += found.length;
    fingerprints = asked[1];
    return found;
  };
  const { identity, now } = registry;
  const [queued] = mapSubmission(bundleOf(n), {
    practiceId,
    partnerId: null,
    keyKind: 'native',
    providerId: identity.providerId,
    recordHash: identity.recordHash,
    fingerprintKeys: registry.fingerprintKeysAt(now()),
    offsetAt: null,
    registryCodeSystems: [],
  });
  assert.ok(queued);
  const ports = { ...registry, hotReads: { ...registry.hotReads, loadFingerprintHolders } };
  const records = createBatchRecords(ports as unknown as WorkerPorts, neverWritten, neverWritten);
  const entry = {
    ingestionId: `ingestion-${n}`,
    practiceId,
    keyId,
    keyKind: 'native',
    source: 'fhir_push',
    actor: { kind: 'key', id: keyId },
    receivedAt: now().toISOString(),
    correlationId: 'test',
  } as never;
  const courses = records.toCourses(entry, [queued]);
  const [planned] = await records.plan(courses, false);
  assert.ok(planned);
  return { outcome: planned.outcome, rows, fingerprints };
};

const flagOf = ({ events }: ItemOutcome): string | undefined =>
  events.flatMap((event) => (event.type === 'DuplicateFlagged' ? event.data.duplicateOf : []))[0];

alike('reads no more of them, and is flagged for the oldest that is live', async (context) => {
  const { service } = context;
  const practice = await newPractice(service.commands);
  const measure = async () => {
    const rounds: Awaited<ReturnType<typeof decideNext>>[] = [];
    for (let n = 0; n < ROUNDS; n += 1)
      rounds.push(await decideNext(service, practice, 1_000_000 + n));
    return {
      fingerprints: rounds[0]?.fingerprints ?? [],
      rows: Math.max(...rounds.map(({ rows }) => rows)),
      flags: new Set(rounds.map(({ outcome }) => flagOf(outcome))),
    };
  };
  const [oldest = '', second = ''] = await fillTo(service, practice, 0, 500);
  await measure();
  const few = await measure();
  await fillTo(service, practice, 500, 2_000);
  const many = await measure();
  assert.equal([...few.flags, ...many.flags], [oldest, oldest]);
  assert.is(many.rows, few.rows);
  const load = async (most: number | null): Promise<number> => {
    const began = performance.now();
    await service.registry.hotReads.loadFingerprintHolders(
      practice.practiceId,
      many.fingerprints,
      most,
    );
    return performance.now() - began;
  };
  const times: (readonly [first: number, all: number])[] = [];
  for (let n = 0; n < ROUNDS; n += 1) times.push([await load(few.rows), await load(null)]);
  const [firstMs, allMs] = [median(times.map(([ms]) => ms)), median(times.map(([, ms]) => ms))];
  assert.ok(firstMs < allMs * MAX_SHARE, `${firstMs} ms, and ${allMs} ms for all`);

  const { practiceId } = practice;
  const actor = { kind: 'member', id: 'ana' } as const;
  const record = { practiceId, submissionUuid: oldest, actor, correlationId: 'test' };
  await service.writes.voidRecord(record, { version: 1, reason: 'Entered twice' });
  assert.is(flagOf((await decideNext(service, practice, 2_000_000)).outcome), second);
  // All others are flagged for it already, so that it is not.
  const wish = { seen: 2, reason: undefined, overrule: false };
  const back = await service.writes.bringBack(record, wish);
  assert.equal(back.kind === 'done' && back.isFlagged, false);
  assert.is(back.kind, 'done');
  assert.is(flagOf((await decideNext(service, practice, 2_000_001)).outcome), oldest);
});

alike.run();
