import type { CamelRow } from '../read-model.ts';

export interface ListedPartner extends Pick<CamelRow<'partner'>, 'partnerId' | 'name' | 'beta'> {
  readonly contract: CamelRow<'partner'>['status'];
  readonly liveKeys: number;
}

/** The staff can add an Admin only to a practice without one. */
export type AdminStatus = 'has-admin' | 'never-had-members' | 'lost-admin';

export interface ListedPractice
  extends Pick<CamelRow<'practice'>, 'practiceId' | 'name' | 'sandbox' | 'beta' | 'timeZone'> {
  readonly members: number;
  readonly liveKeys: number;
}
