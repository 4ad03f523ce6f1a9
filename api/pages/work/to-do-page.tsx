import type { ComponentChildren } from 'preact';
import { CERTIFICATE_ITEMS, ITEM_SECTIONS } from '../../../domain/course/certificate-items.ts';
import { countInWords } from '../../../domain/format-measures.ts';
import type { Draft } from '../../../domain/intake/form/drafts.ts';
import { isDismissible, WORK_KINDS, type WorkKind } from '../../../domain/work-items/items.ts';
import type {
  WorkCounts,
  WorkDetails,
  WorkItem,
  WorkRecord,
  WorkSeat,
} from '../../../projections/lists/work-items.ts';
import { buildWorkPath, TO_DO, type WorkQuery } from '../addresses.ts';
import { DraftNotice } from '../birth-form/drafts/draft-notice.tsx';
import { buildPairPath } from '../duplicates/pair-page.tsx';
import { DataTable } from '../layout/data-table.tsx';
import { EmptyState } from '../layout/empty-state.tsx';
import { Form } from '../layout/form.tsx';
import { Pagination } from '../layout/pagination.tsx';
import { PageLink, RecordLink } from '../layout/record-link.tsx';
import { DecideResubmitted } from '../layout/resubmitted-after-void.tsx';
import { Time } from '../layout/time.tsx';
import { ConfirmUnusualValues, UnusualValueList } from '../layout/unusual-values.tsx';
import type { CourseContext } from '../text/course-values.ts';
import { formatDate } from '../text/format-dates.ts';
import { type ActorNames, formatActor } from '../text/record-event-text.ts';
import { formatRecord } from '../text/record-titles.ts';
import { SECTION_TEXT } from '../text/section-text.ts';
import { formatRejection } from './rejection-text.ts';
import { formatAge, formatAmount, formatLateness, KIND_TEXT } from './work-item-text.ts';

export interface ToDoPageProps {
  readonly seat: WorkSeat;
  readonly query: WorkQuery;
  readonly counts: WorkCounts;
  readonly items: readonly WorkItem[];
  readonly details: WorkDetails;
  readonly actors: ActorNames;
  readonly words: CourseContext;
  /** Number of pages, at least one. */
  readonly pages: number;
}

/** To-do items: counts by kind, then a list by due date. */
export const ToDoPage = (props: ToDoPageProps) => {
  const { query, items, pages } = props;
  return (
    <>
      <Filters {...props} />
      {items.length === 0 ? <NothingToDo {...props} /> : <WorkTable {...props} />}
      <Pagination
        page={query.page}
        pages={pages}
        of="things to do"
        href={(page) => buildWorkPath({ ...query, page })}
      />
    </>
  );
};

/** Unfinished forms of a person. */
export interface OwnDraftsProps {
  readonly births: readonly Draft[];
  readonly corrections: readonly Draft[];
}

/** The person's own drafts, which no one else sees. */
export const OwnDrafts = ({ births, corrections }: OwnDraftsProps) => (
  <>
    <DraftNotice
      drafts={births}
      action="/registry/records/new"
      resume={({ draftId }) => `/registry/records/new?draft=${draftId}`}
      text="Birth in progress"
    />
    {corrections.map((draft) => {
      const action = `/registry/records/${draft.draftId}/correct`;
      return (
        <DraftNotice
          key={draft.draftId}
          drafts={[draft]}
          action={action}
          resume={() => `${action}?draft=yes`}
          text="Correction in progress"
        />
      );
    })}
  </>
);

const Filters = ({ query, counts }: ToDoPageProps) => {
  const all = { ...query, isMine: false, isLate: false, isDismissed: false, page: 1 };
  const whose = [
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
      <nav aria-label="Which of them">
        <ul class="cluster usa-list--unstyled">
          {whose.map((one) => (
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
      {query.isDismissed ? 'Nothing was dismissed.' : 'Nothing to do here.'}
    </EmptyState>
  ) : (
    <EmptyState links={[{ href: '/registry/records', text: 'Show all records' }]}>
      Nothing to do. What needs someone’s attention appears here: unusual values, missing
      information, rejected records, and suspected duplicates.
    </EmptyState>
  );
};

const WorkTable = (props: ToDoPageProps) => {
  const { seat, items, query, actors } = props;
  const hasDue = items.some(({ due }) => due !== null);
  return (
    <DataTable
      caption={query.isDismissed ? 'Things that were dismissed' : 'Things to do'}
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
          heading: 'Who',
          cell: ({ takenBy }) =>
            takenBy === null ? 'Not taken' : formatAssignee(takenBy, seat, actors),
        },
        { heading: 'Next step', cell: (item) => <Steps {...props} item={item} /> },
      ]}
    />
  );
};

