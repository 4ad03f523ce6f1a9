import { defineEvents, type InferEvent } from '../define-events.ts';
import { ROLES } from '../roles.ts';
import { boolean, instant, literal, object, text } from '../schema.ts';
import { personName } from './person-name.ts';

const role = literal(...ROLES);

/** Events of a `member-` stream. */
export const MEMBER_EVENTS = defineEvents('member', {
  /**
   * A person got an account and a seat in a practice, for the first time or again. The password is not in the
   * log.
   */
  MemberAdded: object(
    {
      /** Keyed hash of the email: it names the stream, so an email has one account. */
      memberId: text,
      practiceId: text,
      /** Trimmed, lower case. */
      email: text,
      role,
    },
    { name: personName },
  ),

  /** A person was invited to a practice. The seat begins when they accept, regardless of seats elsewhere. */
  MemberInvited: object(
    {
      memberId: text,
      practiceId: text,
      /** Trimmed, lower case. */
      email: text,
      role,
      /** The invitation expires at this time. */
      endsAt: instant,
      /** Invited by the service staff: valid only while the practice has no Admin. */
      byStaff: boolean,
    },
    {
      /** Given by the person who invites. */
      name: personName,
    },
  ),

  /** An invitation was withdrawn before it was accepted. */
  InvitationWithdrawn: object({ memberId: text, practiceId: text }),

  /** The role of a member changed. */
  SeatChanged: object({ memberId: text, practiceId: text, role }),

  /** The auditor permission was granted or revoked. It lapses when the role becomes Admin or Scribe. */
  AuditorPermissionSet: object({ memberId: text, practiceId: text, granted: boolean }),

  /** The display name of a member was set; it applies to this practice for the lifetime of the seat. */
  MemberNamed: object({ memberId: text, practiceId: text, name: personName }),

  /** A member lost the seat, so the account is closed. */
  MemberRemoved: object({ memberId: text, practiceId: text }),

  /** A member got a one-time password, to choose a new password. It is not in the log. */
  OneTimePasswordGiven: object({ memberId: text, practiceId: text }),
});

type Events = typeof MEMBER_EVENTS;
export type MemberEvent<Type extends keyof Events = keyof Events> = InferEvent<Events, Type>;
