import type { Fact } from '../event-log.ts';
import type { WorkItemName } from './items.ts';

interface AboutItem extends WorkItemName {
  readonly practiceId: string;
  /** The member who did it. */
  readonly memberId: string;
  /** ISO 8601 instant. */
  readonly at: string;
}

/** A member claimed the item, possibly from another member. */
export type WorkTaken = Fact<'WorkTaken', AboutItem>;

/** The assignee released the item. */
export type WorkReleased = Fact<'WorkReleased', AboutItem>;

/** A member dismissed the item. */
export type WorkDismissed = Fact<
  'WorkDismissed',
  AboutItem & {
    /** Parts at that time. The item reopens when a part is added. */
    readonly parts: readonly string[];
  }
>;

/** A member undid the dismissal. */
export type WorkReopened = Fact<'WorkReopened', AboutItem>;

/** Events of a `work-` stream, one stream per work item. */
export type WorkEvent = WorkTaken | WorkReleased | WorkDismissed | WorkReopened;
