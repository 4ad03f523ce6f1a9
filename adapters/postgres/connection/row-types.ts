import type { ColumnType, Generated } from 'kysely';
import type { ReadRows } from '../../../projections/read-model.ts';
import type { RecordListingRow } from '../../../projections/tables/birth-records.ts';
import type { PendingRevivalRow } from '../../../projections/tables/revivals.ts';
import type { StatisticsExclusionRow } from '../../../projections/tables/statistics-facts.ts';
import type { SerializedEvent } from '../../event-log/event-catalog.ts';

/** Row of `app.lease`. Times are on the database's clock. */
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

interface SubmissionRow {
  readonly ingestion_id: string;
  readonly seq: Generated<string>;
  readonly attempt: string;
  readonly practice_id: string;
  /** `null` if a member imported it. */
  readonly key_kind: 'native' | 'partner' | null;
  /** Id of the key or the member. */
  readonly sender_id: string;
  readonly file_hash: string | null;
  readonly empty_rows: unknown;
  readonly correlation_id: string;
  readonly received_at: Date;
  readonly courses: number;
  readonly bytes: number;
  readonly sealed: Buffer | null;
  readonly queued_at: Generated<Date>;
  readonly expires_at: Date;
  readonly attempts: Generated<number>;
  readonly is_in_doubt: Generated<boolean>;
  readonly last_fault: string | null;
  readonly in_progress_by: string | null;
  readonly in_progress_since: Date | null;
}

/** Row of `app.kept_stream`: cached copy of a log stream. */
interface KeptStreamRow {
  readonly registry_id: string;
  readonly stream: string;
  /** A bigint. */
  readonly revision: string;
  readonly events: readonly SerializedEvent[];
  readonly kept_at: Generated<Date>;
}

/** Row of `app.password`: account data that must not be in the log. */
interface PasswordRow {
  readonly account_id: string;
  /** Argon2id in PHC string format. */
  readonly password_hash: string;
  readonly generation: Generated<string>;
  readonly ends_at: Date | null;
  readonly failures: Generated<number>;
  readonly failed_since: Date | null;
}

interface TimeCodeRow {
  readonly account_id: string;
  readonly sealed: Buffer;
  readonly confirmed_at: Date | null;
  /** A bigint. */
  readonly last_step: Generated<string>;
}

interface SsoIdentityRow {
  readonly account_id: string;
  readonly issuer: string;
  readonly subject: string;
}

/** Row of `app.sso_logout`: one session, or all of a person, ended at an identity provider. */
interface SsoLogoutRow {
  readonly issuer: string;
  readonly token_digest: string;
  readonly sid: string | null;
  readonly subject: string | null;
  readonly issued_at: Date;
  readonly kept_at: Generated<Date>;
}

interface PasskeyRow {
  readonly passkey_id: Generated<string>;
  readonly account_id: string;
  readonly credential_id: string;
  readonly public_key: Buffer;
  readonly counter: string;
  readonly transports: string[];
  readonly is_synced_kind: boolean;
  readonly is_backed_up: boolean;
  readonly name: string;
  readonly created_at: Generated<Date>;
  readonly last_used_at: Date | null;
}

/** Row of `app.invitation`: the one-time password that accepts a seat. */
interface InvitationRow {
  readonly account_id: string;
  readonly practice_id: string;
  readonly password_digest: string;
  readonly ends_at: Date;
}

interface StagedImportRow {
  readonly import_id: string;
  readonly practice_id: string;
  readonly member_id: string;
  /** Attempt that the encrypted courses are bound to and will be queued under. */
  readonly attempt: string;
  readonly file_hash: string;
  readonly courses: number;
  readonly importable: number;
  readonly empty_rows: ColumnType<readonly number[], string, never>;
  /** Summary for the preview. Encrypted, because it contains the file name. */
  readonly summary: Buffer;
  readonly staged_at: Generated<Date>;
  readonly expires_at: Date;
  readonly confirmed_at: Date | null;
  readonly announced_at: Date | null;
}

interface FileCheckRow {
  readonly import_id: string;
  readonly practice_id: string;
  readonly member_id: string;
  readonly begun_at: Generated<Date>;
  readonly seen_at: Generated<Date>;
  readonly done_rows: Generated<number>;
  readonly total_rows: Generated<number>;
  readonly refusal: Buffer | null;
}

interface StagedImportChunkRow {
  readonly import_id: string;
  readonly kind: 'courses' | 'preview' | 'cells';
  readonly chunk: number;
  readonly sealed: Buffer;
}

interface DraftRow {
  readonly account_id: string;
  readonly form: string;
  readonly draft_id: string;
  readonly practice_id: string;
  readonly sealed: Buffer;
  readonly finished: Generated<boolean>;
  readonly saved_at: Generated<Date>;
  readonly expires_at: Date;
  readonly revision: Generated<number>;
  /** Form that saved or emptied it last; `null` if none may continue. */
  readonly editor: string | null;
  /** Place of the last request among those of that form; `null` without a script. */
  readonly sequence: string | null;
}

