import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { BirthRecordEvent } from '../../../domain/birth-record/events.ts';
import {
  explainMissingItems,
  formatPlace,
  type GiveReason,
  giveReason,
  type ItemPlace,
  listItemReasons,
  parsePlace,
  takeBackReason,
} from '../../../domain/birth-record/item-reasons.ts';
import { evolve, noRecord } from '../../../domain/birth-record/state.ts';
import { type Child, emptyChild } from '../../../domain/course/course.ts';
import { findMissingItems } from '../../../domain/course/missing-items.ts';
import { amended, courseOfInes, INES, recorded, retracted } from '../../support/birth-records.ts';
import { scenarios } from '../../support/scenarios.ts';

const NEEDED = ['plurality', 'birth-weight', 'child-name'];
const TODAY = '2026-05-13';
const TOMORROW = '2026-05-14';

const PLURALITY: ItemPlace = { item: 'plurality', child: null };
const WEIGHT: ItemPlace = { item: 'birth-weight', child: 0 };
const WEIGHT_OF_SECOND: ItemPlace = { item: 'birth-weight', child: 1 };
const NAME: ItemPlace = { item: 'child-name', child: 0 };

const NAMED: Child = {
  ...emptyChild(),
  family_name: 'Amaral',
  given_names: ['Ines'],
  birth_date: '2026-05-12',
};
/** A version with these children; what they lack is all that is missing, beside the plurality. */
const version = (number: number, ...children: readonly Partial<Child>[]): BirthRecordEvent =>
  amended({
    version: number,
    course: { ...courseOfInes, children: children.map((child) => ({ ...NAMED, ...child })) },
  });
const UNWEIGHED = version(2, {});
const TWINS = version(2, {}, {});

const about = ({ item, child }: ItemPlace, children = 1, of = 2) => ({
  submissionUuid: INES,
  practiceId: 'practice',
  version: of,
  part: child === null ? 'course' : `children.${child}`,
  item,
  children,
  mark: null,
});
const unobtainable = (place: ItemPlace, children?: number): BirthRecordEvent => ({
  type: 'ItemUnobtainable',
  data: about(place, children),
});
const awaited = (place: ItemPlace, until = TOMORROW, children?: number): BirthRecordEvent => ({
  type: 'ItemAwaited',
  data: { ...about(place, children), until },
});
const takenBack = (place: ItemPlace): BirthRecordEvent => ({
  type: 'ItemReasonTakenBack',
  data: about(place),
});

type History = readonly { readonly event: BirthRecordEvent }[];
const asHistory = (events: readonly BirthRecordEvent[]): History =>
  events.map((event) => ({ event }));

/** Missing items on a day: those that count, a comma, those that do not. */
const missingOn =
  (today: string) =>
  (history: History): string => {
    const state = history.reduce((record, { event }) => evolve(record, event), noRecord);
    if (state.status !== 'live') return 'no live record';
    const { open, excused } = explainMissingItems(
      findMissingItems(state.course, NEEDED),
      listItemReasons(history),
      state.course,
      today,
    );
    const list = (items: typeof open) =>
      items
        .map(({ missing: { item, child } }) => formatPlace({ item: item.id, child }))
        .join(' + ');
    return `${list(open)}, ${list(excused)}`;
  };

