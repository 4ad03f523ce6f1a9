import type { Request, Response } from 'express';
import type { KnownBirthRecord } from '../../../../../domain/birth-record/state.ts';
import type { CourseOfCare } from '../../../../../domain/course/course.ts';
import type { CustomField } from '../../../../../domain/custom-field/state.ts';
import type { NamedRecord } from '../../../../../projections/lists/records.ts';
import type { Seat } from '../../../../access/signed-in.ts';
import type { App } from '../../../../ports/app-ports.ts';
import type { SavedCourse, SaveTarget } from '../../../../record-commands/save-course.ts';
import { readFormText } from '../../../../web/form-body.ts';
import { getSeat } from '../../../../web/guards/seats.ts';
import type { FieldError } from '../../../layout/field-errors.ts';
import type { PageView } from '../../../layout/page.tsx';
import { RecordLink } from '../../../layout/record-link.tsx';
import { buildCourseContext, type CourseContext } from '../../../text/course-values.ts';
import { loadRecordNames } from '../form/record-names.ts';
import { ChartNumberInUse, DifferentMother, REPLACES_FIELD } from './chart-number-in-use.tsx';
import { compareBirths, formatDifferences, formatMotherName } from './compare-births.ts';
import {
  ConfirmationForm,
  type ConfirmationProps,
  RecordLinks,
  ReturnToForm,
} from './confirmation-form.tsx';

/** @param records `null` if the seat may not read them */
export const PossibleDuplicate = ({
  records,
  ...asking
}: ConfirmationProps & { readonly records: readonly NamedRecord[] | null }) => (
  <ConfirmationForm {...asking}>
    <p>
      Not recorded yet. Your practice already has a record with the same mother and time of birth
      {records === null ? '.' : ':'}
    </p>
    {records !== null && <RecordLinks records={records} />}
    <p>
      If this is a different birth, save it: it is flagged as a possible duplicate, so that someone
      compares the two. If it is the same birth, you don’t need to enter it again.
    </p>
    <div class="buttons">
      <button type="submit" name="save" value="overrule" class="usa-button">
        Save and flag as possible duplicate
      </button>
      <ReturnToForm />
    </div>
  </ConfirmationForm>
);

export const NEW_BIRTH_PATH = '/registry/records/new';

interface DuplicateCheck {
  readonly customFields: readonly CustomField[];
  readonly action: string;
  readonly returnTo: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly answered: ConfirmedAnswers;
}

/** Result of saving that needs an answer first. */
export type UnansweredCourse = Exclude<SavedCourse, { readonly kind: 'saved' | 'refused' }>;

/** Asks before amending a record, or saving a birth that matches one. */
export const askAboutDuplicate = async (
  app: App,
  res: Response,
  { action, returnTo, fields, answered, customFields }: DuplicateCheck,
  unanswered: UnansweredCourse,
  course: CourseOfCare,
): Promise<PageView> => {
  const build = (title: string, children: preact.JSX.Element): PageView => ({
    title,
    returnTo,
    status: 409,
    children,
  });
  switch (unanswered.kind) {
    case 'exists': {
      const { existing } = unanswered;
      const named = await loadRecordNames(app, res, 'entry', [existing.submissionUuid]);
      const words = buildCourseContext({ ...getSeat(res).practice, customFields });
      const [record] = named ?? [];
      // The person may only replace the version that they were shown.
      const target = { kind: 'amend', version: existing.version } as const;
      const hasAnswered = answered.target.kind === 'amend';
      const hasMovedOn =
        answered.target.kind === 'amend' && answered.target.version !== existing.version;
      const asking = {
        action,
        chartNumber: course.chart_number ?? '',
        carried: { ...fields, ...listCarriedAnswers({ ...answered, target }) },
      };
      const summary =
        record === undefined ? null : { record, isVoided: existing.status === 'voided' };
      if (unanswered.isOtherMother)
        return build(
          'This chart number belongs to another woman',
          <DifferentMother
            {...asking}
            existing={
              summary && { ...summary, beside: compareBirths(existing.course, course, words) }
            }
            entered={formatMotherName(course)}
            hasMovedOn={hasMovedOn}
            errors={hasAnswered && !hasMovedOn && named !== null ? [NOT_CONFIRMED] : []}
          />,
        );
      return build(
        'This chart number is already in use',
        <ChartNumberInUse
          {...asking}
          existing={summary && { ...summary, changes: listChanges(course, existing, words) }}
          hasMovedOn={hasMovedOn}
        />,
      );
    }
    case 'look-alike': {
      const records = await loadRecordNames(app, res, 'entry', unanswered.submissionUuids);
      const carried = { ...fields, ...listCarriedAnswers(answered) };
      return build(
        'This birth may already be recorded',
        <PossibleDuplicate action={action} carried={carried} records={records} />,
      );
    }
    case 'changed-concurrently':
    case 'no-such-record':
      throw new TypeError('A new birth was answered as a correction.');
  }
};

