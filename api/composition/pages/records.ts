import { Router } from 'express';
import { customFieldsIn } from '../../../adapters/postgres/queries/custom-fields.ts';
import {
  findActorNamesIn,
  findProviderNamesIn,
} from '../../../adapters/postgres/queries/people-names.ts';
import {
  findBirthsIn,
  findLookAlikesIn,
  findRecordLinesIn,
  findRecordsIn,
} from '../../../adapters/postgres/queries/record-search.ts';
import {
  findLookAlikeCandidatesIn,
  findRecordStreamIn,
} from '../../../adapters/postgres/turns/held-records.ts';
import { birthsRouter } from '../../pages/births/births-router.tsx';
import { keepRouter } from '../../pages/records/keep-router.ts';
import { recordsRouter } from '../../pages/records/records-router.tsx';
import { voidRouter } from '../../pages/records/void-router.tsx';
import type { SharedParts } from '../parts.ts';
import { recordWritesOf } from '../record-writes.ts';

/** Wires the pages by which people read and void records. */
export const recordsPagesOf = (parts: SharedParts): Router => {
  const { accessNotes } = parts;
  const { db, log } = parts.stores;
  const { voidRecord, keepRevival } = recordWritesOf(parts);
  const stored = { findRecordStream: findRecordStreamIn(db), readStream: log.readStream };
  return Router()
    .use(
      recordsRouter({
        ...stored,
        findRecords: findRecordsIn(db),
        findActorNames: findActorNamesIn(db),
        findProviderNames: findProviderNamesIn(db),
        findRecordLines: findRecordLinesIn(db),
        findLookAlikes: findLookAlikesIn(db),
        findLookAlikeCandidates: findLookAlikeCandidatesIn(db),
        customFields: customFieldsIn(db),
        accessNotes,
        now: parts.now,
      }),
    )
    .use(voidRouter({ ...stored, voidRecord, accessNotes }))
    .use(keepRouter({ keepRevival }))
    .use(birthsRouter({ findBirths: findBirthsIn(db), accessNotes }));
};
