import type { ItemSection } from '../../../../domain/course/certificate-items.ts';
import { findFieldAt } from '../../../../domain/course/fields.ts';
import type { MissingItem } from '../../../../domain/course/missing-items.ts';
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

export interface Completeness {
  readonly missing: readonly MissingItem[];
  /** `YYYY-MM-DD`; `null` if the practice has no due date or the date of birth is unknown. */
  readonly due: string | null;
  /** Today in the practice's time zone, `YYYY-MM-DD`. */
  readonly today: string;
}

interface MissingFromRecordProps {
  readonly completeness: Completeness;
  readonly children: number;
  readonly correct: string | null;
}

export const MissingFromRecord = ({ completeness, children, correct }: MissingFromRecordProps) => {
  const { missing } = completeness;
  if (missing.length === 0) return null;
  return (
    <Section
      id="missing"
      heading={`Missing: ${countInWords(missing.length, 'item')}`}
      class="missing notice notice--warning no-print"
    >
      <DueLine {...completeness} />
      <Facts
        ruled
        of={groupByPart(missing).map(({ section, child, items }) => [
          child === null ? SECTION_TEXT[section] : formatChildLabel(child, children),
          WORKSHEETS.map((worksheet) => (
            <Items
              key={worksheet}
              heading={WORKSHEET_TEXT[worksheet]}
              items={items.filter(({ item }) => item.worksheet === worksheet)}
              correct={correct}
            />
          )),
        ])}
      />
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
  readonly items: readonly MissingItem[];
  readonly correct: string | null;
}) =>
  items.length === 0 ? null : (
    <p>
      {heading}:{' '}
      {items.map((one, index) => (
        <span key={one.item.id}>
          {index > 0 && '; '}
          <MissingLink missing={one} correct={correct} />
        </span>
      ))}
    </p>
  );

const MissingLink = ({
  missing: { item, child, paths },
  correct,
}: {
  readonly missing: MissingItem;
  readonly correct: string | null;
}) => {
  const [field] = paths.map(findFieldAt).filter((one) => FORM_FIELDS.includes(one));
  return correct === null || field === undefined ? (
    <span>{item.words}</span>
  ) : (
    <a href={`${correct}#${buildFieldId(buildKey(field, child))}`}>{item.words}</a>
  );
};

interface Part {
  readonly section: ItemSection;
  readonly child: number | null;
  readonly items: MissingItem[];
}

const groupByPart = (missing: readonly MissingItem[]): readonly Part[] => {
  const parts: Part[] = [];
  for (const one of missing.toSorted((a, b) => (a.child ?? -1) - (b.child ?? -1))) {
    const { section } = one.item;
    const existing = parts.find((part) => part.section === section && part.child === one.child);
    if (existing === undefined) parts.push({ section, child: one.child, items: [one] });
    else existing.items.push(one);
  }
  return parts;
};
