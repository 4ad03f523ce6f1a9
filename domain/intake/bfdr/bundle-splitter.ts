import {
  BUNDLE_WITHOUT_ENTRIES,
  type Rejection,
  TOO_MANY_COURSES,
} from '../../course/rejections.ts';
import { asObjects, asText, isObject, type JsonObject } from '../../fhir/json.ts';
import { isDeleted } from '../../fhir/references.ts';
import { deletesRecord } from './deletions.ts';

/**
 * One course of care of a submission: `position` is the N of `record[N]`; `retractedByEntry` says
 * that the outer entry of a batch deletes its record.
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

/** The opening of a Bundle whose entries come one after the other. */
export type BundleSplitter = {
  /** Opens the next entry. @returns its courses of care; none over the limit of a submission */
  readonly open: (entry: unknown) => readonly SubmittedCourse[];
  /** True if an entry so far was a Bundle: the outer one is then not a course of care. */
  readonly isBatch: () => boolean;
  /**
   * Ends the opening: the whole is refused, or was opened, or is one course of care itself.
   * @param whole the Bundle with its entries, asked for in that last case only
   */
  readonly end: (whole: () => JsonObject) => Submission;
};

// Our choice: what one turn of a worker can hold.
const MAX_COURSES = 1000;

type Opened = Omit<SubmittedCourse, 'position'>;

/**
 * Begins to open a Bundle: in batch mode (an entry whose resource is a Bundle) every inner Bundle
 * is one course of care and other entries are ignored; a message Bundle inside opens one level
 * more. Any other Bundle is one course of care itself.
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
    end: (whole) => {
      if (entries === 0) return { kind: 'refused', rejection: BUNDLE_WITHOUT_ENTRIES };
      if (opened > MAX_COURSES) return { kind: 'refused', rejection: TOO_MANY_COURSES };
      const courses = opened > 0 ? [] : [{ position: 0, bundle: whole(), retractedByEntry: false }];
      return { kind: 'courses', courses };
    },
  };
};

/** Opens a Bundle that is there as a whole. */
export const splitSubmission = (bundle: JsonObject): Submission => {
  const opening = createBundleSplitter();
  const entries = bundle['entry'];
  const inner = Array.isArray(entries) ? entries.flatMap(opening.open) : [];
  const ended = opening.end(() => bundle);
  return ended.kind === 'refused' ? ended : { ...ended, courses: [...inner, ...ended.courses] };
};

// A message opens to the Bundles that it holds, one level deep.
const splitEntry = (entry: JsonObject): readonly Opened[] => {
  const bundle = findBundle(entry);
  if (bundle === null) return [];
  const inner =
    asText(bundle['type']) === 'message' ? asObjects(bundle['entry']).flatMap(unwrapMessage) : [];
  const courses = inner.length > 0 ? inner : [{ bundle, retractedByEntry: false }];
  return courses.map((course) => markDeleted(entry, course));
};

const unwrapMessage = (entry: JsonObject): readonly Opened[] => {
  const bundle = findBundle(entry);
  return bundle === null ? [] : [markDeleted(entry, { bundle, retractedByEntry: false })];
};

const findBundle = (entry: JsonObject): JsonObject | null => {
  const resource = entry['resource'];
  return isObject(resource) && resource['resourceType'] === 'Bundle' ? resource : null;
};

// A DELETE that does not name the record is handed on: as one of the Bundle's own it may name another.
const markDeleted = (entry: JsonObject, course: Opened): Opened => {
  if (!isDeleted(entry) || course.retractedByEntry) return course;
  const { bundle } = course;
  if (deletesRecord(entry, bundle)) return { bundle, retractedByEntry: true };
  const { request } = entry;
  const handedOn = [...asObjects(bundle['entry']), { request }];
  return { bundle: { ...bundle, entry: handedOn }, retractedByEntry: false };
};
