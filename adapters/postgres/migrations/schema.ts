import { type Kysely, type Migration, sql } from 'kysely';

/**
 * The schema `app`: data that is secret, short-lived, or written by every request, which the log cannot hold.
 * Columns `sealed` are encrypted; the large ones are stored without compression. Tables with a `fillfactor` have free
 * space on each page, so that an update changes the row in place, without new index entries.
 */
export const schema: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`create schema app`.execute(db);
    for (const create of [LEASES, QUEUE, ACCOUNTS, SESSIONS, KEYS, FORMS, IMPORTS, LOG])
      await create.execute(db);
    for (const create of [QUEUE_CHANGES, FILE_CHECKS, LATER_ORIGINS]) await create.execute(db);
  },
};

const LEASES = sql`
  create table app.lease (
    name text primary key,
    holder uuid,
    expires_at timestamptz not null,
    -- advisory lock that the holder's process keeps while it lives; null: the expiry only
    presence bigint,
    -- whether the holder took it from one that had not given it back
    seized boolean not null default false,
    -- position in the log of the last thing written under the lease
    highest_position bigint not null default 0
  );
  create table app.lease_request (
    name text not null,
    requester uuid not null,
    expires_at timestamptz not null,
    primary key (name, requester)
  );`;

const QUEUE = sql`
  -- A row proves a submission: it has everything that the ingestion starts with.
  create table app.submission (
    ingestion_id text primary key,
    seq bigint generated always as identity unique,
    -- id of the queue entry; not one of the attempts that are counted
    attempt uuid not null,
    practice_id text not null,
    -- null: a member brought it
    key_kind text,
    -- the key or the member
    sender_id text not null,
    -- of an import
    file_hash text,
    empty_rows jsonb,
    correlation_id text not null,
    received_at timestamptz not null,
    courses integer not null,
    bytes integer not null,
    -- the only chunk; null: they are in app.submission_chunk
    sealed bytea,
    queued_at timestamptz not null default now(),
    expires_at timestamptz not null,
    attempts integer not null default 0,
    -- a worker has started it, even if the attempt was not counted
    is_in_doubt boolean not null default false,
    last_fault text
  ) with (fillfactor = 50);
  create index on app.submission (practice_id, seq);
  create table app.submission_chunk (
    ingestion_id text not null,
    chunk integer not null,
    sealed bytea not null,
    primary key (ingestion_id, chunk)
  );
  alter table app.submission alter sealed set storage external;
  alter table app.submission_chunk alter sealed set storage external;
  create table app.queue_key (
    -- its version: the newest one encrypts
    id integer primary key,
    wrapped_key text not null,
    made_at timestamptz not null default now(),
    -- version of the fingerprint key that the same rotation adds to the log
    fingerprint_key integer not null default 1,
    -- when the rotation that made it had done everything; null: it has not yet
    settled_at timestamptz default now()
  );
  -- No supported version fills the next two.
  create table app.ingestion_queue (
    attempt uuid primary key,
    seq bigint generated always as identity unique,
    ingestion_id text not null,
    practice_id text not null,
    key_kind text,
    courses integer not null,
    queued_at timestamptz not null default now(),
    expires_at timestamptz not null,
    attempts integer not null default 0,
    last_fault text,
    is_in_doubt boolean not null default false
  ) with (fillfactor = 50);
  create index on app.ingestion_queue (practice_id, seq);
  create index on app.ingestion_queue (ingestion_id);
  create table app.ingestion_queue_chunk (
    attempt uuid not null,
    chunk integer not null,
    sealed bytea not null,
    primary key (attempt, chunk)
  );
  alter table app.ingestion_queue_chunk alter sealed set storage external;`;

