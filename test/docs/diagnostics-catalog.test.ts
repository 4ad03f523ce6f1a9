import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { MemoryStore } from 'express-rate-limit';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Admission } from '../../api/admission/queue-load.ts';
import { createApp } from '../../api/app/create-app.ts';
import type {
  IngestionEntry,
  RecordEntry,
  RecordExample,
  RequestEntry,
} from '../../api/docs/diagnostics-entry.ts';
import { DIAGNOSTICS_CATALOG } from '../../api/docs/diagnostics-page.tsx';
import { healthRouter } from '../../api/health/health-router.ts';
import { createMetrics } from '../../api/health/metrics.ts';
import { readBearerToken } from '../../api/http/bearer-token.ts';
import { createAnswerFault } from '../../api/http/error-middleware.ts';
import { MAX_BODY_BYTES } from '../../api/http/limits.ts';
import * as problems from '../../api/http/problems.ts';
import { rateLimiter, WINDOW_MS } from '../../api/http/rate-limiter.ts';
import {
  type Circumstance,
  EXAMPLE_INGESTION,
  EXAMPLE_KEYS,
  type RequestExample,
} from '../../api/http/request-example.ts';
import { type ProblemSource, RequestProblem } from '../../api/http/request-problem.ts';
import { createSetResponseHeaders } from '../../api/http/response-headers.ts';
import { exampleBirth } from '../../api/openapi/example-bundles.ts';
import type { App } from '../../api/ports/app-ports.ts';
import { createTurns } from '../../api/process/turns.ts';
import { mapBody } from '../../api/push/map-body.ts';
import { type MappingContext, mapSubmission } from '../../api/push/map-submission.ts';
import { createFhirRouter } from '../../api/push/push-access.ts';
import { pushRouter } from '../../api/push/push-router.ts';
import { readBody } from '../../api/push/read-body.ts';
import { ReadingTooCostly } from '../../api/reading/read-pieces.ts';
import { createReaderInThisThread } from '../../api/reading/reader.ts';
import { createMemoryShares, createShares } from '../../api/reading/shares.ts';
import { findFirstFingerprintKey } from '../../domain/birth-record/duplicates/fingerprint-keys.ts';
import { createWorkingSet } from '../../domain/birth-record/working-set.ts';
import * as rejections from '../../domain/course/rejections.ts';
import type { JsonObject } from '../../domain/fhir/json.ts';
import { checkGate, type PartnerGate } from '../../domain/partner/gate.ts';
import * as ingestionDecisions from '../../domain/submission/decide.ts';
import { decideItem } from '../../domain/submission/decide-item.ts';
import type { IngestionEvent, SharedIngestionEvent } from '../../domain/submission/events.ts';
import { evolve, noIngestion } from '../../domain/submission/state.ts';

const catalog = suite('the diagnostics catalog');

const ENTRIES = DIAGNOSTICS_CATALOG.flatMap(({ entries }) => entries);
const recordEntries = ENTRIES.filter((entry): entry is RecordEntry => entry.kind === 'record');
const requestEntries = ENTRIES.filter((entry): entry is RequestEntry => entry.kind === 'request');
const ingestionEntries = ENTRIES.filter(
  (entry): entry is IngestionEntry => entry.kind === 'ingestion',
);

catalog('every anchor is there once', () => {
  const ids = [...ENTRIES, ...DIAGNOSTICS_CATALOG].map(({ id }) => id);
  assert.is(new Set(ids).size, ids.length);
});

// Records ------------------------------------------------------------------------------------

const PRACTICE = 'practice';

const MAPPING: MappingContext = {
  practiceId: PRACTICE,
  keyKind: 'native',
  recordHash: (_practice, chartNumber) => chartNumber,
  fingerprintKeys: { current: [findFirstFingerprintKey((_practice, text) => text)], older: [] },
  offsetAt: null,
  registryCodeSystems: [],
  providerId: () => '',
  partnerId: null,
};

