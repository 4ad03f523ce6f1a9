import type {
  ExplainedItem,
  ExplainedItems,
} from '../../../../domain/birth-record/item-reasons.ts';
import type { KnownBirthRecord } from '../../../../domain/birth-record/state.ts';
import type { ItemSection } from '../../../../domain/course/certificate-items.ts';
import { findFieldAt } from '../../../../domain/course/fields.ts';
import { toDayNumber } from '../../../../domain/fhir/dates.ts';
import { countInWords } from '../../../../domain/format-measures.ts';
import { Facts } from '../../layout/facts.tsx';
import { buildFieldId } from '../../layout/field-errors.ts';
import { Section } from '../../layout/section.tsx';
import { Tag } from '../../layout/tag.tsx';
import { buildKey, FORM_FIELDS } from '../../parts/birth-form/form/form-layout.ts';
import { formatChildLabel } from '../../text/field-labels.ts';
import { formatDate } from '../../text/format-dates.ts';
import { SECTION_TEXT, WORKSHEET_TEXT, WORKSHEETS } from '../../text/section-text.ts';
import type { RecordReason } from '../history/record-view.ts';
import { ExcusedItems, ReasonForm } from './excused-items.tsx';

export interface Completeness extends ExplainedItems<RecordReason> {
  /** `YYYY-MM-DD`; `null` if the practice has no due date or the date of birth is unknown. */
  readonly due: string | null;
  /** Today in the practice's time zone, `YYYY-MM-DD`. */
  readonly today: string;
}

export interface MissingFromRecordProps {
  readonly completeness: Completeness;
  readonly record: KnownBirthRecord;
  /** Path of the record; `null` if the seat may not change it. */
  readonly href: string | null;
}

export const MissingFromRecord = (props: MissingFromRecordProps) => {
  const { open, excused } = props.completeness;
  return (
    <>
      {open.length > 0 && <OpenItems {...props} />}
      {excused.length > 0 && <ExcusedItems excused={excused} {...props} />}
    </>
  );
};

const OpenItems = ({ completeness, record, href }: MissingFromRecordProps) => {
  const { open, today } = completeness;
  const children = record.course.children.length;
  return (
    <Section
      id="missing"
      heading={`Missing: ${countInWords(open.length, 'item')}`}
      class="missing notice notice--warning no-print"
    >
      <DueLine {...completeness} />
      <Facts
        ruled
        of={groupByPart(open).map(({ section, child, items }) => [
          child === null ? SECTION_TEXT[section] : formatChildLabel(child, children),
          WORKSHEETS.map((worksheet) => (
            <Items
              key={worksheet}
              heading={WORKSHEET_TEXT[worksheet]}
              items={items.filter(({ missing }) => missing.item.worksheet === worksheet)}
              correct={href === null ? null : `${href}/correct`}
            />
          )),
        ])}
      />
      {href !== null && <ReasonForm open={open} record={record} href={href} today={today} />}
    </Section>
  );
};

const DueLine = ({ due, today }: Completeness) => {
  if (due === null) return null;
  const late = toDayNumber(today) - toDayNumber(due);
  return (
    <p>
      Due {formatDate(due)}
      {late > 0 && (
        <>
          {' '}
          <Tag kind="warning" text={`${countInWords(late, 'day')} late`} />
        </>
      )}
    </p>
  );
};

const Items = ({
  heading,
  items,
  correct,
}: {
  readonly heading: string;
  readonly items: readonly OpenItem[];
  readonly correct: string | null;
}) =>
  items.length === 0 ? null : (
    <p>
      {heading}:{' '}
      {items.map((one, index) => (
        <span key={one.missing.item.id}>
          {index > 0 && '; '}
          <MissingLink {...one} correct={correct} />
        </span>
      ))}
    </p>
  );

const MissingLink = ({
  missing: { item, child, paths },
  reason,
  correct,
}: OpenItem & { readonly correct: string | null }) => {
  const [field] = paths.map(findFieldAt).filter((one) => FORM_FIELDS.includes(one));
  return (
    <>
      {correct === null || field === undefined ? (
        item.words
      ) : (
        <a href={`${correct}#${buildFieldId(buildKey(field, child))}`}>{item.words}</a>
      )}
      {reason?.reason.kind === 'awaited' && (
        <span class="quiet"> (expected {formatDate(reason.reason.until)})</span>
      )}
    </>
  );
};

type OpenItem = ExplainedItem<RecordReason | null>;

interface Part {
  readonly section: ItemSection;
  readonly child: number | null;
  readonly items: OpenItem[];
}

const groupByPart = (open: readonly OpenItem[]): readonly Part[] => {
  const parts: Part[] = [];
  for (const one of open.toSorted((a, b) => (a.missing.child ?? -1) - (b.missing.child ?? -1))) {
    const { child, item } = one.missing;
    const existing = parts.find((part) => part.section === item.section && part.child === child);
    if (existing === undefined) parts.push({ section: item.section, child, items: [one] });
    else existing.items.push(one);
  }
  return parts;
};
