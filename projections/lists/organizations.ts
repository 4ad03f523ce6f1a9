import type { ContractStatus } from '../../domain/partner/events.ts';

/** A partner in the staff's list. */
export interface ListedPartner {
  readonly partnerId: string;
  readonly name: string;
  readonly beta: boolean;
  readonly contract: ContractStatus;
  readonly liveKeys: number;
}

/**
 * `held` means that the practice has an Admin, `new` that it never had a member, and `lost` that
 * none of its members is an Admin. The staff can add an Admin only to the latter two.
 */
export type AdminStanding = 'held' | 'new' | 'lost';

/** A practice in the staff's list. */
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
