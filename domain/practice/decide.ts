import { accept, type CommandDecision } from '../command-decision.ts';
import { organisationName } from '../organisation-name.ts';
import { NO_PRACTICE } from '../unknown-ids.ts';
import type { PracticeEvent } from './events.ts';
import type { Practice } from './state.ts';

/** Sets up a practice. */
export interface CreatePractice {
  readonly practiceId: string;
  readonly name: string;
  readonly sandbox: boolean;
  readonly beta: boolean;
}

/** Sets what is not null. */
export interface SetPractice {
  readonly sandbox: boolean | null;
  readonly beta: boolean | null;
  /** Trimmed, not blank, at most 200 characters. */
  readonly name?: string | null;
  /** An IANA id that the caller has checked. */
  readonly timeZone?: string | null;
}

/** What a command on a practice leads to. */
export type PracticeDecision = CommandDecision<PracticeEvent>;

/** Creates a practice; its name is trimmed, must not be blank and has at most 200 characters. */
export const createPractice = (command: CreatePractice): PracticeDecision => {
  const named = organisationName(command.name, 'practice');
  if (named.kind === 'refused') return named;
  return accept({ type: 'PracticeCreated', data: { ...command, name: named.name } });
};

/**
 * Makes a practice a sandbox or takes it into the partner-EHR beta, or the reverse; renames it, or
 * sets its clock. What holds already changes nothing. Keys minted before keep working outside the beta.
 * @see spec "Authentication", rule 6
 */
export const setPractice = (command: SetPractice, practice: Practice): PracticeDecision => {
  if (practice.status === 'unknown') return NO_PRACTICE;
  const { practiceId } = practice;
  const { sandbox, beta, timeZone = null } = command;
  const named =
    typeof command.name === 'string' ? organisationName(command.name, 'practice') : null;
  if (named?.kind === 'refused') return named;
  const events: PracticeEvent[] = [];
  if (sandbox !== null && sandbox !== practice.sandbox)
    events.push({ type: 'PracticeSandboxSet', data: { practiceId, sandbox } });
  if (beta !== null && beta !== practice.beta)
    events.push({ type: 'PracticeBetaSet', data: { practiceId, beta } });
  if (named !== null && named.name !== practice.name)
    events.push({ type: 'PracticeRenamed', data: { practiceId, name: named.name } });
  if (timeZone !== null && timeZone !== practice.timeZone)
    events.push({ type: 'PracticeTimeZoneSet', data: { practiceId, timeZone } });
  return accept(...events);
};
