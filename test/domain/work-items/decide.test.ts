import {
  claimWork,
  dismissWork,
  releaseWork,
  reopenWork,
  type WorkCommand,
} from '../../../domain/work-items/decide.ts';
import type { WorkEvent } from '../../../domain/work-items/events.ts';
import { getRefusedItemKey } from '../../../domain/work-items/items.ts';
import {
  evolve,
  getAssignee,
  initialWork,
  isDismissed,
  type WorkState,
} from '../../../domain/work-items/state.ts';
import { scenarios } from '../../support/scenarios.ts';

const AT = '2026-05-13T11:00:00.000Z';
const SINCE = new Date('2026-05-12T08:00:00.000Z');
const item = { practiceId: 'cedar', kind: 'missing', key: 'record-1' } as const;

const fold = (events: readonly WorkEvent[]): WorkState => events.reduce(evolve, initialWork);

const command = (memberId: string, changes: Partial<WorkCommand> = {}): WorkCommand => ({
  ...item,
  memberId,
  at: AT,
  since: SINCE,
  parts: ['sex', 'wic'],
  ...changes,
});
const said = (memberId: string, at = AT) => ({ ...item, memberId, at });
const taken = (memberId: string, at = AT): WorkEvent => ({
  type: 'WorkTaken',
  data: said(memberId, at),
});
const released = (memberId: string): WorkEvent => ({ type: 'WorkReleased', data: said(memberId) });
const dismissed = (memberId: string, ...parts: readonly string[]): WorkEvent => ({
  type: 'WorkDismissed',
  data: { ...said(memberId), parts },
});
const reopened = (memberId: string): WorkEvent => ({ type: 'WorkReopened', data: said(memberId) });

const take =
  (memberId: string, from: string | null = null) =>
  (state: WorkState) =>
    claimWork({ ...command(memberId), from }, state);
const accepted = (...events: readonly WorkEvent[]) => ({ kind: 'accepted', events });
const HAS_IT = (memberId: string) => ({ kind: 'refused', code: 'work-taken-by-other', memberId });

scenarios('taking something to do', fold, [
  {
    name: 'what nobody has is taken',
    given: [],
    when: take('ana'),
    expect: accepted(taken('ana')),
  },
  { name: 'twice is once', given: [taken('ana')], when: take('ana'), expect: accepted() },
  {
    name: 'of two at once the second hears who has it',
    given: [taken('ana')],
    when: take('ben'),
    expect: HAS_IT('ana'),
  },
  {
    name: 'who sees that Ana has it may take it over',
    given: [taken('ana')],
    when: take('ben', 'ana'),
    expect: accepted(taken('ben')),
  },
  {
    name: 'taken over by somebody else meanwhile, it is theirs',
    given: [taken('ana'), taken('cleo')],
    when: take('ben', 'ana'),
    expect: HAS_IT('cleo'),
  },
  {
    name: 'what was released is free',
    given: [taken('ana'), released('ana')],
    when: take('ben'),
    expect: accepted(taken('ben')),
  },
  {
    name: 'who took it before it came up again took something else',
    given: [taken('ana', '2026-05-01T08:00:00.000Z')],
    when: (state) => [getAssignee(SINCE, state), take('ben')(state)],
    expect: [null, accepted(taken('ben'))],
  },
]);

scenarios('releasing something to do', fold, [
  {
    name: 'who has it lets it go',
    given: [taken('ana')],
    when: (state) => releaseWork(command('ana'), state),
    expect: accepted(released('ana')),
  },
  {
    name: 'what nobody has stays so',
    given: [taken('ana'), released('ana')],
    when: (state) => releaseWork(command('ana'), state),
    expect: accepted(),
  },
  {
    name: 'nobody releases what another one has',
    given: [taken('ana')],
    when: (state) => releaseWork(command('ben'), state),
    expect: HAS_IT('ana'),
  },
]);

scenarios('dismissing something to do', fold, [
  {
    name: 'it is dismissed with what it consists of',
    given: [],
    when: (state) => dismissWork(command('ana'), state),
    expect: accepted(dismissed('ana', 'sex', 'wic')),
  },
  {
    name: 'twice is once, also when less of it is left',
    given: [dismissed('ana', 'sex', 'wic')],
    when: (state) => dismissWork(command('ben', { parts: ['wic'] }), state),
    expect: accepted(),
  },
  {
    name: 'it comes back when something is added, and can be dismissed again',
    given: [dismissed('ana', 'wic')],
    when: (state) => [
      isDismissed(['wic'], state),
      isDismissed(['sex', 'wic'], state),
      dismissWork(command('ana'), state),
    ],
    expect: [true, false, accepted(dismissed('ana', 'sex', 'wic'))],
  },
  {
    name: 'what another one has is theirs to dismiss',
    given: [taken('ana')],
    when: (state) => dismissWork(command('ben'), state),
    expect: HAS_IT('ana'),
  },
  {
    name: 'what leaves by itself cannot be dismissed',
    given: [],
    when: (state) => dismissWork(command('ana', { kind: 'question' }), state),
    expect: { kind: 'refused', code: 'work-not-dismissible' },
  },
]);

scenarios('undoing a dismissal', fold, [
  {
    name: 'it is there again',
    given: [dismissed('ana', 'wic')],
    when: (state) => reopenWork(command('ben'), state),
    expect: accepted(reopened('ben')),
  },
  {
    name: 'what is not dismissed stays as it is',
    given: [dismissed('ana', 'wic'), reopened('ben')],
    when: (state) => reopenWork(command('ben'), state),
    expect: accepted(),
  },
]);

scenarios('the name of a refused record', fold, [
  {
    name: 'a chart number names every later refusal of the same record too',
    given: [],
    when: () => [
      getRefusedItemKey('one', 0, 'C-1') === getRefusedItemKey('other', 7, 'C-1'),
      getRefusedItemKey('one', 0, null) === getRefusedItemKey('one', 1, null),
    ],
    expect: [true, false],
  },
]);
