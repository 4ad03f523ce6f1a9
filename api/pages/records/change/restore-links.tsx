import { buildBringBackPath, buildRestorePath } from '../../layout/record-params.ts';
import type { HistoryItem, RecordView } from '../history/record-view.ts';

export const RestoreLink = ({
  item: { type, version },
  href,
  restoresFrom,
}: {
  readonly item: HistoryItem;
  readonly href: string;
  /** Current version, if the reader may restore an earlier one; otherwise `null`. */
  readonly restoresFrom: number | null;
}) => {
  const hasContent = type === 'BirthRecorded' || type === 'BirthAmended';
  if (restoresFrom === null || !hasContent || version === restoresFrom) return null;
  return (
    <span class="no-print">
      {' · '}
      <a href={`${href}/restore?version=${version}`}>
        Restore this version<span class="usa-sr-only"> ({version})</span>
      </a>
    </span>
  );
};

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
    <a href={buildBringBackPath(submissionUuid)}>Restore record</a>
    {course.chart_number !== null && (
      <>
        , or <a href={`/registry/records/new?record=${submissionUuid}`}>enter the birth again</a>{' '}
        under its chart number with other values
      </>
    )}
    .
  </>
);
