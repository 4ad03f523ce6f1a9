import { sql } from 'kysely';
import type { CustomField } from '../../../domain/custom-field/state.ts';
import type { HasLiveRecords } from '../../../domain/practice/state.ts';
import type { ListedMember, ListedStaff } from '../../../projections/lists/accounts.ts';
import type {
  AdminStatus,
  ListedPartner,
  ListedPractice,
} from '../../../projections/lists/organizations.ts';
import { type CamelDb, withCamelCase } from '../connection/camel-case.ts';
import type { Db } from '../connection/database.ts';
import { escapeLike } from '../connection/escape-like.ts';

export const createOrganizationReads = (db: Db) => ({
  async searchPractices({
    text,
    from,
    count,
  }: {
    readonly text: string;
    readonly from: number;
    readonly count: number;
  }): Promise<{ readonly total: number; readonly practices: readonly ListedPractice[] }> {
    const pattern = `%${escapeLike(text)}%`;
    const matching = db.selectFrom('read.practice').where('name', 'ilike', pattern);
    const [counted, practices] = await Promise.all([
      matching.select(({ fn }) => fn.countAll<string>().as('total')).executeTakeFirstOrThrow(),
      selectPractices(withCamelCase(db))
        .where('practice.name', 'ilike', pattern)
        .orderBy(sql`lower(practice.name)`)
        .orderBy('practice.practiceId')
        .offset(from)
        .limit(count)
        .execute(),
    ]);
    return { total: Number(counted.total), practices };
  },

  async findPractice(practiceId: string): Promise<ListedPractice | null> {
    const practices = selectPractices(withCamelCase(db));
    const found = await practices.where('practice.practiceId', '=', practiceId).executeTakeFirst();
    return found ?? null;
  },

  /** Checks if a practice has an Admin, lost its last one, or never had a member. */
  async findAdminStatus(practiceId: string): Promise<AdminStatus> {
    const { rows } = await sql<{ readonly status: AdminStatus }>`
      select case
        when count(*) = 0 then 'never-had-members'
        when count(*) filter (where role = 'Admin' and removed_at is null) = 0 then 'lost-admin'
        else 'has-admin' end as status
      from read.member where practice_id = ${practiceId}`.execute(db);
    return rows[0]?.status ?? 'has-admin';
  },

  /** Counts queued submissions too, because they are already acknowledged. */
  hasLiveRecords: (async (practiceId) => {
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
  }) satisfies HasLiveRecords,

  /** Practices for which keys may be minted. */
  async listBetaPractices(): Promise<readonly Pick<ListedPractice, 'practiceId' | 'name'>[]> {
    return withCamelCase(db)
      .selectFrom('read.practice')
      .select(['practiceId', 'name'])
      .where('beta', '=', true)
      .orderBy(sql`lower(name)`)
      .orderBy('practiceId')
      .execute();
  },

  async listPartners(): Promise<readonly ListedPartner[]> {
    return selectPartners(withCamelCase(db))
      .orderBy(sql`lower(partner.name)`)
      .orderBy('partner.partnerId')
      .execute();
  },

  async findPartner(partnerId: string): Promise<ListedPartner | null> {
    const partners = selectPartners(withCamelCase(db));
    const found = await partners.where('partner.partnerId', '=', partnerId).executeTakeFirst();
    return found ?? null;
  },

  async listMembers(practiceId: string): Promise<readonly ListedMember[]> {
    const { rows } = await sql<ListedMember>`
      select * from (
        select member_id as "memberId", email, name, role, auditor as "isAuditor", added_at as since, 'seated' as status,
          signed_in_at as "lastSignInAt", ${selectFactors('member_id')} as "secondFactor"
        from read.member where practice_id = ${practiceId} and removed_at is null
        union all
        select member_id, email, name, role, false, invited_at,
          case when ends_at > now() then 'invited' else 'lapsed' end, null, '{}'::text[]
        from read.invitation where practice_id = ${practiceId} and closed_at is null
      ) listed order by lower(coalesce(name, email)), email`.execute(db);
    return rows;
  },

  async listStaff(): Promise<readonly ListedStaff[]> {
    const { rows } = await sql<ListedStaff>`
      select staff_id as "staffId", email, name, added_at as since, signed_in_at as "lastSignInAt",
        ${selectFactors('staff_id')} as "secondFactor",
        case when removed_at is null then 'active' else 'removed' end as status
      from read.staff order by removed_at is not null, lower(coalesce(name, email)), email`.execute(
      db,
    );
    return rows;
  },

  /** Time zones of the practices, most common first. */
  async listTimeZones(): Promise<readonly string[]> {
    const rows = await db
      .selectFrom('read.practice')
      .select('time_zone')
      .groupBy('time_zone')
      .orderBy(({ fn }) => fn.countAll(), 'desc')
      .orderBy('time_zone')
      .limit(MAX_TIME_ZONES)
      .execute();
    return rows.map(({ time_zone }) => time_zone);
  },

  /** Custom fields of a practice in order, including retired ones. */
  async listCustomFields(practiceId: string): Promise<readonly CustomField[]> {
    return withCamelCase(db)
      .selectFrom('read.customField')
      .select(['fieldId', 'label', 'type', 'choices', 'place as order', 'item'])
      .select(sql<boolean>`retired_at is not null`.as('isRetired'))
      .where('practiceId', '=', practiceId)
      .orderBy('place')
      .orderBy('definedAt')
      .execute();
  },
});

export const isAnyPracticeReal = async (db: Db): Promise<boolean> => {
  const real = db.selectFrom('read.practice').select('practice_id').where('sandbox', '=', false);
  return (await real.limit(1).executeTakeFirst()) !== undefined;
};

const selectPractices = (db: CamelDb) =>
  db
    .selectFrom('read.practice as practice')
    .select(['practice.practiceId', 'practice.name', 'practice.sandbox', 'practice.beta'])
    .select('practice.timeZone')
    .select([
      sql<number>`(select count(*)::integer from read.member member
        where member.practice_id = practice.practice_id and member.removed_at is null)`.as(
        'members',
      ),
      countLiveKeys('practice').as('liveKeys'),
    ]);

const selectPartners = (db: CamelDb) =>
  db
    .selectFrom('read.partner as partner')
    .select(['partner.partnerId', 'partner.name', 'partner.beta', 'partner.status as contract'])
    .select(countLiveKeys('partner').as('liveKeys'));

const countLiveKeys = (owner: 'practice' | 'partner') => sql<number>`
  (select count(*)::integer from read.api_key key
    where ${sql.ref(`key.${owner}_id`)} = ${sql.ref(`${owner}.${owner}_id`)}
      and key.revoked_at is null)`;

const selectFactors = (accountId: string) => sql`
  array(
    (select 'passkey' from app.passkey factor where factor.account_id = ${sql.ref(accountId)} limit 1)
    union all
    select 'totp' from app.time_code factor
    where factor.account_id = ${sql.ref(accountId)} and factor.confirmed_at is not null)`;

// Our choice: more than the number of zones in the United States and its territories.
const MAX_TIME_ZONES = 24;
