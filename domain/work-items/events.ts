import type { Fact } from '../event-log.ts';
import type { WorkItemName } from './items.ts';

interface AboutItem extends WorkItemName {
  readonly practiceId: string;
  /** The member who did it. */
  readonly memberId: string;
  /** ISO 8601 instant. */
  readonly at: string;
}

/** A member said that they take care of something, or took it over from another one. */
export type WorkTaken = Fact<'WorkTaken', AboutItem>;

/** It is free for others again. */
export type WorkReleased = Fact<'WorkReleased', AboutItem>;

/** A member said that nothing more will be done about it. */
export type WorkDismissed = Fact<
  'WorkDismissed',
  AboutItem & {
    /** Its parts at that time. The item returns when a part is added. */
    readonly parts: readonly string[];
  }
>;

/** The dismissal was undone. */
export type WorkReopened = Fact<'WorkReopened', AboutItem>;

/** Events of a `work-` stream: one stream for each thing to do. */
export type WorkEvent = WorkTaken | WorkReleased | WorkDismissed | WorkReopened;
