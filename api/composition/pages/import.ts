import type { Router } from 'express';
import { customFieldsIn } from '../../../adapters/postgres/queries/custom-fields.ts';
import {
  findProgressIn,
  readOutcomesIn,
} from '../../../adapters/postgres/queries/import-progress.ts';
import {
  nameRecordsIn,
  nameRecordsUnderIn,
} from '../../../adapters/postgres/queries/named-records.ts';
import { findActorNamesIn } from '../../../adapters/postgres/queries/people-names.ts';
import { practiceImportsIn } from '../../../adapters/postgres/queries/practice-imports.ts';
import { importResultWith } from '../../import/import-result.ts';
import { importRouter } from '../../pages/import/import-router.tsx';
import { importsOf } from '../imports.ts';
import type { SharedParts } from '../parts.ts';

/** Wires the pages on which files of births are imported. */
export const importPagesOf = (parts: SharedParts): Router => {
  const { db } = parts.stores;
  const { template, stage, preview, confirm, progress, resultFile } = importsOf(parts);
  return importRouter({
    template,
    stage,
    preview,
    confirm,
    progress,
    resultFile,
    result: importResultWith(findProgressIn(db), readOutcomesIn(db)),
    imports: practiceImportsIn(db),
    customFields: customFieldsIn(db),
    findActorNames: findActorNamesIn(db),
    nameRecords: nameRecordsIn(db),
    nameRecordsUnder: nameRecordsUnderIn(db),
    accessNotes: parts.accessNotes,
    now: parts.now,
  });
};
