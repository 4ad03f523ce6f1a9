import { sql } from 'kysely';
import { type GivenReason, parsePart } from '../../../domain/birth-record/item-reasons.ts';
import type { Actor } from '../../../domain/event-log.ts';
import type { ListedReason } from '../../../projections/lists/item-reasons.ts';
import type { CamelRow } from '../../../projections/read-model.ts';
import { withCamelCase } from '../connection/camel-case.ts';
import type { Db } from '../connection/database.ts';

type ReasonRow = Pick<CamelRow<'item_reason'>, 'part' | 'item' | 'children' | 'until'>;

export const toGivenReason = ({ part, item, children, until }: ReasonRow): GivenReason => ({
  item,
  child: parsePart(part),
  children,
  reason: until === null ? { kind: 'unobtainable' } : { kind: 'awaited', until },
});

export const createListItemReasons =
  (db: Db) =>
  async (submissionUuid: string): Promise<readonly ListedReason[]> => {
    const rows = await withCamelCase(db)
      .selectFrom('read.itemReason')
      .select(['part', 'item', 'children', 'until', 'givenAt'])
      .select(sql<Actor>`json_build_object('kind', actor_kind, 'id', actor_id)`.as('givenBy'))
      .where('submissionUuid', '=', submissionUuid)
      .execute();
    return rows.map(({ givenAt, givenBy, ...row }) => ({
      ...toGivenReason(row),
      givenAt,
      givenBy,
    }));
  };
