import type { CourseOfCare } from '../../../../domain/course/course.ts';
import { MAX_REASON_LENGTH } from '../../../../domain/text-input.ts';
import type { NamedRecord } from '../../../../projections/lists/records.ts';
import { ChangesTable } from '../../layout/changes-table.tsx';
import { Confirm } from '../../layout/confirm.tsx';
import { Notice } from '../../layout/flash-messages.tsx';
import { TextArea } from '../../layout/text-area.tsx';
import { RecordLinks } from '../../parts/birth-form/confirm/confirmation-form.tsx';
import { describeRecord } from '../../parts/describe-record.tsx';
import type { FormattedChange } from '../../text/course-values.ts';

interface RestoreFormProps {
  readonly href: string;
  /** Version that the person sees. */
  readonly seen: number;
  readonly reason: string;
}

export const RestorePage = ({
  href,
  seen,
  reason,
  version,
  madeBy,
  changes,
  isDeIdentified,
}: RestoreFormProps & {
  readonly version: number;
  /** Source of that version: "Sent by Maple EHR". */
  readonly madeBy: string;
  readonly changes: readonly FormattedChange[];
  /** True if the version has neither names nor exact dates. */
  readonly isDeIdentified: boolean;
}) => (
  <Confirm
    action={`${href}/restore`}
    submit={`Restore version ${version}`}
    cancel={href}
    fields={{ version: String(version), seen: String(seen) }}
  >
    <p>
      This restores the values of version {version} (“{madeBy}”) as a new version. Every value keeps
      its source. Nothing is lost: the current version stays in the history, and you can restore it
      too.
    </p>
    {isDeIdentified && (
      <p>
        A partner sent that version. It has no names, exact dates or contact details, so the record
        will be de-identified again.
      </p>
    )}
    {changes.length === 0 ? (
      <p>No value changes; only where the values came from.</p>
    ) : (
      <div class="margin-bottom-3">
        <ChangesTable
          caption={changes.length === 1 ? 'One value changes' : `${changes.length} values change`}
          changes={changes}
          after="After restoring"
        />
      </div>
    )}
    <ReasonField reason={reason} />
  </Confirm>
);

const ReasonField = ({ reason }: { readonly reason: string }) => (
  <TextArea
    name="reason"
    label="Reason for restoring"
    optional
    hint="Everyone who may read the record can read this."
    rows={2}
    maxLength={MAX_REASON_LENGTH}
    value={reason}
  />
);

export const BringBackPage = ({
  href,
  seen,
  reason,
  course,
  practice,
  matches,
}: RestoreFormProps & {
  readonly course: CourseOfCare;
  readonly practice: string;
  /** Live records that it would match; `null` if not checked yet. */
  readonly matches: readonly NamedRecord[] | null;
}) => (
  <Confirm
    action={`${href}/bring-back`}
    submit={matches === null ? 'Restore record' : 'Restore and flag record'}
    cancel={href}
    fields={{ seen: String(seen), ...(matches !== null && { overrule: 'yes' }) }}
  >
    {matches !== null && (
      <>
        <p>
          <strong data-message="not-restored-yet">The record has not been restored yet.</strong>{' '}
          Your practice has a record with the same mother and the same time of birth:
        </p>
        <RecordLinks records={matches} />
        <p>
          If it is a different birth, restore this record: it will be flagged as a suspected
          duplicate, for someone to compare the two. If it is the same birth, leave this record
          voided.
        </p>
      </>
    )}
    <p>
      You are about to restore the record of {describeRecord(course)}, with the values that it had
      before it was voided. For everyone at {practice}:
    </p>
    <ul class="usa-list">
      <li>Every value returns with its source, as a new version.</li>
      <li data-message="counts-again">
        It counts in the births log, the statistics and the benchmarks again, at once.
      </li>
      <li>It is checked for duplicates again.</li>
      <li>The void and its reason stay in the history.</li>
    </ul>
    <ReasonField reason={reason} />
  </Confirm>
);

export const RestoreOutdated = ({ href, seen }: Pick<RestoreFormProps, 'href' | 'seen'>) => (
  <Notice kind="warning" id="not-restored">
    Nothing was restored: someone else has changed this record since you opened this page. It is now
    at version {seen}. <a href={href}>Review it</a>, or confirm the restore below.
  </Notice>
);

export const RestoreBlocked = ({ records }: { readonly records: readonly NamedRecord[] }) => (
  <>
    <Notice kind="error">
      This version was not restored: the record would then have the same mother and the same time of
      birth as another record at your practice. Compare the two first.
    </Notice>
    <RecordLinks records={records} />
  </>
);
