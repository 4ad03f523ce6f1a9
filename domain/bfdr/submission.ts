import { BUNDLE_WITHOUT_ENTRIES, type Rejection, TOO_MANY_COURSES } from '../rejections.ts';
import { isObject, type JsonObject, objectsOf, textOf } from './json.ts';
import { isDeleted } from './references.ts';

/**
 * One course of care of a submission: `position` is the N of `record[N]`; `retractedByEntry` says
 * that the outer entry of a batch deletes it.
 */
export type SubmittedCourse = {
  readonly position: number;
  readonly bundle: JsonObject;
  readonly retractedByEntry: boolean;
};

/** The courses of care of a Bundle, or why the whole Bundle is refused. */
export type Submission =
  | { readonly kind: 'refused'; readonly rejection: Rejection }
  | { readonly kind: 'courses'; readonly courses: readonly SubmittedCourse[] };

// Our choice: what one turn of a worker can hold.
const MAX_COURSES = 1000;

type Opened = Omit<SubmittedCourse, 'position'>;

/**
 * Opens a Bundle: in batch mode (an entry whose resource is a Bundle) every inner Bundle is one
 * course of care and other entries are ignored; a message Bundle inside opens one level more.
 * Any other Bundle is one course of care itself.
 * @see spec "POST {base_url}/api/registry/fhir/Bundle"
 */
export const openSubmission = (bundle: JsonObject): Submission => {
  const entries = bundle['entry'];
  if (!Array.isArray(entries) || entries.length === 0)
    return { kind: 'refused', rejection: BUNDLE_WITHOUT_ENTRIES };
  const inner = innerBundles(bundle).flatMap(openMessage);
  const courses = inner.length > 0 ? inner : [{ bundle, retractedByEntry: false }];
  if (courses.length > MAX_COURSES) return { kind: 'refused', rejection: TOO_MANY_COURSES };
  return {
    kind: 'courses',
    courses: courses.map((course, position) => ({ position, ...course })),
  };
};

const innerBundles = (bundle: JsonObject): readonly Opened[] =>
  objectsOf(bundle['entry']).flatMap((entry) => {
    const resource = entry['resource'];
    return isObject(resource) && resource['resourceType'] === 'Bundle'
      ? [{ bundle: resource, retractedByEntry: isDeleted(entry) }]
      : [];
  });

const openMessage = (outer: Opened): readonly Opened[] => {
  if (textOf(outer.bundle['type']) !== 'message') return [outer];
  const inner = innerBundles(outer.bundle);
  if (inner.length === 0) return [outer];
  return inner.map(({ bundle, retractedByEntry }) => ({
    bundle,
    retractedByEntry: retractedByEntry || outer.retractedByEntry,
  }));
};
