import type { PracticeEvent } from './events.ts';

const LONGEST_NAME = 200;

/** Sets up a practice. */
export interface CreatePractice {
  readonly practiceId: string;
  readonly name: string;
  readonly sandbox: boolean;
  readonly beta: boolean;
}

/** What a command on a practice leads to: events, or a refusal for the person who gave it. */
export type PracticeDecision =
  | { readonly kind: 'accepted'; readonly events: readonly PracticeEvent[] }
  | { readonly kind: 'refused'; readonly reason: string };

/** Creates a practice; its name is trimmed, must not be blank and has at most 200 characters. */
export const createPractice = (command: CreatePractice): PracticeDecision => {
  const name = command.name.trim();
  if (name === '') return { kind: 'refused', reason: 'A practice needs a name.' };
  if (name.length > LONGEST_NAME)
    return { kind: 'refused', reason: `The name has more than ${LONGEST_NAME} characters.` };
  return { kind: 'accepted', events: [{ type: 'PracticeCreated', data: { ...command, name } }] };
};