/** The sum per practice is the queue's content. By trigger, so earlier versions keep it too. */
export const QUEUE_CHANGES = sql`
  -- A push only adds rows, so that concurrent pushes of a practice do not wait for each other. At times, rows
  -- are replaced by their sum.
  create table app.queue_change (
    practice_id text not null,
    -- less than zero: what has left the queue
    courses bigint not null,
    bytes bigint not null
  );
  create function app.note_queue_change() returns trigger language plpgsql as $$
      declare
        sign integer := case tg_op when 'INSERT' then 1 else -1 end;
      begin
        insert into app.queue_change (practice_id, courses, bytes)
        select practice_id, sign * sum(courses), sign * sum(bytes)
        from changed group by practice_id;
        return null;
      end $$;
  create trigger note_added after insert on app.submission
    referencing new table as changed for each statement
    execute function app.note_queue_change();
  create trigger note_removed after delete on app.submission
    referencing old table as changed for each statement
    execute function app.note_queue_change();`;

const ACCOUNTS = sql`
  create sequence app.password_generation;
  create table app.password (
    -- keyed hash of the email, which also names the account's stream in the log
    account_id text primary key,
    password_hash text not null,
    -- no supported version reads it
    must_change boolean not null default false,
    -- another one with each password, and when all sessions were ended
    generation bigint not null default nextval('app.password_generation'),
    -- null: the owner chose it
    ends_at timestamptz,
    -- wrong passwords in a row, and since when
    failures integer not null default 0,
    failed_since timestamptz
  );
  create table app.invitation (
    account_id text not null,
    practice_id text not null,
    -- SHA-256 of the one-time password: there are too many to guess
    password_digest text not null,
    ends_at timestamptz not null,
    primary key (account_id, practice_id)
  );
  -- Failed guesses from elsewhere do not delay sign-in from these places.
  create table app.known_place (
    -- keyed hash of account, address and password: none can be read from it
    place text primary key,
    signed_in_at timestamptz not null default now()
  );
  create index on app.known_place (signed_in_at);
  create table app.time_code (
    account_id text primary key,
    -- the secret of the authenticator app
    sealed bytea not null,
    -- null: its owner has not shown a code of it yet
    confirmed_at timestamptz,
    -- no code of this time step, or an earlier one, is good any more
    last_step bigint not null default 0
  );
  create table app.recovery_code (
    account_id text not null,
    -- SHA-256
    digest text not null,
    primary key (account_id, digest)
  );
  -- Not secret, but they must be deletable, which events in the log are not.
  create table app.passkey (
    passkey_id uuid primary key default gen_random_uuid(),
    account_id text not null,
    -- as browsers name it, base64url
    credential_id text not null unique,
    -- COSE
    public_key bytea not null,
    -- uses, as the authenticator counts them; 0: it does not count
    counter bigint not null,
    -- ways to reach the authenticator
    transports text[] not null,
    -- its kind may be copied to the owner's other devices, and whether it was
    is_synced_kind boolean not null,
    is_backed_up boolean not null,
    name text not null,
    created_at timestamptz not null default now(),
    last_used_at timestamptz
  );
  create index passkey_account on app.passkey (account_id);
  create table app.sso_identity (
    account_id text not null,
    issuer text not null,
    -- names the person there
    subject text not null,
    primary key (account_id, issuer),
    unique (issuer, subject)
  );
  create table app.sso_secret (
    practice_id text primary key,
    -- the secret of its client, and what it is for
    sealed bytea not null
  );`;