/** Sends Bundles one after the other to a practice that holds nothing. */
const outcomesOf = (bundles: readonly JsonObject[]) => {
  const ledger = createWorkingSet();
  let positions = 0;
  return bundles.map((bundle) =>
    mapSubmission(bundle, MAPPING).map((queued) => {
      positions += 1;
      const hash = queued.kind === 'rejected' ? null : queued.recordHash;
      const stream = `record-${hash ?? positions}`;
      const mark = { ingestionId: 'ingestion', position: positions };
      return decideItem(
        {
          queued,
          stream,
          mark,
          practiceId: PRACTICE,
          keyKind: 'native',
          submissionUuid: `uuid-${positions}`,
          source: 'fhir_push',
          receivedAt: '2026-05-13T11:00:00Z',
        },
        ledger,
      );
    }),
  );
};

const rejectionsOf = ({ priorBundles = [], bundle, whole }: RecordExample) => {
  const outcomes = outcomesOf([...priorBundles, whole?.bundle() ?? bundle]);
  for (const earlier of outcomes.slice(0, -1).flat())
    assert.is(earlier.rejected, null, 'what was sent before is accepted');
  return (outcomes.at(-1) ?? []).flatMap(({ rejected }) => rejected?.rejections ?? []);
};

for (const { id, rejection, failing, fixed } of recordEntries) {
  catalog(`${id}: the failing example yields exactly this rejection`, () => {
    assert.equal(rejectionsOf(failing), [rejection]);
  });
  catalog(`${id}: the fixed example is accepted`, () => {
    assert.equal(rejectionsOf(fixed), []);
  });
}

catalog('every rejection of the domain is listed, under its id', () => {
  for (const { id, rejection } of recordEntries) assert.is(rejection.id, id);
  const { rejectPlaceCode: unrecognizedPlaceCode, rejectLongList, ...others } = rejections;
  const wanted = [
    ...Object.values(others).filter(
      (one): one is rejections.Rejection => typeof one === 'object' && 'diagnostics' in one,
    ),
    // The two builders, one of them with a code that it names and one that it does not.
    unrecognizedPlaceCode('225728007'),
    unrecognizedPlaceCode('no code at all'),
    rejectLongList('Observation.focus', 1001, 1000),
  ];
  for (const rejection of wanted) {
    const entry = recordEntries.find(({ id }) => id === rejection.id);
    assert.equal(
      entry?.rejection.diagnostics.replace(entry.rejection.named ?? '', ''),
      rejection.diagnostics.replace(rejection.named ?? '', ''),
      rejection.id,
    );
  }
  assert.is(recordEntries.length, wanted.length);
});

// Ingestions ---------------------------------------------------------------------------------

const queued: IngestionEvent<'IngestionQueued'> = {
  type: 'IngestionQueued',
  data: {
    ingestionId: 'i',
    practiceId: PRACTICE,
    keyId: 'k',
    keyKind: 'native',
    attempt: 'a',
    courses: 1,
    correlationId: 'c',
    receivedAt: '2026-03-14T10:00:00Z',
  },
};

for (const { id, failure, failing, fixed } of ingestionEntries)
  catalog(`${id}: the failed ingestion says exactly this`, () => {
    const state = evolve(noIngestion, queued);
    const [event] = ingestionDecisions.failIngestion(failure, '2026-03-14T10:00:05Z', null, state);
    const { error, exception } = event?.data ?? {};
    const shown = failing['outcome'] as JsonObject;
    assert.equal([shown['error'], shown['exception']], [error, exception]);
    assert.is(fixed['status'], 'completed');
  });

