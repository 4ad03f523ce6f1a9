import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { giveReason, takeBackReason } from '../../api/record-commands/change-record.ts';
import type { ItemPlace, ItemReason } from '../../domain/birth-record/item-reasons.ts';
import {
  newPractice,
  sendBirth,
  startWritingService,
  type TestPractice,
  type WritingService,
} from '../harness/service.ts';
import { birthBundle } from '../support/bundles.ts';

/** Reasons of missing items on a running service: what commands, the to-do list, and operators see. */

interface Context {
  service: WritingService;
  practice: TestPractice;
  record: string;
}

const reasons = suite<Context>('reasons of missing items');

const TODAY = '2026-05-13';
const LATER = '2026-05-20';
const PLURALITY: ItemPlace = { item: 'plurality', child: null };
const METHOD: ItemPlace = { item: 'delivery-method', child: null };

reasons.before(async (context) => {
  context.service = await startWritingService();
  context.practice = await newPractice(context.service.commands);
  context.record = await sendBirth(context, birthBundle({ chartNumber: 'R-1' }));
});
reasons.after(({ service }) => service.stop());

const recordToChange = ({ practice, record }: Context) => ({
  practiceId: practice.practiceId,
  submissionUuid: record,
  actor: { kind: 'member', id: 'midwife' } as const,
  correlationId: 'reasons',
});

const give = async (context: Context, reason: ItemReason, place: ItemPlace, version = 1) => {
  const command = { version, items: [place], reason, today: TODAY };
  return (await giveReason(context.service.registry, recordToChange(context), command)).kind;
};

/** Ids of the items to do on a day. */
const toDoOn = async ({ service, practice, record }: Context, today: string) => {
  const seat = {
    practiceId: practice.practiceId,
    memberId: 'midwife',
    today,
    now: new Date(`${today}T12:00:00Z`),
    neededItems: [PLURALITY.item, METHOD.item],
    daysUntilDue: null,
    isAdmin: false,
  };
  const { reads } = service.registry;
  const { byKind } = await reads.work.count(seat);
  const item = await reads.work.findOne(seat, 'missing', record);
  assert.is(byKind.get('missing') ?? 0, item === null ? 0 : 1);
  return item?.parts ?? [];
};

const isCounted = async ({ service }: Context): Promise<void> => {
  assert.equal((await service.commands.verify()).problems, []);
  assert.equal((await service.commands.rebuild('compare')).differences, []);
};

reasons(
  'an awaited item comes back on its day, one that will not be known never',
  async (context) => {
    assert.equal(await toDoOn(context, TODAY), ['plurality', 'delivery-method']);
    assert.is(await give(context, { kind: 'awaited', until: LATER }, PLURALITY), 'done');
    assert.equal(await toDoOn(context, TODAY), ['delivery-method']);
    assert.is(await give(context, { kind: 'unobtainable' }, METHOD), 'done');
    assert.equal(await toDoOn(context, TODAY), []);
    assert.equal(await toDoOn(context, '2026-05-19'), []);
    assert.equal(await toDoOn(context, LATER), ['plurality']);
    await isCounted(context);
  },
);

reasons(
  'the record is listed as changed, with its reasons, and its version stays',
  async (context) => {
    const { practice, service, record } = context;
    const [exported] = await service.registry.reads.readExportable(practice.practiceId, [record]);
    assert.equal(
      [exported?.version, exported?.reasons],
      [
        1,
        [
          { ...METHOD, children: 1, reason: { kind: 'unobtainable' } },
          { ...PLURALITY, children: 1, reason: { kind: 'awaited', until: LATER } },
        ],
      ],
    );
    const listed = await service.registry.reads.listItemReasons(record);
    assert.equal(
      listed.map(({ item, reason, givenBy }) => [item, reason.kind, givenBy.id]).sort(),
      [
        ['delivery-method', 'unobtainable', 'midwife'],
        ['plurality', 'awaited', 'midwife'],
      ],
    );
    const { events } = await service.commands.history(practice.practiceId, 'R-1', null);
    assert.equal(
      events.map(({ type }) => type),
      ['BirthRecorded', 'ItemAwaited', 'ItemUnobtainable'],
    );
  },
);

reasons('a reason about another version is not given', async (context) => {
  assert.is(await give(context, { kind: 'unobtainable' }, PLURALITY, 2), 'changed-concurrently');
});

reasons('what is taken back is to do again, also after a later version', async (context) => {
  const { service } = context;
  const taken = { version: 1, ...METHOD };
  const { kind } = await takeBackReason(service.registry, recordToChange(context), taken);
  assert.is(kind, 'done');
  assert.equal(await toDoOn(context, TODAY), ['delivery-method']);
  const later = birthBundle({ chartNumber: 'R-1', lastUpdated: new Date().toISOString() });
  await sendBirth(context, later);
  assert.equal(await toDoOn(context, TODAY), ['delivery-method']);
  assert.equal(await toDoOn(context, LATER), ['plurality', 'delivery-method']);
  await isCounted(context);
});

reasons.run();
