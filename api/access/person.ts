import type { SignedIn } from './signed-in.ts';

export interface Person {
  readonly kind: 'member' | 'staff';
  readonly id: string;
}

export const toPerson = (who: SignedIn): Person =>
  who.kind === 'member' ? { kind: 'member', id: who.memberId } : { kind: 'staff', id: who.staffId };
