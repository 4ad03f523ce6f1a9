import { type Generated, Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { ApiKeyRow } from '../../projections/api-keys.ts';
import type { BirthRecordRow, RecordFingerprintRow } from '../../projections/birth-records.ts';
import type { CareerEntryRow } from '../../projections/career-entries.ts';
import type { IngestionOutcomeRow, IngestionRow } from '../../projections/ingestion-receipts.ts';
import type { MemberRow } from '../../projections/members.ts';
import type { PartnerRow } from '../../projections/partners.ts';
import type { PracticeRow } from '../../projections/practices.ts';
import type { ProviderRow } from '../../projections/providers.ts';
import type { StaffRow } from '../../projections/staff.ts';

/** Row of `app.lease`: who may do something alone, until when on the database's clock. */
interface LeaseRow {
  readonly name: string;
  readonly holder: string | null;
  readonly expires_at: Date;
  readonly presence: string | null;
  readonly seized: Generated<boolean>;
  readonly highest_position: Generated<string>;
}

interface LeaseRequestRow {
  readonly name: string;
  readonly requester: string;
  readonly expires_at: Date;
}

interface IngestionQueueRow {
  readonly attempt: string;
  readonly seq: Generated<string>;
  readonly ingestion_id: string;
  readonly practice_id: string;
  readonly key_kind: 'native' | 'partner';
  readonly courses: number;
  readonly queued_at: Generated<Date>;
  readonly expires_at: Date;
  readonly attempts: Generated<number>;
  readonly last_fault: string | null;
}

interface IngestionQueueChunkRow {
  readonly attempt: string;
  readonly chunk: number;
  readonly sealed: Buffer;
}

/** Row of `app.password`: what the log must not hold of an account. */
interface PasswordRow {
  readonly account_id: string;
  /** Argon2id in its PHC string form. */
  readonly password_hash: string;
}

interface CheckpointRow {
  readonly id: number;
  /** Changes with every rebuild: a projector of the old tables finds nothing to advance. */
  readonly epoch: string;
  readonly position: string;
  readonly registry_id: string;
  readonly model_version: string;
}

interface ParkedStreamRow {
  readonly stream: string;
  readonly revision: string;
  readonly position: string;
  readonly event_type: string;
  readonly problem: string;
}

interface RateLimitRow {
  /** Name of the limiter and a hash: never a token or an address. */
  readonly bucket: string;
  readonly hits: number;
  readonly resets_at: Date;
}

/** Tables by their qualified names; no query relies on a search path. */
export interface Database {
  'app.lease': LeaseRow;
  'app.lease_request': LeaseRequestRow;
  'app.ingestion_queue': IngestionQueueRow;
  'app.ingestion_queue_chunk': IngestionQueueChunkRow;
  'app.queue_key': { readonly id: number; readonly wrapped_key: string };
  'app.rate_limit': RateLimitRow;
  'app.password': PasswordRow;
  'app.access_version': { readonly id: number; readonly version: string };
  'read.checkpoint': CheckpointRow;
  'read.parked_stream': ParkedStreamRow;
  'read.ingestion': IngestionRow;
  'read.ingestion_outcome': IngestionOutcomeRow;
  'read.birth_record': BirthRecordRow;
  'read.record_fingerprint': RecordFingerprintRow;
  'read.practice': PracticeRow;
  'read.api_key': ApiKeyRow;
  'read.partner': PartnerRow;
  'read.member': MemberRow;
  'read.staff': StaffRow;
  'read.provider': ProviderRow;
  'read.career_entry': CareerEntryRow;
}

/** A pool of connections with kysely's typed queries over it. */
export type Db = Kysely<Database>;

const CONNECT_TIMEOUT_MS = 3_000;
const STATEMENT_TIMEOUT_MS = 8_000;
/** For a server that does not answer at all, so that nobody waits for it without end. */
const ANSWER_TIMEOUT_MS = 10_000;

/** How long one statement may take, on the server and until its answer is here. Milliseconds. */
export interface StatementTimeouts {
  readonly statementMs: number;
  readonly answerMs: number;
}

const OF_REQUESTS: StatementTimeouts = {
  statementMs: STATEMENT_TIMEOUT_MS,
  answerMs: ANSWER_TIMEOUT_MS,
};

/**
 * Opens the pool. A connection that breaks is dropped and replaced.
 * @param connections most connections at once
 * @param timeouts those of requests unless said; 0 is none
 */
export const openDatabase = (
  url: string,
  connections: number,
  { statementMs, answerMs }: StatementTimeouts = OF_REQUESTS,
): Db => {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: statementMs,
    query_timeout: answerMs,
    keepAlive: true,
    application_name: 'birth-registry',
  });
  // A connection that breaks while idle raises its error on the pool, one that breaks between two
  // queries of a transaction on itself: the next query fails or meets a new connection either way.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
};
