import { defineEvents, type InferEvent } from '../define-events.ts';
import { array, instant, object, text } from '../schema.ts';
import { personName } from './person-name.ts';

/** Events of a `staff-` stream. */
export const STAFF_EVENTS = defineEvents('staff', {
  /** A staff member got an account, for the first time or again. The password is not in the log. */
  StaffAdded: object(
    {
      /** Keyed hash of the email: it names the stream, so an email has one account. */
      staffId: text,
      /** Trimmed, lower case. */
      email: text,
    },
    { name: personName },
  ),

  /** The display name of a staff member was set. */
  StaffNamed: object({ staffId: text, name: personName }),

  /** A person left the service staff, so the account is closed. */
  StaffRemoved: object({ staffId: text }),

  /** A staff member got a one-time password, to choose a new password. It is not in the log. */
  StaffPasswordGiven: object({ staffId: text }),

  /** A staff member reviewed all staff accounts and confirmed that each is still needed. */
  StaffAccessReviewed: object({
    /** The reviewer. */
    staffId: text,
    at: instant,
    /** Ids of the people who keep their accounts. */
    people: array(text),
  }),
});

type Events = typeof STAFF_EVENTS;
export type StaffEvent<Type extends keyof Events = keyof Events> = InferEvent<Events, Type>;
