import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { checkEvent } from '../../adapters/event-log/event-catalog.ts';
import type { StoredEvent } from '../../domain/event-log.ts';
import type { IngestionEvent } from '../../domain/submission/events.ts';
import { evolve, type Ingestion, noIngestion } from '../../domain/submission/state.ts';
import { collectChanges } from '../../projections/read-model.ts';

/** Events as earlier builds have written them, before there were imports. */

const QUEUED = {
  ingestionId: 'i-1',
  practiceId: 'p-1',
  keyId: 'k-1',
  keyKind: 'native',
  attempt: '00000000-0000-4000-8000-000000000001',
  courses: 1,
  correlationId: 'c-1',
  receivedAt: '2026-05-13T09:00:00.000Z',
};
const PROCESSED = {
  ingestionId: 'i-1',
  chunk: 0,
  accepted: [{ reference: 'C-1', submission_uuid: '00000000-0000-5000-8000-000000000001' }],
  rejected: [],
};

const shapes = suite('ingestions that were stored before there were imports');

const stored = (event: IngestionEvent): StoredEvent => ({
  id: 'e',
  stream: 'ingestion-i-1',
  revision: 0n,
  position: 1n,
  event,
  metadata: {
    schemaVersion: 1,
    correlationId: 'c',
    causationId: null,
    recordedAt: QUEUED.receivedAt,
    actor: { kind: 'key', id: 'k-1' },
  },
});

shapes('are read as they are, as pushes', () => {
  const events = [
    { type: 'IngestionQueued', data: QUEUED },
    { type: 'RecordsProcessed', data: PROCESSED },
  ] as IngestionEvent[];
  for (const event of events) checkEvent(event);
  const state = events.reduce<Ingestion>(evolve, noIngestion);
  assert.is(state.status !== 'none' && state.source, 'fhir_push');
  const [queued] = events.flatMap((event) => collectChanges(stored(event)));
  assert.is(queued?.kind === 'put' && queued.row['source'], 'fhir_push');
  assert.is(queued?.kind === 'put' && queued.row['started_by'], null);
});

shapes('stand beside imports', () => {
  const data = {
    ...QUEUED,
    keyId: null,
    keyKind: null,
    imported: { memberId: 'm-1', fileHash: 'hash', emptyRows: [4] },
  };
  const event = { type: 'IngestionQueued', data } as IngestionEvent;
  checkEvent(event);
  const state = evolve(noIngestion, event);
  assert.is(state.status !== 'none' && state.source, 'csv');
});

shapes.run();