catalog('every failure of the domain is listed', () => {
  const { BUFFER_EXPIRED, buildProcessingFailed: processingFailed } = ingestionDecisions;
  const sentences = ingestionEntries.map(({ failure }) => failure.error);
  const wanted = [BUFFER_EXPIRED.error, processingFailed('SomeFault').error];
  assert.equal([...sentences].sort(), [...wanted].sort());
  const failures = Object.values(ingestionDecisions).filter(
    (one) => typeof one === 'object' && 'error' in one,
  );
  assert.is(failures.length, 1, 'a new failure needs a line here and an entry');
});

// Requests -----------------------------------------------------------------------------------

class Away extends Error {}

const CALLERS = {
  [EXAMPLE_KEYS.writeAndRead]: { scopes: ['ingest:write', 'ingest:read'], partnerId: null },
  [EXAMPLE_KEYS.writeOnly]: { scopes: ['ingest:write'], partnerId: null },
  [EXAMPLE_KEYS.bound]: { scopes: ['ingest:write'], partnerId: null },
  [EXAMPLE_KEYS.readOnly]: { scopes: ['ingest:read'], partnerId: null },
  [EXAMPLE_KEYS.partner]: { scopes: ['ingest:write'], partnerId: 'maple' },
} as const;

const PUSH = {
  ingestionId: EXAMPLE_INGESTION,
  attempt: 'attempt',
  courses: 1,
  correlationId: 'correlation',
  receivedAt: '2026-03-14T10:00:00Z',
  accepted: [],
  rejected: [],
  rejectedAt: [],
};

/** Two pushes of a partner. */
const ENDED_TOGETHER: SharedIngestionEvent = {
  type: 'PushesIngested',
  data: {
    practiceId: PRACTICE,
    keyId: 'feed',
    keyKind: 'partner',
    pushes: [PUSH, { ...PUSH, ingestionId: 'another' }],
    completedAt: '2026-03-14T10:00:05Z',
  },
};

const nothingSeen = async () => ({
  health: null,
  pool: null,
  background: null,
  readiness: { checks: [], reasons: [], warnings: [] },
});

const admissionOf = (circumstance: RequestExample['while']): Admission => {
  const refused = { kind: 'refused' } as const;
  if (circumstance === 'the queue is full') return { ...refused, limit: 'queue' };
  if (circumstance === 'the practice has filled its share')
    return { ...refused, limit: 'practice-share' };
  return { kind: 'admitted', limits: null, end: () => undefined };
};

/** An app whose stores are made up: what is around the push lane is real. */
const appFor = (circumstance: RequestExample['while'], gate: PartnerGate) => {
  const registry = {
    identity: MAPPING,
    fingerprintKeysAt: () => MAPPING.fingerprintKeys,
    baseUrl: 'http://registry',
    queueLoad: {
      admit: async () => admissionOf(circumstance),
      retryAfterSeconds: () => 60,
      refusedForSeconds: () => 60,
    },
    wakeups: { emit: () => true },
    queue: {
      enqueue: async () => {
        if (circumstance === 'a store is away') throw new Away();
        if (circumstance === 'a fault') throw new TypeError();
        return 'queued';
      },
    },
    log: {
      readStream: async () =>
        circumstance === 'another sender submitted it' ? [{ event: ENDED_TOGETHER }] : [],
      readLeaves: async () => [],
    },
    hotReads: {
      findReceipt: async (_practice: string, id: string) =>
        id === EXAMPLE_INGESTION ? { id, status: 'queued' } : null,
      mayLagAfterCrash: () => false,
      findTablesVersion: async () => 'same',
    },
    memory:
      circumstance === 'other long bodies are read'
        ? createShares({ total: 0, perOwner: 0, timeoutMs: 1 })
        : createMemoryShares(),
    reader:
      circumstance === 'reading takes too long'
        ? {
            read: async () => {
              throw new ReadingTooCostly();
            },
          }
        : createReaderInThisThread(),
    deriveId: () => 'id',
    now: () => new Date(),
    afterStep: () => undefined,
  } as unknown as App;
  const lane = createFhirRouter(registry, {
    authenticate: async (req) => {
      const token = readBearerToken(req)?.text ?? '';
      const known = CALLERS[token as keyof typeof CALLERS];
      if (known === undefined) return { kind: 'unknown-key' };
      const caller = { keyId: 'key', practiceId: PRACTICE, kind: 'native', ...known } as const;
      return { kind: token === EXAMPLE_KEYS.bound ? 'disallowed-address' : 'caller', caller };
    },
    onIpRefused: () => undefined,
    findPartnerGate: async () => gate,
    findOffsets: async () => MAPPING.offsetAt,
    noteReceipt: () => undefined,
  });
  return createApp({
    metrics: createMetrics({ version: 'any', role: 'api' }, nothingSeen),
    pages: null,
    push: pushRouter(lane),
    metadata: null,
    health: healthRouter(async () => (await nothingSeen()).readiness),
    baseUrl: 'http://registry',
    supportContact: null,
    trustProxy: false,
    setResponseHeaders: createSetResponseHeaders(() => 'correlation'),
    answerFault: createAnswerFault(
      (error) => error instanceof Away,
      () => undefined,
    ),
    limitPush: [
      async (req, res, next) => {
        res.locals['sender'] = await lane.authenticate(req);
        next();
      },
      rateLimiter({
        store: new MemoryStore(),
        limit: 120,
        windowMs: WINDOW_MS,
        getBucket: () => 'anybody',
      }),
    ],
  });
};

