import type { ContractStatus } from '../../domain/partner/events.ts';

/** A partner as the staff list it. */
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
 * Whether a practice has an Admin. `new`: it never had a member; `lost`: it had, and none is an Admin now.
 * Only these two are let one in by the staff.
 */
export type AdminStanding = 'held' | 'new' | 'lost';

/** Looks up whether a practice has an Admin. */
export type FindAdminStanding = (practiceId: string) => Promise<AdminStanding>;

/** A practice as the staff list it. */
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
