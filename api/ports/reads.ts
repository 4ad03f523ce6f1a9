import { isAnyAccount } from '../../adapters/postgres/access/passwords.ts';
import { createFindAccountOwner } from '../../adapters/postgres/access/seats.ts';
import type { Db } from '../../adapters/postgres/connection/database.ts';
import { createListHandoffs } from '../../adapters/postgres/ephemeral/handoffs.ts';
import { createReadVersion } from '../../adapters/postgres/projector/read-schema.ts';
import { createFindTablesVersion } from '../../adapters/postgres/projector/tables-version.ts';
import {
  createCountAccess,
  createFindAccess,
  createReadAccess,
} from '../../adapters/postgres/read-model/access-log.ts';
import {
  createListPartnerKeys,
  createListPracticeKeys,
} from '../../adapters/postgres/read-model/api-keys.ts';
import {
  createCountPracticeAudit,
  createFindLastReview,
  createReadPartnerAudit,
  createReadPracticeAudit,
} from '../../adapters/postgres/read-model/audit-trail.ts';
import {
  createCountChangedRecords,
  createFindLastExport,
  createListForExport,
  createReadChangedRecords,
  createReadExportable,
} from '../../adapters/postgres/read-model/exportable-records.ts';
import {
  createFindMatchCandidates,
  createFindRecordStream,
  createLoadFingerprintHolders,
  createLoadRecords,
} from '../../adapters/postgres/read-model/load-records.ts';
import {
  createFindAdminStatus,
  createFindPartner,
  createFindPractice,
  createHasLiveRecords,
  createListBetaPractices,
  createListCustomFields,
  createListMembers,
  createListPartners,
  createListStaff,
  createListTimeZones,
  createSearchPractices,
} from '../../adapters/postgres/read-model/organizations.ts';
import {
  createFindActorNames,
  createFindProviderNames,
} from '../../adapters/postgres/read-model/people-names.ts';
import {
  createFindPushes,
  createPracticeActivity,
} from '../../adapters/postgres/read-model/practice-activity.ts';
import {
  createFindProgress,
  createPracticeImports,
  createReadOutcomes,
} from '../../adapters/postgres/read-model/practice-imports.ts';
import {
  createCountCareer,
  createCountLeftToRepoint,
  createCountParts,
  createFindAttributedStreams,
  createFindCareer,
  createFindCareerLines,
  createFindMergeImpact,
  createFindPracticeByProvider,
  createFindProviders,
  createListProviders,
  createLoadProviders,
} from '../../adapters/postgres/read-model/providers.ts';
import { createFindReceipt } from '../../adapters/postgres/read-model/receipts.ts';
import {
  createFindBirths,
  createFindMatches,
  createFindPracticeByRecord,
  createFindRecordLines,
  createFindRecords,
  createNameRecords,
  createNameRecordsByChart,
} from '../../adapters/postgres/read-model/record-search.ts';
import {
  createCountExclusions,
  createFindCounted,
  createFindYears,
  createLoadBenchmarkCells,
  createLoadPracticeCells,
} from '../../adapters/postgres/read-model/statistics.ts';
import {
  createListDismissed,
  createListSuspected,
  createLoadSuspectedPair,
} from '../../adapters/postgres/read-model/suspected-pairs.ts';
import { createWorkItems } from '../../adapters/postgres/read-model/work-items.ts';
import { findLastCheckpoint } from '../../adapters/transparency-log/checkpoints.ts';
import {
  createFindLeafIndexes,
  createTileReader,
} from '../../adapters/transparency-log/log-tree.ts';

/** Queries of the read tables, bound to a database. */
export const createReads = (db: Db) => ({
  readVersion: createReadVersion(db),
  /** Version of the tables, compared with that of this process. */
  tablesVersion: createFindTablesVersion(db),

  findRecords: createFindRecords(db),
  findBirths: createFindBirths(db),
  findRecordLines: createFindRecordLines(db),
  nameRecords: createNameRecords(db),
  nameRecordsUnder: createNameRecordsByChart(db),
  findPracticeOfRecord: createFindPracticeByRecord(db),
  findRecordStream: createFindRecordStream(db),
  findMatches: createFindMatches(db),
  findMatchCandidates: createFindMatchCandidates(db),
  listSuspected: createListSuspected(db),
  loadSuspectedPair: createLoadSuspectedPair(db),
  listDismissed: createListDismissed(db),
  activity: createPracticeActivity(db),
  work: createWorkItems(db),

  countChangedRecords: createCountChangedRecords(db),
  readChangedRecords: createReadChangedRecords(db),
  readExportable: createReadExportable(db),
  listForExport: createListForExport(db),
  findLastExport: createFindLastExport(db),

  findActorNames: createFindActorNames(db),
  findProviderNames: createFindProviderNames(db),
  findProviders: createFindProviders(db),
  countParts: createCountParts(db),
  findCareerLines: createFindCareerLines(db),
  countCareer: createCountCareer(db),
  findMergeReach: createFindMergeImpact(db),
  countLeftToRepoint: createCountLeftToRepoint(db),
  listProviders: createListProviders(db),
  findCareer: createFindCareer(db),
  findPracticeOfProvider: createFindPracticeByProvider(db),
  attributedStreams: createFindAttributedStreams(db),

  searchPractices: createSearchPractices(db),
  findPractice: createFindPractice(db),
  listBetaPractices: createListBetaPractices(db),
  hasLiveRecords: createHasLiveRecords(db),
  listPartners: createListPartners(db),
  findPartner: createFindPartner(db),
  findAdminStatus: createFindAdminStatus(db),
  listMembers: createListMembers(db),
  listStaff: createListStaff(db),
  listTimeZones: createListTimeZones(db),
  customFields: createListCustomFields(db),
  listKeysOfPractice: createListPracticeKeys(db),
  listKeysOfPartner: createListPartnerKeys(db),
  findPushes: createFindPushes(db),
  findReceipt: createFindReceipt(db),
  isAnyAccount: () => isAnyAccount(db),
  findAccountOwner: createFindAccountOwner(db),

  findAccess: createFindAccess(db),
  readAccess: createReadAccess(db),
  countAccess: createCountAccess(db),
  findPracticeAudit: createReadPracticeAudit(db),
  countPracticeAudit: createCountPracticeAudit(db),
  findLastReview: createFindLastReview(db),
  findPartnerAudit: createReadPartnerAudit(db),

  listHandedOver: createListHandoffs(db),
  imports: createPracticeImports(db),
  findImportProgress: createFindProgress(db),
  readImportOutcomes: createReadOutcomes(db),

  findYears: createFindYears(db),
  loadPracticeCells: createLoadPracticeCells(db),
  loadBenchmarkCells: createLoadBenchmarkCells(db),
  countExclusions: createCountExclusions(db),
  findCounted: createFindCounted(db),

  lastCheckpoint: () => findLastCheckpoint(db),
  leafIndexes: createFindLeafIndexes(db),
  readTile: createTileReader(db),

  // Queries for decisions.
  loadRecords: createLoadRecords(db),
  loadFingerprintHolders: createLoadFingerprintHolders(db),
  loadProviders: createLoadProviders(db),
});

/** @see createReads */
export type Reads = ReturnType<typeof createReads>;
