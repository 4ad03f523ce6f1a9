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

/** A user's answer to a question: the values are correct, or could not be verified. */
export type QuestionAnswer = 'confirmed' | 'unverified';

const toQuestionKey = ({ path, values }: Pick<Question, 'path' | 'values'>): string =>
  `${path} ${values}`;

const updateQuestions = (history: readonly DatedRecordEvent[]) => {
  // Found only for the versions that matter: a record may have thousands.
  let findCurrentQuestions = (): readonly Question[] => [];
  const answered = new Set<string>();
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
      case 'QuestionsUnverified':
        for (const question of findCurrentQuestions())
          if (event.data.questions.includes(question.path)) answered.add(toQuestionKey(question));
        break;
      case 'DuplicateFlagged':
      case 'DuplicateDismissed':
      case 'DuplicateFlagRestored':
      case 'RevivalKept':
      case 'ItemUnobtainable':
      case 'ItemAwaited':
      case 'ItemReasonTakenBack':
      case 'AttributionRepointed':
        break;
    }
  const isAnswered = (question: Question) => answered.has(toQuestionKey(question));
  return { currentQuestions: findCurrentQuestions(), isAnswered };
};

/** Questions without an answer. A later version raises one again if the value, or one that makes it unusual, has changed. */
export const listOpenQuestions = (history: readonly DatedRecordEvent[]): readonly Question[] => {
  const { currentQuestions, isAnswered } = updateQuestions(history);
  return currentQuestions.filter((question) => !isAnswered(question));
};

/** Answer to a question about these values, as the read tables have it. */
export interface StoredAnswer {
  readonly path: string;
  readonly values: string;
  readonly answer: QuestionAnswer;
}

export interface AnsweredQuestion extends Question {
  /** `null` while it is open. */
  readonly answer: QuestionAnswer | null;
}

/** Every question about a record; the latest answer to it counts. */
export const listAnsweredQuestions = (
  course: CourseOfCare,
  recordedAt: string,
  answers: readonly StoredAnswer[],
): readonly AnsweredQuestion[] => {
  // Of the same values, the last one stays.
  const answered = new Map(answers.map((one) => [toQuestionKey(one), one.answer]));
  return findOpenQuestions(course, recordedAt).map((question) => ({
    ...question,
    answer: answered.get(toQuestionKey(question)) ?? null,
  }));
};

export interface AnswerQuestions {
  readonly questions: readonly string[];
  readonly answer: QuestionAnswer;
}

export const answerQuestions = (
  { questions, answer }: AnswerQuestions,
  history: readonly DatedRecordEvent[],
  state = history.reduce((record, { event }) => evolve(record, event), noRecord),
): Decision<BirthRecordEvent<'QuestionsConfirmed' | 'QuestionsUnverified'>> => {
  if (state.status === 'none') return refuse({ code: 'no-record' });
  if (state.status === 'voided') return refuse({ code: 'voided-since' });
  const { currentQuestions, isAnswered } = updateQuestions(history);
  const meant = currentQuestions.filter(({ path }) => questions.includes(path));
  if (meant.length < new Set(questions).size || meant.length === 0)
    return refuse({ code: 'no-such-question' });
  const open = meant.filter((question) => !isAnswered(question));
  if (open.length === 0) return accept();
  const { submissionUuid, practiceId, version } = state;
  return accept({
    type: answer === 'confirmed' ? 'QuestionsConfirmed' : 'QuestionsUnverified',
    data: {
      submissionUuid,
      practiceId,
      version,
      questions: open.map(({ path }) => path),
      mark: null,
    },
  });
};
