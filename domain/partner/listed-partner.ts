import type { ContractStatus } from './events.ts';

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
