import { findFirstBirthDate } from '../birth-times.ts';
import type { CourseOfCare } from '../course.ts';
import { toValuePath } from '../course-paths.ts';
import type { FieldMessage } from '../field-messages.ts';
import { findPlaceholderName, PLACEHOLDER_QUESTION } from '../placeholder-names.ts';
import { CHILD_EDITS, LATE_ENTRY } from './child-edits.ts';
import { DELIVERY_EDITS } from './delivery-edits.ts';
import type { ChildEdit, CourseEdit, CourseFacts, Edit, TransferEdit } from './edit.ts';
import { MOTHER_EDITS } from './mother-edits.ts';
import { PREGNANCY_EDITS } from './pregnancy-edits.ts';
import { TRANSFER_EDITS } from './transfer-edits.ts';

/** All but the late entry ask the same of forms, files, pushes, and EHR launches. */
export const EDITS: readonly (CourseEdit | ChildEdit | TransferEdit)[] = [
  ...MOTHER_EDITS,
  LATE_ENTRY,
  ...CHILD_EDITS,
  ...PREGNANCY_EDITS,
  ...DELIVERY_EDITS,
  ...TRANSFER_EDITS,
];

export interface UnusualValue extends FieldMessage {
  /** Paths of the other values in the combination. */
  readonly relatedPaths: readonly string[];
}

/** @param today `YYYY-MM-DD` */
export const findUnusualValues = (course: CourseOfCare, today: string): readonly UnusualValue[] => {
  const facts = toFacts(course, today);
  return [
    ...askOfCourse(MOTHER_EDITS, facts),
    ...askOfChildren(CHILD_EDITS, facts),
    ...askOfCourse(PREGNANCY_EDITS, facts),
    ...askOfCourse(DELIVERY_EDITS, facts),
    ...askOfTransfers(TRANSFER_EDITS, facts),
  ];
};

const toFacts = (course: CourseOfCare, today: string): CourseFacts => ({
  course,
  today,
  born: findFirstBirthDate(course.children),
});

const askOfCourse = (edits: readonly CourseEdit[], facts: CourseFacts): readonly UnusualValue[] =>
  askAll(edits, facts, (path) => path);

const askOfChildren = (edits: readonly ChildEdit[], facts: CourseFacts): readonly UnusualValue[] =>
  facts.course.children.flatMap((child, index) =>
    askAll(edits, { ...facts, child }, (path) => toValuePath(path, index)),
  );

const askOfTransfers = (
  edits: readonly TransferEdit[],
  facts: CourseFacts,
): readonly UnusualValue[] =>
  facts.course.transfers.flatMap((transfer, index) =>
    askAll(edits, { ...facts, transfer }, (path) =>
      path.replace('transfers.', `transfers.${index}.`),
    ),
  );

/** @param toPath adds the position of the child or transfer to a path of it */
const askAll = <Facts extends CourseFacts>(
  edits: readonly (Edit<Facts> & Pick<ChildEdit, 'ofSiblings'>)[],
  facts: Facts,
  toPath: (path: string) => string,
): readonly UnusualValue[] => {
  const unusual: UnusualValue[] = [];
  // A loop, because every version of every record is asked, and few draw a question.
  for (const { id, at, beside = [], ofSiblings = [], ask } of edits) {
    const message = ask(facts);
    if (message === null) continue;
    const relatedPaths = listPaths([...beside.map(toPath), ...ofSiblings], facts.course);
    unusual.push({ path: toPath(at), id, message, relatedPaths });
  }
  return unusual;
};

/** Paths of lists are repeated for each element. */
const listPaths = (paths: readonly string[], course: CourseOfCare): readonly string[] =>
  paths.flatMap((path) => {
    const [, list, name] = OF_LIST.exec(path) ?? [];
    return list === 'children' || list === 'transfers'
      ? course[list].map((_, index) => `${list}.${index}.${name}`)
      : [path];
  });

const OF_LIST = /^(children|transfers)\.([a-z_]+)$/;

/**
 * Warnings never prevent saving.
 * @param today in the practice's time zone
 * @param isNew true for a birth that the practice has no record of
 */
export const findFormWarnings = (
  course: CourseOfCare,
  today: string,
  isNew: boolean,
): readonly FieldMessage[] => [
  ...checkNames(course),
  ...(isNew ? askOfChildren([LATE_ENTRY], toFacts(course, today)) : []),
  ...findUnusualValues(course, today),
];

const checkNames = ({ mother, children }: CourseOfCare): readonly FieldMessage[] => [
  ...(mother.family_name === null && mother.given_names.length === 0
    ? [
        {
          path: 'mother.family_name',
          id: 'mother-unnamed',
          message: "Without the mother's name the record is not compared with others.",
        } as const,
      ]
    : []),
  ...children.flatMap((child, index) => {
    const name = findPlaceholderName(child, mother);
    return name === null
      ? []
      : [
          {
            path: `children.${index}.${name}`,
            id: 'placeholder-name',
            message: PLACEHOLDER_QUESTION,
          } as const,
        ];
  }),
];