const SESSIONS = sql`
  create table app.access_version (
    id integer primary key check (id = 1),
    version bigint not null
  );
  insert into app.access_version (id, version) values (1, 1);
  -- The session library requires the first three columns.
  create table app.session (
    sid text primary key,
    sess jsonb not null,
    expire timestamptz not null,
    -- so that all sessions of an account can be ended together
    account_id text generated always as (sess ->> 'accountId') stored
  );
  create index session_expire on app.session (expire);
  create index session_account on app.session (account_id);
  -- Sessions that ended at an identity provider. Every request of a signed-in user reads its own.
  create table app.sso_logout (
    issuer text not null,
    -- SHA-256 of the id of the logout token: each counts once
    token_digest text not null,
    -- null: every session that the person had then
    sid text,
    subject text,
    issued_at timestamptz not null,
    kept_at timestamptz not null default now(),
    primary key (issuer, token_digest)
  );
  create index on app.sso_logout (issuer, sid);
  create index on app.sso_logout (issuer, subject) where sid is null;
  create index on app.sso_logout (kept_at);
  -- Outbox of the access log. Rows are deleted once their events are in the log.
  create table app.noted_access (
    -- the id of the event, too
    note_id uuid primary key,
    seq bigint generated always as identity,
    event jsonb not null,
    actor jsonb not null,
    correlation_id text not null,
    noted_at timestamptz not null default now(),
    -- the log would refuse its event
    set_aside_at timestamptz
  );
  create index on app.noted_access (seq);
  create index noted_access_on_its_way on app.noted_access (seq) where set_aside_at is null;
  create index noted_access_set_aside on app.noted_access (set_aside_at)
    where set_aside_at is not null;`;

const KEYS = sql`
  -- Unlogged, because losing the counters in a database crash is harmless.
  create unlogged table app.rate_limit (
    bucket text primary key,
    hits integer not null,
    resets_at timestamptz not null
  ) with (fillfactor = 50);
  create table app.key_use (
    key_id text primary key,
    last_used_at timestamptz not null,
    last_address text
  ) with (fillfactor = 50);
  -- Latest use of a key that its allowed IP addresses refused.
  create table app.key_refusal (
    key_id text primary key,
    last_used_at timestamptz not null,
    last_address text
  ) with (fillfactor = 50);
  -- Submissions with an idempotency key that was already used.
  create table app.idempotent_replay (
    key_id text primary key,
    replays bigint not null,
    last_at timestamptz not null
  ) with (fillfactor = 50);`;

const FORMS = sql`
  -- Deleted after a day.
  create table app.draft (
    -- whose form it is: it outlives the session
    account_id text not null,
    -- kind of form: new or correct
    form text not null,
    draft_id uuid not null,
    practice_id text not null,
    sealed bytea not null,
    -- saved as a record: kept so that the same form is not begun again by a late request
    finished boolean not null default false,
    saved_at timestamptz not null default now(),
    expires_at timestamptz not null,
    -- so that an open page does not replace what another has saved
    revision integer not null default 1,
    -- the open page that saved it last
    editor text,
    -- counted by the script of the page, so that a late request does not replace what a later one saved; null
    -- without a script
    sequence bigint,
    primary key (account_id, form, draft_id)
  );
  create index on app.draft (expires_at);
  alter table app.draft alter sealed set storage external;
  create table app.used_form (
    account_id text not null,
    form_id text not null,
    used_at timestamptz not null default now(),
    primary key (account_id, form_id)
  );
  -- Pending for minutes.
  create table app.ehr_launch (
    -- SHA-256 of the state that the EHR sends back
    state_hash text primary key,
    -- names the browser that began it
    browser text not null,
    sealed bytea not null,
    begun_at timestamptz not null default now(),
    expires_at timestamptz not null
  );
  create index on app.ehr_launch (browser, begun_at);
  create index on app.ehr_launch (expires_at);
  -- Data that launches read, deleted after half an hour.
  create table app.prefill (
    prefill_id uuid primary key,
    browser text not null,
    sealed bytea not null,
    kept_at timestamptz not null default now(),
    expires_at timestamptz not null
  );
  create index on app.prefill (browser, kept_at);
  create index on app.prefill (expires_at);
  alter table app.prefill alter sealed set storage external;
  -- Form values of pre-fills, deleted after half an hour.
  create table app.prefill_review (
    browser text not null,
    prefill_id uuid not null,
    sealed bytea not null,
    -- saved as a record: kept so that a second click finds it
    saved boolean not null default false,
    kept_at timestamptz not null default now(),
    expires_at timestamptz not null,
    primary key (browser, prefill_id)
  );
  create index on app.prefill_review (expires_at);
  alter table app.prefill_review alter sealed set storage external;
  -- Births that a Scribe handed off to a Provider, deleted after 30 days.
  create table app.handed_over (
    -- of the form, or made of the import and the row: the same birth is handed over once
    id text primary key,
    practice_id text not null,
    -- who handed it over
    member_id text not null,
    from_file boolean not null,
    sealed bytea not null,
    handed_at timestamptz not null default now(),
    expires_at timestamptz not null
  );
  create index on app.handed_over (practice_id, handed_at);
  create index on app.handed_over (expires_at);
  alter table app.handed_over alter sealed set storage external;`;

