import { findLatestDate } from '../course/birth-times.ts';
import type { CourseOfCare } from '../course/course.ts';
import { listStatedValues } from '../course/course-paths.ts';
import { findUnusualValues, type UnusualValue } from '../course/edits/edits.ts';
import { accept, type Decision, refuse } from '../decision.ts';
import type { BirthRecordEvent } from './events.ts';
import { evolve, noRecord } from './state.ts';

export type UnusualMark = Pick<UnusualValue, 'id' | 'message'>;

export interface Question {
  readonly path: string;
  readonly doubts: readonly UnusualMark[];
  /** As JSON. Once confirmed, this combination is not asked about again. */
  readonly values: string;
}

export interface DatedRecordEvent {
  readonly event: BirthRecordEvent;
  readonly metadata: { readonly recordedAt: string };
}

export const findOpenQuestions = (
  course: CourseOfCare,
  recordedAt: string,
): readonly Question[] => {
  const odd = findUnusualValues(course, findLatestDate(recordedAt));
  if (odd.length === 0) return [];
  const stated = listStatedValues(course);
  const byPath = new Map<string, UnusualValue[]>();
  for (const one of odd) byPath.set(one.path, [...(byPath.get(one.path) ?? []), one]);
  return [...byPath].map(([path, ofPath]) => {
    const paths = new Set([path, ...ofPath.flatMap(({ relatedPaths }) => relatedPaths)]);
    return {
      path,
      doubts: ofPath.map(({ id, message }) => ({ id, message })),
      values: JSON.stringify([...paths].sort().map((one) => [one, stated.get(one) ?? null])),
    };
  });
};

const toQuestionKey = ({ path, values }: Question): string => `${path} ${values}`;

const updateQuestions = (history: readonly DatedRecordEvent[]) => {
  // Found only for the versions that matter: a record may have thousands.
  let findCurrentQuestions = (): readonly Question[] => [];
  const confirmed = new Set<string>();
  for (const { event, metadata } of history)
    switch (event.type) {
      case 'BirthRecorded':
      case 'BirthAmended':
        findCurrentQuestions = () => findOpenQuestions(event.data.course, metadata.recordedAt);
        break;
      case 'BirthRetracted':
        findCurrentQuestions = () => [];
        break;
      case 'QuestionsConfirmed':
        for (const question of findCurrentQuestions())
          if (event.data.questions.includes(question.path)) confirmed.add(toQuestionKey(question));
        break;
      case 'DuplicateFlagged':
      case 'DuplicateDismissed':
      case 'DuplicateFlagRestored':
      case 'RevivalKept':
      case 'AttributionRepointed':
        break;
    }
  const isConfirmed = (question: Question) => confirmed.has(toQuestionKey(question));
  return { currentQuestions: findCurrentQuestions(), isConfirmed };
};

/** A later version raises a question again if the value, or one that makes it unusual, has changed. */
export const listOpenQuestions = (history: readonly DatedRecordEvent[]): readonly Question[] => {
  const { currentQuestions, isConfirmed } = updateQuestions(history);
  return currentQuestions.filter((question) => !isConfirmed(question));
};

export interface ConfirmQuestions {
  readonly questions: readonly string[];
}

export const confirmQuestions = (
  { questions }: ConfirmQuestions,
  history: readonly DatedRecordEvent[],
  state = history.reduce((record, { event }) => evolve(record, event), noRecord),
): Decision<BirthRecordEvent<'QuestionsConfirmed'>> => {
  if (state.status === 'none') return refuse({ code: 'no-record' });
  if (state.status === 'voided') return refuse({ code: 'voided-since' });
  const { currentQuestions, isConfirmed } = updateQuestions(history);
  const meant = currentQuestions.filter(({ path }) => questions.includes(path));
  if (meant.length < new Set(questions).size || meant.length === 0)
    return refuse({ code: 'no-such-question' });
  const open = meant.filter((question) => !isConfirmed(question));
  if (open.length === 0) return accept();
  const { submissionUuid, practiceId, version } = state;
  return accept({
    type: 'QuestionsConfirmed',
    data: {
      submissionUuid,
      practiceId,
      version,
      questions: open.map(({ path }) => path),
      mark: null,
    },
  });
};
