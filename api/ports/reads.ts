import { isAnyAccountIn } from '../../adapters/postgres/access/passwords.ts';
import { findAccountOwnerIn } from '../../adapters/postgres/access/seats.ts';
import type { Db } from '../../adapters/postgres/connection/database.ts';
import { listHandedOverIn } from '../../adapters/postgres/ephemeral/handoffs.ts';
import { readVersionIn } from '../../adapters/postgres/projector/read-version.ts';
import {
  countAccessIn,
  findAccessIn,
  readAccessIn,
} from '../../adapters/postgres/read-model/access-log.ts';
import {
  listKeysOfPartnerIn,
  listKeysOfPracticeIn,
} from '../../adapters/postgres/read-model/api-keys.ts';
import {
  lastReviewIn,
  partnerAuditIn,
  practiceAuditCountIn,
  practiceAuditIn,
} from '../../adapters/postgres/read-model/audit-trail.ts';
import {
  countChangedRecordsIn,
  findLastExportIn,
  listForExportIn,
  readChangedRecordsIn,
  readExportableIn,
} from '../../adapters/postgres/read-model/exportable-records.ts';
import {
  findProgressIn,
  readOutcomesIn,
} from '../../adapters/postgres/read-model/import-progress.ts';
import {
  attributedStreamsIn,
  loadProvidersFrom,
} from '../../adapters/postgres/read-model/load-providers.ts';
import {
  findLookAlikeCandidatesIn,
  findRecordStreamIn,
  loadFingerprintHoldersFrom,
  loadRecordsFrom,
} from '../../adapters/postgres/read-model/load-records.ts';
import {
  findPracticeOfRecordIn,
  nameRecordsIn,
  nameRecordsUnderIn,
} from '../../adapters/postgres/read-model/named-records.ts';
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
} from '../../adapters/postgres/read-model/organizations.ts';
import {
  findActorNamesIn,
  findProviderNamesIn,
} from '../../adapters/postgres/read-model/people-names.ts';
import {
  findPushesIn,
  practiceActivityIn,
} from '../../adapters/postgres/read-model/practice-activity.ts';
import { practiceImportsIn } from '../../adapters/postgres/read-model/practice-imports.ts';
import {
  countCareerIn,
  countLeftToRepointIn,
  countPartsIn,
  findCareerLinesIn,
  findMergeReachIn,
  findProvidersIn,
} from '../../adapters/postgres/read-model/provider-careers.ts';
import {
  findCareerIn,
  findPracticeOfProviderIn,
  listProvidersIn,
} from '../../adapters/postgres/read-model/providers.ts';
import { findReceiptIn } from '../../adapters/postgres/read-model/receipts.ts';
import {
  findBirthsIn,
  findLookAlikesIn,
  findRecordLinesIn,
  findRecordsIn,
} from '../../adapters/postgres/read-model/record-search.ts';
import {
  countExclusionsIn,
  findCountedIn,
  findYearsIn,
  loadBenchmarkCellsFrom,
  loadPracticeCellsFrom,
} from '../../adapters/postgres/read-model/statistics.ts';
import {
  listDismissedIn,
  listSuspectedIn,
  loadSuspectedPairFrom,
} from '../../adapters/postgres/read-model/suspected-pairs.ts';
import { workItemsIn } from '../../adapters/postgres/read-model/work-items.ts';
import { lastCheckpointIn } from '../../adapters/transparency-log/checkpoints.ts';
import { leafIndexesIn, tileReader } from '../../adapters/transparency-log/log-tree.ts';

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
