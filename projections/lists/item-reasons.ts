import type { GivenReason } from '../../domain/birth-record/item-reasons.ts';
import type { Actor } from '../../domain/event-log.ts';

export interface ListedReason extends GivenReason {
  readonly givenAt: Date;
  readonly givenBy: Actor;
}
