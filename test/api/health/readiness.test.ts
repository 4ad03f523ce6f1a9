import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createStallClock, eventsAhead, singleFlight } from '../../../api/health/health-probe.ts';
import { answerReady } from '../../../api/health/health-router.ts';
import {
  addAppends,
  type HealthSnapshot,
  type QueueStats,
} from '../../../api/health/health-snapshot.ts';
import {
  clockWarning,
  findReadiness,
  type ProcessStanding,
  type ReasonCode,
  STALLED_SECONDS,
} from '../../../api/health/readiness.ts';

const readiness = suite('readiness');

const WELL: HealthSnapshot = {
  at: new Date('2026-03-01T10:00:00Z'),
  queue: {
    value: {
      ingestions: 0,
      courses: 0,
      oldestSeconds: 0,
      outboxOldestSeconds: 0,
      outboxDeadLetters: 0,
    },
  },
  tables: {
    value: {
      position: 70n,
      version: 'same',
      hasActiveProjector: true,
      parked: {},
      foreign: { streams: 0, name: null },
      truncated: { streams: 0, name: null },
      isCheckpointRefused: false,
      progressAt: new Date('2026-03-01T09:59:00Z'),
      rebuild: null,
    },
  },
  log: { value: { position: 70n, newestAt: new Date('2026-03-01T09:59:00Z') } },
  appends: { failingSince: null, clock: { aheadMs: -499, uncertaintyMs: 3 } },
  isAheadOfLog: false,
  lag: { events: 0, isEstimate: false, seconds: 0, stalledSeconds: 0 },
};
const STALLED: HealthSnapshot = {
  ...WELL,
  lag: { events: 3, isEstimate: false, seconds: 90, stalledSeconds: STALLED_SECONDS },
};
const SELF: ProcessStanding = {
  isStopping: false,
  projects: true,
  hasCaughtUp: true,
  isStartedWithoutLog: false,
  hasReachedLog: true,
};

const withTables = (changes: object): HealthSnapshot => ({
  ...WELL,
  tables: { value: { ...(WELL.tables as { value: object }).value, ...changes } as never },
});

