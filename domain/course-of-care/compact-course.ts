import {
  type Address,
  type Child,
  type ConsentDecision,
  type CourseOfCare,
  emptyAddress,
  emptyChild,
  emptyCourseOfCare,
  emptyMother,
  type Mother,
  noConsent,
} from './canonical-record.ts';

/**
 * A course of care without what says nothing: fields that are as in an empty one are left out. Of
 * a usual small one half the text remains, in the queue, in the log and on every way between.
 */
export type CompactCourse = Partial<
  Omit<CourseOfCare, 'mother' | 'children' | 'consent'> & {
    readonly mother: Partial<Omit<Mother, 'address'> & { readonly address: Partial<Address> }>;
    readonly children: readonly Partial<Child>[];
    readonly consent: Partial<ConsentDecision>;
  }
>;

const NO_COURSE = emptyCourseOfCare();
const NO_MOTHER = emptyMother();
const NO_ADDRESS = emptyAddress();
const NO_CHILD = emptyChild();
const NO_CONSENT = noConsent();

/** Leaves out what says nothing. Also of a compact one: it stays as it is. */
export const compactCourse = (course: CourseOfCare | CompactCourse): CompactCourse => {
  const { mother = {}, children = [], consent = {}, ...rest } = course;
  const { address = {}, ...person } = mother;
  const motherLeft = {
    ...differing(person, NO_MOTHER),
    ...named('address', differing(address, NO_ADDRESS)),
  };
  return {
    ...differing(rest, NO_COURSE),
    ...named('mother', motherLeft),
    ...(children.length > 0
      ? { children: children.map((child) => differing(child, NO_CHILD)) }
      : {}),
    ...named('consent', differing(consent, NO_CONSENT)),
  };
};

/** Puts back what was left out. Also of a complete one: it stays as it is. */
export const completeCourse = (compact: CourseOfCare | CompactCourse): CourseOfCare => {
  const { mother, children, consent } = compact;
  return {
    ...NO_COURSE,
    ...compact,
    mother: { ...NO_MOTHER, ...mother, address: { ...NO_ADDRESS, ...mother?.address } },
    children: (children ?? []).map((child) => ({ ...NO_CHILD, ...child })),
    consent: { ...NO_CONSENT, ...consent },
  };
};

/** The fields whose value is another than in an empty one. */
const differing = <Part extends object>(part: Part, empty: object): Part => {
  const left: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(part))
    if (!isAsIn(empty, name, value)) left[name] = value;
  return left as Part;
};

const isAsIn = (empty: object, name: string, value: unknown): boolean => {
  if (!Object.hasOwn(empty, name)) return false;
  const without = (empty as Readonly<Record<string, unknown>>)[name];
  return value === without || (isNothing(without) && isNothing(value));
};

/** An empty list, or an object without fields. */
const isNothing = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;

const named = (name: string, part: object): object => (isNothing(part) ? {} : { [name]: part });
