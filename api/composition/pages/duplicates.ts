import type { Router } from 'express';
import { customFieldsIn } from '../../../adapters/postgres/queries/custom-fields.ts';
import {
  findActorNamesIn,
  findProviderNamesIn,
} from '../../../adapters/postgres/queries/people-names.ts';
import {
  listDismissedIn,
  listSuspectedIn,
  loadSuspectedPairFrom,
} from '../../../adapters/postgres/queries/suspected-pairs.ts';
import { duplicatesRouter } from '../../pages/duplicates/duplicates-router.tsx';
import type { SharedParts } from '../parts.ts';
import { recordWritesOf } from '../record-writes.ts';

/** Wires the pages of the duplicates. */
export const duplicatesPagesOf = (parts: SharedParts): Router => {
  const { db } = parts.stores;
  const { voidRecord, dismissDuplicate, restoreDuplicateFlag } = recordWritesOf(parts);
  return duplicatesRouter({
    listSuspected: listSuspectedIn(db),
    loadPair: loadSuspectedPairFrom(db),
    listDismissed: listDismissedIn(db),
    findActorNames: findActorNamesIn(db),
    findProviderNames: findProviderNamesIn(db),
    customFields: customFieldsIn(db),
    voidRecord,
    dismissDuplicate,
    restoreDuplicateFlag,
    accessNotes: parts.accessNotes,
    now: parts.now,
  });
};
