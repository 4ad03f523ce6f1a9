import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { HealthSnapshot, ProjectionSnapshot } from '../../api/health/health-snapshot.ts';
import {
  buildFindings,
  type FindingState,
} from '../../api/pages/administration/status/status-findings.ts';
import { formatSpan } from '../../api/process/progress-messages.ts';

const findings = suite('what the status page says');

const AT = new Date('2026-03-01T10:00:00Z');
const QUEUE = {
  ingestions: 0,
  courses: 0,
  oldestSeconds: 0,
  outboxOldestSeconds: 0,
  outboxDeadLetters: 0,
};
const TABLES: ProjectionSnapshot = {
  position: 70n,
  version: 'same',
  hasActiveProjector: true,
  parked: {},
  foreign: { streams: 0, name: null },
  truncated: { streams: 0, name: null },
  isCheckpointRefused: false,
  progressAt: AT,
  rebuild: null,
};
const LAG = { events: 0, isEstimate: false, seconds: 0, stalledSeconds: 0 };
const WELL: HealthSnapshot = {
  at: AT,
  queue: { value: QUEUE },
  tables: { value: TABLES },
  log: { value: { position: 70n, newestAt: AT } },
  appends: { failingSince: null, clock: null },
  isAheadOfLog: false,
  lag: LAG,
};
const AWAY = { fault: 'Error' };

const CASES: readonly {
  readonly name: string;
  readonly look: Partial<HealthSnapshot>;
  readonly states: Readonly<Record<string, FindingState>>;
  readonly commands?: readonly string[];
  readonly says?: RegExp;
}[] = [
  { name: 'nothing waits', look: {}, states: {} },
  {
    name: 'work is under way',
    look: { queue: { value: { ...QUEUE, ingestions: 3, courses: 120, oldestSeconds: 4 } } },
    states: {},
  },
  {
    name: 'a submission waits for long',
    look: { queue: { value: { ...QUEUE, ingestions: 3, courses: 120, oldestSeconds: 61 } } },
    states: { queue: 'look' },
    says: /role all or worker/,
  },
  {
    name: 'the database is away',
    look: { queue: AWAY, tables: AWAY, lag: null },
    states: { database: 'act', queue: 'act', tables: 'act', parked: 'act', 'access-log': 'act' },
  },
  {
    name: 'the certificate of the database is refused',
    look: { queue: { fault: 'database-certificate-refused' }, tables: AWAY, lag: null },
    states: { database: 'act', queue: 'act', tables: 'act', parked: 'act', 'access-log': 'act' },
    says: /sslrootcert in DATABASE_URL/,
  },
  {
    name: 'the disk of the database is full',
    look: { queue: { fault: 'database-disk-full' }, tables: AWAY, lag: null },
    states: { database: 'act', queue: 'act', tables: 'act', parked: 'act', 'access-log': 'act' },
    says: /Make room/,
  },
  {
    name: 'the certificate of the log is refused',
    look: { log: { fault: 'EventLogCertificateRefused' }, lag: null },
    states: { log: 'act', tables: 'look' },
    says: /tlsCaFile in EVENTSTORE_URL/,
  },
  {
    name: 'another program writes to our streams',
    look: { tables: { value: { ...TABLES, foreign: { streams: 1, name: 'key-orders' } } } },
    states: { log: 'look' },
    says: /run birth-registry acknowledge.*such as key-orders/,
  },
  {
    name: 'no checkpoint is signed',
    look: { tables: { value: { ...TABLES, isCheckpointRefused: true } } },
    states: { log: 'look' },
    says: /birth-registry checkpoint --accept-loss/,
  },
  {
    name: 'the log is away',
    look: { log: AWAY, lag: null },
    states: { log: 'act', tables: 'look' },
  },
  {
    name: 'the log is away, and the projector waits for it',
    look: {
      log: AWAY,
      lag: null,
      tables: { value: { ...TABLES, hasActiveProjector: false } },
    },
    states: { log: 'act', tables: 'look' },
    says: /Fix the log first/,
  },
  {
    name: 'the log denies reading',
    look: { log: { fault: 'EventLogAccessDenied' }, lag: null },
    states: { log: 'act', tables: 'look' },
    says: /user and password in EVENTSTORE_URL/,
  },
  {
    name: 'the leader cannot be reached',
    look: { log: { fault: 'EventLogNotLeader' }, lag: null },
    states: { log: 'act', tables: 'look' },
    says: /list all nodes of the cluster/,
  },
  {
    name: 'the log denies writing',
    look: { appends: { failingSince: AT, cause: 'denied', clock: null } },
    states: { log: 'act' },
    says: /that it may write streams/,
  },
  {
    name: 'the log can be read but takes nothing',
    look: { appends: { failingSince: AT, clock: null } },
    states: { log: 'act' },
    says: /has a leader and room on its disks/,
  },
  {
    name: 'the log lacks what was written',
    look: { appends: { failingSince: AT, cause: 'unconfirmed', clock: null } },
    states: { log: 'act' },
    says: /lacks events that this process wrote/,
  },
  {
    name: 'the clocks differ',
    look: { appends: { failingSince: null, clock: { aheadMs: -2_000, uncertaintyMs: 4 } } },
    states: { log: 'look' },
    says: /2\.0 s behind the clock of the event log/,
  },
  {
    name: 'the tables hold more than the log',
    look: { isAheadOfLog: true, lag: null },
    states: { tables: 'act' },
    commands: ['rebuild'],
    says: /restore the log that has these events/,
  },
  {
    name: 'behind, but going on',
    look: { lag: { ...LAG, events: 40_000, isEstimate: true, seconds: 900 } },
    states: { tables: 'look' },
    says: /unless the delay grows/,
  },
  {
    name: 'a little behind is as usual',
    look: { lag: { ...LAG, events: 4, seconds: 2 } },
    states: {},
  },
  {
    name: 'standing still',
    look: { lag: { ...LAG, events: 4, seconds: 90, stalledSeconds: 80 } },
    states: { tables: 'act' },
    commands: ['rebuild --check'],
    says: /80 seconds/,
  },
  {
    name: 'nobody keeps the tables up',
    look: { tables: { value: { ...TABLES, hasActiveProjector: false } } },
    states: { tables: 'act' },
  },
  {
    name: 'tables of another version',
    look: { tables: { value: { ...TABLES, version: 'other' } } },
    states: { tables: 'act' },
    commands: ['rebuild'],
  },
  {
    name: 'tables of a newer version, which no command replaces',
    look: { tables: { value: { ...TABLES, version: 'newer' } } },
    states: { tables: 'look' },
    says: /Replace it/,
  },
  {
    name: 'parked, of kinds known and not',
    look: { tables: { value: { ...TABLES, parked: { record: 2, other: 1, 'more-other': 3 } } } },
    states: { parked: 'look' },
    commands: ['unpark'],
    says: /6 histories are parked/,
  },
  {
    name: 'notes of the access log wait for long',
    look: { queue: { value: { ...QUEUE, outboxOldestSeconds: 400 } } },
    states: { 'access-log': 'look' },
    says: /more than five minutes to be written to the log/,
  },
  {
    name: 'notes of the access log are set aside',
    look: { queue: { value: { ...QUEUE, outboxOldestSeconds: 400, outboxDeadLetters: 2 } } },
    states: { 'access-log': 'act' },
    says: /set aside/,
  },
];