const CASES: readonly {
  readonly name: string;
  readonly look: HealthSnapshot;
  readonly self?: Partial<ProcessStanding>;
  readonly reasons?: readonly ReasonCode[];
  readonly warnings?: readonly ReasonCode[];
}[] = [
  { name: 'all is well', look: WELL },
  {
    name: 'the database is away',
    look: { ...WELL, queue: { fault: 'Error' }, tables: { fault: 'Error' }, lag: null },
    reasons: ['database-away'],
  },
  ...(
    [
      'database-access-denied',
      'database-certificate-refused',
      'database-full',
      'database-disk-full',
      'database-read-only',
    ] as const
  ).map((code) => ({
    name: `the database answers, and says ${code}`,
    look: { ...WELL, queue: { fault: code }, tables: { fault: 'NoAnswerInTime' }, lag: null },
    reasons: [code],
  })),
  {
    name: 'the log is away: submissions are taken all the same',
    look: { ...WELL, log: { fault: 'EventLogUnavailable' }, lag: null },
    warnings: ['log-away'],
  },
  {
    name: 'the log denies reading, while a projector waits for it',
    look: {
      ...withTables({ hasActiveProjector: false }),
      log: { fault: 'EventLogAccessDenied' },
      lag: null,
    },
    warnings: ['log-access-denied'],
  },
  {
    name: 'the certificate of the log is refused: submissions are taken all the same',
    look: { ...WELL, log: { fault: 'EventLogCertificateRefused' }, lag: null },
    warnings: ['log-certificate-refused'],
  },
  {
    name: 'the leader was lost: submissions are taken, as the next one is soon found',
    look: { ...WELL, log: { fault: 'EventLogNotLeader' }, lag: null },
    warnings: ['log-not-leader'],
  },
  {
    name: 'the leader was never reached: what would be taken might be stuck',
    look: { ...WELL, log: { fault: 'EventLogNotLeader' }, lag: null },
    self: { hasReachedLog: false, isStartedWithoutLog: true },
    reasons: ['log-not-leader'],
  },
  {
    name: 'the log denies writing',
    look: {
      ...WELL,
      appends: { failingSince: new Date('2026-03-01T09:59:30Z'), cause: 'denied', clock: null },
    },
    warnings: ['appends-denied'],
  },
  {
    name: 'both are away while the process stops',
    look: {
      ...WELL,
      queue: { fault: 'Error' },
      tables: { fault: 'Error' },
      log: { fault: 'Error' },
      lag: null,
    },
    self: { isStopping: true },
    reasons: ['stopping', 'database-away'],
    warnings: ['log-away'],
  },
  {
    name: 'the projector has not caught up since the start',
    look: WELL,
    self: { hasCaughtUp: false },
    reasons: ['tables-behind'],
  },
  {
    name: 'what has been ready without the log stays ready while the tables catch up',
    look: WELL,
    self: { hasCaughtUp: false, isStartedWithoutLog: true },
    warnings: ['tables-behind'],
  },
  {
    name: 'what loses the log before the tables caught up takes submissions, as what starts without it',
    look: { ...WELL, log: { fault: 'EventLogUnavailable' }, lag: null },
    self: { hasCaughtUp: false },
    warnings: ['tables-behind', 'log-away'],
  },
  {
    name: 'behind is for the process that projects',
    look: WELL,
    self: { hasCaughtUp: false, projects: false },
  },
  {
    name: 'lag alone is no reason, however long, while there is progress',
    look: {
      ...WELL,
      lag: { events: 90_000, isEstimate: true, seconds: 7_200, stalledSeconds: 1 },
    },
  },
  {
    name: 'no progress although the log has more',
    look: STALLED,
    reasons: ['tables-stalled'],
  },
  {
    name: 'a door is no worse for tables that others keep up',
    look: STALLED,
    self: { projects: false },
    warnings: ['tables-stalled'],
  },
  {
    name: 'tables of another version',
    look: withTables({ version: 'other' }),
    reasons: ['tables-of-another-version'],
  },
  {
    name: 'tables of a newer version',
    look: withTables({ version: 'newer' }),
    warnings: ['tables-of-newer-version'],
  },
  {
    name: 'tables of a newer version that its projector still fills, or has stopped filling',
    look: { ...withTables({ version: 'newer' }), lag: STALLED.lag },
    self: { hasCaughtUp: false },
    warnings: ['tables-of-newer-version', 'tables-stalled'],
  },
  {
    name: 'tables of a newer version that hold more than the log',
    look: { ...withTables({ version: 'newer' }), isAheadOfLog: true, lag: null },
    reasons: ['tables-ahead-of-log'],
    warnings: ['tables-of-newer-version'],
  },
  {
    name: 'tables that hold more than the log',
    look: { ...WELL, isAheadOfLog: true, lag: null },
    reasons: ['tables-ahead-of-log'],
  },
  {
    name: 'a projector that waits for the right log, or for a rebuild, has no lease',
    look: {
      ...withTables({ hasActiveProjector: false, version: 'other' }),
      isAheadOfLog: true,
      lag: null,
    },
    reasons: ['tables-of-another-version', 'tables-ahead-of-log'],
  },
  {
    name: 'they hold more than the log for whoever only answers requests, too',
    look: { ...WELL, isAheadOfLog: true, lag: null },
    self: { projects: false, hasCaughtUp: false },
    reasons: ['tables-ahead-of-log'],
  },
  {
    name: 'tables of another version that hold more than the log',
    look: { ...withTables({ version: 'other' }), isAheadOfLog: true, lag: null },
    self: { hasCaughtUp: false },
    reasons: ['tables-of-another-version', 'tables-ahead-of-log'],
  },
  {
    name: 'parked streams are a warning',
    look: withTables({ parked: { record: 2, ingestion: 1 } }),
    warnings: ['streams-parked'],
  },
  {
    name: 'notes of the access log are set aside',
    look: {
      ...WELL,
      queue: { value: { ...(WELL.queue as { value: QueueStats }).value, outboxDeadLetters: 1 } },
    },
    warnings: ['access-notes-set-aside'],
  },
  {
    name: 'appends fail although the log can be read',
    look: {
      ...WELL,
      appends: { failingSince: new Date('2026-03-01T09:59:30Z'), clock: null },
    },
    warnings: ['appends-failing'],
  },
  {
    name: 'the log lacks what this process wrote, though not what the tables hold',
    look: {
      ...WELL,
      appends: {
        failingSince: new Date('2026-03-01T09:59:30Z'),
        cause: 'unconfirmed',
        clock: null,
      },
    },
    warnings: ['log-unconfirmed'],
  },
  {
    name: 'tables that hold more than the log say why nothing is appended',
    look: {
      ...WELL,
      isAheadOfLog: true,
      lag: null,
      appends: { failingSince: new Date('2026-03-01T09:59:30Z'), clock: null },
    },
    reasons: ['tables-ahead-of-log'],
  },
  {
    name: 'our clock is behind that of the log',
    look: {
      ...WELL,
      appends: { failingSince: null, clock: { aheadMs: -1_000, uncertaintyMs: 9 } },
    },
    warnings: ['clocks-differ'],
  },
  {
    name: 'an append that took long does not tell whether the clocks differ',
    look: {
      ...WELL,
      appends: { failingSince: null, clock: { aheadMs: 1_400, uncertaintyMs: 1_000 } },
    },
  },
  {
    name: 'the oldest submission has waited for long',
    look: {
      ...WELL,
      queue: { value: { ...(WELL.queue as { value: QueueStats }).value, oldestSeconds: 61 } },
    },
    warnings: ['queue-waiting-long'],
  },
  {
    name: 'nobody keeps the tables up',
    look: withTables({ hasActiveProjector: false }),
    self: { projects: false },
    warnings: ['tables-not-kept-up'],
  },
];

