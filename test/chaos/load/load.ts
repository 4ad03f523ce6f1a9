import type { Random } from '../../../scripts/synthesis/random.ts';
import type { Operator } from '../../harness/built-service.ts';
import type { ExpectedRecords } from './expected-records.ts';
import type { RetryingClient } from './retrying-client.ts';

/** What every part of the mixed load works with. */
export interface LoadContext {
  readonly operator: Operator;
  readonly practiceId: string;
  readonly token: string;
  readonly client: RetryingClient;
  readonly expected: ExpectedRecords;
  readonly random: Random;
  /** Begins the chart numbers of this part of the load. */
  readonly name: string;
  /** Addresses of the receipts that were promised. */
  readonly receipts: string[];
  readonly isOver: () => boolean;
  readonly onFault: (fault: string) => void;
  /** Counts something that was done. */
  readonly count: (what: string) => void;
  /** Waits up to so many milliseconds at full pace. */
  readonly pause: (longestMs: number) => Promise<void>;
}

/** Does its part of the load until it is over. */
export type Load = (context: LoadContext) => Promise<void>;

/** A number for each birth of a run, so that no two families have the same name. */
export const newFamilies = (from: number): (() => number) => {
  let next = from;
  return () => {
    next += 1;
    return next;
  };
};
