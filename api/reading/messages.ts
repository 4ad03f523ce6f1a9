import type { RequestProblem } from '../http/request-problem.ts';
import type { ReadingTask } from './tasks.ts';

/** A task, or the answer to a slice. */
export type ToReading = ReadingTask | { readonly kind: 'more' };

/** Fields of a problem, to create it again in the thread that answers. */
export type ProblemFields = Pick<
  RequestProblem,
  'status' | 'code' | 'diagnostics' | 'expression' | 'headers'
>;

/**
 * Messages about the current task. A long list in its result comes in slices before the end, so that
 * receiving it does not hold the thread that answers requests.
 */
export type FromReading =
  | { readonly kind: 'slice'; readonly elements: readonly unknown[] }
  /** @param list name of the property that takes the elements; `null` if there were none */
  | { readonly kind: 'end'; readonly result: object; readonly list: string | null }
  | { readonly kind: 'problem'; readonly problem: ProblemFields }
  | { readonly kind: 'fault'; readonly name: string; readonly stack: string };