const listening = (server: Server): Promise<string> =>
  new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    });
  });

const answerTo = async (example: RequestExample, gate: PartnerGate): Promise<Response> => {
  const server = createServer(appFor(example.while, gate));
  const url = await listening(server);
  try {
    const { method, path, headers, body, whole, times = 1 } = example;
    const sent = whole?.body(JSON.stringify(exampleBirth())) ?? body;
    const request = { method, headers, ...(sent === undefined ? {} : { body: sent }) };
    for (let time = 1; time < times; time += 1)
      await (await fetch(`${url}${path}`, request)).arrayBuffer();
    const response = await fetch(`${url}${path}`, request);
    return new Response(await response.arrayBuffer(), response);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
};

const OPEN: PartnerGate = { kind: 'open' };

/** Problems of what is no request yet; `test/api/http/answer-unreadable.int.test.ts` meets them. */
const BEFORE_THE_APP: Readonly<Partial<Record<Circumstance, problems.Problem>>> = {
  starting: problems.REQUEST_PROBLEMS.starting,
  'the connection is slow': problems.REQUEST_PROBLEMS['too-slow'],
  'a header is endless': problems.REQUEST_PROBLEMS['headers-too-long'],
  'a header expects something': problems.REQUEST_PROBLEMS['expectation-unknown'],
};

/** Bodies that do not arrive as they should. */
const ARRIVING: Readonly<Partial<Record<Circumstance, () => AsyncGenerator<Buffer>>>> = {
  async *'the connection breaks'() {
    yield Buffer.from('{"resourceType":');
    throw new Error('aborted');
  },
  async *'others wait for a slow body'() {
    yield Buffer.alloc(MAX_BODY_BYTES);
  },
};

/** What answers before or beside the app. */
const problemBeside = async (example: RequestExample): Promise<RequestProblem | null> => {
  const before = example.while === undefined ? undefined : BEFORE_THE_APP[example.while];
  if (before !== undefined) return new RequestProblem(before);
  const sent = example.while === undefined ? undefined : ARRIVING[example.while];
  if (sent === undefined) return null;
  const request = Object.assign(Readable.from(sent()), { headers: {} });
  try {
    const body = await readBody(request as unknown as Parameters<typeof readBody>[0], async () => ({
      add: async () => false,
      end: async () => 'too-slow',
    }));
    await mapBody(body, MAPPING, createReaderInThisThread(), 'key', createTurns());
  } catch (error) {
    if (error instanceof RequestProblem) return error;
    throw error;
  }
  return null;
};

const issueIn = (body: JsonObject): unknown =>
  body['resourceType'] === 'OperationOutcome' ? (body['issue'] as unknown[])[0] : body;

for (const entry of requestEntries) {
  const { id, status, code, diagnostics, expression, failing, fixed } = entry;
  catalog(`${id}: the failing example yields exactly this`, async () => {
    const beside = await problemBeside(failing);
    if (beside !== null) {
      assert.equal(
        [beside.status, beside.code, beside.diagnostics, beside.expression],
        [status, code, diagnostics, expression],
      );
      return;
    }
    const response = await answerTo(failing, { kind: 'closed', reason: diagnostics });
    assert.is(response.status, status);
    const where = expression.length > 0 ? { expression } : {};
    assert.equal(
      issueIn((await response.json()) as JsonObject),
      code === null ? { message: diagnostics } : { severity: 'error', code, diagnostics, ...where },
    );
  });
  catalog(`${id}: the fixed example is served`, async () => {
    const response = await answerTo(fixed, OPEN);
    assert.ok(response.ok, `${response.status}`);
  });
}

catalog('every way a partner’s gate can be closed is listed', () => {
  const told = requestEntries.map(({ diagnostics }) => diagnostics);
  const partner = { status: 'known', partnerId: 'maple', name: 'Maple EHR' } as const;
  for (const [beta, contract] of [
    [false, 'Active'],
    [true, 'Pending'],
    [true, 'Suspended'],
  ] as const) {
    const gate = checkGate({ ...partner, beta, contract });
    assert.ok(gate.kind === 'closed' && told.includes(gate.reason), `${beta}, ${contract}`);
  }
  assert.is(checkGate({ ...partner, beta: true, contract: 'Active' }).kind, 'open');
});

/** What the builders of problems are called with; one that takes nothing needs no line. */
const ARGUMENTS: Readonly<Record<string, readonly string[][]>> = {
  scopeMissing: [['ingest:write'], ['ingest:read']],
  methodNotSupported: [['POST'], ['GET, HEAD']],
  queueFull: [['60']],
  practiceShareUsed: [['60']],
};

catalog('every problem of a request is listed', () => {
  const { partnerGateClosed: _gate, REQUEST_PROBLEMS, ...others } = problems;
  const sources = Object.entries(others).flatMap(([name, build]) =>
    typeof build === 'function'
      ? (ARGUMENTS[name] ?? [[]]).map((args) =>
          (build as (...given: readonly string[]) => ProblemSource)(...args),
        )
      : [],
  );
  const wanted = [...Object.values(REQUEST_PROBLEMS), ...sources];
  assert.ok(wanted.length >= 15);
  for (const { status, code, diagnostics } of wanted)
    assert.ok(
      requestEntries.some(
        (entry) =>
          entry.status === status && entry.code === code && entry.diagnostics === diagnostics,
      ),
      diagnostics,
    );
});

catalog('problems are rows of one table, where this test sees them', () => {
  const root = new URL('../../', import.meta.url);
  const builders = [...Object.keys(ARGUMENTS), 'partnerGateClosed', 'problem'];
  const ownProblem = new RegExp(
    `new RequestProblem\\((?!(?:\\{ \\.{3})?REQUEST_PROBLEMS|(?:${builders.join('|')})\\()`,
  );
  const homes = [
    // From the reading thread, where it was thrown.
    'api/reading/reader.ts',
  ];
  for (const folder of [
    'api/push',
    'api/reading',
    'api/http',
    'api/access',
    'api/admission',
    'api/ingestion',
    'api/writes',
    'api/record-commands',
  ])
    for (const name of readdirSync(new URL(folder, root), { encoding: 'utf8' })) {
      const file = `${folder}/${name}`;
      if (homes.includes(file)) continue;
      assert.not.match(readFileSync(new URL(file, root), 'utf8'), ownProblem, file);
    }
});

catalog.run();
