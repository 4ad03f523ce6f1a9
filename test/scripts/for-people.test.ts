import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { RecordHistory } from '../../api/commands/record-history.ts';
import type { Actor } from '../../domain/event-log.ts';
import {
  keysInWords,
  rebuildInWords,
  verificationInWords,
} from '../../scripts/operator/for-people/checks.ts';
import { historyInWords } from '../../scripts/operator/for-people/history.ts';
import { practiceTable } from '../../scripts/operator/for-people/lists.ts';
import { styleFor } from '../../scripts/operator/for-people/style.ts';
import { EMPTY_ROOT } from '../../transparency-log/merkle-tree.ts';
import { amended, courseOfInes, INES, recorded, retracted } from '../support/birth-records.ts';

/** What commands print where nobody asks for JSON. */
const people = suite('what commands print for people');

const plain = styleFor({});
const colored = styleFor({ isTTY: true, hasColors: () => true });
const ESCAPE = '\u001b';

const EHR: Actor = { kind: 'key', id: 'K1' };
const ADA: Actor = { kind: 'member', id: 'M1' };
const SHELL: Actor = { kind: 'operator', id: 'shell' };

const heavier = {
  ...courseOfInes,
  children: courseOfInes.children.map((child) => ({ ...child, birth_weight_grams: 3_400 })),
};
const voided = { ...retracted(3), data: { ...retracted(3).data, reason: 'Another chart.' } };
const happened = [
  { event: recorded, at: '2026-05-12T14:03:22.512Z', actor: EHR },
  { event: amended({ course: heavier, source: 'manual' }), at: '2026-05-13T09:00:00Z', actor: ADA },
  { event: voided, at: '2026-05-14T10:00:00Z', actor: SHELL },
];

const history: RecordHistory = {
  chartNumber: 'C-1',
  submissionUuid: INES,
  state: {
    status: 'voided',
    version: 3,
    source: 'manual',
    keyKind: null,
    suspectedDuplicate: false,
    courseOfCare: heavier,
  },
  events: happened.map(({ event: { type, data }, at, actor }, index) => ({
    type,
    version: index + 1,
    at,
    actor,
    data,
    leaf: index === 2 ? null : 40 + index,
  })),
};
const names = {
  clock: '24' as const,
  timeZone: 'America/Chicago',
  actors: new Map([
    ['key:K1', { name: 'Cedar EHR', email: null, partner: null }],
    ['member:M1', { name: 'Ada Okoye', email: 'ada@cedar.example', partner: null }],
  ]),
  providers: new Map(),
  customFields: [],
};

people('a history says what changed from what to what, when and by whom', () => {
  const shown = historyInWords(history, names, null, plain);
  for (const line of [
    /^State +voided, version 3$/m,
    /^Chart number +C-1$/m,
    new RegExp(`^Record +${INES}$`, 'm'),
    /^ {2}Place of birth +Hospital$/m,
    /^ {2}2026-05-12 14:03:22 {2}version 1 {2}Sent by Cedar EHR \(key K1, leaf 40\)$/m,
    /^ {2}2026-05-13 09:00:00 {2}version 2 {2}Corrected by Ada Okoye \(member M1, leaf 41\)$/m,
    /^ {6}Child: birth weight +3,200 g \(7 lb 1 oz\) → 3,400 g \(7 lb 8 oz\)$/m,
    /^ {2}2026-05-14 10:00:00 {2}version 3 {2}Voided by the service staff \(operator shell\)$/m,
    /^ {6}Reason: Another chart\.$/m,
  ])
    assert.match(shown, line);
  assert.not.match(shown, /[{}]/, 'nobody has to read JSON');
  assert.not.match(shown, ESCAPE);
  assert.match(historyInWords(history, names, null, colored), `${ESCAPE}[`);
});

people('a history without the read tables is told by ids', () => {
  const unnamed = { ...names, actors: new Map() };
  assert.match(historyInWords(history, unnamed, null, plain), 'Sent by an EHR (key K1, leaf 40)');
});

people('a record that is not there, or was not yet, is said in a sentence', () => {
  const none = { ...history, submissionUuid: null, state: null, events: [] };
  assert.match(
    historyInWords(none, names, null, plain),
    'There is no such record in the practice.',
  );
  assert.match(
    historyInWords(none, names, new Date('2026-05-01T00:00:00Z'), plain),
    'There was no such record in the practice at 2026-05-01 00:00:00 UTC.',
  );
});

