import { buildDiagnosticsId } from '../../../domain/course/rejections.ts';
import {
  BUFFER_EXPIRED,
  countChunks,
  failIngestion,
  ingestAtOnce,
  recordChunk,
  startIngestion,
} from '../../../domain/submission/decide.ts';
import type {
  IngestionEnvelope,
  IngestionEvent,
  RejectedEntry,
} from '../../../domain/submission/events.ts';
import { buildReceipt } from '../../../domain/submission/receipt.ts';
import { evolve, type Ingestion, noIngestion } from '../../../domain/submission/state.ts';
import { scenarios } from '../../support/scenarios.ts';

const fold = (events: readonly IngestionEvent[]): Ingestion =>
  events.reduce<Ingestion>(evolve, noIngestion);

const AT = '2026-05-13T09:00:00.000+00:00';
const ingestionId = 'i-1';

const headOf = (courses: number, attempt = 'attempt'): IngestionEnvelope => ({
  ingestionId,
  practiceId: 'practice',
  keyId: 'key',
  keyKind: 'native',
  courses,
  attempt,
  correlationId: 'correlation',
  receivedAt: AT,
});
/** As version 0.1 began an ingestion. */
const queued = (courses: number): IngestionEvent => ({
  type: 'IngestionQueued',
  data: headOf(courses),
});
const begun = (courses: number): IngestionEvent => ({
  type: 'IngestionStarted',
  data: { ingestionId, run: 1, head: headOf(courses) },
});
const started = (run: number): IngestionEvent => ({
  type: 'IngestionStarted',
  data: { ingestionId, run },
});
const accepted = { reference: 'C-1', submission_uuid: 'uuid' };
const rejected: RejectedEntry = {
  reference: 'record[1]',
  rejections: [{ id: 'no-mother', code: 'structure', diagnostics: 'no' }],
};
const processed: IngestionEvent = {
  type: 'RecordsProcessed',
  data: { ingestionId, chunk: 0, accepted: [accepted], rejected: [] },
};
const outcomes = { accepted: [accepted], rejected: [rejected], rejectedAt: [1] };
const ingested: IngestionEvent = {
  type: 'SubmissionIngested',
  data: { ...headOf(2), ...outcomes, completedAt: AT },
};
const completed: IngestionEvent = {
  type: 'IngestionCompleted',
  data: { ingestionId, accepted: 1, rejected: 1, completedAt: AT },
};
const failed: IngestionEvent<'IngestionFailed'> = {
  type: 'IngestionFailed',
  data: { ingestionId, ...BUFFER_EXPIRED, correlationId: 'correlation', completedAt: AT },
};

const startFrom = (attempt: string) => (state: Ingestion) =>
  startIngestion(headOf(1, attempt), state);

scenarios('starting an ingestion', fold, [
  {
    name: 'one that the log does not know begins with what its submission says',
    given: [],
    when: startFrom('attempt'),
    expect: [begun(1)],
  },
  {
    name: 'one that was begun from another row is left alone: its Idempotency-Key was used before',
    given: [begun(1)],
    when: startFrom('another attempt'),
    expect: [],
  },
  {
    name: 'one that was begun and interrupted starts another run',
    given: [begun(1)],
    when: startFrom('attempt'),
    expect: [started(2)],
  },
  {
    name: 'one that ended at once is left alone',
    given: [ingested],
    when: startFrom('attempt'),
    expect: [],
  },
  {
    name: 'a queued ingestion starts its first run',
    given: [queued(1)],
    when: startFrom('attempt'),
    expect: [started(1)],
  },
  {
    name: 'an interrupted one starts another run',
    given: [queued(1), started(1)],
    when: startFrom('attempt'),
    expect: [started(2)],
  },
  {
    name: 'a completed one is left alone',
    given: [queued(1), started(1), completed],
    when: startFrom('attempt'),
    expect: [],
  },
]);

const chunk = (number: number) => (state: Ingestion) =>
  recordChunk(
    { chunk: number, accepted: [accepted], rejected: [rejected], rejectedAt: [51], at: AT },
    state,
  );

