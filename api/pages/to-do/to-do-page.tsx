import { WORK_KINDS } from '../../../domain/work-items/items.ts';
import type {
  WorkCounts,
  WorkDetails,
  WorkItem,
  WorkSeat,
} from '../../../projections/lists/work-items.ts';
import { DataTable } from '../layout/data-table.tsx';
import { EmptyState } from '../layout/empty-state.tsx';
import { Pagination } from '../layout/pagination.tsx';
import { buildWorkPath, TO_DO } from '../paths.ts';
import { formatDate } from '../text/format-dates.ts';
import type { ActorNames } from '../text/record-event-text.ts';
import { formatMemberName, type ItemProps, WorkItemCell } from './work-item-cell.tsx';
import { WorkItemSteps } from './work-item-steps.tsx';
import { formatAge, formatAmount, formatLateness, KIND_TEXT } from './work-item-text.ts';

export interface ToDoPageProps extends Omit<ItemProps, 'item'> {
  readonly counts: WorkCounts;
  readonly items: readonly WorkItem[];
  readonly pages: number;
}

export const ToDoPage = (props: ToDoPageProps) => {
  const { query, items, pages } = props;
  return (
    <>
      <Filters {...props} />
      {items.length === 0 ? <NothingToDo {...props} /> : <WorkTable {...props} />}
      <Pagination
        page={query.page}
        pages={pages}
        of="To-do items"
        href={(page) => buildWorkPath({ ...query, page })}
      />
    </>
  );
};

const Filters = ({ query, counts }: ToDoPageProps) => {
  const all = { ...query, isMine: false, isLate: false, isDismissed: false, page: 1 };
  const views = [
    {
      query: all,
      text: 'Open',
      count: counts.total,
      isHere: !query.isMine && !query.isLate && !query.isDismissed,
    },
    { query: { ...all, isMine: true }, text: 'Mine', count: counts.mine, isHere: query.isMine },
    { query: { ...all, isLate: true }, text: 'Late', count: counts.late, isHere: query.isLate },
    {
      query: { ...all, isDismissed: true },
      text: 'Dismissed',
      count: null,
      isHere: query.isDismissed,
    },
  ];
  const kinds = WORK_KINDS.filter(
    (kind) => (counts.byKind.get(kind) ?? 0) > 0 || kind === query.kind,
  );
  return (
    <div class="work-filters margin-bottom-205">
      <nav aria-label="Status">
        <ul class="cluster usa-list--unstyled">
          {views.map((one) => (
            <li key={one.text}>
              <FilterLink
                href={buildWorkPath(one.query)}
                isHere={one.isHere}
                text={one.text}
                count={query.isDismissed ? null : one.count}
              />
            </li>
          ))}
        </ul>
      </nav>
      {kinds.length > 0 && (
        <nav aria-label="Kinds">
          <ul class="cluster usa-list--unstyled">
            <li>
              <FilterLink
                href={buildWorkPath({ ...query, kind: null, page: 1 })}
                isHere={query.kind === null}
                text="All kinds"
                count={null}
              />
            </li>
            {kinds.map((kind) => (
              <li key={kind}>
                <FilterLink
                  href={buildWorkPath({ ...query, kind, page: 1 })}
                  isHere={query.kind === kind}
                  text={KIND_TEXT[kind].mark}
                  count={query.isMine || query.isLate ? null : (counts.byKind.get(kind) ?? 0)}
                />
              </li>
            ))}
          </ul>
        </nav>
      )}
    </div>
  );
};

const FilterLink = ({
  href,
  text,
  count,
  isHere,
}: {
  readonly href: string;
  readonly text: string;
  readonly count: number | null;
  readonly isHere: boolean;
}) => (
  <a class="filter-link" href={href} aria-current={isHere ? 'true' : undefined}>
    {text}
    {count !== null && ` ${formatAmount(count)}`}
  </a>
);

const NothingToDo = ({ query }: ToDoPageProps) => {
  const isFiltered = query.kind !== null || query.isMine || query.isLate || query.isDismissed;
  return isFiltered ? (
    <EmptyState links={[{ href: TO_DO, text: 'Show everything' }]}>
      {query.isDismissed ? 'No dismissed items.' : 'Nothing to do here.'}
    </EmptyState>
  ) : (
    <EmptyState links={[{ href: '/registry/records', text: 'Show all records' }]}>
      Nothing to do. Items that need attention appear here: unusual values, missing information,
      rejected records, and possible duplicates.
    </EmptyState>
  );
};

const WorkTable = (props: ToDoPageProps) => {
  const { seat, items, query, actors } = props;
  const hasDue = items.some(({ due }) => due !== null);
  return (
    <DataTable
      caption={query.isDismissed ? 'Dismissed items' : 'To-do items'}
      captionHidden
      rows={items}
      keyOf={({ kind, key }) => `${kind} ${key}`}
      rowClass={() => 'work-item'}
      columns={[
        {
          heading: 'What',
          namesRow: true,
          cell: (item) => <WorkItemCell {...props} item={item} />,
        },
        { heading: 'Waiting', cell: ({ since }) => formatAge(since, seat.now) },
        ...(hasDue
          ? [{ heading: 'Due', cell: ({ due }: WorkItem) => <Due due={due} today={seat.today} /> }]
          : []),
        {
          heading: 'Assigned to',
          cell: ({ takenBy }) =>
            takenBy === null ? 'Unassigned' : formatAssignee(takenBy, seat, actors),
        },
        { heading: 'Next step', cell: (item) => <WorkItemSteps {...props} item={item} /> },
      ]}
    />
  );
};

const formatAssignee = (memberId: string, seat: WorkSeat, actors: ActorNames): string =>
  memberId === seat.memberId ? 'You' : formatMemberName(memberId, actors);

const Due = ({ due, today }: { readonly due: string | null; readonly today: string }) => {
  if (due === null) return <>–</>;
  const late = formatLateness(due, today);
  return (
    <>
      {formatDate(due)}
      {late !== null && (
        <>
          {' '}
          <span class="tag tag--refused">{late}</span>
        </>
      )}
    </>
  );
};

export const listActors = (items: readonly WorkItem[], details: WorkDetails) =>
  [
    ...items.flatMap(({ takenBy }) => (takenBy === null ? [] : [takenBy])),
    ...[...details.imports.values()].map(({ memberId }) => memberId),
  ].map((id) => ({ kind: 'member', id }) as const);
