import type { Child } from '../../../../domain/course/course.ts';
import {
  birthWeightInWords,
  gestationInWords,
  numberInWords,
} from '../../../../domain/format-measures.ts';
import type { PairIds } from '../../../../projections/lists/duplicates.ts';
import type { MatchesOfRecord, RecordLine } from '../../../../projections/lists/records.ts';
import { Notice } from '../../layout/flash-messages.tsx';
import { PrintNotice } from '../../layout/print-notice.tsx';
import { RecordLink } from '../../layout/record-link.tsx';
import { buildBringBackPath, buildRestorePath } from '../../layout/record-params.ts';
import { FetalDeathTag } from '../../layout/record-rows.tsx';
import { DecideResubmitted, ResubmittedText } from '../../layout/resubmitted-after-void.tsx';
import { Tag } from '../../layout/tag.tsx';
import { Time } from '../../layout/time.tsx';
import { UnusualValues } from '../../layout/unusual-values.tsx';
import { ExportLink } from '../../parts/export-choice.tsx';
import { buildPairPath, buildRecordAccessPath } from '../../paths.ts';
import { formatChildLabel } from '../../text/field-labels.ts';
import { formatDate } from '../../text/format-dates.ts';
import { formatValue } from '../../text/format-values.ts';
import { formatFullName } from '../../text/full-name.ts';
import {
  BORN,
  countFetalDeaths,
  DELIVERED,
  formatRecord,
  isHeadedByChartNumber,
} from '../../text/record-titles.ts';
import { AsOfError, AsOfForm, type AsOfFormProps } from '../history/as-of-form.tsx';
import { RecordHistory } from '../history/record-history.tsx';
import type { HistoryItem, RecordNames, RecordView } from '../history/record-view.ts';
import { type Completeness, MissingFromRecord } from './missing-from-record.tsx';
import { RecordValues } from './record-values.tsx';

export interface RecordPageProps {
  readonly view: RecordView;
  readonly names: RecordNames;
  readonly href: string;
  /** As-of time; `null` for the present. */
  readonly at: Date | null;
  readonly asOf: AsOfFormProps;
  readonly later: number;
  readonly others: ReadonlyMap<string, RecordLine>;
  readonly matches: MatchesOfRecord;
  /** True if the record is the newer one of an open pair, now or at the as-of time. */
  readonly isSuspected: boolean;
  /** Missing items; `null` for a record that is voided, printed, or shown as of an earlier time. */
  readonly completeness: Completeness | null;
  /** True if the seat may change records and resolve duplicates. */
  readonly mayWrite: boolean;
  readonly maySeeAccess: boolean;
  /** Entries on this page of the history, oldest first. */
  readonly entries: readonly HistoryItem[];
  readonly page: number;
  readonly pages: number;
  /** Leaf of each of the entries; `null` if not in the log's tree yet. */
  readonly leaves: readonly (number | null)[];
  /** Numbers of the files with the proofs of the entries; the first file needs no number. */
  readonly proofs: readonly number[];
  /** Address to return to from the print view; `null` if this is not the print view. */
  readonly printed: string | null;
}

export const RecordPage = (props: RecordPageProps) => {
  const { view, names, href, at, asOf, later, others, completeness } = props;
  const { mayWrite, maySeeAccess, printed } = props;
  return (
    <div class="record">
      {printed !== null && <PrintNotice back={printed} />}
      <AsOfError error={asOf.error} />
      {at !== null && (
        <Notice kind="warning" id="as-it-was">
          You are viewing this record as of <Time at={at} />.{' '}
          <a href={href}>Go to the current version</a>
        </Notice>
      )}
      {at !== null && mayWrite && <RestoreThis view={view} />}
      <RecordSummary {...props} />
      {/* Items that need a decision, most urgent first. */}
      {at === null && <Banners {...props} />}
      {at === null && <UnusualValues {...props} />}
      {view.state.keyKind === 'partner' && (
        <p class="quiet">
          De-identified: a partner sent this record, and the registry keeps no names, exact dates or
          contact details in such records.
        </p>
      )}
      {completeness !== null && (
        <MissingFromRecord
          completeness={completeness}
          record={view.state}
          href={mayWrite ? href : null}
        />
      )}
      <RecordValues view={view} names={names} />
      <RecordHistory
        history={props.entries}
        page={props.page}
        pages={props.pages}
        at={at}
        later={later}
        href={href}
        others={others}
        restoresFrom={
          mayWrite && at === null && printed === null && view.state.status === 'live'
            ? view.state.version
            : null
        }
      >
        {printed === null && <AsOfForm {...asOf} />}
      </RecordHistory>
      {printed === null && <HistoryProofs {...props} />}
      {mayWrite && printed === null && <ExportLink record={view.state.submissionUuid} />}
      {maySeeAccess && printed === null && (
        <p class="no-print cluster">
          <a href={buildRecordAccessPath(view.state.submissionUuid)}>Who saw this record</a>
        </p>
      )}
    </div>
  );
};

