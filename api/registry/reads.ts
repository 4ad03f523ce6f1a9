import { isAnyAccountIn } from '../../adapters/postgres/access/passwords.ts';
import { findAccountOwnerIn } from '../../adapters/postgres/access/seats.ts';
import type { Db } from '../../adapters/postgres/connection/database.ts';
import { readVersionIn } from '../../adapters/postgres/projector/read-version.ts';
import {
  countAccessIn,
  findAccessIn,
  readAccessIn,
} from '../../adapters/postgres/queries/access-log.ts';
import {
  listKeysOfPartnerIn,
  listKeysOfPracticeIn,
} from '../../adapters/postgres/queries/api-keys.ts';
import {
  lastReviewIn,
  partnerAuditIn,
  practiceAuditCountIn,
  practiceAuditIn,
} from '../../adapters/postgres/queries/audit-trail.ts';
import {
  countChangedRecordsIn,
  findLastExportIn,
  listForExportIn,
  readChangedRecordsIn,
  readExportableIn,
} from '../../adapters/postgres/queries/exportable-records.ts';
import { findProgressIn, readOutcomesIn } from '../../adapters/postgres/queries/import-progress.ts';
import {
  findPracticeOfRecordIn,
  nameRecordsIn,
  nameRecordsUnderIn,
} from '../../adapters/postgres/queries/named-records.ts';
import {
  customFieldsIn,
  findAdminStandingIn,
  findPartnerIn,
  findPracticeIn,
  hasLiveRecordsIn,
  listBetaPracticesIn,
  listMembersIn,
  listPartnersIn,
  listStaffIn,
  listTimeZonesIn,
  searchPracticesIn,
} from '../../adapters/postgres/queries/organizations.ts';

import {
  findActorNamesIn,
  findProviderNamesIn,
} from '../../adapters/postgres/queries/people-names.ts';
import {
  findPushesIn,
  practiceActivityIn,
} from '../../adapters/postgres/queries/practice-activity.ts';
import { practiceImportsIn } from '../../adapters/postgres/queries/practice-imports.ts';
import {
  countCareerIn,
  countLeftToRepointIn,
  countPartsIn,
  findCareerLinesIn,
  findMergeReachIn,
  findProvidersIn,
} from '../../adapters/postgres/queries/provider-careers.ts';
import {
  findCareerIn,
  findPracticeOfProviderIn,
  listProvidersIn,
} from '../../adapters/postgres/queries/providers.ts';

import { findReceiptIn } from '../../adapters/postgres/queries/receipts.ts';
import {
  findBirthsIn,
  findLookAlikesIn,
  findRecordLinesIn,
  findRecordsIn,
} from '../../adapters/postgres/queries/record-search.ts';
import {
  countExclusionsIn,
  findCountedIn,
  findYearsIn,
  loadBenchmarkCellsFrom,
  loadPracticeCellsFrom,
} from '../../adapters/postgres/queries/statistics.ts';
import {
  listDismissedIn,
  listSuspectedIn,
  loadSuspectedPairFrom,
} from '../../adapters/postgres/queries/suspected-pairs.ts';
import { workItemsIn } from '../../adapters/postgres/queries/work-items.ts';
import { listHandedOverIn } from '../../adapters/postgres/short-lived/handed-over.ts';
import { lastCheckpointIn } from '../../adapters/postgres/transparency-log/checkpoints.ts';
import { leafIndexesIn, tileReader } from '../../adapters/postgres/transparency-log/log-tree.ts';
import {
  attributedStreamsIn,
  loadProvidersFrom,
} from '../../adapters/postgres/turns/held-providers.ts';
import {
  findLookAlikeCandidatesIn,
  findRecordStreamIn,
  loadFingerprintHoldersFrom,
  loadRecordsFrom,
} from '../../adapters/postgres/turns/held-records.ts';

/** What the read tables can be asked: each query, bound to them. */
export const readsOf = (db: Db) => ({
  readVersion: readVersionIn(db),

  findRecords: findRecordsIn(db),
  findBirths: findBirthsIn(db),
  findRecordLines: findRecordLinesIn(db),
  nameRecords: nameRecordsIn(db),
  nameRecordsUnder: nameRecordsUnderIn(db),
  findPracticeOfRecord: findPracticeOfRecordIn(db),
  findRecordStream: findRecordStreamIn(db),
  findLookAlikes: findLookAlikesIn(db),
  findLookAlikeCandidates: findLookAlikeCandidatesIn(db),
  listSuspected: listSuspectedIn(db),
  loadSuspectedPair: loadSuspectedPairFrom(db),
  listDismissed: listDismissedIn(db),
  activity: practiceActivityIn(db),
  work: workItemsIn(db),

  countChangedRecords: countChangedRecordsIn(db),
  readChangedRecords: readChangedRecordsIn(db),
  readExportable: readExportableIn(db),
  listForExport: listForExportIn(db),
  findLastExport: findLastExportIn(db),

  findActorNames: findActorNamesIn(db),
  findProviderNames: findProviderNamesIn(db),
  findProviders: findProvidersIn(db),
  countParts: countPartsIn(db),
  findCareerLines: findCareerLinesIn(db),
  countCareer: countCareerIn(db),
  findMergeReach: findMergeReachIn(db),
  countLeftToRepoint: countLeftToRepointIn(db),
  listProviders: listProvidersIn(db),
  findCareer: findCareerIn(db),
  findPracticeOfProvider: findPracticeOfProviderIn(db),
  attributedStreams: attributedStreamsIn(db),

  searchPractices: searchPracticesIn(db),
  findPractice: findPracticeIn(db),
  listBetaPractices: listBetaPracticesIn(db),
  hasLiveRecords: hasLiveRecordsIn(db),
  listPartners: listPartnersIn(db),
  findPartner: findPartnerIn(db),
  findAdminStanding: findAdminStandingIn(db),
  listMembers: listMembersIn(db),
  listStaff: listStaffIn(db),
  listTimeZones: listTimeZonesIn(db),
  customFields: customFieldsIn(db),
  listKeysOfPractice: listKeysOfPracticeIn(db),
  listKeysOfPartner: listKeysOfPartnerIn(db),
  findPushes: findPushesIn(db),
  findReceipt: findReceiptIn(db),
  isAnyAccount: () => isAnyAccountIn(db),
  findAccountOwner: findAccountOwnerIn(db),

  findAccess: findAccessIn(db),
  readAccess: readAccessIn(db),
  countAccess: countAccessIn(db),
  findPracticeAudit: practiceAuditIn(db),
  countPracticeAudit: practiceAuditCountIn(db),
  findLastReview: lastReviewIn(db),
  findPartnerAudit: partnerAuditIn(db),

  listHandedOver: listHandedOverIn(db),
  imports: practiceImportsIn(db),
  findImportProgress: findProgressIn(db),
  readImportOutcomes: readOutcomesIn(db),

  findYears: findYearsIn(db),
  loadPracticeCells: loadPracticeCellsFrom(db),
  loadBenchmarkCells: loadBenchmarkCellsFrom(db),
  countExclusions: countExclusionsIn(db),
  findCounted: findCountedIn(db),

  lastCheckpoint: () => lastCheckpointIn(db),
  leafIndexes: leafIndexesIn(db),
  readTile: tileReader(db),

  // What decisions are made on.
  loadRecords: loadRecordsFrom(db),
  loadFingerprintHolders: loadFingerprintHoldersFrom(db),
  loadProviders: loadProvidersFrom(db),
});

/** @see readsOf */
export type Reads = ReturnType<typeof readsOf>;
