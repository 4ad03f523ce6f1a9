import {
  createPractice,
  type PracticeDecision,
  setPractice,
} from '../../../domain/practice/decide.ts';
import type { PracticeEvent } from '../../../domain/practice/events.ts';
import { evolve, type Practice, unknownPractice } from '../../../domain/practice/state.ts';
import { scenarios } from '../../support/scenarios.ts';

const fold = (events: readonly PracticeEvent[]): Practice =>
  events.reduce<Practice>(evolve, unknownPractice);

const create = (name: string): PracticeDecision =>
  createPractice({ practiceId: 'practice', name, sandbox: true, beta: false });

scenarios('creating a practice', fold, [
  {
    name: 'it is known by its trimmed name and its flags',
    given: [],
    when: () => create('  Cedar Birth Center '),
    expect: {
      kind: 'accepted',
      events: [
        {
          type: 'PracticeCreated',
          data: {
            ...{ practiceId: 'practice', name: 'Cedar Birth Center' },
            ...{ sandbox: true, beta: false },
          },
        },
      ],
    },
  },
  { name: 'a blank name is refused', given: [], when: () => create('  ').kind, expect: 'refused' },
  {
    name: 'a name of more than 200 characters is refused',
    given: [],
    when: () => create('x'.repeat(201)).kind,
    expect: 'refused',
  },
]);

const created: PracticeEvent = {
  type: 'PracticeCreated',
  data: { practiceId: 'practice', name: 'Cedar Birth Center', sandbox: false, beta: true },
};
const leftBeta: PracticeEvent = {
  type: 'PracticeBetaSet',
  data: { practiceId: 'practice', beta: false },
};
const becameSandbox: PracticeEvent = {
  type: 'PracticeSandboxSet',
  data: { practiceId: 'practice', sandbox: true },
};

scenarios('setting a practice', fold, [
  {
    name: 'it leaves the beta and becomes a sandbox at once',
    given: [created],
    when: (state) => setPractice({ sandbox: true, beta: false }, state),
    expect: { kind: 'accepted', events: [becameSandbox, leftBeta] },
  },
  {
    name: 'what is not named stays as it is',
    given: [created],
    when: (state) => setPractice({ sandbox: null, beta: false }, state),
    expect: { kind: 'accepted', events: [leftBeta] },
  },
  {
    name: 'what holds already is no event',
    given: [created, leftBeta, becameSandbox],
    when: (state) => setPractice({ sandbox: true, beta: false }, state),
    expect: { kind: 'accepted', events: [] },
  },
  {
    name: 'it comes back into the beta',
    given: [created, leftBeta],
    when: (state) => setPractice({ sandbox: null, beta: true }, state),
    expect: {
      kind: 'accepted',
      events: [{ type: 'PracticeBetaSet', data: { practiceId: 'practice', beta: true } }],
    },
  },
  {
    name: 'it is renamed and gets a clock of its own',
    given: [created],
    when: (state) =>
      setPractice(
        { sandbox: null, beta: null, name: ' Birch House ', timeZone: 'America/Denver' },
        state,
      ),
    expect: {
      kind: 'accepted',
      events: [
        { type: 'PracticeRenamed', data: { practiceId: 'practice', name: 'Birch House' } },
        {
          type: 'PracticeTimeZoneSet',
          data: { practiceId: 'practice', timeZone: 'America/Denver' },
        },
      ],
    },
  },
  {
    name: 'the name and the clock that it has already are no events',
    given: [created],
    when: (state) =>
      setPractice(
        {
          ...{ sandbox: null, beta: null },
          ...{ name: 'Cedar Birth Center', timeZone: 'America/New_York' },
        },
        state,
      ),
    expect: { kind: 'accepted', events: [] },
  },
  {
    name: 'a blank name is refused',
    given: [created],
    when: (state) => setPractice({ sandbox: null, beta: null, name: ' ' }, state).kind,
    expect: 'refused',
  },
  {
    name: 'an unknown practice is refused',
    given: [],
    when: (state) => setPractice({ sandbox: null, beta: true }, state).kind,
    expect: 'refused',
  },
]);
