import { defineEvents, type InferEvent } from '../define-events.ts';
import { array, instant, object, text } from '../schema.ts';
import { workItemName } from './items.ts';

const aboutItem = {
  practiceId: text,
  ...workItemName,
  /** The member who did it. */
  memberId: text,
  at: instant,
};

/** Events of a `work-` stream, one stream per work item. */
export const WORK_EVENTS = defineEvents('work', {
  /** A member claimed the item, possibly from another member. */
  WorkTaken: object(aboutItem),

  /** The assignee released the item. */
  WorkReleased: object(aboutItem),

  /** A member dismissed the item. */
  WorkDismissed: object({
    ...aboutItem,
    /** Parts at that time. The item reopens when a part is added. */
    parts: array(text),
  }),

  /** A member undid the dismissal. */
  WorkReopened: object(aboutItem),
});

type Events = typeof WORK_EVENTS;
export type WorkEvent<Type extends keyof Events = keyof Events> = InferEvent<Events, Type>;
