import type { Router } from 'express';
import { findActorNamesIn } from '../../../adapters/postgres/queries/people-names.ts';
import {
  countCareerIn,
  countLeftToRepointIn,
  countPartsIn,
  findCareerLinesIn,
  findMergeReachIn,
  findProvidersIn,
} from '../../../adapters/postgres/queries/provider-careers.ts';
import { findProviderHistoryWith } from '../../pages/providers/provider-history.ts';
import { providersRouter } from '../../pages/providers/providers-router.tsx';
import { commandsOfPeople } from '../commands/person-commands.ts';
import type { SharedParts } from '../parts.ts';

/** Wires the pages of the providers. */
export const providersPagesOf = (parts: SharedParts): Router => {
  const { stores, accessNotes, onFault } = parts;
  const { db, log, identity } = stores;
  const commandsOf = commandsOfPeople(parts);
  return providersRouter({
    findProviders: findProvidersIn(db),
    countParts: countPartsIn(db),
    findCareerLines: findCareerLinesIn(db),
    countCareer: countCareerIn(db),
    findMergeReach: findMergeReachIn(db),
    countLeftToRepoint: countLeftToRepointIn(db),
    findHistory: findProviderHistoryWith({
      readStream: log.readStream,
      mergesHash: identity.mergesHash,
      findActorNames: findActorNamesIn(db),
    }),
    merge: ({ memberId, correlationId }, command) =>
      commandsOf({ kind: 'member', id: memberId }, correlationId).providers.merge(command),
    accessNotes,
    onMergeFault: onFault(
      'A merge of providers stopped on its way; its page, or the same command, goes on with it.',
    ),
  });
};
