import type { Question } from '../../../domain/birth-record/unusual-values.ts';
import type { CourseOfCare } from '../../../domain/course/course.ts';
import { Form } from '../frame/form.tsx';
import { type CourseWords, pathLabel, valueAtInWords } from '../words/course-values.ts';
import type { RecordView } from './record-view.ts';

type Asked = Pick<Question, 'path' | 'doubts'>;

/** Odd values with what is hard to believe about each. */
export const QuestionList = ({
  questions,
  course,
  words,
}: {
  readonly questions: readonly Asked[];
  readonly course: CourseOfCare;
  readonly words: CourseWords;
}) => (
  <ul class="questions usa-list--unstyled">
    {questions.map(({ path, doubts }) => (
      <li key={path}>
        <strong>
          {pathLabel(path, course.children.length, words)}:{' '}
          {valueAtInWords(course, path, words) ?? 'not recorded'}.
        </strong>{' '}
        {doubts.map(({ message }) => message).join(' ')}
      </li>
    ))}
  </ul>
);

/** The button by which a person says that odd values are right. */
export const ConfirmQuestions = ({
  href,
  version,
  paths,
  on,
  of,
}: {
  /** Address of the record's page. */
  readonly href: string;
  /** The version that holds the values. */
  readonly version: number;
  readonly paths: readonly string[];
  /** Where to go on afterwards: the page on which it stands. */
  readonly on: string;
  /** Names the record for screen readers, on a page of several. */
  readonly of?: string;
}) => (
  <Form action={`${href}/questions`}>
    <input type="hidden" name="version" value={String(version)} />
    <input type="hidden" name="on" value={on} />
    {paths.map((path) => (
      <input key={path} type="hidden" name="question" value={path} />
    ))}
    <button type="submit" class="usa-button usa-button--unstyled">
      {paths.length === 1 ? 'Confirm value' : 'Confirm values'}
      {of !== undefined && <span class="usa-sr-only"> {of}</span>}
    </button>
  </Form>
);

/** The open questions of a record, on its page. */
export const OpenQuestions = ({
  view: { state, words, questions },
  href,
  mayWrite,
}: {
  readonly view: Pick<RecordView, 'state' | 'words' | 'questions'>;
  /** Address of the record's page. */
  readonly href: string;
  /** The seat may confirm and correct. */
  readonly mayWrite: boolean;
}) =>
  questions.length === 0 ? null : (
    <section class="open-questions no-print" aria-labelledby="open-questions">
      <h2 id="open-questions">{questions.length === 1 ? 'Unusual value' : 'Unusual values'}</h2>
      <QuestionList questions={questions} course={state.course} words={words} />
      {mayWrite && (
        <div class="cluster margin-top-1">
          <ConfirmQuestions
            href={href}
            version={state.version}
            paths={questions.map(({ path }) => path)}
            on={href}
          />
          <a href={`${href}/correct`}>Correct</a>
        </div>
      )}
    </section>
  );
