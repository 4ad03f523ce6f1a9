import { DEFAULT_ITEMS } from '../../../domain/course/certificate-items.ts';
import { findRequiredItems, setCompleteness } from '../../../domain/practice/completeness.ts';
import type { PracticeEvent } from '../../../domain/practice/events.ts';
import { type Practice, practiceFold } from '../../../domain/practice/state.ts';
import { scenarios } from '../../support/scenarios.ts';

const practiceId = 'cedar';
const created: PracticeEvent = {
  type: 'PracticeCreated',
  data: { practiceId, name: 'Cedar', sandbox: true, beta: true },
};
const chosen: PracticeEvent = {
  type: 'NeededItemsChosen',
  data: { practiceId, items: ['wic', 'sex'] },
};
const dueInFive: PracticeEvent = { type: 'DaysUntilDueSet', data: { practiceId, days: 5 } };

const accepted = (...events: readonly PracticeEvent[]) => ({ kind: 'accepted', events });
const set = (neededItems: readonly string[], daysUntilDue: number | null) => (practice: Practice) =>
  setCompleteness({ neededItems, daysUntilDue }, practice);
const needed = (practice: Practice) =>
  practice.status === 'known' ? [findRequiredItems(practice), practice.daysUntilDue] : null;

scenarios(
  'what a practice needs of its records',
  (events: readonly PracticeEvent[]) => events.reduce(practiceFold.evolve, practiceFold.initial),
  [
    {
      name: 'items are chosen, in the order of the certificate, and a due date is set',
      given: [created],
      when: set(['sex', 'wic', 'sex'], 5),
      expect: accepted(chosen, dueInFive),
    },
    {
      name: 'the same again changes nothing',
      given: [created, chosen, dueInFive],
      when: set(['wic', 'sex'], 5),
      expect: accepted(),
    },
    {
      name: 'choosing the default is a choice',
      given: [created],
      when: set(DEFAULT_ITEMS, null),
      expect: accepted({ type: 'NeededItemsChosen', data: { practiceId, items: DEFAULT_ITEMS } }),
    },
    {
      name: 'none may be needed',
      given: [created, chosen],
      when: set([], null),
      expect: accepted({ type: 'NeededItemsChosen', data: { practiceId, items: [] } }),
    },
    {
      name: 'the due date is removed',
      given: [created, chosen, dueInFive],
      when: set(['wic', 'sex'], null),
      expect: accepted({ type: 'DaysUntilDueSet', data: { practiceId, days: null } }),
    },
    {
      name: 'an item that is not on the list is refused',
      given: [created],
      when: set(['sex', 'shoe-size'], null),
      expect: { kind: 'refused', code: 'no-such-item' },
    },
    ...[0, 366, 1.5, Number.NaN].map((days) => ({
      name: `${days} days are refused`,
      given: [created],
      when: set(['sex'], days),
      expect: { kind: 'refused', code: 'days-out-of-range', least: 1, most: 365 },
    })),
    {
      name: 'an unknown practice chooses nothing',
      given: [],
      when: set(['sex'], 5),
      expect: { kind: 'refused', code: 'no-practice' },
    },
    {
      name: 'a practice that never chose needs the default, without a due date',
      given: [created],
      when: needed,
      expect: [DEFAULT_ITEMS, null],
    },
    {
      name: 'a practice needs what it chose last',
      given: [created, dueInFive, chosen],
      when: needed,
      expect: [['wic', 'sex'], 5],
    },
  ],
);
