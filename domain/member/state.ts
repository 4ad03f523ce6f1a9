import type { MemberAdded, MemberEvent } from './events.ts';

/** A member of a practice as its events tell it. */
export type Member =
  | { readonly status: 'unknown' }
  | ({ readonly status: 'seated' } & MemberAdded['data']);

/** A member before its first event. */
export const unknownMember: Member = { status: 'unknown' };

/** The member after one more event. */
export const evolve = (_state: Member, event: MemberEvent): Member => {
  switch (event.type) {
    case 'MemberAdded':
      return { status: 'seated', ...event.data };
  }
};
