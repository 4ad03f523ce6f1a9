import type { Router } from 'express';
import { customFieldsIn } from '../../../adapters/postgres/queries/custom-fields.ts';
import { nameRecordsIn } from '../../../adapters/postgres/queries/named-records.ts';
import { keptPrefillsOf } from '../../../adapters/postgres/short-lived/kept-prefills.ts';
import { prefillReviewsOf } from '../../../adapters/postgres/short-lived/prefill-reviews.ts';
import { prefillRouter } from '../../pages/prefill/prefill-router.tsx';
import type { SharedParts } from '../parts.ts';
import { recordWritesOf } from '../record-writes.ts';

/** Wires the page on which a pre-fill is looked over and saved. */
export const prefillPagesOf = (parts: SharedParts): Router => {
  const { stores, cipher, accessNotes, now } = parts;
  const { db } = stores;
  return prefillRouter({
    prefills: keptPrefillsOf(db, cipher),
    reviews: prefillReviewsOf(db, cipher),
    saveCourse: recordWritesOf(parts).saveCourse,
    customFields: customFieldsIn(db),
    nameRecords: nameRecordsIn(db),
    accessNotes,
    now,
  });
};
