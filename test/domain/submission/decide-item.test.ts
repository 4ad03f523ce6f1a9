import * as assert from 'uvu/assert';
import { toBirthIdentity } from '../../../domain/birth-record/birth-identity.ts';
import type { BirthRecordEvent, SubmissionSource } from '../../../domain/birth-record/events.ts';
import { evolve, noRecord } from '../../../domain/birth-record/state.ts';
import { createWorkingSet } from '../../../domain/birth-record/working-set.ts';
import { formatReference, parseReference } from '../../../domain/course/chart-number.ts';
import type { CourseOfCare } from '../../../domain/course/course.ts';
import { CHART_NUMBER_CONFLICT } from '../../../domain/mapping/csv/row.ts';
import type { FormValues } from '../../../domain/mapping/form/form-fields.ts';
import { decideItem } from '../../../domain/submission/decide-item.ts';
import type { ConfirmedReplacement, QueuedItem } from '../../../domain/submission/queued-item.ts';
import { buildCompletedReceipt } from '../../../domain/submission/receipt.ts';
import {
  amended,
  courseEntered,
  INES,
  ines,
  LATER,
  RECEIVED,
  recorded,
  retracted,
} from '../../support/birth-records.ts';
import { scenarios } from '../../support/scenarios.ts';

const OF_INES = courseEntered(ines);
const BEA: FormValues = {
  ...ines,
  'mother.family_name': 'Okafor',
  'mother.given_names': 'Bea',
  'mother.birth_date': '2/3/1990',
  'children.0.birth_date': '5/20/2026',
  'children.0.birth_time': '',
};
const OF_BEA = courseEntered(BEA);

const first = amended({ version: 1, course: OF_INES });
const second = amended({ version: 2, course: OF_INES });

const recordOf = (events: readonly BirthRecordEvent[]) => events.reduce(evolve, noRecord);

/** What becomes of a row with the chart number of the record, and what it writes. */
const row =
  (course: CourseOfCare, replaces?: ConfirmedReplacement, source: SubmissionSource = 'csv') =>
  (state: ReturnType<typeof recordOf>) => {
    const ledger = createWorkingSet();
    ledger.put('record-1', { state, expectedRevision: 3n, firstPosition: 1n });
    const { rejected, events } = decideItem(
      {
        queued: {
          kind: 'course',
          position: 0,
          reference: 'C-1',
          recordHash: 'hash',
          stamp: LATER,
          course,
          providers: [],
          partnerId: null,
          fingerprints: [],
          ...(replaces === undefined ? {} : { replaces }),
        },
        stream: 'record-1',
        submissionUuid: INES,
        practiceId: 'practice',
        keyKind: null,
        source,
        mark: { ingestionId: 'import', position: 0 },
        receivedAt: RECEIVED,
      },
      ledger,
    );
    return rejected?.rejections ?? events.map(({ type }) => type);
  };

/** The chart number of a course as its accepted and its rejected entry name it, and the receipt. */
const named = (chartNumber: string | null, position: number): unknown => {
  const of = { position, ...formatReference(chartNumber, position) };
  const decide = (queued: QueuedItem) =>
    decideItem(
      {
        queued,
        stream: 'record-1',
        submissionUuid: INES,
        practiceId: 'practice',
        keyKind: 'native',
        source: 'fhir_push',
        mark: { ingestionId: 'push', position },
        receivedAt: RECEIVED,
      },
      createWorkingSet(),
    );
  const { accepted } = decide({
    kind: 'course',
    ...of,
    recordHash: 'hash',
    stamp: LATER,
    course: OF_INES,
    providers: [],
    partnerId: null,
    fingerprints: [],
  });
  const { rejected } = decide({ kind: 'rejected', ...of, rejections: [] });
  if (accepted === null || rejected === null) throw new Error('Both have an entry');
  const { reference } = of;
  assert.equal(buildCompletedReceipt('push', [accepted], [rejected], RECEIVED), {
    id: 'push',
    status: 'completed',
    accepted: 1,
    rejected: 1,
    outcome: {
      accepted: [{ reference, submission_uuid: INES }],
      rejected: [{ reference, outcome: { resourceType: 'OperationOutcome', issue: [] } }],
    },
    completedAt: RECEIVED,
  });
  return [parseReference(accepted, position), parseReference(rejected, position)];
};

scenarios('how a receipt refers to a course', recordOf, [
  ...['C-1', 'Bundle', 'record[0]', 'record[3]', null].flatMap((chartNumber) =>
    [0, 3].map((position) => ({
      name: `${chartNumber} at ${position} is known again`,
      given: [],
      when: () => named(chartNumber, position),
      expect: [chartNumber, chartNumber],
    })),
  ),
  {
    name: 'entries of before are chart numbers, but for a place that is their own',
    given: [],
    when: () =>
      ['C-1', 'Bundle', 'record[0]', 'record[3]'].map((reference) =>
        [0, 3].map((position) => parseReference({ reference }, position)),
      ),
    expect: [
      ['C-1', 'C-1'],
      [null, 'Bundle'],
      [null, 'record[0]'],
      ['record[3]', null],
    ],
  },
]);

const whose = toBirthIdentity(OF_INES);

scenarios('a row of a file with a chart number that is held', recordOf, [
  {
    name: 'amends the record of the same woman',
    given: [first],
    when: row(courseEntered({ ...ines, 'children.0.birth_weight_grams': '3000 g' })),
    expect: ['BirthAmended'],
  },
  {
    name: 'is refused when the record is another woman’s',
    given: [first],
    when: row(OF_BEA),
    expect: [CHART_NUMBER_CONFLICT],
  },
  {
    name: 'is refused when that record is voided, too',
    given: [first, retracted(2)],
    when: row(OF_BEA),
    expect: [CHART_NUMBER_CONFLICT],
  },
  {
    name: 'replaces another woman’s record that was shown and confirmed',
    given: [first],
    when: row(OF_BEA, { version: 1, whose }),
    expect: ['BirthAmended'],
  },
  {
    name: 'is refused when the record has another version than the one that was shown',
    given: [first, second],
    when: row(OF_BEA, { version: 1, whose }),
    expect: [CHART_NUMBER_CONFLICT],
  },
  {
    name: 'is refused when that version is of another birth than the one that was shown',
    given: [
      amended({ version: 1, course: courseEntered({ ...ines, 'mother.given_names': 'Ana' }) }),
    ],
    when: row(OF_BEA, { version: 1, whose }),
    expect: [CHART_NUMBER_CONFLICT],
  },
]);

scenarios('what is pushed with a chart number that is held', recordOf, [
  {
    name: 'amends the record, as the specification says',
    given: [recorded, first],
    when: row(OF_BEA, undefined, 'fhir_push'),
    expect: ['BirthAmended'],
  },
]);
