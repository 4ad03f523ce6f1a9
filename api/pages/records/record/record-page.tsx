import { numberInWords } from '../../../../domain/format-measures.ts';
import type { PairIds } from '../../../../projections/lists/duplicates.ts';
import type { MatchesOfRecord, RecordLine } from '../../../../projections/lists/records.ts';
import { buildRecordAccessPath } from '../../audit/access-address.ts';
import { buildPairPath } from '../../duplicates/pair-page.tsx';
import { ExportLink } from '../../export/export-choice.tsx';
import { Notice } from '../../layout/flash-messages.tsx';
import { RecordLink } from '../../layout/record-link.tsx';
import {
  DecideResubmitted,
  describeResender,
  describeVoider,
} from '../../layout/resubmitted-after-void.tsx';
import { Time } from '../../layout/time.tsx';
import { UnusualValues } from '../../layout/unusual-values.tsx';
import { formatRecord } from '../../text/record-titles.ts';
import { BringBackLink, canRestoreFrom, RestoreThis } from '../change/restore-links.tsx';
import { AsOfError, AsOfForm, type AsOfFormProps } from '../history/as-of-form.tsx';
import { RecordHistory } from '../history/record-history.tsx';
import { HistoryProofs } from './history-proofs.tsx';
import { type Completeness, MissingFromRecord } from './missing-from-record.tsx';
import { RecordSummary } from './record-summary.tsx';
import { RecordValues } from './record-values.tsx';
import type { RecordNames, RecordView } from './record-view.ts';

/** Asks for a decision on a record that was voided and sent again. */
export const KEEP_OR_VOID = 'It is active again: keep it, or void it again.';

/** States that the page shows an earlier state of the record. */
export const AS_IT_WAS_MESSAGE = 'This is the record as it was on';

/** Precedes the older record that this one matches. */
export const MAY_BE_THE_SAME = 'This record may be the same birth as';

/** States that the record did not exist at the requested time. */
export const NOT_THERE_YET = 'there was no such record yet.';

export const PRINT_NOTED = 'This printout was recorded in the access log.';

export interface RecordPageProps {
  readonly view: RecordView;
  readonly names: RecordNames;
  /** Address of the page, without its query. */
  readonly href: string;
  /** As-of time; `null` for the present. */
  readonly at: Date | null;
  readonly asOf: AsOfFormProps;
  /** Number of events after the as-of time. */
  readonly later: number;
  /** Records that this one is compared with, by id. */
  readonly others: ReadonlyMap<string, RecordLine>;
  /** Open match candidates of this record. */
  readonly lookAlikes: MatchesOfRecord;
  /** True if the record is the newer one of an open pair, now or at the as-of time. */
  readonly isSuspected: boolean;
  /** Missing items; `null` for a record that is voided, printed, or shown as of an earlier time. */
  readonly completeness: Completeness | null;
  /** True if the seat may change records and resolve duplicates. */
  readonly mayWrite: boolean;
  /** True if the seat may see who accessed the record. */
  readonly maySeeAccess: boolean;
  /** Leaf of each history entry, oldest first; `null` if not in the log's tree yet. */
  readonly leaves: readonly (number | null)[];
  /** Address to return to from the print view; `null` if this is not the print view. */
  readonly printed: string | null;
}

/** One record, in the order of a birth. */
export const RecordPage = (props: RecordPageProps) => {
  const { view, names, href, at, asOf, later, others, completeness } = props;
  const { mayWrite, maySeeAccess, printed } = props;
  return (
    <div class="record">
      {printed !== null && <PrintNotice back={printed} />}
      <AsOfError error={asOf.error} />
      {at !== null && <AsOfNotice at={at} href={href} />}
      {at !== null && props.mayWrite && <RestoreThis view={view} />}
      <RecordSummary view={view} isSuspected={props.isSuspected} />
      {/* Items that need a decision, most urgent first. */}
      {at === null && <Banners {...props} />}
      {at === null && <UnusualValues {...props} />}
      {view.state.keyKind === 'partner' && <DeIdentified />}
      {completeness !== null && (
        <MissingFromRecord
          completeness={completeness}
          children={view.state.course.children.length}
          correct={mayWrite ? `${href}/correct` : null}
        />
      )}
      <RecordValues view={view} names={names} />
      <RecordHistory
        history={view.history}
        later={later}
        href={href}
        others={others}
        restoresFrom={canRestoreFrom(props)}
      >
        {printed === null && <AsOfForm {...asOf} />}
      </RecordHistory>
      {printed === null && <HistoryProofs leaves={props.leaves} href={href} />}
      {/* Links to further actions. */}
      {props.mayWrite && printed === null && <ExportLink record={view.state.submissionUuid} />}
      {maySeeAccess && printed === null && (
        <p class="no-print cluster">
          <a href={buildRecordAccessPath(view.state.submissionUuid)}>Who saw this record</a>
        </p>
      )}
    </div>
  );
};

