import type { HistoryItem, RecordView } from '../record/record-view.ts';
import { buildBringBackPath, buildRestorePath } from '../record-params.ts';

/** Current version, if the reader may restore an earlier one; otherwise `null`. */
export const canRestoreFrom = ({
  view,
  at,
  mayWrite,
  printed,
}: {
  readonly view: RecordView;
  readonly at: Date | null;
  readonly mayWrite: boolean;
  readonly printed: string | null;
}): number | null =>
  mayWrite && at === null && printed === null && view.state.status === 'live'
    ? view.state.version
    : null;

/** Link from a history entry to the page that restores its version. */
export const RestoreLink = ({
  item: { type, version },
  href,
  restoresFrom: held,
}: {
  readonly item: HistoryItem;
  readonly href: string;
  readonly restoresFrom: number | null;
}) => {
  const isContent = type === 'BirthRecorded' || type === 'BirthAmended';
  if (held === null || !isContent || version === held) return null;
  return (
    <span class="no-print">
      {' · '}
      <a href={`${href}/restore?version=${version}`}>
        Restore this version<span class="usa-sr-only"> ({version})</span>
      </a>
    </span>
  );
};

/** Link to restore the version shown by an as-of page. */
export const RestoreThis = ({ view }: { readonly view: RecordView }) => {
  const { status, version, submissionUuid } = view.state;
  return status === 'voided' ? null : (
    <p class="no-print">
      <a
        class="usa-button usa-button--outline"
        href={`${buildRestorePath(submissionUuid)}?version=${version}`}
      >
        Restore this version
      </a>
    </p>
  );
};

/**
 * Two options for a voided record: restore it unchanged, or enter other values under its chart
 * number.
 */
export const BringBackLink = ({ state: { course, submissionUuid } }: Pick<RecordView, 'state'>) => (
  <>
    {' '}
    <a href={buildBringBackPath(submissionUuid)}>Bring it back as it was</a>
    {course.chart_number !== null && (
      <>
        , or <a href={`/registry/records/new?record=${submissionUuid}`}>enter the birth again</a>{' '}
        under its chart number with other values
      </>
    )}
    .
  </>
);