scenarios('missing items that still count', asHistory, [
  {
    name: 'all of them without a reason',
    given: [recorded, UNWEIGHED],
    when: missingOn(TODAY),
    expect: 'course plurality + children.0 birth-weight, ',
  },
  {
    name: 'what will never be known does not count, on any day',
    given: [recorded, UNWEIGHED, unobtainable(WEIGHT)],
    when: missingOn('2036-05-13'),
    expect: 'course plurality, children.0 birth-weight',
  },
  {
    name: 'what is awaited does not count on the day before',
    given: [recorded, UNWEIGHED, awaited(PLURALITY)],
    when: missingOn(TODAY),
    expect: 'children.0 birth-weight, course plurality',
  },
  {
    name: 'what is awaited counts again on its day, without an event',
    given: [recorded, UNWEIGHED, awaited(PLURALITY)],
    when: missingOn(TOMORROW),
    expect: 'course plurality + children.0 birth-weight, ',
  },
  {
    name: 'the newest decision holds: from awaited to never',
    given: [recorded, UNWEIGHED, awaited(WEIGHT), unobtainable(WEIGHT)],
    when: missingOn(TOMORROW),
    expect: 'course plurality, children.0 birth-weight',
  },
  {
    name: 'the newest decision holds: from never to awaited',
    given: [recorded, UNWEIGHED, unobtainable(WEIGHT), awaited(WEIGHT)],
    when: missingOn(TOMORROW),
    expect: 'course plurality + children.0 birth-weight, ',
  },
  {
    name: 'what was taken back counts again',
    given: [recorded, UNWEIGHED, unobtainable(WEIGHT), takenBack(WEIGHT)],
    when: missingOn(TODAY),
    expect: 'course plurality + children.0 birth-weight, ',
  },
  {
    name: 'a later value replaces the reason',
    given: [recorded, UNWEIGHED, unobtainable(WEIGHT), version(3, { birth_weight_grams: 3_200 })],
    when: missingOn(TODAY),
    expect: 'course plurality, ',
  },
  {
    name: 'the reason holds again when the value goes away',
    given: [
      recorded,
      UNWEIGHED,
      unobtainable(WEIGHT),
      version(3, { birth_weight_grams: 3_200 }),
      version(4, {}),
    ],
    when: missingOn(TODAY),
    expect: 'course plurality, children.0 birth-weight',
  },
  {
    name: 'each twin has reasons of its own',
    given: [recorded, TWINS, unobtainable(WEIGHT_OF_SECOND, 2)],
    when: missingOn(TODAY),
    expect: 'course plurality + children.0 birth-weight, children.1 birth-weight',
  },
  {
    name: 'with a child more, a position may be another child: its reason does not hold, that of the course does',
    given: [recorded, UNWEIGHED, unobtainable(WEIGHT), unobtainable(PLURALITY), version(3, {}, {})],
    when: missingOn(TODAY),
    expect: 'children.0 birth-weight + children.1 birth-weight, course plurality',
  },
  {
    name: 'with a child less, too',
    given: [recorded, TWINS, unobtainable(WEIGHT, 2), version(3, {})],
    when: missingOn(TODAY),
    expect: 'course plurality + children.0 birth-weight, ',
  },
  {
    name: 'a record that is voided and sent again keeps its reasons',
    given: [recorded, UNWEIGHED, unobtainable(WEIGHT), retracted(3), version(4, {})],
    when: missingOn(TODAY),
    expect: 'course plurality, children.0 birth-weight',
  },
]);

const give =
  (reason: GiveReason['reason'], ...items: readonly ItemPlace[]) =>
  (history: History) =>
    giveReason({ items, reason, today: TODAY }, history);
const never = (...items: readonly ItemPlace[]) => give({ kind: 'unobtainable' }, ...items);
const expected = (until: string, ...items: readonly ItemPlace[]) =>
  give({ kind: 'awaited', until }, ...items);
const refused = (code: string) => ({ kind: 'refused', code });
const accepted = (...events: readonly BirthRecordEvent[]) => ({ kind: 'accepted', events });