const Banners = (props: RecordPageProps) => {
  const { view, href, matches, mayWrite } = props;
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
          <Notice kind="warning" id={mayWrite ? 'keep-or-void' : undefined}>
            This record was <ResubmittedText {...view.overruled} /> It is active again.
            {mayWrite && ' Keep it, or void it again.'}
          </Notice>
          {mayWrite && (
            <DecideResubmitted href={href} version={view.overruled.version} on="record" />
          )}
        </>
      )}
      {matches.older.map((line) => (
        <Notice key={line.submissionUuid} kind="warning" id="may-be-the-same">
          This record may be the same birth as{' '}
          <RecordLink id={line.submissionUuid}>{formatRecord(line)}</RecordLink>.{' '}
          {mayWrite && (
            <CompareLink pair={{ newer: state.submissionUuid, older: line.submissionUuid }} />
          )}
        </Notice>
      ))}
      {matches.newer.map((line) => (
        <Notice key={line.submissionUuid} kind="info">
          A later record may be the same birth:{' '}
          <RecordLink id={line.submissionUuid}>{formatRecord(line)}</RecordLink>.{' '}
          {mayWrite && (
            <CompareLink pair={{ newer: line.submissionUuid, older: state.submissionUuid }} />
          )}
        </Notice>
      ))}
      {matches.more > 0 && (
        <Notice kind="info" id="more-alike">
          And {numberInWords(matches.more)} more may be the same birth.{' '}
          {mayWrite && <a href="/registry/duplicates">Show all possible duplicates</a>}
        </Notice>
      )}
    </>
  );
};

const CompareLink = ({ pair }: { readonly pair: PairIds }) => (
  <a href={buildPairPath(pair)}>Compare the two</a>
);

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
    <Notice kind="warning" id="not-there-yet">
      On <Time at={at} /> this record did not exist yet. It was first entered on <Time at={first} />
      . <a href={href}>Go to the current version</a>
    </Notice>
    <AsOfForm {...asOf} />
  </div>
);

const RestoreThis = ({ view }: { readonly view: RecordView }) => {
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

/** Offers to restore it unchanged, or to enter other values under its chart number. */
const BringBackLink = ({ state: { course, submissionUuid } }: Pick<RecordView, 'state'>) => (
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

const RecordSummary = ({ view, isSuspected }: Pick<RecordPageProps, 'view' | 'isSuspected'>) => {
  const { state, madeBy } = view;
  const { chart_number: chartNumber, children } = state.course;
  return (
    <div class="record__summary">
      <p class="cluster cluster--close">
        <Tag kind={state.status} />
        <FetalDeathTag record={countFetalDeaths(state.course)} />
        {isSuspected && <Tag kind="suspected-duplicate" />}
        {chartNumber === null ? (
          <span>No chart number</span>
        ) : (
          !isHeadedByChartNumber(state.course) && <span>Chart number {chartNumber}</span>
        )}
      </p>
      {children.map((child, index) => (
        <ChildLine key={index} child={child} index={index} view={view} />
      ))}
      <p class="quiet font-sans-2xs">
        Version {state.version}. {madeBy.text}, <Time at={madeBy.at} />. Record number{' '}
        {state.submissionUuid}
      </p>
    </div>
  );
};

const ChildLine = ({
  child,
  index,
  view,
}: {
  readonly child: Child;
  readonly index: number;
  readonly view: RecordView;
}) => {
  const { children, place_of_birth: place } = view.state.course;
  const facts = [
    child.sex === null ? null : formatValue('children.sex', child.sex, view.words),
    formatDay(child, view),
    child.birth_weight_grams === null ? null : birthWeightInWords(child.birth_weight_grams),
    child.gestational_age_weeks === null
      ? null
      : gestationInWords(child.gestational_age_weeks, child.gestational_age_days),
    place,
  ].filter((fact) => fact !== null);
  const name = formatFullName(child);
  return (
    <p class="cluster font-sans-sm">
      <strong>{name === '' ? formatChildLabel(index, children.length) : name}</strong>
      {facts.map((fact) => (
        <span key={fact}>{fact}</span>
      ))}
    </p>
  );
};

const formatDay = (
  { birth_date: day, birth_time: time, fetal_death: isFetalDeath }: Child,
  { words }: RecordView,
): string => {
  const text =
    time === null
      ? day === null
        ? null
        : formatDate(day)
      : formatValue('children.birth_time', time, words);
  const word = isFetalDeath === true ? DELIVERED : BORN;
  return text === null ? `${word}: date not recorded` : `${word} ${text}`;
};

const LIST_FORMAT = new Intl.ListFormat('en-US');

const HistoryProofs = ({
  leaves,
  proofs,
  href,
}: Pick<RecordPageProps, 'leaves' | 'proofs' | 'href'>) => {
  const leafIndexes = leaves.filter((leaf) => leaf !== null);
  return (
    <details class="no-print margin-y-2">
      <summary>Proof that this history is unchanged</summary>
      {leafIndexes.length > 0 && (
        <p data-message="log-leaves">
          In the registry’s log, these entries are {leafIndexes.length === 1 ? 'leaf' : 'leaves'}{' '}
          {LIST_FORMAT.format(leafIndexes.map(String))}.
        </p>
      )}
      {leafIndexes.length < leaves.length && (
        <p class="quiet">The newest entries can be proven within a minute.</p>
      )}
      <ul class="usa-list">
        {proofs.map((file) => (
          <li key={file}>
            <a href={file === 1 ? `${href}/proofs` : `${href}/proofs?page=${file}`}>
              {file === 1 && proofs.length === 1
                ? 'Download the proofs'
                : `Download file ${file} of the proofs`}
            </a>
          </li>
        ))}
      </ul>
      <p>
        You can check them without the registry. {proofs.length === 1 ? 'The' : 'Each'} file
        contains the record itself, so protect it like the record.
      </p>
    </details>
  );
};
