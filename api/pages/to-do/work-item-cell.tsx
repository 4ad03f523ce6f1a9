import { CERTIFICATE_ITEMS, ITEM_SECTIONS } from '../../../domain/course/certificate-items.ts';
import { countInWords } from '../../../domain/format-measures.ts';
import type {
  WorkDetails,
  WorkItem,
  WorkRecord,
  WorkSeat,
} from '../../../projections/lists/work-items.ts';
import { RecordLink } from '../layout/record-link.tsx';
import { ResubmittedText } from '../layout/resubmitted-after-void.tsx';
import { Time } from '../layout/time.tsx';
import { UnusualValueList } from '../layout/unusual-values.tsx';
import type { WorkQuery } from '../paths.ts';
import type { CourseContext } from '../text/course-values.ts';
import { type ActorNames, formatActor } from '../text/record-event-text.ts';
import { formatRecord } from '../text/record-titles.ts';
import { SECTION_TEXT } from '../text/section-text.ts';
import { formatRejection } from './rejection-text.ts';
import { KIND_TEXT } from './work-item-text.ts';

export interface ItemProps {
  readonly item: WorkItem;
  readonly seat: WorkSeat;
  readonly query: WorkQuery;
  readonly details: WorkDetails;
  readonly actors: ActorNames;
  readonly words: CourseContext;
}

export const WorkItemCell = (props: ItemProps) => (
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
      return <>{countInWords(details.imports.get(key)?.rejected ?? 0, 'row')} from an import</>;
    case 'handed-over':
      return <>A birth that was sent for review</>;
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
          It was{' '}
          <ResubmittedText
            {...revival}
            voidedBy={formatActor(revival.voidedBy, actors)}
            revivedBy={formatActor(revival.revivedBy, actors)}
          />
        </>
      );
    }
    case 'question': {
      const record = details.questions.get(item.key);
      return record === undefined ? null : <UnusualValueList {...record} words={words} />;
    }
    case 'missing':
      return <MissingParts record={item.key} parts={item.parts} />;
    case 'refused':
      return <RejectionReason item={item} details={details} />;
    case 'duplicate': {
      const pair = details.pairs.get(item.key);
      if (pair === undefined) return null;
      const other = pair.newer === item.key ? pair.older : pair.newer;
      return (
        <>
          May be the same birth as{' '}
          <ItemRecord record={details.records.get(other)} submissionUuid={other} />.
        </>
      );
    }
    case 'import-rows':
      return (
        <>
          Imported by {formatMemberName(details.imports.get(item.key)?.memberId ?? '', actors)}.
          Correct the rejected rows and import them again.
        </>
      );
    case 'handed-over':
      return <>Decide whether this is a new birth or a change to a record.</>;
    case 'key-ending':
      return <>This key expires soon. Replace it so the EHR can keep sending births.</>;
    case 'access-review':
      return <>Confirm once a year that everyone with access still needs it.</>;
  }
};

const MissingParts = ({
  record,
  parts,
}: {
  readonly record: string;
  readonly parts: readonly string[];
}) => {
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
      <li>
        <RecordLink id={record} to="#missing">
          Not available?
        </RecordLink>
      </li>
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

export const formatMemberName = (memberId: string, actors: ActorNames): string =>
  formatActor({ kind: 'member', id: memberId }, actors);
