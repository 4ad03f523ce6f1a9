import { accept, type Decision, refuse } from '../decision.ts';
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