interface HandedOverRow {
  readonly id: string;
  readonly practice_id: string;
  readonly member_id: string;
  readonly from_file: boolean;
  readonly sealed: Buffer;
  readonly handed_at: Generated<Date>;
  readonly expires_at: Date;
}

interface EhrLaunchRow {
  readonly state_hash: string;
  readonly browser: string;
  readonly sealed: Buffer;
  readonly begun_at: Generated<Date>;
  readonly expires_at: Date;
}

interface PrefillReviewRow {
  readonly browser: string;
  readonly prefill_id: string;
  /** Form values, or the record saved from them, encrypted. */
  readonly sealed: Buffer;
  readonly saved: Generated<boolean>;
  readonly kept_at: Generated<Date>;
  readonly expires_at: Date;
}

interface PrefillRow {
  readonly prefill_id: string;
  readonly browser: string;
  readonly sealed: Buffer;
  readonly kept_at: Generated<Date>;
  readonly expires_at: Date;
}

interface CheckpointRow {
  readonly id: number;
  /** Changes with every rebuild, so that a projector of the old tables cannot advance. */
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
  /** Name of the limiter and a hash. Never a token or an address. */
  readonly bucket: string;
  readonly hits: number;
  readonly resets_at: Date;
}

interface SessionRow {
  readonly sid: string;
  readonly sess: unknown;
  readonly expire: Date;
  /** `null` before sign-in. */
  readonly account_id: Generated<string | null>;
}

interface KeyUseRow {
  readonly key_id: string;
  readonly last_used_at: Date;
  readonly last_address: string | null;
}

/** Row of `app.idempotent_replay`: submissions of a key that queued nothing. */
interface IdempotentReplayRow {
  readonly key_id: string;
  readonly replays: string;
  readonly last_at: Date;
}

interface UsedFormRow {
  readonly account_id: string;
  readonly form_id: string;
  readonly used_at: Generated<Date>;
}

interface NotedAccessRow {
  readonly note_id: string;
  readonly seq: Generated<string>;
  readonly event: unknown;
  readonly actor: unknown;
  readonly correlation_id: string;
  readonly noted_at: Generated<Date>;
  readonly set_aside_at: Date | null;
}

/** Row of `app.queue_key`: a version of the key that encrypts patient data in other rows. */
interface QueueKeyRow {
  /** Version, from 1. */
  readonly id: number;
  readonly wrapped_key: string;
  readonly made_at: Generated<Date>;
  /** Version of the fingerprint key that the same rotation adds to the log. */
  readonly fingerprint_key: Generated<number>;
  /** Time at which its rotation finished, or `null` if it has not. */
  readonly settled_at: ColumnType<Date | null, null | undefined, Date>;
}

interface LogCheckpointRow {
  readonly size: string;
  /** Signed note as published. */
  readonly note: string;
  readonly signed_at: Generated<Date>;
}

/**
 * Tables by qualified name, because no query relies on the search path. Views that only raw SQL
 * reads have no type.
 */
export interface Database extends ReadRows {
  'app.lease': LeaseRow;
  'app.lease_request': LeaseRequestRow;
  'app.submission': SubmissionRow;
  'app.submission_chunk': {
    readonly ingestion_id: string;
    readonly chunk: number;
    readonly sealed: Buffer;
  };
  'app.queue_key': QueueKeyRow;
  'app.log_checkpoint': LogCheckpointRow;
  'app.later_checkpoint': LogCheckpointRow & { readonly origin_number: number };
  'app.checkpoint_refusal': { readonly id: number; readonly refused_at: Generated<Date> };
  'app.file_check': FileCheckRow;
  'app.staged_import': StagedImportRow;
  'app.staged_import_chunk': StagedImportChunkRow;
  'app.draft': DraftRow;
  'app.handed_over': HandedOverRow;
  'app.ehr_launch': EhrLaunchRow;
  'app.prefill': PrefillRow;
  'app.prefill_review': PrefillReviewRow;
  'app.rate_limit': RateLimitRow;
  'app.kept_stream': KeptStreamRow;
  'app.password': PasswordRow;
  'app.invitation': InvitationRow;
  'app.sso_identity': SsoIdentityRow;
  'app.sso_logout': SsoLogoutRow;
  'app.sso_secret': { readonly practice_id: string; readonly sealed: Buffer };
  'app.time_code': TimeCodeRow;
  'app.passkey': PasskeyRow;
  'app.recovery_code': { readonly account_id: string; readonly digest: string };
  'app.session': SessionRow;
  'app.key_use': KeyUseRow;
  /** Uses refused because of the address. */
  'app.key_refusal': KeyUseRow;
  'app.idempotent_replay': IdempotentReplayRow;
  'app.used_form': UsedFormRow;
  'app.noted_access': NotedAccessRow;
  'app.access_version': { readonly id: number; readonly version: string };
  'read.checkpoint': CheckpointRow;
  'read.parked_stream': ParkedStreamRow;
  'read.record_listing': RecordListingRow;
  'read.statistics_exclusion': StatisticsExclusionRow;
  'read.overruled_void': PendingRevivalRow;
}
