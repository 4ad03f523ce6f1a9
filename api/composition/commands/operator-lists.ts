import type { Db } from '../../../adapters/postgres/connection/database.ts';
import {
  listKeysOfPartnerIn,
  listKeysOfPracticeIn,
} from '../../../adapters/postgres/queries/api-keys.ts';
import { listMembersIn } from '../../../adapters/postgres/queries/members.ts';
import {
  listPartnersIn,
  searchPracticesIn,
} from '../../../adapters/postgres/queries/organisations.ts';
import type { ListedKey } from '../../../domain/api-key/listed-key.ts';
import type { ListedMember } from '../../../domain/member/listed-member.ts';
import type { ListedPartner } from '../../../domain/partner/listed-partner.ts';
import type { ListedPractice } from '../../../domain/practice/listed-practice.ts';

/** What there is, and its ids: the other commands take them. */
export interface OperatorLists {
  /** In the order of their names. @param namePart what the name holds; empty: all */
  practices(namePart: string): Promise<readonly ListedPractice[]>;
  partners(): Promise<readonly ListedPartner[]>;
  /** Live keys first; never their tokens. @throws CommandRefused for an unknown practice */
  keysOfPractice(practiceId: string): Promise<readonly ListedKey[]>;
  /** @throws CommandRefused for an unknown partner */
  keysOfPartner(partnerId: string): Promise<readonly ListedKey[]>;
  /** @throws CommandRefused for an unknown practice */
  members(practiceId: string): Promise<readonly ListedMember[]>;
}

/** More practices than a registry has. */
const ALL = 1_000_000;

/** What a mistyped id is told by. Each throws CommandRefused. */
interface KnownIds {
  readonly requirePractice: (practiceId: string) => Promise<void>;
  readonly requirePartner: (partnerId: string) => Promise<void>;
}

/** @param readTables resolves when the read tables hold what is in the log by now */
export const operatorListsOf = (
  db: Db,
  readTables: () => Promise<unknown>,
  { requirePractice, requirePartner }: KnownIds,
): OperatorLists => {
  const current =
    <Args extends readonly unknown[], Result>(list: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      await readTables();
      return list(...args);
    };
  const currentOf =
    <Listed>(require: (id: string) => Promise<void>, list: (id: string) => Promise<Listed>) =>
    async (id: string): Promise<Listed> => {
      await require(id);
      return current(list)(id);
    };
  const search = searchPracticesIn(db);
  return {
    practices: current(async (text) => (await search({ text, from: 0, count: ALL })).practices),
    partners: current(listPartnersIn(db)),
    keysOfPractice: currentOf(requirePractice, listKeysOfPracticeIn(db)),
    keysOfPartner: currentOf(requirePartner, listKeysOfPartnerIn(db)),
    members: currentOf(requirePractice, listMembersIn(db)),
  };
};
