import { sql } from 'kysely';
import type { CustomField } from '../../../domain/custom-field/state.ts';
import type { HasLiveRecords } from '../../../domain/practice/state.ts';
import type { ListedMember, ListedStaff } from '../../../projections/lists/accounts.ts';
import type {
  AdminStanding,
  ListedPartner,
  ListedPractice,
} from '../../../projections/lists/organizations.ts';
import type { Db } from '../connection/database.ts';
import { escapeLike } from '../connection/escape-like.ts';

/** Finds practices by a part of their name. */
export const createSearchPractices =
  (db: Db) =>
  async ({
    text,
    from,
    count,
  }: {
    readonly text: string;
    readonly from: number;
    readonly count: number;
  }): Promise<{ readonly total: number; readonly practices: readonly ListedPractice[] }> => {
    const pattern = `%${escapeLike(text)}%`;
    const matching = db.selectFrom('read.practice').where('name', 'ilike', pattern);
    const [counted, rows] = await Promise.all([
      matching.select(({ fn }) => fn.countAll<string>().as('total')).executeTakeFirstOrThrow(),
      practicesIn(db)
        .where('practice.name', 'ilike', pattern)
        .orderBy(sql`lower(practice.name)`)
        .orderBy('practice.practice_id')
        .offset(from)
        .limit(count)
        .execute(),
    ]);
    return { total: Number(counted.total), practices: rows.map(listedPractice) };
  };

/** True if any practice is not a sandbox. */
export const isAnyPracticeReal = async (db: Db): Promise<boolean> => {
  const real = db.selectFrom('read.practice').select('practice_id').where('sandbox', '=', false);
  return (await real.limit(1).executeTakeFirst()) !== undefined;
};

export const createFindPractice =
  (db: Db) =>
  async (practiceId: string): Promise<ListedPractice | null> => {
    const row = await practicesIn(db)
      .where('practice.practice_id', '=', practiceId)
      .executeTakeFirst();
    return row === undefined ? null : listedPractice(row);
  };

/** Checks if a practice has an Admin, lost its last one, or never had a member. */
export const createFindAdminStatus =
  (db: Db) =>
  async (practiceId: string): Promise<AdminStanding> => {
    const { rows } = await sql<{ readonly standing: AdminStanding }>`
      select case
        when count(*) = 0 then 'new'
        when count(*) filter (where role = 'Admin' and removed_at is null) = 0 then 'lost'
        else 'held' end as standing
      from read.member where practice_id = ${practiceId}`.execute(db);
    return rows[0]?.standing ?? 'held';
  };

/** Counts queued submissions too, because they are already acknowledged. */
export const createHasLiveRecords =
  (db: Db): HasLiveRecords =>
  async (practiceId) => {
    const { rows } = await sql<{ readonly holds: boolean }>`
      select exists (
        select from read.birth_record where practice_id = ${practiceId} and status = 'live'
      ) or exists (
        select from app.submission queued where practice_id = ${practiceId}
          -- what has ended stays in the queue for a moment more
          and not exists (
            select from read.ingestion ended
            where ended.ingestion_id = queued.ingestion_id
              and ended.status in ('completed', 'failed')
          )
      ) as holds`.execute(db);
    return rows[0]?.holds === true;
  };

/** Practices for which keys may be minted. */
export const createListBetaPractices =
  (db: Db) =>
  async (): Promise<readonly { readonly practiceId: string; readonly name: string }[]> => {
    const rows = await db
      .selectFrom('read.practice')
      .select(['practice_id', 'name'])
      .where('beta', '=', true)
      .orderBy(sql`lower(name)`)
      .orderBy('practice_id')
      .execute();
    return rows.map(({ practice_id: practiceId, name }) => ({ practiceId, name }));
  };

export const createListPartners = (db: Db) => async (): Promise<readonly ListedPartner[]> =>
  (
    await partnersIn(db).orderBy(sql`lower(partner.name)`).orderBy('partner.partner_id').execute()
  ).map(listedPartner);

export const createFindPartner =
  (db: Db) =>
  async (partnerId: string): Promise<ListedPartner | null> => {
    const row = await partnersIn(db).where('partner.partner_id', '=', partnerId).executeTakeFirst();
    return row === undefined ? null : listedPartner(row);
  };

