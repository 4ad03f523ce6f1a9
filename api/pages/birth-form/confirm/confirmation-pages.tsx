import type { ComponentChildren } from 'preact';
import {
  displayNameWithEmail,
  type NamedPerson,
} from '../../../../projections/lists/people-names.ts';
import type { NamedRecord } from '../../../../projections/lists/records.ts';
import type { SignedIn } from '../../../access/signed-in.ts';
import { CheckboxField } from '../../layout/checkbox-field.tsx';
import { DataTable } from '../../layout/data-table.tsx';
import { ErrorSummary } from '../../layout/error-summary.tsx';
import { buildFieldId, type FieldError, findError } from '../../layout/field-errors.ts';
import { Form, FormWithoutOwner } from '../../layout/form.tsx';
import { getHomePath } from '../../layout/navigation.ts';
import { RecordLink } from '../../layout/record-link.tsx';
import type { FormattedChange } from '../../text/course-values.ts';
import { type ComparedBirths, formatMother, formatRecord } from './compare-births.ts';

/** Page between the form and saving, with the form's values as hidden fields. */
interface ConfirmationProps {
  readonly action: string;
  readonly carried: Readonly<Record<string, string>>;
}

/** Form with hidden values around the page's buttons. */
export const ConfirmationForm = ({
  action,
  carried,
  children,
}: ConfirmationProps & { readonly children: ComponentChildren }) => (
  <Form action={action} class="birth-form">
    <HiddenFields values={carried} />
    {children}
  </Form>
);

/** Button that returns to the form with all values. */
export const ReturnToForm = () => (
  <button type="submit" name="back" value="yes" class="usa-button usa-button--outline">
    Return to the form
  </button>
);

/** Links to other records. */
export const RecordLinks = ({ records }: { readonly records: readonly NamedRecord[] }) => (
  <ul>
    {records.map((record) => (
      <li key={record.submissionUuid}>
        <RecordLink id={record.submissionUuid}>{formatRecord(record)}</RecordLink>
      </li>
    ))}
  </ul>
);

/**
 * The birth matches a record of the practice.
 * @param records `null` if the seat may not read records
 */
