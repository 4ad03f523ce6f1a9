import type { BirthRecordEvent } from '../../../domain/birth-record/events.ts';
import {
  answerQuestions,
  type DatedRecordEvent,
  findOpenQuestions,
  listOpenQuestions,
} from '../../../domain/birth-record/unusual-values.ts';
import { VAGINAL_SPONTANEOUS } from '../../../domain/course/codes.ts';
import { type Child, emptyChild } from '../../../domain/course/course.ts';
import { amended, courseOfInes, INES, recorded, retracted } from '../../support/birth-records.ts';
import { scenarios } from '../../support/scenarios.ts';

const WEIGHT = 'children.0.birth_weight_grams';
const BORN = 'children.0.birth_date';
const METHOD = 'stat_cesarean';

const course = (child: Partial<Child>, rest: Partial<typeof courseOfInes> = {}) => ({
  ...courseOfInes,
  ...rest,
  children: [{ ...emptyChild(), birth_date: '2026-05-12', ...child }],
});
const tooHeavy = { gestational_age_weeks: 24, birth_weight_grams: 9_000 };
const version = (
  number: number,
  child: Partial<Child>,
  rest: Partial<typeof courseOfInes> = {},
): BirthRecordEvent => amended({ version: number, course: course(child, rest) });
const confirmed = (
  number: number,
  ...questions: readonly string[]
): BirthRecordEvent<'QuestionsConfirmed'> => ({
  type: 'QuestionsConfirmed',
  data: { submissionUuid: INES, practiceId: 'practice', version: number, questions, mark: null },
});

const onOneDay = (events: readonly BirthRecordEvent[]): readonly DatedRecordEvent[] =>
  events.map((event) => ({ event, metadata: { recordedAt: '2026-05-13T11:00:00.000Z' } }));

const paths = (history: readonly DatedRecordEvent[]) =>
  listOpenQuestions(history).map(({ path }) => path);
const unverified = (number: number, ...questions: readonly string[]): BirthRecordEvent => ({
  ...confirmed(number, ...questions),
  type: 'QuestionsUnverified',
});
const confirm =
  (...questions: readonly string[]) =>
  (history: readonly DatedRecordEvent[]) =>
    answerQuestions({ questions, answer: 'confirmed' }, history);

