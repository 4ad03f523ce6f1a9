import type { Decision } from '../../../domain/decision.ts';
import { createPractice, setPractice } from '../../../domain/practice/decide.ts';
import type { PracticeEvent } from '../../../domain/practice/events.ts';
import { evolve, type Practice, unknownPractice } from '../../../domain/practice/state.ts';
import { scenarios } from '../../support/scenarios.ts';

const fold = (events: readonly PracticeEvent[]): Practice =>
  events.reduce<Practice>(evolve, unknownPractice);

const create = (name: string): Decision<PracticeEvent> =>
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
          data: { practiceId: 'practice', name: 'Cedar Birth Center', sandbox: true, beta: false },
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
  {
    name: 'a name with a web address is refused',
    given: [],
    when: () => create('Cedar https://evil.example'),
    expect: { kind: 'refused', code: 'name-with-web-address' },
  },
]);

const clockSet: PracticeEvent = {
  type: 'PracticeTimeZoneSet',
  data: { practiceId: 'practice', timeZone: 'America/New_York' },
};
const dayFirst: PracticeEvent = {
  type: 'PracticeDateOrderSet',
  data: { practiceId: 'practice', dateOrder: 'day-first' },
};
const onTwelveHours: PracticeEvent = {
  type: 'PracticeClockSet',
  data: { practiceId: 'practice', clock: '12' },
};

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

const factorRequired: PracticeEvent = {
  type: 'SecondFactorRequirementSet',
  data: { practiceId: 'practice', required: true },
};
const refusedSandbox: PracticeEvent = {
  type: 'PracticeSandboxChangeRefused',
  data: { practiceId: 'practice', sandbox: true },
};

scenarios('setting a practice', fold, [
  {
    name: 'it leaves the beta and becomes a sandbox at once',
    given: [created],
    when: (state) => setPractice({ sandbox: true, beta: false }, state, false),
    expect: { kind: 'accepted', events: [becameSandbox, leftBeta] },
  },
  {
    name: 'what holds live records stays what it is, sandbox or not; the attempt is told',
    given: [created],
    when: (state) => setPractice({ sandbox: true, beta: false }, state, true),
    expect: { kind: 'accepted', events: [refusedSandbox] },
  },
  {
    name: 'the same the other way: a sandbox with live records becomes no real practice',
    given: [created, becameSandbox],
    when: (state) => setPractice({ sandbox: false, beta: null }, state, true),
    expect: {
      kind: 'accepted',
      events: [
        {
          type: 'PracticeSandboxChangeRefused',
          data: { practiceId: 'practice', sandbox: false },
        },
      ],
    },
  },
  {
    name: 'live records stand in the way of no other setting, nor of what holds already',
    given: [created],
    when: (state) => setPractice({ sandbox: false, beta: false }, state, true),
    expect: { kind: 'accepted', events: [leftBeta] },
  },
  {
    name: 'a refused attempt changes nothing',
    given: [created, refusedSandbox],
    when: (state) => setPractice({ sandbox: false, beta: true }, state, false),
    expect: { kind: 'accepted', events: [] },
  },
  {
    name: 'what is not named stays as it is',
    given: [created],
    when: (state) => setPractice({ sandbox: null, beta: false }, state, false),
    expect: { kind: 'accepted', events: [leftBeta] },
  },
  {
    name: 'what holds already is no event',
    given: [created, leftBeta, becameSandbox],
    when: (state) => setPractice({ sandbox: true, beta: false }, state, false),
    expect: { kind: 'accepted', events: [] },
  },
  {
    name: 'it comes back into the beta',
    given: [created, leftBeta],
    when: (state) => setPractice({ sandbox: null, beta: true }, state, false),
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
        false,
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
    name: 'the clock that it only seemed to have is set',
    given: [created],
    when: (state) =>
      setPractice({ sandbox: null, beta: null, timeZone: 'America/New_York' }, state, false),
    expect: { kind: 'accepted', events: [clockSet] },
  },
  {
    name: 'how it writes dates is set',
    given: [created],
    when: (state) =>
      setPractice({ sandbox: null, beta: null, dateOrder: 'day-first' }, state, false),
    expect: { kind: 'accepted', events: [dayFirst] },
  },
  {
    name: 'the date order that it has already is no event',
    given: [created, dayFirst],
    when: (state) =>
      setPractice({ sandbox: null, beta: null, dateOrder: 'day-first' }, state, false),
    expect: { kind: 'accepted', events: [] },
  },
  {
    name: 'its clock is set',
    given: [created],
    when: (state) => setPractice({ sandbox: null, beta: null, clock: '12' }, state, false),
    expect: { kind: 'accepted', events: [onTwelveHours] },
  },
  {
    name: 'the clock that it already has is no event',
    given: [created, onTwelveHours],
    when: (state) => setPractice({ sandbox: null, beta: null, clock: '12' }, state, false),
    expect: { kind: 'accepted', events: [] },
  },
  {
    name: 'an unknown practice has no clock',
    given: [],
    when: (state) => setPractice({ sandbox: null, beta: null, clock: '12' }, state, false).kind,
    expect: 'refused',
  },
  {
    name: 'an unknown practice has no date order',
    given: [],
    when: (state) =>
      setPractice({ sandbox: null, beta: null, dateOrder: 'day-first' }, state, false).kind,
    expect: 'refused',
  },
  {
    name: 'the name and the clock that it has already are no events',
    given: [created, clockSet],
    when: (state) =>
      setPractice(
        { sandbox: null, beta: null, name: 'Cedar Birth Center', timeZone: 'America/New_York' },
        state,
        false,
      ),
    expect: { kind: 'accepted', events: [] },
  },
  {
    name: 'it requires a second factor of its members, and then no more',
    given: [created],
    when: (state) =>
      [true, false].flatMap((requiresSecondFactor) => {
        const asked = { sandbox: null, beta: null, requiresSecondFactor };
        const held = requiresSecondFactor ? state : evolve(state, factorRequired);
        const decided = setPractice(asked, held, true);
        return decided.kind === 'accepted' ? decided.events : [];
      }),
    expect: [
      factorRequired,
      { type: 'SecondFactorRequirementSet', data: { practiceId: 'practice', required: false } },
    ],
  },
  {
    name: 'a second factor that is required already, and one that never was, are no events',
    given: [created],
    when: (state) =>
      [
        setPractice({ sandbox: null, beta: null, requiresSecondFactor: false }, state, false),
        setPractice(
          { sandbox: null, beta: null, requiresSecondFactor: true },
          evolve(state, factorRequired),
          false,
        ),
      ].map((decided) => decided.kind === 'accepted' && decided.events.length),
    expect: [0, 0],
  },
  {
    name: 'an unknown practice requires nothing',
    given: [],
    when: (state) =>
      setPractice({ sandbox: null, beta: null, requiresSecondFactor: true }, state, false).kind,
    expect: 'refused',
  },
  {
    name: 'a blank name is refused',
    given: [created],
    when: (state) => setPractice({ sandbox: null, beta: null, name: ' ' }, state, false).kind,
    expect: 'refused',
  },
  {
    name: 'an unknown practice is refused',
    given: [],
    when: (state) => setPractice({ sandbox: null, beta: true }, state, false).kind,
    expect: 'refused',
  },
]);
