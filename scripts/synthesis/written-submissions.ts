import { buildDocumentBundle } from '../../domain/export/bfdr/document-bundle.ts';
import { asObject, asObjects, type JsonObject } from '../../domain/fhir/json.ts';
import type { Lane } from '../../domain/mapping/bfdr/place-of-birth.ts';
import { addAllElements } from './all-elements.ts';
import { formatUtc } from './calendar.ts';
import type { Practice } from './practice.ts';
import { createRandom } from './random.ts';
import { namesProviders, stateCourse } from './sender-style.ts';
import { styleBundle } from './style-bundle.ts';
import {
  createPractice,
  generateSubmissions,
  type Submission,
  type SubmissionKind,
  type SynthesisPlan,
} from './submissions.ts';

export const buildBundle = (
  { kind, birth, stamp }: Submission,
  practice: Practice,
  lane: Lane,
): JsonObject => {
  const document = buildDocumentBundle({
    submissionUuid: createRandom(birth.course.chart_number ?? '').uuid(),
    status: 'live',
    keyKind: lane,
    stamp: formatUtc(stamp),
    changedAt: formatUtc(stamp),
    course: stateCourse(birth, lane),
    providers: namesProviders(birth, lane) ? birth.providers : [],
  });
  const styled = styleBundle(document, birth, practice, findStatus(kind));
  const bundle = birth.style.elements === 'all' ? addAllElements(styled, birth, practice) : styled;
  return kind === 'retraction by DELETE' ? buildDeletion(bundle) : bundle;
};

const findStatus = (kind: SubmissionKind): 'final' | 'amended' | 'entered-in-error' => {
  if (kind === 'retraction by status') return 'entered-in-error';
  return kind === 'amendment' || kind === 'revival' ? 'amended' : 'final';
};

/** Retracts a report by deleting its document. */
const buildDeletion = ({ meta, entry, ...document }: JsonObject): JsonObject => {
  const [composition] = asObjects(entry);
  const { id } = asObject(composition?.['resource']);
  return {
    ...document,
    meta: { lastUpdated: asObject(meta)['lastUpdated'] },
    type: 'transaction',
    entry: [{ request: { method: 'DELETE', url: `Composition/${id}` } }],
  };
};

export interface WrittenSubmissions {
  readonly bundle: JsonObject;
  readonly submissions: readonly Submission[];
}

export function* buildSingleBundles(plan: SynthesisPlan): Generator<WrittenSubmissions, void> {
  const practice = createPractice(plan);
  for (const submission of generateSubmissions(plan))
    yield {
      bundle: buildBundle(submission, practice, plan.lane),
      submissions: [submission],
    };
}

/** Bundles of a plan in ordered batches of up to `size` submissions. */
export const buildBatches = (
  plan: SynthesisPlan,
  size: number,
): Generator<WrittenSubmissions, void> =>
  groupIntoBatches(generateSubmissions(plan), size, createPractice(plan), plan.lane);

/** Submissions of a practice in ordered batches of up to `size`. */
export function* groupIntoBatches(
  submissions: Iterable<Submission>,
  size: number,
  practice: Practice,
  lane: Lane,
): Generator<WrittenSubmissions, void> {
  let batch: WrittenSubmissions[] = [];
  for (const submission of submissions) {
    batch.push({ bundle: buildBundle(submission, practice, lane), submissions: [submission] });
    if (batch.length < size) continue;
    yield buildBatch(batch);
    batch = [];
  }
  if (batch.length > 0) yield buildBatch(batch);
}

const buildBatch = (singles: readonly WrittenSubmissions[]): WrittenSubmissions => ({
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