for (const { name, look, self, reasons = [], warnings = [] } of CASES)
  readiness(name, () => {
    const found = findReadiness(look, { ...SELF, ...self });
    assert.equal(
      found.reasons.map(({ code }) => code),
      reasons,
    );
    assert.equal(
      found.warnings.map(({ code }) => code),
      warnings,
    );
    const answer = answerReady(found);
    assert.is(answer.status, reasons.length === 0 ? 'ok' : 'unavailable');
    assert.equal(
      answer.checks.map((check) => check.name),
      ['database', 'event-log', 'projection'],
    );
    for (const { says } of [...answer.reasons, ...answer.warnings])
      assert.match(says, /^[A-Z].*\.$/, 'a plain sentence');
  });

readiness('by how much the clocks differ is said, and what to do', () => {
  const says = (aheadMs: number) => clockWarning({ aheadMs, uncertaintyMs: 5 })?.says ?? '';
  assert.match(
    says(-10_040),
    /^The clock of this machine is 10\.0 s behind the clock of the event/,
  );
  assert.match(
    says(60_000),
    /^The clock of this machine is 60\.0 s ahead of the clock of the event/,
  );
  assert.match(says(60_000), 'Set both by a time server.');
  const look = {
    ...WELL,
    appends: { failingSince: WELL.at, clock: { aheadMs: 2e3, uncertaintyMs: 1 } },
  };
  const [, log] = answerReady(findReadiness(look, SELF)).checks;
  assert.equal(log, {
    name: 'event-log',
    ok: true,
    position: '70',
    clockAheadSeconds: 2,
    appendsFailingSince: '2026-03-01T10:00:00.000Z',
  });
});

readiness(
  'several threads fail since the first of them, and have the clock that is known best',
  () => {
    const early = new Date('2026-03-01T09:00:00Z');
    const close = { aheadMs: 1, uncertaintyMs: 1 };
    const together = addAppends([
      { failingSince: WELL.at, clock: { aheadMs: 40, uncertaintyMs: 50 } },
      { failingSince: early, clock: null },
      { failingSince: null, clock: close },
    ]);
    assert.equal(together, { failingSince: early, clock: close });
  },
);

readiness('stood still: from the first look that saw it behind, until it moves or is level', () => {
  const stalledSeconds = createStallClock();
  assert.is(stalledSeconds(false, 'a 1', 0), 0);
  assert.is(stalledSeconds(true, 'a 1', 60_000), 0);
  assert.is(stalledSeconds(true, 'a 1', 95_000), 35);
  assert.is(stalledSeconds(true, 'a 2', 96_000), 0);
  assert.is(stalledSeconds(true, 'b 2', 99_000), 0, 'tables that were swapped in');
  assert.is(stalledSeconds(true, 'b 2', 99_500), 0.5);
  assert.is(stalledSeconds(false, 'b 2', 100_000), 0);
  assert.is(stalledSeconds(true, 'b 2', 200_000), 0);
});

readiness('events behind are counted while they are few, and else estimated', () => {
  const ahead = { oldestAt: null, events: 100 };
  assert.equal(eventsAhead({ ...ahead, events: 7, seenTo: 90n, isAll: true }, 10n, 80n), {
    events: 7,
    isEstimate: false,
  });
  assert.equal(eventsAhead({ ...ahead, seenTo: 1_010n, isAll: false }, 10n, 50_010n), {
    events: 5_000,
    isEstimate: true,
  });
  assert.equal(eventsAhead({ ...ahead, events: 0, seenTo: 60n, isAll: false }, 10n, 90n), {
    events: 1,
    isEstimate: true,
  });
});

readiness('a store that hangs is asked once, and waited for only so long', async () => {
  let asked = 0;
  let answer: (value: string) => void = () => undefined;
  const ask = singleFlight(() => {
    asked += 1;
    return new Promise<string>((resolve) => {
      answer = resolve;
    });
  }, 20);
  assert.equal(await ask(), { fault: 'NoAnswerInTime' });
  assert.equal(await ask(), { fault: 'NoAnswerInTime' });
  assert.is(asked, 1);
  const late = ask();
  answer('here');
  assert.equal(await late, { value: 'here' });
  await ask();
  assert.is(asked, 2);
});

readiness('a late answer is not taken for one about something else', async () => {
  const answers: (() => void)[] = [];
  const asked: bigint[] = [];
  const ask = singleFlight((position: bigint) => {
    asked.push(position);
    return new Promise<string>((resolve) => {
      answers.push(() => resolve(`behind ${position}`));
    });
  }, 20);
  assert.equal(await ask(1n), { fault: 'NoAnswerInTime' });
  assert.equal(await ask(2n), { fault: 'NoAnswerInTime' });
  assert.equal(asked, [1n], 'a store that hangs is asked once');
  const same = ask(1n);
  answers[0]?.();
  assert.equal(await same, { value: 'behind 1' });
  const patient = singleFlight(async (position: bigint) => {
    await Promise.resolve();
    return `behind ${position}`;
  });
  const both = await Promise.all([patient(1n), patient(2n)]);
  assert.equal(both, [{ value: 'behind 1' }, { value: 'behind 2' }]);
});

readiness.run();