scenarios('to give a reason', asHistory, [
  {
    name: 'is recorded for each item',
    given: [recorded, UNWEIGHED],
    when: never(WEIGHT, PLURALITY),
    expect: accepted(unobtainable(PLURALITY), unobtainable(WEIGHT)),
  },
  {
    name: 'is recorded with the day on which the item is expected',
    given: [recorded, version(2, { given_names: [] })],
    when: expected('2027-05-14', NAME),
    expect: accepted(awaited(NAME, '2027-05-14')),
  },
  {
    name: 'again changes nothing',
    given: [recorded, UNWEIGHED, unobtainable(WEIGHT), awaited(PLURALITY)],
    when: (history) => [never(WEIGHT)(history), expected(TOMORROW, PLURALITY)(history)],
    expect: [accepted(), accepted()],
  },
  {
    name: 'with another day moves the day',
    given: [recorded, UNWEIGHED, awaited(WEIGHT)],
    when: expected('2026-06-01', WEIGHT),
    expect: accepted(awaited(WEIGHT, '2026-06-01')),
  },
  {
    name: 'of another kind replaces the one before',
    given: [recorded, UNWEIGHED, awaited(WEIGHT)],
    when: never(WEIGHT),
    expect: accepted(unobtainable(WEIGHT)),
  },
  {
    name: 'again is recorded if it holds no more, because there is another child',
    given: [recorded, UNWEIGHED, unobtainable(WEIGHT), version(3, {}, {})],
    when: never(WEIGHT),
    expect: accepted({ type: 'ItemUnobtainable', data: about(WEIGHT, 2, 3) }),
  },
  {
    name: 'is refused without a record',
    given: [],
    when: never(WEIGHT),
    expect: refused('no-record'),
  },
  {
    name: 'is refused of a voided record',
    given: [recorded, UNWEIGHED, retracted(3)],
    when: never(WEIGHT),
    expect: refused('voided-needs-nothing'),
  },
  {
    name: 'is refused without an item',
    given: [recorded, UNWEIGHED],
    when: never(),
    expect: refused('no-item-chosen'),
  },
  {
    name: 'is refused of an item that no certificate has',
    given: [recorded, UNWEIGHED],
    when: never(WEIGHT, { item: 'shoe-size', child: null }),
    expect: refused('no-such-item'),
  },
  {
    name: 'is refused of an item that has a value',
    given: [recorded, version(2, { birth_weight_grams: 3_200 })],
    when: never(WEIGHT),
    expect: refused('item-not-missing'),
  },
  {
    name: 'is refused of a child that the record does not have',
    given: [recorded, UNWEIGHED],
    when: never(WEIGHT_OF_SECOND),
    expect: refused('item-not-missing'),
  },
  {
    name: 'is refused of an item that does not apply',
    given: [recorded, version(2, { fetal_death: true, given_names: [] })],
    when: never(NAME),
    expect: refused('item-not-missing'),
  },
  {
    name: 'is refused of what a partner’s record does not keep',
    given: [
      amended({ version: 1, keyKind: 'partner', course: { ...courseOfInes, children: [NAMED] } }),
    ],
    when: never({ item: 'mother-name', child: null }),
    expect: refused('item-not-missing'),
  },
  ...['2026-05-12', TODAY, '2027-05-15', '2026-02-30', '', 'soon'].map((until) => ({
    name: `is refused with “${until}” as the day`,
    given: [recorded, UNWEIGHED],
    when: expected(until, WEIGHT),
    expect: refused('expected-day-out-of-range'),
  })),
]);

const takeBack = (place: ItemPlace) => (history: History) => takeBackReason(place, history);

scenarios('to take back a reason', asHistory, [
  {
    name: 'is recorded',
    given: [recorded, UNWEIGHED, unobtainable(WEIGHT)],
    when: takeBack(WEIGHT),
    expect: accepted(takenBack(WEIGHT)),
  },
  {
    name: 'is recorded of an item that has a value by now',
    given: [recorded, UNWEIGHED, unobtainable(WEIGHT), version(2, { birth_weight_grams: 3_200 })],
    when: takeBack(WEIGHT),
    expect: accepted(takenBack(WEIGHT)),
  },
  {
    name: 'changes nothing if there is none, or none any more',
    given: [recorded, UNWEIGHED, unobtainable(WEIGHT), takenBack(WEIGHT)],
    when: (history) => [takeBack(WEIGHT)(history), takeBack(PLURALITY)(history)],
    expect: [accepted(), accepted()],
  },
  {
    name: 'is refused without a record',
    given: [],
    when: takeBack(WEIGHT),
    expect: refused('no-record'),
  },
  {
    name: 'is refused of a voided record',
    given: [recorded, UNWEIGHED, unobtainable(WEIGHT), retracted(3)],
    when: takeBack(WEIGHT),
    expect: refused('voided-needs-nothing'),
  },
  {
    name: 'is refused of an item that no certificate has',
    given: [recorded, UNWEIGHED],
    when: takeBack({ item: 'shoe-size', child: null }),
    expect: refused('no-such-item'),
  },
]);

const places = suite('the text of a place');
places('is read as the same place', () => {
  for (const place of [PLURALITY, WEIGHT, WEIGHT_OF_SECOND])
    assert.equal(parsePlace(formatPlace(place)), place);
});
places('of another form is no item', () => {
  for (const text of ['', 'birth-weight', 'children.x birth-weight', 'child.0 birth-weight'])
    assert.equal(
      never(parsePlace(text))(asHistory([recorded, UNWEIGHED])),
      refused('no-such-item'),
      text,
    );
});
places.run();
