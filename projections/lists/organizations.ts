import type { ContractStatus } from '../../domain/partner/events.ts';

/** A partner as the staff see it. */
export interface ListedPartner {
  readonly partnerId: string;
  readonly name: string;
  readonly beta: boolean;
  readonly contract: ContractStatus;
  readonly liveKeys: number;
}

/**
 * `held`: the practice has an Admin. `new`: it never had a member. `lost`: it had members, and none of them is
 * an Admin now. The staff can add an Admin only to the latter two.
 */
export type AdminStanding = 'held' | 'new' | 'lost';

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