for (const { name, look, states, commands = [], says } of CASES)
  findings(name, () => {
    const found = buildFindings({ ...WELL, ...look });
    assert.equal(
      found.map(({ id, state }) => [id, state]),
      ['database', 'log', 'queue', 'tables', 'parked', 'access-log'].map((id) => [
        id,
        states[id] ?? 'well',
      ]),
    );
    assert.equal(
      found.flatMap(({ command }) => command ?? []),
      commands,
    );
    for (const finding of found)
      assert.is(finding.state === 'well', finding.says.endsWith('Nothing needs to be done.'));
    if (says !== undefined) assert.match(found.map((one) => one.says).join('\n'), says);
  });

const REBUILD = {
  purpose: 'swap',
  phase: 'events',
  events: 42_000,
  total: 100_000,
  startedAt: new Date(AT.getTime() - 10_000),
} as const;

const foundWith = (tables: object) =>
  buildFindings({ ...WELL, tables: { value: { ...TABLES, ...tables } } });

findings('a rebuild under way says how far it is and when it will be done', () => {
  const found = foundWith({ rebuild: REBUILD }).find(({ id }) => id === 'rebuild');
  assert.is(found?.state, 'well');
  assert.match(found?.says ?? '', /stay in use until the new ones replace them/);
  assert.equal(found?.facts, [
    { name: 'At the moment', value: 'applying the events of the log' },
    { name: 'Done', value: '42,000 of about 100,000 events (42 %)' },
    { name: 'Pace', value: '4,200 events a second, about 14 seconds left' },
    { name: 'Began', value: REBUILD.startedAt },
  ]);
});

findings('a check is told as one, and the time of a later phase is not guessed', () => {
  const found = foundWith({ rebuild: { ...REBUILD, purpose: 'compare', phase: 'indexes' } });
  const rebuild = found.find(({ id }) => id === 'rebuild');
  assert.match(rebuild?.says ?? '', /are being checked against the log/);
  assert.equal(
    rebuild?.facts.map(({ name }) => name),
    ['At the moment', 'Done', 'Began'],
  );
});

findings('tables of another version that are being rebuilt need no command', () => {
  const tables = foundWith({ version: 'other', rebuild: REBUILD }).find(
    ({ id }) => id === 'tables',
  );
  assert.equal([tables?.state, tables?.command], ['look', null]);
  const checked = foundWith({
    version: 'other',
    rebuild: { ...REBUILD, purpose: 'compare' },
  }).find(({ id }) => id === 'tables');
  assert.equal([checked?.state, checked?.command], ['act', 'rebuild']);
});

findings('a kind that has no name of ours is among the others', () => {
  const parked = { record: 2, 'someone@example.org': 1, another: 3 };
  const found = buildFindings({ ...WELL, tables: { value: { ...TABLES, parked } } });
  const facts = found.find(({ id }) => id === 'parked')?.facts;
  assert.equal(facts, [
    { name: 'Birth records', value: '2' },
    { name: 'Others', value: '4' },
  ]);
});

findings('spans are said by their leading unit', () => {
  for (const [seconds, words] of [
    [0.4, 'less than a second'],
    [1, '1 second'],
    [119, '119 seconds'],
    [120, '2 minutes'],
    [7_300, '2 hours'],
    [200_000, '2 days'],
  ] as const)
    assert.is(formatSpan(seconds), words);
});

findings.run();
