import type { SignedIn } from './signed-in.ts';

/** A signed-in person, as events name the person they come from. */
export interface Person {
  readonly kind: 'member' | 'staff';
  readonly id: string;
}

/** The person behind a seat. */
export const toPerson = (who: SignedIn): Person =>
  who.kind === 'member' ? { kind: 'member', id: who.memberId } : { kind: 'staff', id: who.staffId };
