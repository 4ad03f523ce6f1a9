import type { JsonObject } from '../../domain/fhir/json.ts';
import type { Lane } from '../../domain/intake/bfdr/place-of-birth.ts';
import { birthBundle, deletingBundle } from './birth-bundle.ts';
import type { Practice } from './practice.ts';
import { beginReport } from './report.ts';
import {
  practiceOf,
  type Submission,
  type SubmissionKind,
  type SynthesisPlan,
  submissionsOf,
} from './submissions.ts';

/** Submission as a Bundle to push. */
export const bundleOf = (
  { kind, story, stamp }: Submission,
  practice: Practice,
  lane: Lane,
): JsonObject => {
  const report = beginReport(story, practice, lane, stamp);
  return kind === 'retraction by DELETE'
    ? deletingBundle(report)
    : birthBundle(report, statusOf(kind));
};

const statusOf = (kind: SubmissionKind): 'final' | 'amended' | 'entered-in-error' => {
  if (kind === 'retraction by status') return 'entered-in-error';
  return kind === 'amendment' || kind === 'revival' ? 'amended' : 'final';
};

/** Bundle to push, with its submissions. */
export interface WrittenSubmissions {
  readonly bundle: JsonObject;
  readonly submissions: readonly Submission[];
}

/** Bundles of a plan, one per submission. */
export function* singleBundles(plan: SynthesisPlan): Generator<WrittenSubmissions, void> {
  const practice = practiceOf(plan);
  for (const submission of submissionsOf(plan))
    yield {
      bundle: bundleOf(submission, practice, plan.lane),
      submissions: [submission],
    };
}

/** Bundles of a plan in ordered batches of up to `size` submissions. */
export const batchBundles = (
  plan: SynthesisPlan,
  size: number,
): Generator<WrittenSubmissions, void> =>
  batchesOf(submissionsOf(plan), size, practiceOf(plan), plan.lane);

/** Submissions of a practice in ordered batches of up to `size`. */
export function* batchesOf(
  submissions: Iterable<Submission>,
  size: number,
  practice: Practice,
  lane: Lane,
): Generator<WrittenSubmissions, void> {
  let held: WrittenSubmissions[] = [];
  for (const submission of submissions) {
    held.push({ bundle: bundleOf(submission, practice, lane), submissions: [submission] });
    if (held.length < size) continue;
    yield batchOf(held);
    held = [];
  }
  if (held.length > 0) yield batchOf(held);
}

const batchOf = (singles: readonly WrittenSubmissions[]): WrittenSubmissions => ({
  bundle: {
    resourceType: 'Bundle',
    type: 'batch',
    entry: singles.map(({ bundle, submissions }) => ({
      resource: bundle,
      request:
        submissions[0]?.kind === 'retraction by DELETE'
          ? { method: 'DELETE', url: 'Bundle' }
          : { method: 'POST', url: 'Bundle' },
    })),
  },
  submissions: singles.flatMap(({ submissions }) => submissions),
});
