import type { AnsweredQuestion } from '../../birth-record/unusual-values.ts';
import { toValuePath } from '../../course/course-paths.ts';
import { EDIT_FLAGS, type EditFlag, findSentFlag } from '../../course/edit-flags.ts';
import { EDITS } from '../../course/edits/edits.ts';
import type { FieldPath } from '../../course/fields.ts';
import { createCodedItem, type FiledBirth, type IjeItem } from './columns.ts';

const BLANK = ' ';
const NO_QUESTION = '0';
const CONFIRMED = '1';

/** Codes of confirmed values, of the edits that have one of their own. */
const CONFIRMED_AS: ReadonlyMap<string, string> = new Map(
  EDITS.flatMap(({ id, confirmedAs }) => (confirmedAs === undefined ? [] : [[id, confirmedAs]])),
);

const isOfChild = (path: FieldPath): boolean => path.startsWith('children.');

const listQuestions = (
  { field, others = [] }: EditFlag,
  { questions, position }: FiledBirth,
): readonly AnsweredQuestion[] => {
  const paths = [field, ...others].map((path) => toValuePath(path, position));
  return questions?.filter(({ path }) => paths.includes(path)) ?? [];
};

const formatAnswers = (flag: EditFlag, ofFlag: readonly AnsweredQuestion[]): string => {
  if (ofFlag.some(({ answer }) => answer === null)) return flag.open ?? BLANK;
  if (ofFlag.some(({ answer }) => answer === 'unverified')) return flag.unverified ?? BLANK;
  const codes = ofFlag.flatMap(({ doubts }) =>
    doubts.map(({ id }) => CONFIRMED_AS.get(id) ?? CONFIRMED),
  );
  return codes.sort().at(-1) ?? CONFIRMED;
};

/** The practice's own answers, else what the sender stated. */
const formatEditFlag = (flag: EditFlag, birth: FiledBirth): string => {
  const ofFlag = listQuestions(flag, birth);
  if (ofFlag.length > 0) return formatAnswers(flag, ofFlag);
  const { course, position, questions } = birth;
  const sent = findSentFlag(course, flag.field, isOfChild(flag.field) ? position : null);
  return sent?.digit ?? (questions === null ? BLANK : NO_QUESTION);
};

const describeCodes = (flag: EditFlag): string => {
  const isTwofold = EDITS.some(
    ({ at, confirmedAs }) => at === flag.field && confirmedAs !== undefined,
  );
  return [
    'if the practice chose so: 0 none asked, 1 confirmed',
    ...(isTwofold ? ['2 confirmed although values contradict each other'] : []),
    ...(flag.unverified === undefined ? [] : [`${flag.unverified} asked, but not verified`]),
    ...(flag.open === undefined ? ['blank while it is open'] : [`${flag.open} still to be asked`]),
    'a flag that was sent goes out again, until the value changes',
  ].join('; ');
};

/** @see EDIT_FLAGS */
export const EDIT_FLAG_ITEMS: readonly IjeItem[] = EDIT_FLAGS.map((flag) =>
  createCodedItem(
    flag.column,
    flag.begin,
    1,
    [flag.field, ...(flag.others ?? []), 'edit_flags'],
    describeCodes(flag),
    (birth) => formatEditFlag(flag, birth),
  ),
);
