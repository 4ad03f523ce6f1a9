import type { BirthRecordEvent, RecordVersion } from '../../domain/birth-record/events.ts';
import {
  findOpenQuestions,
  type Question,
  type QuestionAnswer,
  type UnusualMark,
} from '../../domain/birth-record/unusual-values.ts';
import type { StoredEvent } from '../../domain/event-log.ts';
import {
  type Change,
  column,
  defineTable,
  type Handlers,
  isFirst,
  type ReadView,
  replaceAll,
  update,
  upsert,
} from '../projection.ts';

const recordQuestion = defineTable({
  name: 'record_question',
  columns: {
    submission_uuid: column.uuid(),
    path: column.text(),
    practice_id: column.text(),
    version: column.integer(),
    /** JSON of the value and of the values that make it unusual. */
    question_values: column.text(),
    doubts: column.jsonb<readonly UnusualMark[]>(),
    held_since: column.timestamptz(),
  },
  key: ['submission_uuid', 'path'],
  // Keeps the rows of a record adjacent, so that a page reads only the first records.
  indexes: ['(practice_id, held_since, submission_uuid)'],
});

const askedQuestion = defineTable({
  name: 'asked_question',
  columns: {
    submission_uuid: column.uuid(),
    version: column.integer(),
    path: column.text(),
    question_values: column.text(),
    asked_at: column.timestamptz(),
    /** Null while it is open. */
    answer: column.textOrNull<QuestionAnswer>(),
  },
  key: ['submission_uuid', 'version', 'path'],
  indexes: [],
});

/** Unusual values and answers about them. Same rule as `listOpenQuestions`, which reads the events of one record. */
export const unusualValues = {
  name: 'record_questions',
  version: 6,
  tables: [recordQuestion, askedQuestion],
  on: {
    BirthRecorded: (data, stored) => recordQuestions(data, stored),
    BirthAmended: (data, stored) => recordQuestions(data, stored),
    BirthRetracted: ({ submissionUuid }) => [
      replaceAll('record_question', { submission_uuid: submissionUuid }, []),
    ],
    QuestionsConfirmed: (data) => answerQuestions(data, 'confirmed'),
    QuestionsUnverified: (data) => answerQuestions(data, 'unverified'),
  } satisfies Partial<Handlers<BirthRecordEvent>>,
};

const answerQuestions = (
  { submissionUuid, version, questions }: BirthRecordEvent<'QuestionsConfirmed'>['data'],
  answer: QuestionAnswer,
): readonly Change[] =>
  questions.map((path) =>
    update('asked_question', { submission_uuid: submissionUuid, version, path }, { answer }),
  );

const recordQuestions = (data: RecordVersion, stored: StoredEvent): readonly Change[] => {
  const { recordedAt } = stored.metadata;
  const questions = findOpenQuestions(data.course, recordedAt);
  const isNew = isFirst(stored);
  if (isNew && questions.length === 0) return [];
  const owner = { submission_uuid: data.submissionUuid };
  const toRow = ({ path, values, doubts }: Question) => ({
    ...owner,
    path,
    practice_id: data.practiceId,
    version: data.version,
    question_values: values,
    doubts,
    held_since: recordedAt,
  });
  return [
    replaceAll('record_question', owner, questions.map(toRow), isNew),
    ...questions.map(({ path, values }) =>
      upsert(
        'asked_question',
        {
          ...owner,
          version: data.version,
          path,
          question_values: values,
          asked_at: recordedAt,
          answer: null,
        },
        true,
      ),
    ),
  ];
};

/** Values to confirm or correct: they were not answered for this version or in an earlier one with the same values. */
export const OPEN_UNUSUAL_VALUES = {
  name: 'open_question',
  version: 2,
  query: (schema) => `
    select question.*, before.since
    from "${schema}".record_question question
    cross join lateral (
      select min(asked.asked_at) as since, bool_or(asked.answer is not null) as is_answered
      from "${schema}".asked_question asked
      where asked.submission_uuid = question.submission_uuid and asked.path = question.path
        and asked.question_values = question.question_values
    ) before
    where not before.is_answered`,
} as const satisfies ReadView;