export const PossibleDuplicate = ({
  records,
  ...asking
}: ConfirmationProps & { readonly records: readonly NamedRecord[] | null }) => (
  <ConfirmationForm {...asking}>
    <p>
      Nothing is saved yet. Your practice already has a record with the same mother and time of
      birth{records === null ? '.' : ':'}
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

/** Shown if the record has changed since the previous question. */
export const RECORD_HAS_CHANGED = 'That record has changed since you opened this page.';

/** Text between a chart number and its record. */
export const IS_HELD_BY = 'is already in use for';
/** Description of a record for a seat that may not read it. */
export const A_RECORD = 'a record at your practice';

/** Shown for a voided record. */
export const RECORD_IS_VOIDED = 'That record is voided. Amending it restores it, with its history.';

/** Record with the typed chart number. */
export interface RecordWithNumber {
  readonly record: NamedRecord;
  readonly isVoided: boolean;
  readonly changes: readonly FormattedChange[];
}

interface ChartNumberInUseProps extends ConfirmationProps {
  readonly chartNumber: string;
  /** `null` if the seat may not read records. */
  readonly held: RecordWithNumber | null;
  /** True if the record has changed since the previous question. */
  readonly hasMovedOn: boolean;
}

/** The chart number already has a record. */
export const ChartNumberInUse = ({
  chartNumber,
  held,
  hasMovedOn,
  ...asking
}: ChartNumberInUseProps) => (
  <ConfirmationForm {...asking}>
    {hasMovedOn && (
      <p>
        <strong>{RECORD_HAS_CHANGED}</strong>
        {held === null ? '' : ' What it says now is shown here.'}
      </p>
    )}
    <p>
      Nothing is saved yet. Chart number <strong>{chartNumber}</strong> {IS_HELD_BY}{' '}
      {held === null ? (
        A_RECORD
      ) : (
        <RecordLink id={held.record.submissionUuid}>
          the record of {formatMother(held.record)}
        </RecordLink>
      )}
      . Amend it?
    </p>
    {held?.isVoided === true && <p>{RECORD_IS_VOIDED}</p>}
    {held === null ? (
      <p>
        Amending replaces the values in that record with yours, including fields you left empty. The
        earlier version stays in its history.
      </p>
    ) : (
      <>
        <Changes changes={held.changes} />
        {!held.isVoided && (
          <p class="margin-top-2 margin-bottom-0">
            To change only some values,{' '}
            <RecordLink id={held.record.submissionUuid} to="/correct">
              correct the record
            </RecordLink>{' '}
            instead.
          </p>
        )}
      </>
    )}
    <div class="buttons">
      <button type="submit" name="save" value="amend" class="usa-button">
        Amend record
      </button>
      <ReturnToForm />
    </div>
  </ConfirmationForm>
);

/** Record of another woman, compared with the input under its chart number. */
export interface OtherMothersRecord {
  readonly record: NamedRecord;
  readonly isVoided: boolean;
  readonly beside: ComparedBirths;
}

interface DifferentMotherProps extends ConfirmationProps {
  readonly chartNumber: string;
  /** `null` if the seat may not read records; it can send the birth for review. */
  readonly held: OtherMothersRecord | null;
  /** Mother's name as typed. */
  readonly entered: string | null;
  /** True if the record has changed since the previous question. */
  readonly hasMovedOn: boolean;
  readonly errors: readonly FieldError[];
}

/** Opens the option to replace another woman's record. */
export const CHART_NUMBER_IS_RIGHT = 'The chart number is right, and the other record is wrong';

/** Checkbox that confirms the replacement of another woman's record. */
export const REPLACES_FIELD = 'replaces';

/** The chart number belongs to another woman and probably needs correction. */
export const DifferentMother = (props: DifferentMotherProps) => {
  const { chartNumber, held, entered, hasMovedOn, errors, ...asking } = props;
  return (
    <ConfirmationForm {...asking}>
      <ErrorSummary errors={errors} />
      {hasMovedOn && (
        <p>
          <strong>{RECORD_HAS_CHANGED}</strong>
          {held === null ? '' : ' What it says now is shown here.'}
        </p>
      )}
      <p>
        Nothing has been saved. Chart number <strong>{chartNumber}</strong> is on a{' '}
        {held?.isVoided === true ? 'voided ' : ''}record of{' '}
        {held === null ? (
          <>another woman: its mother’s name or dates are not the ones you entered.</>
        ) : (
          <>
            another woman,{' '}
            <RecordLink id={held.record.submissionUuid}>{formatMother(held.record)}</RecordLink>.
          </>
        )}{' '}
        Check the chart number first.
      </p>
      {held !== null && <SideBySide beside={held.beside} sent="You entered" />}
      <div class="buttons">
        <button type="submit" name="back" value="chart-number" class="usa-button">
          Change the chart number
        </button>
        {held === null && (
          <button
            type="submit"
            name="save"
            value="hand-over"
            class="usa-button usa-button--outline"
          >
            Send to a Provider for review
          </button>
        )}
      </div>
      {held === null ? (
        <p class="quiet">
          If the chart number is right, send the birth to a Provider. They can see both records.
          Your entry is kept for 30 days.
        </p>
      ) : (
        <ReplacementQuestion mother={held.record.motherName} entered={entered} errors={errors} />
      )}
    </ConfirmationForm>
  );
};

const ReplacementQuestion = ({
  mother,
  entered,
  errors,
}: {
  readonly mother: string | null;
  readonly entered: string | null;
  readonly errors: readonly FieldError[];
}) => (
  <details class="margin-top-3" open={errors.length > 0}>
    <summary>{CHART_NUMBER_IS_RIGHT}</summary>
    <CheckboxField
      name={REPLACES_FIELD}
      label={describeReplacedRecord(mother, entered)}
      hint="This replaces the record with a different birth. Its current values stay only in its history."
      error={findError(errors, REPLACES_FIELD)}
    />
    <div class="buttons">
      <button type="submit" name="save" value="amend" class="usa-button usa-button--secondary">
        Amend record
      </button>
    </div>
  </details>
);

/** "Replace the record of Ana Díaz with the birth of Bea Okafor". */
export const describeReplacedRecord = (mother: string | null, entered: string | null): string =>
  `Replace the record of ${mother ?? 'a mother whose name is not recorded'} with the birth of ${entered ?? 'a mother whose name is not entered'}`;

/**
 * Compares two births in two columns, with equal values in gray.
 * @param sent heading of the second column
 */
export const SideBySide = ({
  beside: { telling, others },
  sent,
}: {
  readonly beside: ComparedBirths;
  readonly sent: string;
}) => (
  <>
    <SideBySideTable caption="Both records" rows={telling} sent={sent} />
    {others.length > 0 && (
      <details>
        <summary>Other differences ({others.length})</summary>
        <SideBySideTable caption="Other differences" rows={others} sent={sent} />
      </details>
    )}
  </>
);

const SideBySideTable = ({
  caption,
  rows,
  sent,
}: {
  readonly caption: string;
  readonly rows: readonly FormattedChange[];
  readonly sent: string;
}) => (
  <DataTable
    caption={caption}
    captionHidden
    rows={rows}
    keyOf={({ path }) => path}
    columns={[
      { heading: 'Value', namesRow: true, cell: ({ label }) => label },
      {
        heading: 'In the record',
        cell: ({ from, to }) => <ComparedValueCell text={from} isAlike={from === to} />,
      },
      {
        heading: sent,
        cell: ({ from, to }) => <ComparedValueCell text={to} isAlike={from === to} />,
      },
    ]}
  />
);

const ComparedValueCell = ({
  text,
  isAlike,
}: {
  readonly text: string | null;
  readonly isAlike: boolean;
}) => {
  const words = text ?? 'Not recorded';
  return isAlike || text === null ? <span class="quiet">{words}</span> : <strong>{words}</strong>;
};

const Changes = ({ changes }: { readonly changes: readonly FormattedChange[] }) =>
  changes.length === 0 ? (
    <p>Nothing would change: the record already has the values you entered.</p>
  ) : (
    <DataTable
      caption="What would change (the earlier version stays in the history)"
      rows={changes}
      keyOf={({ path }) => path}
      columns={[
        { heading: 'Value', namesRow: true, cell: ({ label }) => label },
        { heading: 'Now', cell: ({ from }) => from ?? 'Not recorded' },
        { heading: 'After amending', cell: ({ to }) => to ?? 'Not recorded' },
      ]}
    />
  );

/** Value on which two people differ. */
export interface ChoosableChange extends FormattedChange {
  /** True if the person who is asked changed it. */
  readonly isYours: boolean;
  /** True if the other person changed it. */
  readonly isTheirs: boolean;
}

/** Name of the radio buttons that choose between two values. */
export const choiceFieldName = (path: string): string => `take.${path}`;

/** Shown if two people have corrected a record at the same time. */
export const RECORD_CHANGED =
  'Nothing is saved yet. Someone else changed this record after you opened the form. Where the two versions differ, choose the right value. Everything else stays as it is in the record now.';

/** Someone else changed the record during the correction. */
export const RecordChanged = ({
  choices,
  ...asking
}: ConfirmationProps & { readonly choices: readonly ChoosableChange[] }) => (
  <ConfirmationForm {...asking}>
    <p>{RECORD_CHANGED}</p>
    {choices.length === 0 && <p>The record already has the values you entered.</p>}
    <div class="birth-form__choices">
      {choices.map((choice) => (
        <VersionChoice key={choice.path} {...choice} />
      ))}
    </div>
    <div class="buttons">
      <button type="submit" name="save" value="merge" class="usa-button">
        Save correction
      </button>
      <ReturnToForm />
    </div>
  </ConfirmationForm>
);

const VersionChoice = ({ path, label, from, to, isYours, isTheirs }: ChoosableChange) => {
  const name = choiceFieldName(path);
  const id = buildFieldId(name);
  return (
    <fieldset class="usa-fieldset choices">
      <legend class="usa-legend">
        {label}
        {isYours && isTheirs && <span class="usa-hint"> (you both changed it)</span>}
      </legend>
      <div class="usa-radio">
        <input
          class="usa-radio__input"
          type="radio"
          id={id}
          name={name}
          value="theirs"
          checked={!isYours}
        />
        <label class="usa-radio__label" for={id}>
          In the record now: <strong>{from ?? 'Not recorded'}</strong>
        </label>
      </div>
      <div class="usa-radio">
        <input
          class="usa-radio__input"
          type="radio"
          id={`${id}-yours`}
          name={name}
          value="yours"
          checked={isYours}
        />
        <label class="usa-radio__label" for={`${id}-yours`}>
          Yours: <strong>{to ?? 'Not recorded'}</strong>
        </label>
      </div>
    </fieldset>
  );
};

interface VoidedProps extends ConfirmationProps {
  readonly submissionUuid: string;
  readonly chartNumber: string | null;
  /** Changes that the person typed. */
  readonly changes: readonly FormattedChange[];
}

/** Start of the message about a correction of a voided record. */
export const NOTHING_SAVED = 'Nothing has been saved.';
/** Values that the birth form copies from a correction. */
export const YOUR_ANSWERS = 'what you typed';

/** Explains how to enter the birth of a voided record again. */
export const describeReentry = (chartNumber: string | null, hasTyped: boolean): string => {
  const withWhat = hasTyped ? YOUR_ANSWERS : 'the values in this record';
  return chartNumber === null
    ? `Or enter the birth again, with ${withWhat}. This record then stays voided.`
    : `Or enter the birth again under its chart number, with ${withWhat}.`;
};

/** The record is voided, usually since the correction began. */
export const RecordVoided = ({ submissionUuid, chartNumber, changes, ...asking }: VoidedProps) => {
  const record = <RecordLink id={submissionUuid}>This record</RecordLink>;
  const hasTyped = changes.length > 0;
  return (
    <ConfirmationForm {...asking}>
      {hasTyped ? (
        <p>
          {NOTHING_SAVED} {record} is voided, so it can’t be corrected. We kept {YOUR_ANSWERS}.
        </p>
      ) : (
        <p>{record} is voided, so it can’t be corrected.</p>
      )}
      <p>
        <RecordLink id={submissionUuid} to="/bring-back">
          Restore the record
        </RecordLink>
        {hasTyped ? ', then continue your correction. ' : ', then correct it. '}
        {describeReentry(chartNumber, hasTyped)}
      </p>
      {hasTyped && (
        <DataTable
          caption="What you changed (the birth form also has the other values)"
          rows={changes}
          keyOf={({ path }) => path}
          columns={[
            { heading: 'Value', namesRow: true, cell: ({ label }) => label },
            { heading: 'Before', cell: ({ from }) => from ?? 'Not recorded' },
            { heading: 'What you typed', cell: ({ to }) => to ?? 'Not recorded' },
          ]}
        />
      )}
      <div class="buttons">
        <button type="submit" name="back" value="yes" class="usa-button">
          Enter the birth again
        </button>
      </div>
    </ConfirmationForm>
  );
};

/** Shown if the session ended before the form was posted. */
export const NOTHING_TYPED_IS_LOST = 'Nothing is saved yet, but nothing you typed is lost.';

/** The form was posted after the session ended; all its values are preserved. */
export const SignedOutForm = ({ action, carried }: ConfirmationProps) => (
  <>
    <p>
      {NOTHING_TYPED_IS_LOST}{' '}
      <a href="/sign-in?next=/registry" target="_blank" rel="noopener">
        Sign in in a new tab
      </a>
      , then come back to this tab and continue.{' '}
    </p>
    <SubmitAgain action={action} carried={carried} />
  </>
);

export const describeOthersForm = (who: NamedPerson): string =>
  `Nothing was saved, and nothing was lost. You are signed in as ${displayNameWithEmail(who)}, but someone else opened this form. Only they can continue and save it.`;

/** A person posted another person's form, opened in the same browser. */
export const OthersForm = ({
  action,
  carried,
  who,
}: ConfirmationProps & { readonly who: SignedIn }) => (
  <>
    <p>{describeOthersForm(who)}</p>
    <p>
      If it’s yours, open{' '}
      <a href={getHomePath(who)} target="_blank" rel="noopener">
        a new tab
      </a>
      , sign out there, and sign in as yourself. Then come back to this tab and continue. If it’s
      not yours, <a href={getHomePath(who)}>leave this form</a>.
    </p>
    <SubmitAgain action={action} carried={carried} />
  </>
);

/** Button that resumes a form; its hidden fields include the seat that opened it. */
const SubmitAgain = ({ action, carried }: ConfirmationProps) => (
  <FormWithoutOwner action={action} class="birth-form">
    <HiddenFields values={carried} />
    <div class="buttons">
      <button type="submit" name="back" value="yes" class="usa-button">
        Return to the form
      </button>
    </div>
  </FormWithoutOwner>
);

/** Form values as hidden fields, including blank ones. */
export const HiddenFields = ({ values }: { readonly values: Readonly<Record<string, string>> }) => (
  <>
    {Object.entries(values).map(([name, value]) => (
      <input key={name} type="hidden" name={name} value={value} />
    ))}
  </>
);
