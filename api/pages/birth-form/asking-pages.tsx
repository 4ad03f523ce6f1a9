import type { ComponentChildren } from 'preact';
import { displayNameWithEmail, type NamedPerson } from '../../../projections/lists/people-names.ts';
import type { NamedRecord } from '../../../projections/lists/records.ts';
import type { SignedIn } from '../../access/signed-in.ts';
import { CheckboxField } from '../frame/checkbox-field.tsx';
import { DataTable } from '../frame/data-table.tsx';
import { ErrorSummary } from '../frame/error-summary.tsx';
import { errorOf, type FieldError, fieldId } from '../frame/field-errors.ts';
import { Form, HeldForm } from '../frame/form.tsx';
import { homeOf } from '../frame/places.ts';
import { RecordLink } from '../frame/record-link.tsx';
import type { ChangeInWords } from '../words/course-values.ts';
import { type BirthsBeside, motherInWords, recordInWords } from './record-words.ts';

/** A page between the form and the record: it carries what was typed along. */
interface Asking {
  readonly action: string;
  readonly carried: Readonly<Record<string, string>>;
}

/** A form of hidden values around the buttons of a page that stands between. */
export const AskingForm = ({
  action,
  carried,
  children,
}: Asking & { readonly children: ComponentChildren }) => (
  <Form action={action} class="birth-form">
    <HiddenValues values={carried} />
    {children}
  </Form>
);

/** Leads back to the form with everything typed. */
export const BackToTheForm = () => (
  <button type="submit" name="back" value="yes" class="usa-button usa-button--outline">
    Back to the form
  </button>
);

/** Other records, each a link. */
export const RecordLinks = ({ records }: { readonly records: readonly NamedRecord[] }) => (
  <ul>
    {records.map((record) => (
      <li key={record.submissionUuid}>
        <RecordLink id={record.submissionUuid}>{recordInWords(record)}</RecordLink>
      </li>
    ))}
  </ul>
);

/** The birth looks like one that the practice holds. @param records null: the seat reads none */
export const LooksAlike = ({
  records,
  ...asking
}: Asking & { readonly records: readonly NamedRecord[] | null }) => (
  <AskingForm {...asking}>
    <p>
      Nothing has been saved yet. The practice holds a record with the same mother and the same time
      of birth{records === null ? '.' : ':'}
    </p>
    {records !== null && <RecordLinks records={records} />}
    <p>
      If this is another birth, save it: it is flagged as a suspected duplicate, for someone to look
      at both. If it is the same birth, there is no need to enter it again.
    </p>
    <div class="buttons">
      <button type="submit" name="save" value="overrule" class="usa-button">
        Save anyway and flag it
      </button>
      <BackToTheForm />
    </div>
  </AskingForm>
);

/** Said when the record has changed since the person was asked about it. */
export const RECORD_HAS_CHANGED = 'That record has changed since you were asked.';

/** Said between a chart number and its record. */
export const IS_HELD_BY = 'is held by';
/** What a record is called to a seat that reads none. */
export const A_RECORD = 'a record of the practice';

/** Said of a record that is voided. */
export const RECORD_IS_VOIDED = 'That record is voided. Amending brings it back, with its history.';

/** The record under the chart number that was typed. */
export interface HeldUnderNumber {
  readonly record: NamedRecord;
  readonly isVoided: boolean;
  readonly changes: readonly ChangeInWords[];
}

interface TakenNumber extends Asking {
  readonly chartNumber: string;
  /** Null: the seat reads no records. */
  readonly held: HeldUnderNumber | null;
  /** The person was asked before, and the record has changed since. */
  readonly hasMovedOn: boolean;
}

