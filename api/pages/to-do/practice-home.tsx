import { numberInWords } from '../../../domain/format-measures.ts';
import { WORK_KINDS, type WorkKind } from '../../../domain/work-items/items.ts';
import type {
  ListedPendingRevival,
  RecentRecord,
  RecentSubmission,
  ResentRecord,
} from '../../../projections/lists/practice-activity.ts';
import type { WorkCounts } from '../../../projections/lists/work-items.ts';
import { DataTable } from '../layout/data-table.tsx';
import { findNavItem, type NavItem } from '../layout/navigation.ts';
import { NO_BIRTHS, NO_BIRTHS_TO_READ, NoRecordsYet } from '../layout/no-records-yet.tsx';
import { RecordLink } from '../layout/record-link.tsx';
import { MOTHER_COLUMN, RECORD_ROWS, RecordTags } from '../layout/record-rows.tsx';
import { DecideResubmitted, ResubmittedText } from '../layout/resubmitted-after-void.tsx';
import { Section } from '../layout/section.tsx';
import { Time } from '../layout/time.tsx';
import { ALL_WORK, buildWorkPath, TO_DO } from '../paths.ts';
import { type ActorNames, formatActor } from '../text/record-event-text.ts';
import { formatRecord } from '../text/record-titles.ts';
import { formatSource } from '../text/source-text.ts';
import { hasDrafts, OwnDrafts, type OwnDraftsProps } from './own-drafts.tsx';
import { formatAmount, KIND_TEXT } from './work-item-text.ts';

export interface PracticeHomeProps {
  readonly drafts: OwnDraftsProps;
  readonly work: WorkCounts;
  /** Submissions that failed in the last 7 days. */
  readonly failedSubmissions: number;
  /** Records that were sent again after being voided: the first of them, and the total. */
  readonly overruled: { readonly total: number; readonly listed: readonly ListedPendingRevival[] };
  /** Records that a sender sends over and over; empty for a seat without keys. */
  readonly resent: readonly ResentRecord[];
  readonly actors: ActorNames;
  readonly mayDecide: boolean;
  readonly submissions: readonly RecentSubmission[];
  readonly records: readonly RecentRecord[];
  readonly places: readonly NavItem[];
}

export const NOTHING_NOW = 'Nothing right now.';

export const PracticeHome = (props: PracticeHomeProps) =>
  props.submissions.length === 0 && props.records.length === 0 ? (
    <>
      <OwnDrafts {...props.drafts} />
      <NoRecordsYet mayEnter={props.mayDecide} invitation={NO_BIRTHS}>
        {NO_BIRTHS_TO_READ}
      </NoRecordsYet>
    </>
  ) : (
    <>
      <NeedsAttention {...props} />
      <LatestRecords {...props} />
      <LatestSubmissions {...props} />
    </>
  );

const NeedsAttention = (props: PracticeHomeProps) => {
  const { work, failedSubmissions, overruled, resent, mayDecide, drafts } = props;
  // Overruled voids are listed individually below.
  const kinds = WORK_KINDS.filter(
    (kind) => kind !== 'revived' && (work.byKind.get(kind) ?? 0) > 0 && (mayDecide || isOpen(kind)),
  );
  const nothing =
    kinds.length === 0 && failedSubmissions === 0 && overruled.total === 0 && resent.length === 0;
  return (
    <Section id="needs-attention" heading="Needs attention">
      <OwnDrafts {...drafts} />
      {nothing && !hasDrafts(drafts) && <p>{NOTHING_NOW}</p>}
      {!nothing && (
        <ul class="attention usa-list--unstyled">
          {kinds.map((kind) => (
            <AttentionLine
              key={kind}
              count={work.byKind.get(kind) ?? 0}
              kind={kind}
              mayOpen={mayDecide}
            />
          ))}
          {failedSubmissions > 0 && (
            <li class="padding-y-1">
              <span class="tag tag--count">{numberInWords(failedSubmissions)}</span>{' '}
              <FailedSubmissions count={failedSubmissions} mayOpen={mayDecide} />
            </li>
          )}
        </ul>
      )}
      {mayDecide && work.total > 0 && (
        <p>
          <a href={TO_DO}>Show everything to do</a>
          {work.late > 0 && (
            <>
              {' · '}
              <a href={buildWorkPath({ ...ALL_WORK, isLate: true })}>
                {formatAmount(work.late)} late
              </a>
            </>
          )}
        </p>
      )}
      {resent.length > 0 && <SentOverAndOver resent={resent} />}
      {overruled.total > 0 && <ResubmittedAfterVoid {...props} />}
    </Section>
  );
};

/** Read-only seats may see records, but no keys or refused records. */
const isOpen = (kind: WorkKind): boolean =>
  kind === 'question' || kind === 'missing' || kind === 'duplicate';

const AttentionLine = ({
  count,
  kind,
  mayOpen,
}: {
  readonly count: number;
  readonly kind: WorkKind;
  readonly mayOpen: boolean;
}) => {
  const text = count === 1 ? KIND_TEXT[kind].one : KIND_TEXT[kind].several;
  return (
    <li class="padding-y-1">
      <span class="tag tag--count">{formatAmount(count)}</span>{' '}
      {mayOpen ? <a href={buildWorkPath({ ...ALL_WORK, kind })}>{text}</a> : text}
    </li>
  );
};

