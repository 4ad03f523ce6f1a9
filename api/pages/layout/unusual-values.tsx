import type { Question } from '../../../domain/birth-record/unusual-values.ts';
import type { CourseOfCare } from '../../../domain/course/course.ts';
import { buildPathLabel, type CourseContext, formatValueAt } from '../text/course-values.ts';
import { Form } from './form.tsx';
import { Section } from './section.tsx';

type UnusualValue = Pick<Question, 'path' | 'doubts'>;

export const UnusualValueList = ({
  questions,
  course,
  words,
}: {
  readonly questions: readonly UnusualValue[];
  readonly course: CourseOfCare;
  readonly words: CourseContext;
}) => (
  <ul class="questions usa-list--unstyled">
    {questions.map(({ path, doubts }) => (
      <li key={path}>
        <strong>
          {buildPathLabel(path, course.children.length, words)}:{' '}
          {formatValueAt(course, path, words) ?? 'not recorded'}.
        </strong>{' '}
        {doubts.map(({ message }) => message).join(' ')}
      </li>
    ))}
  </ul>
);

export const ConfirmUnusualValues = ({
  href,
  version,
  paths,
  on,
  of,
}: {
  readonly href: string;
  readonly version: number;
  readonly paths: readonly string[];
  readonly on: string;
  /** Name of the record for screen readers, if the page shows several. */
  readonly of?: string;
}) => (
  <Form action={`${href}/questions`}>
    <input type="hidden" name="version" value={String(version)} />
    <input type="hidden" name="on" value={on} />
    {paths.map((path) => (
      <input key={path} type="hidden" name="question" value={path} />
    ))}
    <div class="cluster">
      <button type="submit" class="usa-button usa-button--unstyled">
        {paths.length === 1 ? 'Confirm value' : 'Confirm values'}
        {of !== undefined && <span class="usa-sr-only"> {of}</span>}
      </button>
      {of === undefined && (
        <button
          type="submit"
          name="answer"
          value="unverified"
          class="usa-button usa-button--unstyled"
        >
          Could not be verified
        </button>
      )}
    </div>
  </Form>
);

export const UnusualValues = ({
  view: { state, words, questions },
  href,
  mayWrite,
}: {
  readonly view: {
    readonly state: { readonly course: CourseOfCare; readonly version: number };
    readonly words: CourseContext;
    readonly questions: readonly UnusualValue[];
  };
  readonly href: string;
  /** True if the seat may confirm and correct. */
  readonly mayWrite: boolean;
}) =>
  questions.length === 0 ? null : (
    <Section
      id="open-questions"
      heading={questions.length === 1 ? 'Unusual value' : 'Unusual values'}
      class="notice notice--warning no-print"
    >
      <UnusualValueList questions={questions} course={state.course} words={words} />
      {mayWrite && (
        <div class="cluster margin-top-1">
          <ConfirmUnusualValues
            href={href}
            version={state.version}
            paths={questions.map(({ path }) => path)}
            on={href}
          />
          <a href={`${href}/correct`}>Correct</a>
        </div>
      )}
    </Section>
  );
