import { randomUUID } from 'node:crypto';
import { Router } from 'express';
import { customFieldsIn } from '../../../adapters/postgres/queries/custom-fields.ts';
import {
  nameRecordsIn,
  nameRecordsUnderIn,
} from '../../../adapters/postgres/queries/named-records.ts';
import { draftsOf } from '../../../adapters/postgres/short-lived/drafts.ts';
import { findRecordStreamIn } from '../../../adapters/postgres/turns/held-records.ts';
import type { BirthFormParts } from '../../pages/birth-form/birth-form-parts.ts';
import { checkRouter } from '../../pages/birth-form/check-router.ts';
import { correctBirthRouter } from '../../pages/birth-form/correct-birth-router.tsx';
import { newBirthRouter } from '../../pages/birth-form/new-birth-router.tsx';
import { findRecordWith, findVersionWith } from '../../pages/birth-form/record-in-log.ts';
import type { SharedParts } from '../parts.ts';
import { recordWritesOf } from '../record-writes.ts';

/** Wires the pages on which births are entered and corrected. */
export const birthFormPagesOf = (parts: SharedParts): Router => {
  const { stores, cipher, accessNotes, now } = parts;
  const { db, log } = stores;
  const reading = { findRecordStream: findRecordStreamIn(db), readStream: log.readStream };
  const formParts: BirthFormParts = {
    saveCourse: recordWritesOf(parts).saveCourse,
    drafts: draftsOf(db, cipher),
    customFields: customFieldsIn(db),
    findRecord: findRecordWith(reading),
    findVersion: findVersionWith(reading),
    nameRecords: nameRecordsIn(db),
    nameRecordsUnder: nameRecordsUnderIn(db),
    accessNotes,
    newFormId: randomUUID,
    now,
  };
  return Router()
    .use(checkRouter(formParts))
    .use(newBirthRouter(formParts))
    .use(correctBirthRouter(formParts));
};
