import { sql } from 'kysely';
import type { Scope } from '../../../domain/api-key/events.ts';
import type { AuditEntry, LastReview } from '../../../projections/lists/audit.ts';
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
  const rows = await db
    .selectFrom('read.audit_entry as entry')
    .leftJoin('read.api_key as key', 'key.key_id', 'entry.key_id')
    .leftJoin('read.practice as practice', 'practice.practice_id', 'key.practice_id')
    .leftJoin('read.partner as partner', 'partner.partner_id', 'key.partner_id')
    .select(['entry.entry_id', 'entry.type', 'entry.at', 'entry.actor', 'entry.value'])
    .select(['key.name', 'key.kind', 'key.scopes'])
    .select(['practice.name as practice_name', 'partner.name as partner_name'])
    .select([
      findPersonByActor('entry.actor', PRACTICE).as('person'),
      findPersonByPractice(sql.ref('entry.member_id'), PRACTICE).as('member'),
    ])
    .where('entry.entry_id', 'in', sql<string>`(${entries})`)
    .orderBy('entry.position', 'desc')
    .limit(most)
    .offset(skip)
    .execute();
  return rows.map((row) => ({
    entryId: row.entry_id,
    type: row.type,
    at: row.at,
    by: toActorSummary(row.actor, row.person),
    value: row.value,
    key:
      row.kind === null
        ? null
        : {
            name: row.name,
            kind: row.kind,
            scopes: row.scopes as readonly Scope[],
            practiceName: row.practice_name,
            partnerName: row.partner_name,
          },
    member: row.member,
  }));
};