/** The form was already saved, with other content. */
export const buildRecordedAlready = (res: Response, submissionUuid: string): PageView => {
  const isReader = getSeat(res).role !== 'Scribe';
  return {
    status: 409,
    title: 'This birth is already recorded',
    action: (
      <a class="usa-button" href={NEW_BIRTH_PATH}>
        Enter another
      </a>
    ),
    children: (
      <p data-message="saved-before">
        This form was already saved. Your later changes were not saved.{' '}
        {isReader ? (
          <RecordLink id={submissionUuid} to="/correct">
            Correct the record
          </RecordLink>
        ) : (
          'Ask an Admin or Provider at your practice to correct the record'
        )}{' '}
        if something in it is wrong, or enter another birth.
      </p>
    ),
  };
};

/** An amendment keeps values that people cannot type, and the practice's own fields left blank. */
const listChanges = (
  course: CourseOfCare,
  { course: current }: KnownBirthRecord,
  words: CourseContext,
) =>
  formatDifferences(current, { ...course, custom: { ...current.custom, ...course.custom } }, words);

const NOT_CONFIRMED: FieldError = {
  field: REPLACES_FIELD,
  id: 'replacement-not-confirmed',
  message:
    'Nothing was saved. Change the chart number, or check the box to replace that record with this woman’s birth.',
};

/** Hidden field: version of the record that the person was shown and wants to amend. */
const AMENDED_VERSION = 'amend';

type NewOrAmended = Extract<SaveTarget, { readonly kind: 'new' | 'amend' }>;

interface ConfirmedAnswers {
  readonly target: NewOrAmended;
  /** True if it may be saved although it matches a record. */
  readonly overrule: boolean;
}

/** Intended effect of a posted birth; by default a new record. */
export const parseConfirmedAnswers = (req: Request, { role }: Seat): ConfirmedAnswers => {
  const version = readFormText(req, AMENDED_VERSION);
  // A Scribe cannot replace a record, whatever the form contains: Scribes are shown no records.
  const replaces = role !== 'Scribe' && readFormText(req, REPLACES_FIELD) === 'yes';
  return {
    target: /^[1-9]\d{0,8}$/.test(version)
      ? {
          kind: 'amend',
          version: Number(version),
          ...(replaces ? { replacesAnother: true as const } : {}),
        }
      : { kind: 'new' },
    overrule: readFormText(req, 'save') === 'overrule' || readFormText(req, 'overrule') === 'yes',
  };
};

const listCarriedAnswers = ({
  target,
  overrule,
}: ConfirmedAnswers): Readonly<Record<string, string>> => ({
  ...(target.kind === 'amend'
    ? {
        [AMENDED_VERSION]: String(target.version),
        ...(target.replacesAnother === true ? { [REPLACES_FIELD]: 'yes' } : {}),
      }
    : {}),
  ...(overrule ? { overrule: 'yes' } : {}),
});
