import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { mergeRecords, type RecordsToMerge } from '../../api/record-commands/merge-records.ts';
import {
  newPractice,
  push,
  startWritingService,
  type TestPractice,
  type WritingService,
} from '../harness/service.ts';
import { type BirthParts, birthBundle } from '../support/bundles.ts';

/** Two records of one birth become one, on a running service. */

const merging = suite<{ service: WritingService; practice: TestPractice }>('merging records');

merging.before(async (context) => {
  context.service = await startWritingService();
});
merging.before.each(async (context) => {
  context.practice = await newPractice(context.service.commands);
});
merging.after(({ service }) => service.stop());

type Context = Parameters<Parameters<typeof merging>[1]>[0];

const ROSA = { family: 'Marin', given: ['Rosa'] };

const pushed = async ({ service, practice }: Context, parts: BirthParts): Promise<string> => {
  const receipt = await push(service.url, practice.token, birthBundle({ mother: ROSA, ...parts }));
  if (receipt.status !== 'completed') throw new Error(receipt.status);
  return receipt.outcome.accepted[0]?.submission_uuid ?? '';
};

/** The EHR sends another weight, of now. */
const changed = (context: Context, chartNumber: string): Promise<string> =>
  pushed(context, {
    chartNumber,
    lastUpdated: new Date().toISOString(),
    children: [{ weight: 3_400 }],
  });

const historyOf = async ({ service, practice }: Context, record: string) => {
  const { state, events } = await service.commands.historyOfRecord(
    practice.practiceId,
    record,
    null,
  );
  if (state === null) throw new Error('There is no such record.');
  return { state, events };
};

const commandOf = (
  { practice }: Context,
  kept: string,
  other: string,
  changes: Partial<RecordsToMerge> = {},
): RecordsToMerge => ({
  practiceId: practice.practiceId,
  actor: { kind: 'member', id: 'midwife' },
  correlationId: 'merge',
  submissionId: randomUUID(),
  survivor: { submissionUuid: kept, version: 1 },
  other: { submissionUuid: other, version: 1 },
  taken: ['children.0.birth_weight_grams'],
  reason: 'Same birth',
  ...changes,
});

const pairOf = async (context: Context) =>
  [
    await pushed(context, { chartNumber: 'R-1', children: [{ weight: 3_200 }] }),
    await pushed(context, { chartNumber: 'R-2', children: [{ weight: 3_300 }] }),
  ] as const;

const weightIn = ({ state }: Awaited<ReturnType<typeof historyOf>>) =>
  state.courseOfCare.children[0]?.birth_weight_grams;

merging(
  'the kept record takes a value over, the other one is voided and names it',
  async (context) => {
    const [kept, other] = await pairOf(context);
    const merged = await context.service.writes.mergeRecords(commandOf(context, kept, other));
    assert.is(merged.kind, 'done');
    const [after, voided] = [await historyOf(context, kept), await historyOf(context, other)];
    assert.equal([after.state.status, after.state.version, weightIn(after)], ['live', 2, 3_300]);
    assert.equal([voided.state.status, voided.state.version], ['voided', 2]);
    const { mergedInto } = (voided.events.at(-1)?.data ?? {}) as { mergedInto?: string };
    assert.is(mergedInto, kept);
    const { differences } = await context.service.commands.rebuild('compare');
    assert.equal(differences, []);
  },
);

/** The merge of a process that dies once values are taken over. */
const mergeHalf = ({ service: { registry } }: Context, command: RecordsToMerge): Promise<void> => {
  let appends = 0;
  const dying = {
    ...registry,
    log: {
      ...registry.log,
      append: (...args: Parameters<typeof registry.log.append>) => {
        appends += 1;
        if (appends === 2) throw new Error('The process has died.');
        return registry.log.append(...args);
      },
    },
  };
  return mergeRecords(dying, command).then(
    () => assert.unreachable(),
    ({ message }) => assert.is(message, 'The process has died.'),
  );
};

merging('a merge that dies between its two records goes on where it stopped', async (context) => {
  const { registry } = context.service;
  const [kept, other] = await pairOf(context);
  const command = commandOf(context, kept, other);
  await mergeHalf(context, command);
  const half = [await historyOf(context, kept), await historyOf(context, other)];
  assert.equal(
    half.map(({ state }) => state.status),
    ['live', 'live'],
  );
  assert.is((await mergeRecords(registry, command)).kind, 'done');
  assert.is((await mergeRecords(registry, command)).kind, 'done');
  const [after, voided] = [await historyOf(context, kept), await historyOf(context, other)];
  assert.equal([after.state.version, weightIn(after)], [2, 3_300]);
  assert.equal([voided.state.status, voided.state.version], ['voided', 2]);
});

for (const [which, chartNumber] of [
  ['kept', 'R-1'],
  ['other', 'R-2'],
] as const)
  merging(`it voids nothing once the ${which} record was changed`, async (context) => {
    const [kept, other] = await pairOf(context);
    const command = commandOf(context, kept, other);
    await mergeHalf(context, command);
    await changed(context, chartNumber);
    const { kind } = await mergeRecords(context.service.registry, command);
    assert.is(kind, 'changed-concurrently');
    const after = [await historyOf(context, kept), await historyOf(context, other)];
    assert.equal(
      after.map(({ state }) => state.status),
      ['live', 'live'],
    );
  });

merging('sent once more after it is done, it leaves later changes alone', async (context) => {
  const { registry } = context.service;
  const [kept, other] = await pairOf(context);
  const command = commandOf(context, kept, other);
  assert.is((await mergeRecords(registry, command)).kind, 'done');
  await changed(context, 'R-1');
  assert.is((await mergeRecords(registry, command)).kind, 'done');
  const after = await historyOf(context, kept);
  assert.equal([after.state.version, weightIn(after)], [3, 3_400]);
});

merging('nothing changes unless both are as the person saw them', async (context) => {
  const [kept, other] = await pairOf(context);
  const { writes } = context.service;
  const kinds = [];
  for (const changes of [
    { survivor: { submissionUuid: kept, version: 2 } },
    { other: { submissionUuid: other, version: 2 } },
    { reason: 'x' },
    { survivor: { submissionUuid: randomUUID(), version: 1 } },
  ])
    kinds.push((await writes.mergeRecords(commandOf(context, kept, other, changes))).kind);
  assert.equal(kinds, [
    'changed-concurrently',
    'changed-concurrently',
    'refused',
    'no-such-record',
  ]);
  const after = [await historyOf(context, kept), await historyOf(context, other)];
  assert.equal(
    after.map(({ state }) => [state.status, state.version]),
    [
      ['live', 1],
      ['live', 1],
    ],
  );
});

merging.run();
