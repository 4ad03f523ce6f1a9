import {
  BUFFER_EXPIRED,
  chunksOf,
  fail,
  recordChunk,
  start,
} from '../../../domain/ingestion/decide.ts';
import type { IngestionEvent } from '../../../domain/ingestion/events.ts';
import { evolve, type Ingestion, noIngestion } from '../../../domain/ingestion/state.ts';
import { scenarios } from '../../support/scenarios.ts';

const fold = (events: readonly IngestionEvent[]): Ingestion =>
  events.reduce<Ingestion>(evolve, noIngestion);

const AT = '2026-05-13T09:00:00.000+00:00';
const ingestionId = 'i-1';

const queued = (courses: number): IngestionEvent => ({
  type: 'IngestionQueued',
  data: {
    ingestionId,
    practiceId: 'practice',
    keyId: 'key',
    keyKind: 'native',
    courses,
    attempt: 'attempt',
    correlationId: 'correlation',
    receivedAt: AT,
  },
});
const started = (run: number): IngestionEvent => ({
  type: 'IngestionStarted',
  data: { ingestionId, run },
});
const accepted = { reference: 'C-1', submission_uuid: 'uuid' };
const rejected = { reference: 'record[1]', rejections: [{ code: 'structure', diagnostics: 'no' }] };
const processed: IngestionEvent = {
  type: 'RecordsProcessed',
  data: { ingestionId, chunk: 0, accepted: [accepted], rejected: [] },
};
const completed: IngestionEvent = {
  type: 'IngestionCompleted',
  data: { ingestionId, accepted: 1, rejected: 1, completedAt: AT },
};
const failed: IngestionEvent = {
  type: 'IngestionFailed',
  data: { ingestionId, ...BUFFER_EXPIRED, correlationId: 'correlation', completedAt: AT },
};

scenarios('starting an ingestion', fold, [
  {
    name: 'a queued ingestion starts its first run',
    given: [queued(1)],
    when: start,
    expect: [started(1)],
  },
  {
    name: 'an interrupted one starts another run',
    given: [queued(1), started(1)],
    when: start,
    expect: [started(2)],
  },
  {
    name: 'a completed one is left alone',
    given: [queued(1), started(1), completed],
    when: start,
    expect: [],
  },
  { name: 'an unknown one is left alone', given: [], when: start, expect: [] },
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

scenarios('giving an ingestion up', fold, [
  {
    name: 'a queued one fails with a fixed sentence and the class name',
    given: [queued(1)],
    when: (state) => fail(BUFFER_EXPIRED, AT, state),
    expect: [failed],
  },
  {
    name: 'a terminal one stays as it is',
    given: [queued(1), started(1), completed],
    when: (state) => fail(BUFFER_EXPIRED, AT, state),
    expect: [],
  },
  {
    name: 'an unknown one stays unknown',
    given: [],
    when: (state) => fail(BUFFER_EXPIRED, AT, state),
    expect: [],
  },
]);

scenarios('chunks of a submission', () => null, [
  {
    name: 'fifty courses are one chunk, one more are two',
    given: [],
    when: () => [chunksOf(1), chunksOf(50), chunksOf(51), chunksOf(1_000)],
    expect: [1, 1, 2, 20],
  },
]);
