import { isAnyAccount } from '../../adapters/postgres/access/passwords.ts';
import { createFindAccountOwner } from '../../adapters/postgres/access/seats.ts';
import { type Db, hasLostConnection } from '../../adapters/postgres/connection/database.ts';
import { createReadVersion } from '../../adapters/postgres/projector/read-schema.ts';
import { createFindTablesVersion } from '../../adapters/postgres/projector/tables-version.ts';
import { createAccessLogReads } from '../../adapters/postgres/read-model/access-log.ts';
import { createApiKeyReads } from '../../adapters/postgres/read-model/api-keys.ts';
import { createAuditReads } from '../../adapters/postgres/read-model/audit-trail.ts';
import { createExportReads } from '../../adapters/postgres/read-model/exportable-records.ts';
import { createListItemReasons } from '../../adapters/postgres/read-model/item-reasons.ts';
import { createDecisionReads } from '../../adapters/postgres/read-model/load-records.ts';
import { createOrganizationReads } from '../../adapters/postgres/read-model/organizations.ts';
import { createNameReads } from '../../adapters/postgres/read-model/people-names.ts';
import { createPracticeActivity } from '../../adapters/postgres/read-model/practice-activity.ts';
import { createPracticeImports } from '../../adapters/postgres/read-model/practice-imports.ts';
import {
  createLoadProviders,
  createProviderReads,
} from '../../adapters/postgres/read-model/providers.ts';
import { createFindReceipt } from '../../adapters/postgres/read-model/receipts.ts';
import { createRecordReads } from '../../adapters/postgres/read-model/record-search.ts';
import { createStatisticsReads } from '../../adapters/postgres/read-model/statistics.ts';
import { createPairReads } from '../../adapters/postgres/read-model/suspected-pairs.ts';
import { createWorkItems } from '../../adapters/postgres/read-model/work-items.ts';
import { findLastCheckpoint } from '../../adapters/transparency-log/checkpoints.ts';
import {
  createFindLeafIndexes,
  createTileReader,
} from '../../adapters/transparency-log/log-tree.ts';

export const createReads = (db: Db) => ({
  readVersion: createReadVersion(db),
  findTablesVersion: createFindTablesVersion(db),
  ...createRecordReads(db),
  ...createPairReads(db),
  ...createExportReads(db),
  ...createDecisionReads(db),
  listItemReasons: createListItemReasons(db),
  ...createProviderReads(db),
  loadProviders: createLoadProviders(db),
  ...createNameReads(db),
  ...createOrganizationReads(db),
  ...createApiKeyReads(db),
  ...createAccessLogReads(db),
  ...createAuditReads(db),
  ...createStatisticsReads(db),
  activity: createPracticeActivity(db),
  imports: createPracticeImports(db),
  work: createWorkItems(db),
  findReceipt: createFindReceipt(db),
  mayLagAfterCrash: () => hasLostConnection(db),
  isAnyAccount: () => isAnyAccount(db),
  findAccountOwner: createFindAccountOwner(db),
  findLastCheckpoint: () => findLastCheckpoint(db),
  findLeafIndexes: createFindLeafIndexes(db),
  readTile: createTileReader(db),
});

/** @see createReads */
export type Reads = ReturnType<typeof createReads>;
