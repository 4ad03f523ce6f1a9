import { createPartner, setPartner } from '../../../domain/partner/decide.ts';
import type { ContractStatus, PartnerEvent } from '../../../domain/partner/events.ts';
import { checkGate } from '../../../domain/partner/gate.ts';
import { evolve, type Partner, unknownPartner } from '../../../domain/partner/state.ts';
import { scenarios } from '../../support/scenarios.ts';

const fold = (events: readonly PartnerEvent[]): Partner =>
  events.reduce<Partner>(evolve, unknownPartner);

const created = (beta: boolean, status: ContractStatus): PartnerEvent => ({
  type: 'PartnerCreated',
  data: { partnerId: 'partner', name: 'Maple EHR', beta, status },
});
const betaSet = (beta: boolean): PartnerEvent => ({
  type: 'PartnerBetaSet',
  data: { partnerId: 'partner', beta },
});
const changedTo = (status: ContractStatus): PartnerEvent => ({
  type: 'PartnerContractStatusChanged',
  data: { partnerId: 'partner', status },
});
const create = (name: string) =>
  createPartner({ partnerId: 'partner', name, beta: false, status: 'Pending' });
const to = (status: ContractStatus) => (state: Partner) =>
  setPartner({ beta: null, status }, state);
const reasonOf = (state: Partner): string => {
  const gate = checkGate(state);
  return gate.kind === 'closed' ? gate.reason : 'open';
};

scenarios('creating a partner', fold, [
  {
    name: 'it is known by its trimmed name, its beta and its contract status',
    given: [],
    when: () => create(' Maple EHR '),
    expect: { kind: 'accepted', events: [created(false, 'Pending')] },
  },
  { name: 'a blank name is refused', given: [], when: () => create(' ').kind, expect: 'refused' },
  {
    name: 'a name of more than 200 characters is refused',
    given: [],
    when: () => create('x'.repeat(201)).kind,
    expect: 'refused',
  },
]);

scenarios('setting a partner', fold, [
  {
    name: 'its contract becomes Active',
    given: [created(false, 'Pending')],
    when: to('Active'),
    expect: { kind: 'accepted', events: [changedTo('Active')] },
  },
  {
    name: 'any status may follow any other',
    given: [created(false, 'Pending'), changedTo('Suspended')],
    when: to('Pending'),
    expect: { kind: 'accepted', events: [changedTo('Pending')] },
  },
  {
    name: 'the beta and the status are set at once',
    given: [created(false, 'Pending')],
    when: (state) => setPartner({ beta: true, status: 'Active' }, state),
    expect: { kind: 'accepted', events: [betaSet(true), changedTo('Active')] },
  },
  {
    name: 'what holds already is no event',
    given: [created(false, 'Pending'), betaSet(true), changedTo('Active')],
    when: (state) => setPartner({ beta: true, status: 'Active' }, state),
    expect: { kind: 'accepted', events: [] },
  },
  {
    name: 'an unknown partner is refused',
    given: [],
    when: (state) => to('Active')(state).kind,
    expect: 'refused',
  },
]);

scenarios('the gate of a partner', fold, [
  {
    name: 'it is open in the beta with an Active contract',
    given: [created(true, 'Active')],
    when: checkGate,
    expect: { kind: 'open' },
  },
  {
    name: 'it is closed while the contract is Pending',
    given: [created(true, 'Pending')],
    when: (state) =>
      reasonOf(state).startsWith('The contract status of your organization is Pending'),
    expect: true,
  },
  {
    name: 'it is closed while the contract is Suspended',
    given: [created(true, 'Active'), changedTo('Suspended')],
    when: (state) => reasonOf(state).includes('is Suspended, not Active'),
    expect: true,
  },
  {
    name: 'returning the partner to Active restores its keys',
    given: [created(true, 'Active'), changedTo('Suspended'), changedTo('Active')],
    when: checkGate,
    expect: { kind: 'open' },
  },
  {
    name: 'it is closed until the partner is in the beta, and says whom to ask',
    given: [created(false, 'Active')],
    when: reasonOf,
    expect:
      'Your organization is not in the partner-EHR beta. Your partner feed keys stay valid; ask the service staff of the registry.',
  },
  {
    name: 'it is closed for a partner that is not known',
    given: [],
    when: (state) => checkGate(state).kind,
    expect: 'closed',
  },
]);
