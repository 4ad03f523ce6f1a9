import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { StoredEvent } from '../../../domain/event-log.ts';
import { createPushId, getSharedStream } from '../../../domain/stream-names.ts';
import type { IngestedPush, SharedIngestionEvent } from '../../../domain/submission/events.ts';
import { findPushEnd, listSettledPushes } from '../../../domain/submission/pushes.ts';
import { buildReceipt } from '../../../domain/submission/receipt.ts';
import { splitBySize } from '../../../domain/submission/split-by-size.ts';

const pushes = suite('pushes that share a stream');

const AT = new Date('2026-05-13T09:00:00Z');
const RANDOM = 'V1StGXR8_Z5j';
const laterBy = (ms: number): Date => new Date(AT.getTime() + ms);
const sharedBy = (keyId: string, at: Date): string | null =>
  getSharedStream(createPushId(keyId, at, RANDOM));

pushes('are those of one key, of the same two seconds', () => {
  const shared = sharedBy('a1b2c3', AT);
  assert.is(sharedBy('a1b2c3', laterBy(1_999)), shared);
  assert.is.not(sharedBy('a1b2c3', laterBy(2_000)), shared);
  assert.is.not(sharedBy('0fffff', AT), shared);
});

pushes('have ids as long as others, which the contract promises', () => {
  for (const at of [AT, new Date(0), new Date('2100-01-01T00:00:00Z')])
    assert.match(createPushId('k', at, RANDOM), /^[A-Za-z0-9_-]{21}$/);
});

pushes('with an Idempotency-Key share none', () => {
  assert.is(getSharedStream('yQ4zH7kJ2mN8pR5sT1vWxA'), null);
});

const pushOf = (ingestionId: string, reference = 'C-1'): IngestedPush => ({
  ingestionId,
  attempt: 'attempt',
  courses: 1,
  correlationId: `of ${ingestionId}`,
  receivedAt: '2026-05-13T09:00:00.000Z',
  accepted: [{ reference, submission_uuid: 'uuid' }],
  rejected: [],
  rejectedAt: [],
});

const stored = (event: SharedIngestionEvent, revision: number): StoredEvent => ({
  id: '',
  stream: 'ingestion-shared',
  revision: BigInt(revision),
  position: 0n,
  event,
  metadata: {
    schemaVersion: 1,
    correlationId: '',
    causationId: null,
    actor: { kind: 'service', id: 'ingestion-worker' },
    recordedAt: '',
  },
});

const completedAt = '2026-05-13T09:00:01.000+00:00';

const STREAM = (
  [
    { type: 'PushesTakenUp', data: { practiceId: 'practice', ingestionIds: ['c'] } },
    {
      type: 'PushesIngested',
      data: {
        practiceId: 'practice',
        keyId: 'key',
        keyKind: 'native',
        pushes: [pushOf('a'), pushOf('b', 'C-2')],
        completedAt,
      },
    },
  ] satisfies readonly SharedIngestionEvent[]
).map(stored);

pushes('each have a receipt of their own', () => {
  const end = findPushEnd('b', STREAM);
  assert.ok(end);
  assert.equal([end.stored.revision, end.pushes], [1n, 2]);
  assert.equal(buildReceipt('b', [end.event]), {
    id: 'b',
    status: 'completed',
    accepted: 1,
    rejected: 0,
    outcome: { accepted: [{ reference: 'C-2', submission_uuid: 'uuid' }], rejected: [] },
    completedAt,
  });
});

pushes('that were taken up end elsewhere, and so does what is not there', () => {
  for (const ingestionId of ['c', 'd']) assert.is(findPushEnd(ingestionId, STREAM), null);
  assert.equal([...listSettledPushes(STREAM)], ['c', 'a', 'b']);
});

pushes('are split into events below half of the limit of an append', () => {
  const many = Array.from({ length: 30 }, (_, n) => pushOf(`${n}`, 'x'.repeat(50_000)));
  const parts = splitBySize(many);
  assert.equal(parts.flat(), many);
  assert.equal(
    parts.map(({ length }) => length),
    [10, 10, 10],
  );
  assert.equal(splitBySize([]), []);
  assert.equal(
    splitBySize([pushOf('large', 'x'.repeat(600_000)), pushOf('small')]).map(
      ({ length }) => length,
    ),
    [1, 1],
  );
});

pushes.run();
