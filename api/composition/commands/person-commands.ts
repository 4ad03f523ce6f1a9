import { randomUUID } from 'node:crypto';
import { nanoid } from 'nanoid';
import { newReadableId } from '../../../adapters/crypto/readable-ids.ts';
import { announceAccessChange } from '../../../adapters/postgres/access/access-version.ts';
import { ProjectionBehind } from '../../../adapters/postgres/projector/projection-progress.ts';
import type { Actor } from '../../../domain/event-log.ts';
import type { CommandLog } from '../../commands/change-stream.ts';
import type { SharedParts } from '../parts.ts';
import { turnOfPeople } from '../record-writes.ts';
import { type CommandSets, commandSetsOf } from './command-sets.ts';

/**
 * The commands of somebody who is signed in: every event that they lead to names the person.
 * @param correlationId of the request that they come with; one of their own if it is not given
 */
export type CommandsOfPerson = (person: Actor, correlationId?: string) => CommandSets;

type PersonParts = Pick<SharedParts, 'stores' | 'leases' | 'progress' | 'afterStep'>;

const TABLES_WITHIN_MS = 5_000;

/** Wires the commands of people to the stores. When one returns, the next page shows it. */
export const commandsOfPeople = (parts: PersonParts): CommandsOfPerson => {
  const { stores, progress, afterStep } = parts;
  const { db } = stores;
  const setParts = {
    stores,
    afterStep,
    log: shownLog(parts),
    holdTurn: turnOfPeople(parts),
    readTables: async () => progress.reach(await stores.log.head(), TABLES_WITHIN_MS),
  };
  return ({ kind, id }, correlationId = nanoid()) =>
    commandSetsOf(setParts, {
      append: { correlationId, causationId: null, actor: { kind, id } },
      newId: newReadableId,
      newEventId: randomUUID,
      announceAccessChange: () => announceAccessChange(db),
    });
};

/** The log whose appends are in the read tables when they return. */
const shownLog = ({ stores, progress }: PersonParts): CommandLog => ({
  readStream: stores.log.readStream,
  async append(...order) {
    const appended = await stores.log.append(...order);
    if (appended.kind === 'appended')
      await progress.reach(appended.position, TABLES_WITHIN_MS).catch(unlessBehind);
    return appended;
  },
});

// What was appended is done: a page that shows it a moment later is better than one that says no.
const unlessBehind = (error: unknown): void => {
  if (!(error instanceof ProjectionBehind)) throw error;
};