const formatAssignee = (memberId: string, seat: WorkSeat, actors: ActorNames): string =>
  memberId === seat.memberId ? 'You' : formatName(memberId, actors);

const formatName = (memberId: string, actors: ActorNames): string =>
  formatActor({ kind: 'member', id: memberId }, actors);

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

interface ItemProps extends ToDoPageProps {
  readonly item: WorkItem;
}

const WorkItemCell = (props: ItemProps) => (
  <div class="maxw-tablet text-normal">
    <span class="tag tag--plain">{KIND_TEXT[props.item.kind].mark}</span> <Title {...props} />
    <div class="margin-top-05">
      <Detail {...props} />
    </div>
  </div>
);

const ItemRecord = ({
  record,
  submissionUuid,
}: {
  readonly record: WorkRecord | undefined;
  readonly submissionUuid: string;
}) => (
  <RecordLink id={submissionUuid}>
    {record === undefined ? 'Record' : formatRecord(record)}
  </RecordLink>
);

const Title = ({ item: { kind, key }, details }: ItemProps) => {
  switch (kind) {
    case 'revived':
    case 'question':
    case 'missing':
    case 'duplicate':
      return <ItemRecord record={details.records.get(key)} submissionUuid={key} />;
    case 'refused': {
      const chartNumber = details.refused.get(key)?.chartNumber ?? null;
      return chartNumber === null ? (
        <>A record without a usable chart number</>
      ) : (
        <>Chart number {chartNumber}</>
      );
    }
    case 'import-rows':
      return <>{countInWords(details.imports.get(key)?.rejected ?? 0, 'row')} of an import</>;
    case 'handed-over':
      return <>A birth that was handed over</>;
    case 'key-ending':
      return <>{details.keys.get(key) ?? 'A key without a name'}</>;
    case 'access-review':
      return <>Review who has access</>;
  }
};

const Detail = ({ item, details, actors, words }: ItemProps) => {
  switch (item.kind) {
    case 'revived': {
      const revival = details.revived.get(item.key);
      return revival === undefined ? null : (
        <>
          Voided by {formatActor(revival.voidedBy, actors)}, <Time at={revival.voidedAt} />
          {revival.reason !== null && <> (“{revival.reason}”)</>}; sent again by{' '}
          {formatActor(revival.revivedBy, actors)}, <Time at={revival.revivedAt} />.
        </>
      );
    }
    case 'question': {
      const asked = details.questions.get(item.key);
      return asked === undefined ? null : <UnusualValueList {...asked} words={words} />;
    }
    case 'missing':
      return <MissingParts parts={item.parts} />;
    case 'refused':
      return <RejectionReason item={item} details={details} />;
    case 'duplicate': {
      const [first, ...others] = details.pairs.get(item.key) ?? [];
      if (first === undefined) return null;
      const other = first.newer === item.key ? first.older : first.newer;
      return (
        <>
          May be the same birth as{' '}
          <ItemRecord record={details.records.get(other)} submissionUuid={other} />
          {others.length > 0 && ` and ${countInWords(others.length, 'other record')}`}.
        </>
      );
    }
    case 'import-rows':
      return (
        <>
          Imported by {formatName(details.imports.get(item.key)?.memberId ?? '', actors)}. Correct
          the rejected rows and import them again.
        </>
      );
    case 'handed-over':
      return <>Decide whether it is a new birth or changes a record.</>;
    case 'key-ending':
      return <>The EHR cannot send births any more when the key ends. Replace it before.</>;
    case 'access-review':
      return <>Confirm once a year that everyone who has access still needs it.</>;
  }
};

const MissingParts = ({ parts }: { readonly parts: readonly string[] }) => {
  const items = CERTIFICATE_ITEMS.filter(({ id }) => parts.includes(id));
  return (
    <ul class="usa-list--unstyled">
      {ITEM_SECTIONS.map((section) => {
        const ofSection = items.filter((item) => item.section === section);
        return (
          ofSection.length > 0 && (
            <li key={section}>
              {SECTION_TEXT[section]}: {ofSection.map((one) => one.words).join(', ')}
            </li>
          )
        );
      })}
    </ul>
  );
};

const RejectionReason = ({ item, details }: Pick<ItemProps, 'item' | 'details'>) => {
  const refused = details.refused.get(item.key);
  if (refused === undefined) return null;
  return (
    <>
      {refused.rejections.map((rejection) => {
        const { reason, remedy } = formatRejection(rejection);
        return (
          <p key={rejection.id} class="margin-0">
            {reason} {remedy}
          </p>
        );
      })}
      <p class="margin-0 quiet">
        {refused.sentBy !== null && `Sent by ${refused.sentBy}, `}
        <Time at={item.since} />
      </p>
    </>
  );
};