const IMPORTS = sql`
  -- Files between preview and queue, deleted after a day.
  create table app.staged_import (
    -- also the id of the ingestion that a confirmation begins
    import_id text primary key,
    practice_id text not null,
    member_id text not null,
    -- id that its queue entry will have; the courses are sealed with it
    attempt uuid not null unique,
    -- keyed hash of the file's bytes
    file_hash text not null,
    courses integer not null,
    -- courses that are not rejected
    importable integer not null,
    empty_rows jsonb not null,
    -- sealed: what the preview shows above its rows
    summary bytea not null,
    staged_at timestamptz not null default now(),
    expires_at timestamptz not null,
    confirmed_at timestamptz,
    -- its courses are in the queue; the chunks are gone
    announced_at timestamptz
  );
  create index on app.staged_import (practice_id, member_id, staged_at);
  create index on app.staged_import (practice_id, file_hash) where confirmed_at is not null;
  create index on app.staged_import (expires_at);
  create table app.staged_import_chunk (
    import_id text not null references app.staged_import on delete cascade,
    kind text not null,
    chunk integer not null,
    sealed bytea not null,
    primary key (import_id, kind, chunk)
  );
  alter table app.staged_import_chunk alter sealed set storage external;`;

/** Progress of files that are checked before an import, so that any process can show it. */
export const FILE_CHECKS = sql`
  create table app.file_check (
    -- also the id of the staged import that replaces it
    import_id text primary key,
    practice_id text not null,
    member_id text not null,
    begun_at timestamptz not null default now(),
    -- by the process that checks it; too long ago if that has ended
    seen_at timestamptz not null default now(),
    done_rows integer not null default 0,
    total_rows integer not null default 0,
    -- sealed: why the file was refused
    refusal bytea
  );
  create index on app.file_check (begun_at);`;

const LOG = sql`
  -- All signed checkpoints of the first origin, for the command verify and for requests for older ones.
  create table app.log_checkpoint (
    -- events of the log that it covers
    size bigint primary key,
    -- as it is handed out, with its signatures
    note text not null,
    signed_at timestamptz not null default now()
  );
  -- Logs of others that this registry witnesses, with the last checkpoint it signed.
  create table app.witnessed_log (
    origin text primary key,
    -- verifier keys of C2SP signed-note; none: it is not witnessed any more
    keys text[] not null,
    -- of the checkpoint that was signed last; null: none was yet
    size bigint,
    root bytea,
    signed_at timestamptz,
    check ((size is null) = (root is null) and (size is null) = (signed_at is null))
  );
  -- Cached streams that intake needs if the service starts while the log is unavailable. Keys in them are
  -- wrapped or hashed, as in the log.
  create table app.kept_stream (
    -- of the log that they were read from
    registry_id text not null,
    stream text not null,
    -- of the last event
    revision bigint not null,
    events jsonb not null,
    kept_at timestamptz not null default now(),
    primary key (registry_id, stream)
  );`;

/** Checkpoints of later origins of the log: after its end was lost, it continues under another name. */
export const LATER_ORIGINS = sql`
  create table app.later_checkpoint (
    -- from 2
    origin_number integer not null,
    -- events of the log that it covers
    size bigint not null,
    -- as published, with its signatures
    note text not null,
    signed_at timestamptz not null default now(),
    primary key (origin_number, size)
  );
  create table app.checkpoint_refusal (
    -- at most one row: no checkpoint is signed, because the log does not extend the last one
    id integer primary key check (id = 1),
    refused_at timestamptz not null default now()
  );`;
