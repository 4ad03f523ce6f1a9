import type { ContractStatus } from '../../domain/partner/events.ts';

/** A partner as the staff see it. */
export interface ListedPartner {
  readonly partnerId: string;
  readonly name: string;
  readonly beta: boolean;
  readonly contract: ContractStatus;
  readonly liveKeys: number;
}

/** Every partner, in the order of their names. */
export type ListPartners = () => Promise<readonly ListedPartner[]>;

/** One partner; null if there is none. */
export type FindListedPartner = (partnerId: string) => Promise<ListedPartner | null>;

/**
 * `held`: the practice has an Admin. `new`: it never had a member. `lost`: it had members, and none of them is
 * an Admin now. The staff can add an Admin only to the latter two.
 */
export type AdminStanding = 'held' | 'new' | 'lost';

/** Looks up whether a practice has an Admin. */
export type FindAdminStanding = (practiceId: string) => Promise<AdminStanding>;

/** A practice as the staff see it. */
export interface ListedPractice {
  readonly practiceId: string;
  readonly name: string;
  readonly sandbox: boolean;
  readonly beta: boolean;
  /** IANA id. */
  readonly timeZone: string;
  readonly members: number;
  readonly liveKeys: number;
}

/** A stretch of the practices whose name holds a text, in the order of their names. */
export type SearchPractices = (asked: {
  readonly text: string;
  readonly from: number;
  readonly count: number;
}) => Promise<{ readonly total: number; readonly practices: readonly ListedPractice[] }>;

/** One practice; null if there is none. */
export type FindListedPractice = (practiceId: string) => Promise<ListedPractice | null>;

/** Practices in the beta, in the order of their names. */
export type ListBetaPractices = () => Promise<
  readonly { readonly practiceId: string; readonly name: string }[]
>;