const Steps = (props: ItemProps) => {
  const { item, seat, query, details } = props;
  const name = formatItemName(props);
  if (query.isDismissed)
    return (
      <WorkForm {...props}>
        <Step value="reopen" text="Put back" name={name} isMain />
      </WorkForm>
    );
  const { takenBy } = item;
  return (
    <div class="work-item__steps">
      <MainStep {...props} name={name} />
      <WorkForm {...props}>
        {takenBy === null && <Step value="take" text="Take" name={name} />}
        {takenBy === seat.memberId && <Step value="release" text="Release" name={name} />}
        {takenBy !== null && takenBy !== seat.memberId && (
          <Step value="take" text="Take over" name={name} />
        )}
        {isDismissible(item.kind) && (takenBy === null || takenBy === seat.memberId) && (
          <Step value="dismiss" text="Dismiss" name={name} />
        )}
      </WorkForm>
      {item.kind === 'question' && details.questions.has(item.key) && (
        <ConfirmUnusualValues
          href={`/registry/records/${item.key}`}
          version={details.questions.get(item.key)?.version ?? 0}
          paths={item.parts}
          on={buildWorkPath(query)}
          of={name}
        />
      )}
    </div>
  );
};

/** Name of an item for screen readers. */
const formatItemName = ({ item, details }: Pick<ItemProps, 'item' | 'details'>): string => {
  const record = details.records.get(item.key);
  if (record !== undefined) return formatRecord(record);
  const chartNumber = details.refused.get(item.key)?.chartNumber;
  if (typeof chartNumber === 'string') return `chart number ${chartNumber}`;
  return details.keys.get(item.key) ?? KIND_TEXT[item.kind].one;
};

interface StepLink {
  readonly text: string;
  readonly href: string;
}

const MAIN_STEPS: Readonly<
  Partial<Record<WorkKind, (item: WorkItem, details: WorkDetails) => StepLink>>
> = {
  question: ({ key }) => ({ text: 'Correct', href: `/registry/records/${key}/correct` }),
  missing: ({ key }) => ({ text: 'Complete', href: `/registry/records/${key}/correct` }),
  refused: ({ key }, details) => {
    const recordUuid = details.refused.get(key)?.recordUuid ?? null;
    return recordUuid === null
      ? { text: 'Enter birth', href: '/registry/records/new' }
      : { text: 'Open record', href: `/registry/records/${recordUuid}` };
  },
  duplicate: ({ key }, details) => {
    const [pair] = details.pairs.get(key) ?? [];
    return {
      text: 'Compare',
      href: pair === undefined ? '/registry/duplicates' : buildPairPath(pair),
    };
  },
  'import-rows': ({ key }) => ({
    text: 'Show rows',
    href: `/registry/import/${key}/progress`,
  }),
  'handed-over': ({ key }) => ({
    text: 'Decide',
    href: `/registry/records/handed-over/${key}`,
  }),
  'key-ending': () => ({ text: 'Open keys', href: '/registry/integrations' }),
  'access-review': () => ({ text: 'Review', href: '/registry/members/review' }),
};

const MainStep = ({ item, details, name }: ItemProps & { readonly name: string }) => {
  const step = MAIN_STEPS[item.kind]?.(item, details);
  if (step !== undefined)
    return (
      <PageLink class="usa-button usa-button--outline" href={step.href}>
        {step.text}
        <span class="usa-sr-only"> {name}</span>
      </PageLink>
    );
  const revival = details.revived.get(item.key);
  return revival === undefined ? null : (
    <DecideResubmitted
      href={`/registry/records/${item.key}`}
      version={revival.version}
      on="to-do"
      of={name}
    />
  );
};

const WorkForm = ({
  item,
  query,
  children,
}: ItemProps & { readonly children: ComponentChildren }) => (
  <Form action={TO_DO} class="cluster">
    <input type="hidden" name="kind" value={item.kind} />
    <input type="hidden" name="key" value={item.key} />
    <input type="hidden" name="from" value={item.takenBy ?? ''} />
    <input type="hidden" name="shown" value={buildWorkPath(query).slice(TO_DO.length)} />
    {children}
  </Form>
);

const Step = ({
  value,
  text,
  name,
  isMain = false,
}: {
  readonly value: string;
  readonly text: string;
  readonly name: string;
  readonly isMain?: boolean;
}) => (
  <button
    type="submit"
    name="do"
    value={value}
    class={`usa-button usa-button--${isMain ? 'outline' : 'unstyled'}`}
  >
    {text}
    <span class="usa-sr-only"> {name}</span>
  </button>
);

/** People named on a page of the list. */
export const listActors = (items: readonly WorkItem[], details: WorkDetails) =>
  [
    ...items.flatMap(({ takenBy }) => (takenBy === null ? [] : [takenBy])),
    ...[...details.imports.values()].map(({ memberId }) => memberId),
  ].map((id) => ({ kind: 'member', id }) as const);
