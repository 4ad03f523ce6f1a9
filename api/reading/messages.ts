import type { RequestProblem } from '../http/request-problem.ts';
import type { ReadingTask } from './tasks.ts';

export type ToReading = ReadingTask | { readonly kind: 'more' };

/** Creates the problem again in the thread that answers. */
export type ProblemFields = Pick<
  RequestProblem,
  'status' | 'code' | 'diagnostics' | 'expression' | 'headers'
>;

/** A long list comes in slices before the end, so that receiving it does not hold the requests. */
export type FromReading =
  | { readonly kind: 'slice'; readonly elements: readonly unknown[] }
  /** `list` names the property that takes the elements; `null` if there were none. */
  | { readonly kind: 'end'; readonly result: object; readonly list: string | null }
  | { readonly kind: 'too-costly' }
  | { readonly kind: 'problem'; readonly problem: ProblemFields }
  | { readonly kind: 'fault'; readonly name: string; readonly stack: string };
