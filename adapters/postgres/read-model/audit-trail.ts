import { sql } from 'kysely';
import type { AuditEntry, LastReview } from '../../../projections/lists/audit.ts';
import { withCamelCase } from '../connection/camel-case.ts';
import type { Db } from '../connection/database.ts';
import { toActorSummary } from './api-keys.ts';
import { findPersonByActor, findPersonByPractice } from './people-names.ts';

const selectEntries = (column: 'practice_id' | 'partner_id', id: string) =>
  sql`select entry_id from read.audit_entry where ${sql.ref(column)} = ${id}
    union
    select entry_id from read.audit_entry where key_id in
      (select key_id from read.api_key where ${sql.ref(column)} = ${id})`;

export const createAuditReads = (db: Db) => ({
  readPracticeAudit: (id: string, most: number, skip = 0): Promise<readonly AuditEntry[]> =>
    latest(db, selectEntries('practice_id', id), most, skip),

  async countPracticeAudit(id: string): Promise<number> {
    const { rows } = await sql<{ found: number }>`
      select count(*)::integer as found from (${selectEntries('practice_id', id)}) entries`.execute(
      db,
    );
    return rows[0]?.found ?? 0;
  },

  readPartnerAudit: (id: string, most: number): Promise<readonly AuditEntry[]> =>
    latest(db, selectEntries('partner_id', id), most, 0),

  async findLastReview(practiceId: string | null): Promise<LastReview | null> {
    const row = await db
      .selectFrom('read.audit_entry as entry')
      .select([
        'entry.at',
        'entry.actor',
        findPersonByActor('entry.actor', sql.ref('entry.practice_id')).as('person'),
      ])
      .where('entry.type', '=', practiceId === null ? 'StaffAccessReviewed' : 'AccessReviewed')
      .where('entry.practice_id', 'is not distinct from', practiceId)
      .orderBy('entry.position', 'desc')
      .limit(1)
      .executeTakeFirst();
    return row === undefined ? null : { at: row.at, by: toActorSummary(row.actor, row.person) };
  },
});

/** Changes to a key only record the key. */
const PRACTICE = sql`coalesce(entry.practice_id, key.practice_id)`;

const latest = async (
  db: Db,
  entries: ReturnType<typeof sql>,
  most: number,
  skip: number,
): Promise<readonly AuditEntry[]> => {
  const rows = await withCamelCase(db)
    .selectFrom('read.auditEntry as entry')
    .leftJoin('read.apiKey as key', 'key.keyId', 'entry.keyId')
    .leftJoin('read.practice as practice', 'practice.practiceId', 'key.practiceId')
    .leftJoin('read.partner as partner', 'partner.partnerId', 'key.partnerId')
    .select(['entry.entryId', 'entry.type', 'entry.at', 'entry.actor', 'entry.value'])
    .select(['key.name', 'key.kind', 'key.scopes'])
    .select(['practice.name as practiceName', 'partner.name as partnerName'])
    .select([
      findPersonByActor('entry.actor', PRACTICE).as('person'),
      findPersonByPractice(sql.ref('entry.member_id'), PRACTICE).as('member'),
    ])
    .where('entry.entryId', 'in', sql<string>`(${entries})`)
    .orderBy('entry.position', 'desc')
    .limit(most)
    .offset(skip)
    .execute();
  return rows.map(
    ({ actor, person, name, kind, scopes, practiceName, partnerName, ...entry }): AuditEntry => ({
      ...entry,
      by: toActorSummary(actor, person),
      key: kind && scopes && { name, kind, scopes, practiceName, partnerName },
    }),
  );
};