/** The chart number is taken. */
export const ChartNumberTaken = ({ chartNumber, held, hasMovedOn, ...asking }: TakenNumber) => (
  <AskingForm {...asking}>
    {hasMovedOn && (
      <p>
        <strong>{RECORD_HAS_CHANGED}</strong>
        {held === null ? '' : ' What it says now is shown here.'}
      </p>
    )}
    <p>
      Nothing has been saved yet. Chart number <strong>{chartNumber}</strong> {IS_HELD_BY}{' '}
      {held === null ? (
        A_RECORD
      ) : (
        <RecordLink id={held.record.submissionUuid}>
          the record of {motherInWords(held.record)}
        </RecordLink>
      )}
      . Amend it?
    </p>
    {held?.isVoided === true && <p>{RECORD_IS_VOIDED}</p>}
    {held === null ? (
      <p>
        Amending replaces what that record says with what you have entered, also where you left a
        field empty. The earlier version is kept in its history.
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
      <BackToTheForm />
    </div>
  </AskingForm>
);

/** The record of another woman, beside what was entered under its chart number. */
export interface HeldOfAnother {
  readonly record: NamedRecord;
  readonly isVoided: boolean;
  readonly beside: BirthsBeside;
}

interface AnothersNumber extends Asking {
  readonly chartNumber: string;
  /** Null: the seat reads no records, and hands the birth to somebody who does. */
  readonly held: HeldOfAnother | null;
  /** The mother as she was entered. */
  readonly entered: string | null;
  /** The person was asked before, and the record has changed since. */
  readonly hasMovedOn: boolean;
  readonly errors: readonly FieldError[];
}

/** Opens the way by which another woman's record is replaced. */
export const CHART_NUMBER_IS_RIGHT = 'The chart number is right, and the other record is wrong';

/** Name of the box by which a person confirms that another woman's record is replaced. */
export const REPLACES_FIELD = 'replaces';

/** The chart number is another woman's: the way on is to correct it. */
export const BelongsToAnother = (props: AnothersNumber) => {
  const { chartNumber, held, entered, hasMovedOn, errors, ...asking } = props;
  return (
    <AskingForm {...asking}>
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
          <>another woman: the mother’s name or dates of that record are not those you entered.</>
        ) : (
          <>
            another woman,{' '}
            <RecordLink id={held.record.submissionUuid}>{motherInWords(held.record)}</RecordLink>.
          </>
        )}{' '}
        Check the chart number first.
      </p>
      {held !== null && <Beside beside={held.beside} sent="You entered" />}
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
            Hand to a Provider
          </button>
        )}
      </div>
      {held === null ? (
        <p class="quiet">
          If the chart number is right, hand the birth to a Provider. What you entered is kept for
          them for 30 days, and they can see both records.
        </p>
      ) : (
        <Replacing mother={held.record.motherName} entered={entered} errors={errors} />
      )}
    </AskingForm>
  );
};

const Replacing = ({
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
      label={replacementInWords(mother, entered)}
      hint="The record is then about another birth. What it says now stays in its history only."
      error={errorOf(errors, REPLACES_FIELD)}
    />
    <div class="buttons">
      <button type="submit" name="save" value="amend" class="usa-button usa-button--secondary">
        Amend record
      </button>
    </div>
  </details>
);

/** "Replace the record of Ana Díaz with the birth of Bea Okafor". */
export const replacementInWords = (mother: string | null, entered: string | null): string =>
  `Replace the record of ${mother ?? 'a mother whose name is not recorded'} with the birth of ${entered ?? 'a mother whose name is not entered'}`;

/** Two births in two columns; what is alike is quiet. @param sent heading of the second */
export const Beside = ({
  beside: { telling, others },
  sent,
}: {
  readonly beside: BirthsBeside;
  readonly sent: string;
}) => (
  <>
    <BesideTable caption="Both records" rows={telling} sent={sent} />
    {others.length > 0 && (
      <details>
        <summary>What else differs ({others.length})</summary>
        <BesideTable caption="What else differs" rows={others} sent={sent} />
      </details>
    )}
  </>
);

const BesideTable = ({
  caption,
  rows,
  sent,
}: {
  readonly caption: string;
  readonly rows: readonly ChangeInWords[];
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
        cell: ({ from, to }) => <Told text={from} isAlike={from === to} />,
      },
      { heading: sent, cell: ({ from, to }) => <Told text={to} isAlike={from === to} /> },
    ]}
  />
);

const Told = ({ text, isAlike }: { readonly text: string | null; readonly isAlike: boolean }) => {
  const words = text ?? 'Not recorded';
  return isAlike || text === null ? <span class="quiet">{words}</span> : <strong>{words}</strong>;
};

const Changes = ({ changes }: { readonly changes: readonly ChangeInWords[] }) =>
  changes.length === 0 ? (
    <p>It says the same as you have entered: nothing would change but its version.</p>
  ) : (
    <DataTable
      caption="What would change; the earlier version is kept in the history"
      rows={changes}
      keyOf={({ path }) => path}
      columns={[
        { heading: 'Value', namesRow: true, cell: ({ label }) => label },
        { heading: 'Now', cell: ({ from }) => from ?? 'Not recorded' },
        { heading: 'After amending', cell: ({ to }) => to ?? 'Not recorded' },
      ]}
    />
  );

/** A value on which two people differ. */
export interface Choosable extends ChangeInWords {
  /** The person who is asked changed it, too or alone. */
  readonly isYours: boolean;
  /** The other one changed it. */
  readonly isTheirs: boolean;
}

/** Name of the radio buttons that choose between two values. */
export const takeName = (path: string): string => `take.${path}`;

/** Said when two people have corrected a record at once. */
export const CHANGED_MEANWHILE =
  'Nothing has been saved yet. Someone else has changed this record since you opened the form. Choose which value is right wherever the two differ; everything else stays as it is in the record now.';

/** Someone has changed the record while it was being corrected. */
export const ChangedMeanwhile = ({
  choices,
  ...asking
}: Asking & { readonly choices: readonly Choosable[] }) => (
  <AskingForm {...asking}>
    <p>{CHANGED_MEANWHILE}</p>
    {choices.length === 0 && <p>The record says by now what you have entered.</p>}
    <div class="birth-form__choices">
      {choices.map((choice) => (
        <TheirsOrYours key={choice.path} {...choice} />
      ))}
    </div>
    <div class="buttons">
      <button type="submit" name="save" value="merge" class="usa-button">
        Save correction
      </button>
      <BackToTheForm />
    </div>
  </AskingForm>
);