scenarios('open questions', onOneDay, [
  {
    name: 'a time of birth on another day than the date asks',
    given: [recorded, version(2, { birth_time: '2026-05-14T04:31:00-05:00' })],
    when: (history) =>
      listOpenQuestions(history).map(({ path, doubts }) => [path, doubts.map(({ id }) => id)]),
    expect: [['children.0.birth_time', ['time-on-another-day']]],
  },
  {
    name: 'a time in UTC on the next day asks nothing',
    given: [recorded, version(2, { birth_time: '2026-05-13T04:31:00Z' })],
    when: paths,
    expect: [],
  },
  {
    name: 'a birth that is still to come asks, in the year of a masked record too',
    given: [recorded, version(2, { birth_date: '2027' })],
    when: paths,
    expect: [BORN],
  },
  {
    name: 'usual values ask nothing',
    given: [recorded],
    when: paths,
    expect: [],
  },
  {
    name: '9,000 g at 24 weeks asks, and says why',
    given: [recorded, version(2, tooHeavy)],
    when: listOpenQuestions,
    expect: [
      {
        path: WEIGHT,
        doubts: [
          {
            id: 'birth-weight-unlikely',
            message: 'The child would weigh 9,000 g (19 lb 13 oz). Check the number and its unit.',
          },
          {
            id: 'weight-unlikely',
            message:
              'At 24 weeks babies usually weigh about 300 g to 1,300 g. Check the weight and the gestational age.',
          },
        ],
        values: JSON.stringify([
          [WEIGHT, 9_000],
          ['children.0.gestational_age_days', null],
          ['children.0.gestational_age_weeks', 24],
        ]),
      },
    ],
  },
  {
    name: 'a name that is missing is no odd value',
    given: [recorded],
    when: () => findOpenQuestions(course({}), '2026-05-13T11:00:00.000Z'),
    expect: [],
  },
  {
    name: 'what a person confirms is not asked any more',
    given: [version(1, tooHeavy), confirmed(1, WEIGHT)],
    when: paths,
    expect: [],
  },
  {
    name: 'a later version that says the same asks nothing',
    given: [version(1, tooHeavy), confirmed(1, WEIGHT), version(2, tooHeavy)],
    when: paths,
    expect: [],
  },
  {
    name: 'another value asks again',
    given: [
      version(1, tooHeavy),
      confirmed(1, WEIGHT),
      version(2, { ...tooHeavy, birth_weight_grams: 8_900 }),
    ],
    when: paths,
    expect: [WEIGHT],
  },
  {
    name: 'another value of the pair asks again',
    given: [
      version(1, tooHeavy),
      confirmed(1, WEIGHT),
      version(2, { ...tooHeavy, gestational_age_weeks: 25 }),
    ],
    when: paths,
    expect: [WEIGHT],
  },
  {
    name: 'the values that were confirmed once stay confirmed when they come back',
    given: [version(1, tooHeavy), confirmed(1, WEIGHT), version(2, {}), version(3, tooHeavy)],
    when: paths,
    expect: [],
  },
  {
    name: 'each value is confirmed by itself',
    given: [
      version(1, tooHeavy, { delivery_method: VAGINAL_SPONTANEOUS, stat_cesarean: true }),
      confirmed(1, METHOD),
    ],
    when: paths,
    expect: [WEIGHT],
  },
  {
    name: 'a correction answers the question too',
    given: [version(1, tooHeavy), version(2, { ...tooHeavy, birth_weight_grams: 900 })],
    when: paths,
    expect: [],
  },
  {
    name: 'a voided record asks nothing, and asks again when it is brought back',
    given: [version(1, tooHeavy), retracted(2)],
    when: (history) => [paths(history), paths([...history, ...onOneDay([version(3, tooHeavy)])])],
    expect: [[], [WEIGHT]],
  },
  {
    name: 'the day of the event decides what is in the future, wherever the practice is',
    given: [],
    when: () =>
      ['2026-05-10T09:59:00Z', '2026-05-11T09:59:00Z', '2026-05-11T10:00:00Z'].map((recordedAt) =>
        findOpenQuestions(course({}), recordedAt).map(({ path }) => path),
      ),
    expect: [[BORN], [BORN], []],
  },
]);

scenarios('confirming odd values', onOneDay, [
  {
    name: 'a person confirms the value; it makes no version',
    given: [recorded, version(2, tooHeavy)],
    when: confirm(WEIGHT),
    expect: { kind: 'accepted', events: [confirmed(2, WEIGHT)] },
  },
  {
    name: 'or says that nobody could verify it, and it is asked no more',
    given: [version(1, tooHeavy)],
    when: (history) => [
      answerQuestions({ questions: [WEIGHT], answer: 'unverified' }, history),
      paths([...history, ...onOneDay([unverified(1, WEIGHT)])]),
    ],
    expect: [{ kind: 'accepted', events: [unverified(1, WEIGHT)] }, []],
  },
  {
    name: 'twice is once',
    given: [version(1, tooHeavy), confirmed(1, WEIGHT)],
    when: confirm(WEIGHT),
    expect: { kind: 'accepted', events: [] },
  },
  {
    name: 'of several, those that are open are confirmed',
    given: [
      version(1, tooHeavy, { delivery_method: VAGINAL_SPONTANEOUS, stat_cesarean: true }),
      confirmed(1, METHOD),
    ],
    when: confirm(METHOD, WEIGHT),
    expect: { kind: 'accepted', events: [confirmed(1, WEIGHT)] },
  },
  {
    name: 'a value that nothing is odd about is refused',
    given: [recorded],
    when: confirm(WEIGHT),
    expect: { kind: 'refused', code: 'no-such-question' },
  },
  {
    name: 'nothing at all is refused',
    given: [version(1, tooHeavy)],
    when: confirm(),
    expect: { kind: 'refused', code: 'no-such-question' },
  },
  {
    name: 'on a voided record it is refused',
    given: [version(1, tooHeavy), retracted(2)],
    when: confirm(WEIGHT),
    expect: { kind: 'refused', code: 'voided-since' },
  },
  {
    name: 'without a record it is refused',
    given: [],
    when: confirm(WEIGHT),
    expect: { kind: 'refused', code: 'no-record' },
  },
]);
