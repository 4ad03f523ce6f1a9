import { accept, type Decision, type Refusal, refuse } from '../decision.ts';
import type { DateOrder } from '../mapping/form/date-order.ts';
import { parseOrganizationName } from '../text-input.ts';
import type { Clock } from './clock.ts';
import type { PracticeEvent } from './events.ts';
import type { Practice } from './state.ts';

/** @param isSecretNew true if the client secret changed, which the log does not contain */
export const setSingleSignOn = (
  command: PracticeEvent<'SingleSignOnSet'>['data'],
  practice: Practice,
  isSecretNew: boolean,
): Decision<PracticeEvent<'SingleSignOnSet'>> => {
  if (practice.status === 'unknown') return refuse({ code: 'no-practice' });
  const { practiceId, issuer, clientId, allowedDomains } = command;
  const { singleSignOn: current } = practice;
  const isUnchanged =
    !isSecretNew &&
    current !== null &&
    current.issuer === issuer &&
    current.clientId === clientId &&
    current.allowedDomains.join(' ') === allowedDomains.join(' ');
  return isUnchanged
    ? accept()
    : accept({ type: 'SingleSignOnSet', data: { practiceId, issuer, clientId, allowedDomains } });
};

export const turnSingleSignOnOff = (
  practice: Practice,
): Decision<PracticeEvent<'SingleSignOnTurnedOff'>> => {
  if (practice.status === 'unknown') return refuse({ code: 'no-practice' });
  const { practiceId, singleSignOn } = practice;
  return singleSignOn === null
    ? accept()
    : accept({ type: 'SingleSignOnTurnedOff', data: { practiceId } });
};

export interface CreatePractice {
  readonly practiceId: string;
  readonly name: string;
  readonly sandbox: boolean;
  readonly beta: boolean;
}

/** A null value leaves the setting unchanged. */
export interface SetPractice {
  readonly sandbox: boolean | null;
  readonly beta: boolean | null;
  readonly name?: string | null;
  /** IANA id, validated by the caller. */
  readonly timeZone?: string | null;
  readonly dateOrder?: DateOrder | null;
  readonly clock?: Clock | null;
  readonly requiresSecondFactor?: boolean | null;
  readonly writesEditFlags?: boolean | null;
}

export const createPractice = (command: CreatePractice): Decision<PracticeEvent> => {
  const named = parseOrganizationName(command.name, 'practice');
  if (named.kind === 'refused') return named;
  const { practiceId, sandbox, beta } = command;
  return accept({ type: 'PracticeCreated', data: { practiceId, name: named.name, sandbox, beta } });
};

/**
 * Existing keys remain valid after a practice leaves the beta. A practice with live records cannot become
 * a sandbox or stop being one: the refused attempt is then the only event.
 * @see spec "Authentication", rule 6
 */
export const setPractice = (
  command: SetPractice,
  practice: Practice,
  hasLiveRecords: boolean,
): Decision<PracticeEvent> => {
  if (practice.status === 'unknown') return refuse({ code: 'no-practice' });
  const { practiceId } = practice;
  const { sandbox, beta, timeZone = null, dateOrder = null, clock = null } = command;
  const { requiresSecondFactor: required = null, writesEditFlags: written = null } = command;
  const named =
    typeof command.name === 'string' ? parseOrganizationName(command.name, 'practice') : null;
  if (named?.kind === 'refused') return named;
  if (sandbox !== null && sandbox !== practice.sandbox && hasLiveRecords)
    return accept({ type: 'PracticeSandboxChangeRefused', data: { practiceId, sandbox } });
  const events: PracticeEvent[] = [];
  if (sandbox !== null && sandbox !== practice.sandbox)
    events.push({ type: 'PracticeSandboxSet', data: { practiceId, sandbox } });
  if (beta !== null && beta !== practice.beta)
    events.push({ type: 'PracticeBetaSet', data: { practiceId, beta } });
  if (named !== null && named.name !== practice.name)
    events.push({ type: 'PracticeRenamed', data: { practiceId, name: named.name } });
  if (timeZone !== null && !(practice.isTimeZoneSet && timeZone === practice.timeZone))
    events.push({ type: 'PracticeTimeZoneSet', data: { practiceId, timeZone } });
  if (dateOrder !== null && dateOrder !== practice.dateOrder)
    events.push({ type: 'PracticeDateOrderSet', data: { practiceId, dateOrder } });
  if (clock !== null && clock !== practice.clock)
    events.push({ type: 'PracticeClockSet', data: { practiceId, clock } });
  if (required !== null && required !== practice.requiresSecondFactor)
    events.push({ type: 'SecondFactorRequirementSet', data: { practiceId, required } });
  if (written !== null && written !== practice.writesEditFlags)
    events.push({ type: 'EditFlagsSet', data: { practiceId, written } });
  return accept(...events);
};

export const findRefusal = (events: readonly PracticeEvent[]): Refusal | null => {
  for (const { type, data } of events)
    if (type === 'PracticeSandboxChangeRefused') return data.sandbox ? STAYS_REAL : STAYS_SANDBOX;
  return null;
};

const STAYS_REAL = refuse({ code: 'practice-stays-real' });
const STAYS_SANDBOX = refuse({ code: 'practice-stays-sandbox' });
