import { type ComponentChildren, Fragment } from 'preact';
import type { RecordLine } from '../../../../projections/lists/records.ts';
import { Facts } from '../../layout/facts.tsx';
import { Pagination } from '../../layout/pagination.tsx';
import { RecordLink } from '../../layout/record-link.tsx';
import { Section } from '../../layout/section.tsx';
import { Time } from '../../layout/time.tsx';
import type { FormattedChange } from '../../text/course-values.ts';
import { formatRecord } from '../../text/record-titles.ts';
import type { HistoryItem } from './record-view.ts';

export interface RecordHistoryProps {
  /** Entries on this page of the history, oldest first. */
  readonly history: readonly HistoryItem[];
  readonly page: number;
  readonly pages: number;
  /** As-of time; `null` for the present. */
  readonly at: Date | null;
  readonly later: number;
  readonly href: string;
  readonly others: ReadonlyMap<string, RecordLine>;
  readonly children?: ComponentChildren;
  /** Current version, if the reader may restore an earlier one; otherwise `null`. */
  readonly restoresFrom: number | null;
}

const MAX_CHANGES = 12;

export const RecordHistory = ({
  history,
  page,
  pages,
  at,
  later,
  href,
  others,
  restoresFrom,
  children,
}: RecordHistoryProps) => (
  <Section id="history" heading="History" class="history">
    {children}
    {later > 0 && (
      <p class="quiet" data-message="later-entries">
        {later === 1 ? 'One later entry is' : `${later} later entries are`} not shown.
      </p>
    )}
    <ol class="history__list usa-list--unstyled" reversed>
      {history.toReversed().map((item) => (
        <li key={item.key}>
          <p>
            <strong title={item.email ?? undefined}>{item.text}</strong>{' '}
            <span class="quiet">
              <Time at={item.at} />, version {item.version}
            </span>{' '}
            <a class="no-print" href={`${href}?at=${item.at.toISOString()}`}>
              View this version<span class="usa-sr-only"> ({item.version})</span>
            </a>
            <RestoreLink item={item} href={href} restoresFrom={restoresFrom} />
          </p>
          {item.reason !== null && <p>Reason: {item.reason}</p>}
          {item.other !== null && <OtherRecord id={item.other} others={others} />}
          <Changes item={item} />
        </li>
      ))}
    </ol>
    <Pagination
      page={page}
      pages={pages}
      of="History"
      href={(other) => buildHistoryPath(href, at, other)}
    />
  </Section>
);

const buildHistoryPath = (href: string, at: Date | null, page: number): string =>
  `${href}?${new URLSearchParams({
    ...(at === null ? {} : { at: at.toISOString() }),
    page: String(page),
  })}#history`;

const OtherRecord = ({
  id,
  others,
}: {
  readonly id: string;
  readonly others: RecordHistoryProps['others'];
}) => {
  const other = others.get(id);
  return other === undefined ? null : (
    <p>
      The other record: <RecordLink id={id}>{formatRecord(other)}</RecordLink>
    </p>
  );
};

const Changes = ({ item }: { readonly item: HistoryItem }) => {
  const { changes, type } = item;
  if (changes.length === 0)
    return type === 'BirthAmended' ? <p class="quiet">No value changed.</p> : null;
  if (changes.length <= MAX_CHANGES) return <ChangeList changes={changes} />;
  return (
    <details>
      <summary>{changes.length} values changed</summary>
      <ChangeList changes={changes} />
    </details>
  );
};

const ChangeList = ({ changes }: { readonly changes: readonly FormattedChange[] }) => (
  <Facts
    ruled
    of={changes.map(({ path, label, from, to }) => [
      label,
      <Fragment key={path}>
        <span class="usa-sr-only">from </span>
        {from === null ? <span class="quiet">not recorded</span> : <del>{from}</del>}
        <span aria-hidden="true"> → </span>
        <span class="usa-sr-only"> to </span>
        {to === null ? <span class="quiet">not recorded</span> : <ins>{to}</ins>}
      </Fragment>,
    ])}
  />
);

const RestoreLink = ({
  item: { type, version },
  href,
  restoresFrom,
}: {
  readonly item: HistoryItem;
  readonly href: string;
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