const practicesIn = (db: Db) =>
  db
    .selectFrom('read.practice as practice')
    .select(['practice.practice_id', 'practice.name', 'practice.sandbox', 'practice.beta'])
    .select('practice.time_zone')
    .select((from) => [
      from
        .selectFrom('read.member as member')
        .select(({ fn }) => fn.countAll<string>().as('members'))
        .whereRef('member.practice_id', '=', 'practice.practice_id')
        .where('member.removed_at', 'is', null)
        .as('members'),
      from
        .selectFrom('read.api_key as key')
        .select(({ fn }) => fn.countAll<string>().as('live_keys'))
        .whereRef('key.practice_id', '=', 'practice.practice_id')
        .where('key.revoked_at', 'is', null)
        .as('live_keys'),
    ]);

type OrganizationRow<Query extends (db: Db) => { execute(): Promise<readonly unknown[]> }> =
  Awaited<ReturnType<ReturnType<Query>['execute']>>[number];

const listedPractice = (row: OrganizationRow<typeof practicesIn>): ListedPractice => ({
  practiceId: row.practice_id,
  name: row.name,
  sandbox: row.sandbox,
  beta: row.beta,
  timeZone: row.time_zone,
  members: Number(row.members),
  liveKeys: Number(row.live_keys),
});

const partnersIn = (db: Db) =>
  db
    .selectFrom('read.partner as partner')
    .select(['partner.partner_id', 'partner.name', 'partner.beta', 'partner.status'])
    .select((from) =>
      from
        .selectFrom('read.api_key as key')
        .select(({ fn }) => fn.countAll<string>().as('live_keys'))
        .whereRef('key.partner_id', '=', 'partner.partner_id')
        .where('key.revoked_at', 'is', null)
        .as('live_keys'),
    );

const listedPartner = (row: OrganizationRow<typeof partnersIn>): ListedPartner => ({
  partnerId: row.partner_id,
  name: row.name,
  beta: row.beta,
  contract: row.status,
  liveKeys: Number(row.live_keys),
});

/** Kinds of second factors of the account in a column. */
const factorsOf = (accountId: string) => sql`
  array(
    (select 'passkey' from app.passkey factor where factor.account_id = ${sql.ref(accountId)} limit 1)
    union all
    select 'totp' from app.time_code factor
    where factor.account_id = ${sql.ref(accountId)} and factor.confirmed_at is not null)`;

/** Current members of a practice and open invitations. */
export const createListMembers =
  (db: Db) =>
  async (practiceId: string): Promise<readonly ListedMember[]> => {
    const { rows } = await sql<ListedMember>`
      select * from (
        select member_id as "memberId", email, name, role, auditor as "isAuditor", added_at as since, 'seated' as status,
          signed_in_at as "lastSignInAt", ${factorsOf('member_id')} as "secondFactor"
        from read.member where practice_id = ${practiceId} and removed_at is null
        union all
        select member_id, email, name, role, false, invited_at,
          case when ends_at > now() then 'invited' else 'lapsed' end, null, '{}'::text[]
        from read.invitation where practice_id = ${practiceId} and closed_at is null
      ) listed order by lower(coalesce(name, email)), email`.execute(db);
    return rows;
  };

/** Current and former service staff. */
export const createListStaff = (db: Db) => async (): Promise<readonly ListedStaff[]> => {
  const { rows } = await sql<ListedStaff>`
      select staff_id as "staffId", email, name, added_at as since, signed_in_at as "lastSignInAt",
        ${factorsOf('staff_id')} as "secondFactor",
        case when removed_at is null then 'active' else 'removed' end as status
      from read.staff order by removed_at is not null, lower(coalesce(name, email)), email`.execute(
    db,
  );
  return rows;
};

// Our choice: more than the number of zones in the United States and its territories.
const MAX_TIME_ZONES = 24;

/** Time zones of the practices, most common first. */
export const createListTimeZones = (db: Db) => async (): Promise<readonly string[]> => {
  const rows = await db
    .selectFrom('read.practice')
    .select('time_zone')
    .groupBy('time_zone')
    .orderBy(({ fn }) => fn.countAll(), 'desc')
    .orderBy('time_zone')
    .limit(MAX_TIME_ZONES)
    .execute();
  return rows.map(({ time_zone }) => time_zone);
};

/** Custom fields of a practice in order, including retired ones. */
export const createListCustomFields =
  (db: Db) =>
  async (practiceId: string): Promise<readonly CustomField[]> => {
    const rows = await db
      .selectFrom('read.custom_field')
      .select(['field_id', 'label', 'type', 'choices', 'place', 'retired_at'])
      .where('practice_id', '=', practiceId)
      .orderBy('place')
      .orderBy('defined_at')
      .execute();
    return rows.map((row) => ({
      fieldId: row.field_id,
      label: row.label,
      type: row.type,
      choices: row.choices as readonly string[],
      order: row.place,
      retired: row.retired_at !== null,
    }));
  };
