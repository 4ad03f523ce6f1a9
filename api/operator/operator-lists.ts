import type { ListedKey, ListedMember, ListedStaff } from '../../projections/lists/accounts.ts';
import type { ListedPartner, ListedPractice } from '../../projections/lists/organizations.ts';
import type { Reads } from '../ports/reads.ts';

export interface OperatorLists {
  /** Sorted by name. @param namePart empty for all */
  practices(namePart: string): Promise<readonly ListedPractice[]>;
  partners(): Promise<readonly ListedPartner[]>;
  /** Live keys first; no tokens. @throws CommandRefused for an unknown practice */
  keysOfPractice(practiceId: string): Promise<readonly ListedKey[]>;
  /** @throws CommandRefused for an unknown partner */
  keysOfPartner(partnerId: string): Promise<readonly ListedKey[]>;
  /** Former staff last. */
  staff(): Promise<readonly ListedStaff[]>;
  /** @throws CommandRefused for an unknown practice */
  members(practiceId: string): Promise<readonly ListedMember[]>;
}

/** More practices than any registry has. */
const ALL = 1_000_000;

/** Each @throws CommandRefused for a mistyped id. */
interface KnownIds {
  readonly requirePractice: (practiceId: string) => Promise<void>;
  readonly requirePartner: (partnerId: string) => Promise<void>;
}

export const createOperatorLists = (
  reads: Reads,
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
  return {
    practices: current(
      async (text) => (await reads.searchPractices({ text, from: 0, count: ALL })).practices,
    ),
    partners: current(reads.listPartners),
    keysOfPractice: currentOf(requirePractice, reads.listPracticeKeys),
    keysOfPartner: currentOf(requirePartner, reads.listPartnerKeys),
    staff: current(reads.listStaff),
    members: currentOf(requirePractice, reads.listMembers),
  };
};