people('what was sent can do nothing to the terminal', () => {
  const named = (name: string) =>
    practiceTable(
      [
        {
          practiceId: 'P1',
          name,
          sandbox: true,
          beta: false,
          timeZone: 'UTC',
          members: 2,
          liveKeys: 1_200,
        },
      ],
      plain,
    );
  const shown = named(`Ce${ESCAPE}[2J\u202edar\nroot\u009b31m`);
  assert.is(shown.split('\n').length, 2);
  assert.match(shown, /^Ce \[2J dar root 31m +P1 +yes +no +UTC +2 +1,200$/m);
  const rewritten = {
    ...heavier,
    chart_number: `C${ESCAPE}]0;x\u0007`,
    mother: { ...heavier.mother, family_name: `${ESCAPE}[1A` },
  };
  const event = amended({ course: rewritten });
  const sent = historyInWords(
    {
      ...history,
      chartNumber: rewritten.chart_number,
      state: history.state && { ...history.state, courseOfCare: rewritten },
      events: history.events.map((one, index) =>
        index === 1 ? { ...one, type: event.type, data: event.data } : one,
      ),
    },
    names,
    null,
    plain,
  );
  assert.match(sent, 'C ]0;x');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
  assert.not.match(sent, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
});

people('colors are for a terminal that knows them', () => {
  for (const stream of [
    {},
    { isTTY: false, hasColors: () => true },
    // As with NO_COLOR or TERM=dumb.
    { isTTY: true, hasColors: () => false },
  ])
    assert.is(styleFor(stream).bad('x'), 'x');
  assert.is(colored.bad('x'), `${ESCAPE}[31mx${ESCAPE}[39m`);
});

people('a verification is a sentence, or the problems line by line', () => {
  const tree = { size: 4_000, root: EMPTY_ROOT };
  const sound = {
    streams: 1_200,
    events: 4_000,
    tree,
    problems: [],
    newerTypes: [],
    acknowledgedEvents: 0,
    acceptedLosses: [],
    tablesCompared: true,
  };
  assert.is(
    verificationInWords(sound, plain),
    '4,000 events on 1,200 streams of the log were read.\nNo problem was found: the log is whole, and each record in the read tables is what its events say.',
  );
  assert.match(
    verificationInWords({ ...sound, tablesCompared: false }, plain),
    'The read tables were not compared with it.',
  );
  const newerTypes = [
    { type: 'BirthSealed', events: 1_002 },
    { type: 'KeyFrozen', events: 1 },
  ];
  assert.match(
    verificationInWords({ ...sound, newerTypes }, plain),
    'so this one passed over them: BirthSealed (1,002), KeyFrozen (1).\nNo problem was found',
  );
  assert.match(
    verificationInWords({ ...sound, acknowledgedEvents: 2 }, plain),
    '2 events of other programs, which were acknowledged, were passed over.\nNo problem was found',
  );
  const acceptedLosses = [{ stream: 'record-7', from: '0', to: '4' }];
  assert.match(
    verificationInWords({ ...sound, acceptedLosses }, plain),
    'These events are lost, which an operator has accepted:\n  record-7, revisions 0 to 4\nNo other problem was found',
  );
  const problems = Array.from({ length: 51 }, (_, index) => ({
    stream: `record-${index}`,
    problem: 'Events are missing.',
  }));
  const shown = verificationInWords({ ...sound, problems }, plain);
  assert.match(shown, '51 problems were found:\n  record-0: Events are missing.');
  assert.match(shown, 'The first 50 of 51 are shown; --json lists them all.');
});

people('new keys are told with what comes of the older ones', () => {
  const rotated = {
    queueKey: 3,
    hashKey: 2,
    checkpointKey: 'birth-registry/cedar+0123abcd+AQID',
    hashKeyAloneFrom: '2026-11-26T21:32:16.058Z',
  };
  const shown = keysInWords({ ...rotated, olderQueueKeys: [1, 2] }, plain);
  assert.match(shown, 'The queue now uses version 3 of its key');
  assert.match(shown, /^ {2}birth-registry\/cedar\+0123abcd\+AQID$/m);
  assert.match(shown, 'with versions 1, 2. The service deletes');
  assert.match(shown, 'Until 2026-11-26 21:32:16 UTC, new records');
  const alone = keysInWords({ ...rotated, olderQueueKeys: [] }, plain);
  assert.match(alone, 'No older version of the queue key is left.');
});

people('a check of the tables says whether they hold what the log says', () => {
  const rebuilt = {
    events: 100_000,
    seconds: 19.53,
    eventsPerSecond: 5_120,
    differences: [],
    incomplete: [],
  };
  assert.is(
    rebuildInWords(rebuilt, 'compare', plain),
    'The read tables were built from the log beside the live ones: 100,000 events in 19.5 s (5,120 a second).\nThe live tables hold exactly what the log says.',
  );
  const incomplete = [{ stream: 'record-1', from: '0', to: '2' }];
  assert.match(
    rebuildInWords({ ...rebuilt, incomplete }, 'compare', plain),
    'The log lacks these events: restore it from a backup.\n  record-1, revisions 0 to 2',
  );
  assert.match(
    rebuildInWords({ ...rebuilt, incomplete }, 'swap', plain),
    'The log lacks these events, and their loss is accepted:\n  record-1, revisions 0 to 2',
  );
  const differences = [
    { table: 'record', key: { stream: 'record-1' }, kind: 'different', columns: ['version'] },
  ] as const;
  const shown = rebuildInWords({ ...rebuilt, differences }, 'compare', plain);
  assert.match(shown, 'differ from the log in 1 row. Run `rebuild` to replace them.');
  assert.match(shown, /^record +stream record-1 +had other values +version$/m);
});

people.run();
