import type { Role } from './events.ts';

/** A member as the Admins of a practice list it. */
export interface ListedMember {
  readonly memberId: string;
  readonly email: string;
  readonly role: Role;
  /** When the seat was given, for the last time. */
  readonly since: Date;
}

/** Who has a seat in a practice, in the order of their emails. */
export type ListMembers = (practiceId: string) => Promise<readonly ListedMember[]>;
