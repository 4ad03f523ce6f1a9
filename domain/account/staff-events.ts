import { defineEvents, type InferEvent } from '../define-events.ts';
import { array, instant, object, text } from '../schema.ts';
import { personName } from './person-name.ts';

export const STAFF_EVENTS = defineEvents('staff', {
  StaffAdded: object(
    {
      /** Keyed hash of the email: it names the stream, so an email has one account. */
      staffId: text,
      email: text,
    },
    { name: personName },
  ),

  StaffNamed: object({ staffId: text, name: personName }),

  StaffRemoved: object({ staffId: text }),

  StaffPasswordGiven: object({ staffId: text }),

  StaffAccessReviewed: object({
    staffId: text,
    at: instant,
    people: array(text),
  }),
});

type Events = typeof STAFF_EVENTS;
export type StaffEvent<Type extends keyof Events = keyof Events> = InferEvent<Events, Type>;
