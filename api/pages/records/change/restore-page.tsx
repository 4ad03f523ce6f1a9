import type { ComponentChildren } from 'preact';
import type { CourseOfCare } from '../../../../domain/course/course.ts';
import { MAX_REASON_LENGTH } from '../../../../domain/text-input.ts';
import type { NamedRecord } from '../../../../projections/lists/records.ts';
import { RecordLinks } from '../../birth-form/confirm/confirmation-form.tsx';
import { Confirm } from '../../layout/confirm.tsx';
import { DataTable } from '../../layout/data-table.tsx';
import { ErrorSummary } from '../../layout/error-summary.tsx';
import { type FieldError, findError } from '../../layout/field-errors.ts';
import { Notice } from '../../layout/flash-messages.tsx';
import { TextArea } from '../../layout/text-area.tsx';
import type { FormattedChange } from '../../text/course-values.ts';
import { buildRecordHeading } from '../../text/record-titles.ts';

/** The voided record matches another one. */
export const NOT_BROUGHT_BACK = 'Nothing was brought back yet.';

/** Effect of restoring a voided record. */
export const COUNTS_AGAIN =
  'It counts in the births log, the statistics and the benchmarks again, at once.';

/** Common part of both pages. */
interface RestoreFormProps {
  /** Address of the record's page. */
  readonly href: string;
  /** Version that the person sees. */
  readonly seen: number;
  readonly reason: string;
  readonly errors: readonly FieldError[];
  /** Notice above the form, such as a conflict. */
  readonly above: ComponentChildren;
}

export interface RestorePageProps extends RestoreFormProps {
  readonly version: number;
  /** Source of that version: "Sent by Maple EHR". */
  readonly madeBy: string;
  readonly changes: readonly FormattedChange[];
  /** True if the version has neither names nor exact dates. */
  readonly isDeIdentified: boolean;
}

/** Lists the changes of restoring an earlier version. */
export const RestorePage = (props: RestorePageProps) => {
  const { href, version, madeBy, changes, isDeIdentified } = props;
  return (
    <>
      <ErrorSummary errors={props.errors} />
      {props.above}
      <Confirm
        action={`${href}/restore`}
        submit={`Restore version ${version}`}
        cancel={href}
        fields={{ version: String(version), seen: String(props.seen) }}
      >
        <p>
          This brings back what the record said at version {version} (“{madeBy}”), as a new version.
          Every value comes back with its source. Nothing is lost: the current version stays in the
          history, and you can restore it too.
        </p>
        {isDeIdentified && (
          <p>
            A partner sent that version. It holds no names, exact dates or contact details, so the
            record will be de-identified again.
          </p>
        )}
        {changes.length === 0 ? (
          <p>No value changes; only where the values came from.</p>
        ) : (
          <div class="margin-bottom-3">
            <Changes changes={changes} />
          </div>
        )}
        <ReasonField {...props} label="Why is it restored?" />
      </Confirm>
    </>
  );
};

const Changes = ({ changes }: Pick<RestorePageProps, 'changes'>) => (
  <DataTable
    caption={changes.length === 1 ? 'One value changes' : `${changes.length} values change`}
    rows={changes}
    keyOf={({ path }) => path}
    columns={[
      { heading: 'Value', namesRow: true, cell: ({ label }) => label },
      { heading: 'Now', cell: ({ from }) => from ?? <NotRecorded /> },
      { heading: 'After restoring', cell: ({ to }) => to ?? <NotRecorded /> },
    ]}
  />
);

const NotRecorded = () => <span class="quiet">Not recorded</span>;

const ReasonField = ({
  reason,
  errors,
  label,
}: Pick<RestoreFormProps, 'reason' | 'errors'> & { readonly label: string }) => (
  <TextArea
    name="reason"
    label={label}
    optional
    hint="Everyone who may read the record can read this."
    rows={2}
    maxLength={MAX_REASON_LENGTH}
    value={reason}
    error={findError(errors, 'reason')}
  />
);

export interface BringBackPageProps extends RestoreFormProps {
  readonly course: CourseOfCare;
  readonly practice: string;
  /** Live records that it would match; `null` if not checked yet. */
  readonly lookAlikes: readonly NamedRecord[] | null;
}

/** States the effect of restoring a voided record. */
export const BringBackPage = (props: BringBackPageProps) => {
  const { href, course, practice, lookAlikes, seen } = props;
  const { chart_number: chartNumber, children } = course;
  return (
    <>
      <ErrorSummary errors={props.errors} />
      {props.above}
      <Confirm
        action={`${href}/bring-back`}
        submit={lookAlikes === null ? 'Bring record back' : 'Bring back and flag it'}
        cancel={href}
        fields={{ seen: String(seen), ...(lookAlikes === null ? {} : { overrule: 'yes' }) }}
      >
        {lookAlikes !== null && (
          <>
            <p>
              <strong>{NOT_BROUGHT_BACK}</strong> The practice holds a record with the same mother
              and the same time of birth:
            </p>
            <RecordLinks records={lookAlikes} />
            <p>
              If it is another birth, bring the record back: it is flagged as a suspected duplicate,
              for someone to compare the two. If it is the same birth, leave this record voided.
            </p>
          </>
        )}
        <p>
          You are about to bring back the record of <strong>{buildRecordHeading(course)}</strong>
          {chartNumber === null ? ', without a chart number' : `, chart number ${chartNumber}`},{' '}
          {children.length === 1 ? 'one child' : `${children.length} children`}, as it was before it
          was voided. For everyone at {practice}:
        </p>
        <ul class="changes">
          <li>Every value comes back with its source, as a new version.</li>
          <li>{COUNTS_AGAIN}</li>
          <li>It is compared with other records again when duplicates are looked for.</li>
          <li>The void and its reason stay in the history.</li>
        </ul>
        <ReasonField {...props} label="Why is it brought back?" />
      </Confirm>
    </>
  );
};

/**
 * Another person has changed the record.
 * @param version current version of the record
 */
export const describeChangedMeanwhile = (version: number): string =>
  `Nothing was changed: someone else has changed this record in the meantime, and it is at version ${version} now.`;

/** Shown if the record has changed since the page was opened. */
export const RestoreOutdated = ({ href, seen }: Pick<RestoreFormProps, 'href' | 'seen'>) => (
  <Notice kind="warning">
    {describeChangedMeanwhile(seen)} <a href={href}>Look at it again</a>, or confirm below what it
    will say.
  </Notice>
);

/** Shown if the restored version would match other live records. */
export const RestoreBlocked = ({ records }: { readonly records: readonly NamedRecord[] }) => (
  <>
    <Notice kind="error">
      This version was not restored: the record would then have the same mother and the same time of
      birth as another record of the practice. Compare the two first.
    </Notice>
    <RecordLinks records={records} />
  </>
);