const PrintNotice = ({ back }: { readonly back: string }) => (
  <div class="no-print">
    <Notice kind="info">
      {PRINT_NOTED} If no print dialog opens, use your browser’s print command (Ctrl+P or Cmd+P).{' '}
      <a href={back}>Back to the record</a>
    </Notice>
  </div>
);

const AsOfNotice = ({ at, href }: { readonly at: Date; readonly href: string }) => (
  <Notice kind="warning">
    {AS_IT_WAS_MESSAGE} <Time at={at} />. <a href={href}>Go back to the record as it is now</a>
  </Notice>
);

const Banners = (props: RecordPageProps) => {
  const { view, href, lookAlikes, mayWrite } = props;
  const { state, history } = view;
  const voided = history.findLast(({ type }) => type === 'BirthRetracted');
  return (
    <>
      {state.status === 'voided' && voided !== undefined && (
        <Notice kind="warning">
          This record is voided. It is not in the births log or the statistics. {voided.text},{' '}
          <Time at={voided.at} />.{voided.reason !== null && <> Reason: “{voided.reason}”.</>}
          {mayWrite && <BringBackLink state={state} />}
        </Notice>
      )}
      {view.overruled !== null && (
        <>
          <Notice kind="warning">
            This record was {describeVoider(view.overruled.voidedBy)},{' '}
            <Time at={view.overruled.voidedAt} />
            {view.overruled.reason !== null && <> (“{view.overruled.reason}”)</>}, and{' '}
            {describeResender(view.overruled.revivedBy)}, <Time at={view.overruled.revivedAt} />.{' '}
            {mayWrite ? KEEP_OR_VOID : 'It is active again.'}
          </Notice>
          {mayWrite && (
            <DecideResubmitted href={href} version={view.overruled.version} on="record" />
          )}
        </>
      )}
      {lookAlikes.older.map((line) => (
        <Notice key={line.submissionUuid} kind="warning">
          {MAY_BE_THE_SAME} <RecordLink id={line.submissionUuid}>{formatRecord(line)}</RecordLink>.{' '}
          {mayWrite && (
            <CompareLink pair={{ newer: state.submissionUuid, older: line.submissionUuid }} />
          )}
        </Notice>
      ))}
      {lookAlikes.newer.map((line) => (
        <Notice key={line.submissionUuid} kind="info">
          A later record may be the same birth:{' '}
          <RecordLink id={line.submissionUuid}>{formatRecord(line)}</RecordLink>.{' '}
          {mayWrite && (
            <CompareLink pair={{ newer: line.submissionUuid, older: state.submissionUuid }} />
          )}
        </Notice>
      ))}
      {lookAlikes.more > 0 && (
        <Notice kind="info">
          {describeMoreAlike(lookAlikes.more)}{' '}
          {mayWrite && <a href="/registry/duplicates">Show all suspected duplicates</a>}
        </Notice>
      )}
    </>
  );
};

/** Counts the match candidates beyond the listed ones. */
export const describeMoreAlike = (more: number): string =>
  `And ${numberInWords(more)} more may be the same birth.`;

const CompareLink = ({ pair }: { readonly pair: PairIds }) => (
  <a href={buildPairPath(pair)}>Compare the two</a>
);

const DeIdentified = () => (
  <p class="quiet">
    De-identified: a partner sent this record, and the registry keeps no names, exact dates or
    contact details of such records.
  </p>
);

/** Replaces a record at a time before it existed. */
export const RecordDidNotExist = ({
  at,
  first,
  href,
  asOf,
}: {
  readonly at: Date;
  readonly first: Date;
  readonly href: string;
  readonly asOf: AsOfFormProps;
}) => (
  <div class="record">
    <Notice kind="warning">
      On <Time at={at} /> {NOT_THERE_YET} It was first entered on <Time at={first} />.{' '}
      <a href={href}>Go to the record as it is now</a>
    </Notice>
    <AsOfForm {...asOf} />
  </div>
);