const TheirsOrYours = ({ path, label, from, to, isYours, isTheirs }: Choosable) => {
  const name = takeName(path);
  const id = fieldId(name);
  return (
    <fieldset class="usa-fieldset choices">
      <legend class="usa-legend">
        {label}
        {isYours && isTheirs && <span class="usa-hint"> (you have both changed it)</span>}
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

interface Voided extends Asking {
  readonly submissionUuid: string;
  readonly chartNumber: string | null;
  /** What was typed. */
  readonly changes: readonly ChangeInWords[];
}

/** Begins what is said to someone who typed a correction of a voided record. */
export const NOTHING_SAVED = 'Nothing has been saved.';
/** What the form of the birth takes over from a correction. */
export const WHAT_YOU_TYPED = 'what you typed';

/** Says how the birth of a voided record is entered again. */
export const describeReentry = (chartNumber: string | null, hasTyped: boolean): string => {
  const withWhat = hasTyped ? WHAT_YOU_TYPED : 'what it says';
  return chartNumber === null
    ? `Or enter the birth again, with ${withWhat}; this record then stays voided.`
    : `Or enter the birth again under its chart number, with ${withWhat}.`;
};

/** The record is voided, as a rule since its correction was begun. */
export const VoidedMeanwhile = ({ submissionUuid, chartNumber, changes, ...asking }: Voided) => {
  const record = <RecordLink id={submissionUuid}>This record</RecordLink>;
  const hasTyped = changes.length > 0;
  return (
    <AskingForm {...asking}>
      {hasTyped ? (
        <p>
          {NOTHING_SAVED} {record} is voided, and a voided record is not corrected; {WHAT_YOU_TYPED}{' '}
          is kept here.
        </p>
      ) : (
        <p>{record} is voided, and a voided record is not corrected.</p>
      )}
      <p>
        <RecordLink id={submissionUuid} to="/bring-back">
          Bring it back as it was
        </RecordLink>
        {hasTyped ? ', then go on with your correction. ' : ', then correct it. '}
        {describeReentry(chartNumber, hasTyped)}
      </p>
      {hasTyped && (
        <DataTable
          caption="What you typed; the form of the birth holds the other values too"
          rows={changes}
          keyOf={({ path }) => path}
          columns={[
            { heading: 'Value', namesRow: true, cell: ({ label }) => label },
            { heading: 'Before', cell: ({ from }) => from ?? 'Not recorded' },
            { heading: 'As you typed it', cell: ({ to }) => to ?? 'Not recorded' },
          ]}
        />
      )}
      <div class="buttons">
        <button type="submit" name="back" value="yes" class="usa-button">
          Enter the birth again
        </button>
      </div>
    </AskingForm>
  );
};

/** Said to someone whose session ended before they posted the form. */
export const NOTHING_TYPED_IS_LOST =
  'Nothing has been saved yet, and nothing that you typed is lost.';

/** Someone posted the form after their session had ended: nothing that was typed is lost. */
export const SignedOutForm = ({ action, carried }: Asking) => (
  <>
    <p>
      {NOTHING_TYPED_IS_LOST}{' '}
      <a href="/sign-in?next=/registry" target="_blank" rel="noopener">
        Sign in in a new tab
      </a>
      , then come back to this one and go on.
    </p>
    <GoOn action={action} carried={carried} />
  </>
);

/** Says whose form it is not. */
export const describeOthersForm = (who: NamedPerson): string =>
  `Nothing was saved, and nothing that was typed is lost. You are signed in as ${displayNameWithEmail(who)}, and someone else opened this form: only they can go on with it and save it.`;

/** Someone posted the form of someone else, who began it in the same browser. */
export const OthersForm = ({ action, carried, who }: Asking & { readonly who: SignedIn }) => (
  <>
    <p>{describeOthersForm(who)}</p>
    <p>
      If it is yours, open{' '}
      <a href={homeOf(who)} target="_blank" rel="noopener">
        a new tab
      </a>
      , sign out there, sign in as yourself, then come back to this one and go on. If it is not,{' '}
      <a href={homeOf(who)}>leave this form</a>.
    </p>
    <GoOn action={action} carried={carried} />
  </>
);

/** Takes a form up again; whose it is goes along with what was typed. */
const GoOn = ({ action, carried }: Asking) => (
  <HeldForm action={action} class="birth-form">
    <HiddenValues values={carried} />
    <div class="buttons">
      <button type="submit" name="back" value="yes" class="usa-button">
        Go on with the form
      </button>
    </div>
  </HeldForm>
);

/** What was typed, carried along by a page that asks something first. Blank values count too. */
export const HiddenValues = ({ values }: { readonly values: Readonly<Record<string, string>> }) => (
  <>
    {Object.entries(values).map(([name, value]) => (
      <input key={name} type="hidden" name={name} value={value} />
    ))}
  </>
);
