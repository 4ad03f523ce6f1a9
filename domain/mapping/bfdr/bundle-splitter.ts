import {
  BUNDLE_WITHOUT_ENTRIES,
  type Rejection,
  TOO_MANY_COURSES,
} from '../../course/rejections.ts';
import {
  asObject,
  asObjects,
  asText,
  isAmbiguous,
  isObject,
  type JsonObject,
} from '../../fhir/json.ts';
import { isDeleted } from '../../fhir/references.ts';
import { deletesRecord } from './deletions.ts';

/**
 * `position` is the N of `record[N]`; `retractedByEntry`: the outer entry of a batch deletes its record.
 */
export type SubmittedCourse = {
  readonly position: number;
  readonly bundle: JsonObject;
  readonly retractedByEntry: boolean;
  /** True if the rest of its entries was not kept, because it is too long in any case. */
  readonly isCut?: boolean;
  /** True if its JSON has a name twice, so that parsing has lost values. */
  readonly isAmbiguous?: boolean;
};

export type Submission =
  | { readonly kind: 'refused'; readonly rejection: Rejection }
  | { readonly kind: 'courses'; readonly courses: readonly SubmittedCourse[] };

export type BundleSplitter = {
  /** None beyond the limit of a submission. */
  readonly open: (entry: unknown) => readonly SubmittedCourse[];
  /** True if any entry so far was a Bundle, so the outer Bundle is not a course of care. */
  readonly isBatch: () => boolean;
  /** Called after the last entry. @param whole called only if the Bundle is one course of care itself */
  readonly end: (whole: () => JsonObject, isCut?: boolean) => Submission;
};

// Our choice: as many as a worker can process in one batch.
const MAX_COURSES = 1000;

type Opened = Omit<SubmittedCourse, 'position'>;

/**
 * If any entry contains a Bundle, every inner Bundle is one course of care and other entries are
 * ignored; an inner message Bundle is split one level deeper.
 * @see spec "POST {base_url}/api/registry/fhir/Bundle"
 */
export const createBundleSplitter = (): BundleSplitter => {
  let entries = 0;
  let opened = 0;
  return {
    open: (entry) => {
      entries += 1;
      const inner = isObject(entry) ? splitEntry(entry) : [];
      const first = opened;
      opened += inner.length;
      return inner
        .slice(0, Math.max(0, MAX_COURSES - first))
        .map((course, index) => ({ position: first + index, ...course }));
    },
    isBatch: () => opened > 0,
    end: (whole, isCut = false) => {
      if (entries === 0) return { kind: 'refused', rejection: BUNDLE_WITHOUT_ENTRIES };
      if (opened > MAX_COURSES) return { kind: 'refused', rejection: TOO_MANY_COURSES };
      if (opened > 0) return { kind: 'courses', courses: [] };
      const course = { position: 0, bundle: whole(), retractedByEntry: false };
      const courses = [isCut ? { ...course, isCut } : course];
      return { kind: 'courses', courses };
    },
  };
};

export const splitSubmission = (bundle: JsonObject): Submission => {
  const opening = createBundleSplitter();
  const entries = bundle['entry'];
  const inner = Array.isArray(entries) ? entries.flatMap(opening.open) : [];
  const ended = opening.end(() => bundle);
  return ended.kind === 'refused' ? ended : { ...ended, courses: [...inner, ...ended.courses] };
};

export const isBatch = (bundle: JsonObject): boolean =>
  asObjects(bundle['entry']).some((entry) => findBundle(entry) !== null);

// Splits a message into the Bundles that it contains, one level deep.
const splitEntry = (entry: JsonObject): readonly Opened[] => {
  const courses = splitPlain(entry);
  return isAmbiguous(entry) ? courses.map((course) => ({ ...course, isAmbiguous: true })) : courses;
};

const splitPlain = (entry: JsonObject): readonly Opened[] => {
  const bundle = findBundle(entry);
  if (bundle === null) return [];
  const inner =
    asText(bundle['type']) === 'message' ? asObjects(bundle['entry']).flatMap(unwrapMessage) : [];
  const courses = inner.length > 0 ? inner : [{ bundle, retractedByEntry: false }];
  return isDeleted(entry) ? courses.map((course) => markDeleted(entry, course)) : courses;
};

const unwrapMessage = (entry: JsonObject): readonly Opened[] => {
  const bundle = findBundle(entry);
  if (bundle === null) return [];
  const course = { bundle, retractedByEntry: false };
  return [isDeleted(entry) ? markDeleted(entry, course) : course];
};

const findBundle = (entry: JsonObject): JsonObject | null => {
  const resource = entry['resource'];
  return isObject(resource) && resource['resourceType'] === 'Bundle' ? resource : null;
};

// A DELETE that does not refer to this record is added to the Bundle's own entries: it may refer to
// another record.
const markDeleted = (entry: JsonObject, course: Opened): Opened => {
  if (course.retractedByEntry) return course;
  const { bundle } = course;
  if (deletesRecord(entry, bundle)) return { bundle, retractedByEntry: true };
  const { url } = asObject(entry['request']);
  const handedOn = [...asObjects(bundle['entry']), { request: { method: 'DELETE', url } }];
  return { bundle: { ...bundle, entry: handedOn }, retractedByEntry: false };
};
