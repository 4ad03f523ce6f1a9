import { setSingleSignOn, turnSingleSignOnOff } from '../../../domain/practice/decide.ts';
import type { PracticeEvent } from '../../../domain/practice/events.ts';
import { practiceFold } from '../../../domain/practice/state.ts';
import { scenarios } from '../../support/scenarios.ts';

const practiceId = 'cedar';
const created: PracticeEvent = {
  type: 'PracticeCreated',
  data: { practiceId, name: 'Cedar', sandbox: true, beta: true },
};
const data = {
  practiceId,
  issuer: 'https://login.cedar.example',
  clientId: 'registry',
  allowedDomains: ['cedar.example'],
};
const set: PracticeEvent = { type: 'SingleSignOnSet', data };
const off: PracticeEvent = { type: 'SingleSignOnTurnedOff', data: { practiceId } };
const other = { ...data, allowedDomains: ['cedar.example', 'birth.example'] };

const accepted = (...events: readonly PracticeEvent[]) => ({ kind: 'accepted', events });
const refused = { kind: 'refused', code: 'no-practice' };

scenarios(
  'single sign-on of a practice',
  (events: readonly PracticeEvent[]) => events.reduce(practiceFold.evolve, practiceFold.initial),
  [
    {
      name: 'it is set up',
      given: [created],
      when: (practice) => setSingleSignOn(data, practice, true),
      expect: accepted(set),
    },
    {
      name: 'the same again changes nothing',
      given: [created, set],
      when: (practice) => setSingleSignOn(data, practice, false),
      expect: accepted(),
    },
    {
      name: 'another secret is noted',
      given: [created, set],
      when: (practice) => setSingleSignOn(data, practice, true),
      expect: accepted(set),
    },
    {
      name: 'other domains are set',
      given: [created, set],
      when: (practice) => setSingleSignOn(other, practice, false),
      expect: accepted({ type: 'SingleSignOnSet', data: other }),
    },
    {
      name: 'it is set up again after it was turned off',
      given: [created, set, off],
      when: (practice) => setSingleSignOn(data, practice, false),
      expect: accepted(set),
    },
    {
      name: 'an unknown practice has none',
      given: [],
      when: (practice) => setSingleSignOn(data, practice, true),
      expect: refused,
    },
    {
      name: 'it is turned off',
      given: [created, set],
      when: turnSingleSignOnOff,
      expect: accepted(off),
    },
    {
      name: 'where it is off already, nothing changes',
      given: [created, set, off],
      when: turnSingleSignOnOff,
      expect: accepted(),
    },
    {
      name: 'an unknown practice turns nothing off',
      given: [],
      when: turnSingleSignOnOff,
      expect: refused,
    },
  ],
);