const FailedSubmissions = ({
  count,
  mayOpen,
}: {
  readonly count: number;
  readonly mayOpen: boolean;
}) => {
  const text = `${count === 1 ? 'submission' : 'submissions'} failed in the last 7 days`;
  return mayOpen ? <a href={SUBMISSIONS}>{text}</a> : text;
};

export const describeResent = (version: number, sentBy: string | null): string =>
  `${sentBy ?? 'A key without a name'} has sent it again and again: it is at version ${numberInWords(version)}.`;

const SentOverAndOver = ({ resent }: Pick<PracticeHomeProps, 'resent'>) => (
  <Section id="sent-over-and-over" heading="Sent over and over" level="h3">
    <p class="quiet">
      An EHR that sends the same record all the time usually has a fault. Ask its support to stop
      it. If it doesn’t stop, revoke its key under <a href="/registry/integrations">Integrations</a>
      .
    </p>
    <ul class="attention usa-list--unstyled measure-4">
      {resent.map((one) => (
        <li key={one.submissionUuid} class="padding-y-1">
          <RecordLink id={one.submissionUuid}>{formatRecord(one)}</RecordLink>:{' '}
          {describeResent(one.version, one.sentBy)}
        </li>
      ))}
    </ul>
  </Section>
);

const ResubmittedAfterVoid = ({ overruled, actors, mayDecide }: PracticeHomeProps) => (
  <Section id="overruled-voids" heading="Voided, then sent again" level="h3">
    <p class="quiet">
      An EHR sent {overruled.total === 1 ? 'this record' : 'these records'} again after the void, so{' '}
      {overruled.total === 1 ? 'it counts' : 'they count'} again.
      {overruled.total > overruled.listed.length &&
        ` The first ${overruled.listed.length} of ${numberInWords(overruled.total)} are shown.`}
    </p>
    <ul class="attention usa-list--unstyled measure-4">
      {overruled.listed.map((one) => (
        <li key={one.submissionUuid} class="padding-y-1">
          <RecordLink id={one.submissionUuid}>{formatRecord(one)}</RecordLink>:{' '}
          <ResubmittedText
            {...one}
            voidedBy={formatActor(one.voidedBy, actors)}
            revivedBy={formatActor(one.revivedBy, actors)}
          />
          {mayDecide && (
            <DecideResubmitted
              href={`/registry/records/${one.submissionUuid}`}
              version={one.version}
              on="home"
              of={formatRecord(one)}
            />
          )}
        </li>
      ))}
    </ul>
  </Section>
);

const SUBMISSIONS = '/registry/integrations#ingestions';

const buildOpenCheck = (places: readonly NavItem[]) => (href: string) =>
  findNavItem(places, href.split('#')[0] ?? '') !== undefined;

const LatestRecords = ({ records }: PracticeHomeProps) => (
  <Section id="latest-records" heading="Latest records" class="latest-records">
    <DataTable
      caption="Records that were entered or changed most recently"
      captionHidden
      rows={records}
      {...RECORD_ROWS}
      columns={[
        MOTHER_COLUMN,
        { heading: 'Chart number', cell: ({ chartNumber }) => chartNumber ?? 'None' },
        { heading: 'Status', cell: (record) => <RecordTags {...record} /> },
        { heading: 'Source', cell: ({ source }) => formatSource(source) },
        { heading: 'Changed', cell: ({ changedAt }) => <Time at={changedAt} />, figures: true },
      ]}
    />
  </Section>
);

export const LatestSubmissions = ({
  submissions,
  places,
}: Pick<PracticeHomeProps, 'submissions' | 'places'>) =>
  submissions.length === 0 ? null : (
    <Section id="latest-submissions" heading="Latest submissions">
      <DataTable
        caption="Latest submissions to the registry"
        captionHidden
        rows={submissions}
        keyOf={({ ingestionId }) => ingestionId}
        columns={[
          { heading: 'Received', cell: ({ receivedAt }) => <Time at={receivedAt} /> },
          {
            heading: 'Source',
            cell: (submission) => <SourceText {...submission} mayOpen={buildOpenCheck(places)} />,
          },
          { heading: 'Status', cell: ({ status }) => STATES[status] },
          { heading: 'Records', cell: ({ records }) => formatCount(records), figures: true },
          { heading: 'Accepted', cell: ({ accepted }) => formatCount(accepted), figures: true },
          { heading: 'Rejected', cell: ({ rejected }) => formatCount(rejected), figures: true },
        ]}
      />
    </Section>
  );

const formatCount = (count: number | null): string => (count === null ? '–' : numberInWords(count));

/** Links to the submission's details if the seat may open them. */
const SourceText = ({
  source,
  sentBy,
  ingestionId,
  mayOpen,
}: RecentSubmission & { readonly mayOpen: (href: string) => boolean }) => {
  const href = source === 'csv' ? `/registry/import/${ingestionId}/progress` : SUBMISSIONS;
  const words = formatSource(source, sentBy);
  return mayOpen(href) ? <a href={href}>{words}</a> : words;
};

const STATES: Readonly<Record<RecentSubmission['status'], string>> = {
  queued: 'Waiting',
  processing: 'Processing',
  completed: 'Done',
  failed: 'Failed',
};
