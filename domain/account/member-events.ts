import { defineEvents, type InferEvent } from '../define-events.ts';
import { ROLES } from '../roles.ts';
import { boolean, instant, literal, object, text } from '../schema.ts';
import { personName } from './person-name.ts';

const role = literal(...ROLES);

export const MEMBER_EVENTS = defineEvents('member', {
  /** Once for each time that the person joins. The password is not in the log. */
  MemberAdded: object(
    {
      /** Keyed hash of the email: it names the stream, so an email has one account. */
      memberId: text,
      practiceId: text,
      email: text,
      role,
    },
    { name: personName },
  ),

  /** The seat begins when they accept, regardless of seats elsewhere. */
  MemberInvited: object(
    {
      memberId: text,
      practiceId: text,
      email: text,
      role,
      endsAt: instant,
      /** Invited by the service staff: valid only while the practice has no Admin. */
      byStaff: boolean,
    },
    {
      name: personName,
    },
  ),

  InvitationWithdrawn: object({ memberId: text, practiceId: text }),

  SeatChanged: object({ memberId: text, practiceId: text, role }),

  /** Lapses when the role becomes Admin or Scribe. */
  AuditorPermissionSet: object({ memberId: text, practiceId: text, granted: boolean }),

  /** Applies to this practice for the lifetime of the seat. */
  MemberNamed: object({ memberId: text, practiceId: text, name: personName }),

  MemberRemoved: object({ memberId: text, practiceId: text }),

  OneTimePasswordGiven: object({ memberId: text, practiceId: text }),
});

type Events = typeof MEMBER_EVENTS;
export type MemberEvent<Type extends keyof Events = keyof Events> = InferEvent<Events, Type>;