scenarios('recording a chunk', fold, [
  {
    name: 'the last chunk completes the ingestion, with the counts of all chunks',
    given: [queued(60), started(1), processed],
    when: chunk(1),
    expect: [
      {
        type: 'RecordsProcessed',
        data: {
          ingestionId,
          chunk: 1,
          accepted: [accepted],
          rejected: [rejected],
          rejectedAt: [51],
          practiceId: 'practice',
          source: 'fhir_push',
        },
      },
      {
        type: 'IngestionCompleted',
        data: { ingestionId, accepted: 2, rejected: 1, completedAt: AT },
      },
    ],
  },
  {
    name: 'a chunk before the last one does not',
    given: [queued(60), started(1)],
    when: (state) => chunk(0)(state).map(({ type }) => type),
    expect: ['RecordsProcessed'],
  },
  {
    name: 'a chunk that is recorded already changes nothing',
    given: [queued(60), started(1), processed],
    when: chunk(0),
    expect: [],
  },
  {
    name: 'a completed ingestion takes no chunk',
    given: [queued(1), started(1), processed, completed],
    when: chunk(1),
    expect: [],
  },
]);

scenarios('a submission of one chunk', fold, [
  {
    name: 'is in the log with what it says and what became of it, in one event',
    given: [],
    when: () => ingestAtOnce(headOf(2), { ...outcomes, at: AT }),
    expect: ingested,
  },
  {
    name: 'is complete with it',
    given: [ingested],
    when: (state) =>
      state.status !== 'none' && [state.status, state.accepted, state.rejected, state.chunksDone],
    expect: ['completed', 1, 1, 1],
  },
]);

const failHead = (state: Ingestion) => failIngestion(BUFFER_EXPIRED, AT, headOf(1), state);

scenarios('giving an ingestion up', fold, [
  {
    name: 'one that the log does not know fails with what its submission says',
    given: [],
    when: failHead,
    expect: [{ ...failed, data: { ...failed.data, head: headOf(1) } }],
  },
  {
    name: 'one whose row is gone fails by what the log says',
    given: [begun(1)],
    when: (state) => failIngestion(BUFFER_EXPIRED, AT, null, state),
    expect: [failed],
  },
  {
    name: 'one that was begun from another row is left alone',
    given: [begun(1)],
    when: (state) => failIngestion(BUFFER_EXPIRED, AT, headOf(1, 'another attempt'), state),
    expect: [],
  },
  {
    name: 'a queued one fails with a fixed sentence and the class name',
    given: [queued(1)],
    when: failHead,
    expect: [failed],
  },
  {
    name: 'a terminal one stays as it is',
    given: [queued(1), started(1), completed],
    when: failHead,
    expect: [],
  },
  {
    name: 'one that neither log nor queue knows stays unknown',
    given: [],
    when: (state) => failIngestion(BUFFER_EXPIRED, AT, null, state),
    expect: [],
  },
]);

scenarios('chunks of a submission', () => null, [
  {
    name: 'fifty courses are one chunk, one more are two',
    given: [],
    when: () => [countChunks(1), countChunks(50), countChunks(51), countChunks(1_000)],
    expect: [1, 1, 2, 20],
  },
]);

const receiptIn = (events: readonly IngestionEvent[]) => buildReceipt(ingestionId, events);
const bothOutcomes = {
  id: ingestionId,
  status: 'completed',
  accepted: 1,
  rejected: 1,
  outcome: {
    accepted: [accepted],
    rejected: [
      {
        reference: 'record[1]',
        outcome: {
          resourceType: 'OperationOutcome',
          issue: [
            {
              severity: 'error',
              code: 'structure',
              details: buildDiagnosticsId('no-mother'),
              diagnostics: 'no',
            },
          ],
        },
      },
    ],
  },
  completedAt: AT,
};

scenarios('the receipt by the events alone', receiptIn, [
  { name: 'before the first there is none', given: [], when: (receipt) => receipt, expect: null },
  {
    name: 'queued until a worker begins',
    given: [queued(2)],
    when: (receipt) => receipt,
    expect: { id: ingestionId, status: 'queued' },
  },
  {
    name: 'processing until its end, whatever is recorded',
    given: [begun(2), processed],
    when: (receipt) => receipt,
    expect: { id: ingestionId, status: 'processing' },
  },
  {
    name: 'completed with the outcomes of all chunks',
    given: [
      begun(2),
      processed,
      {
        type: 'RecordsProcessed',
        data: { ingestionId, chunk: 1, accepted: [], rejected: [rejected] },
      },
      completed,
    ],
    when: (receipt) => receipt,
    expect: bothOutcomes,
  },
  {
    name: 'completed by the one event of a small one',
    given: [ingested],
    when: (receipt) => receipt,
    expect: bothOutcomes,
  },
  {
    name: 'failed with the fixed sentence and the class name',
    given: [begun(1), failed],
    when: (receipt) => receipt?.status,
    expect: 'failed',
  },
]);
