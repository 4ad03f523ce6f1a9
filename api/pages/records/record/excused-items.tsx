import {
  type ExplainedItem,
  formatPlace,
  MAX_DAYS_AWAITED,
} from '../../../../domain/birth-record/item-reasons.ts';
import type { KnownBirthRecord } from '../../../../domain/birth-record/state.ts';
import type { MissingItem } from '../../../../domain/course/missing-items.ts';
import { toDate, toDayNumber } from '../../../../domain/fhir/dates.ts';
import { Form } from '../../layout/form.tsx';
import { Section } from '../../layout/section.tsx';
import { Time } from '../../layout/time.tsx';
import { formatItem } from '../../text/field-labels.ts';
import { formatDate } from '../../text/format-dates.ts';
import { REASON_TEXT } from '../../text/section-text.ts';
import type { RecordReason } from '../history/record-view.ts';

interface ReasonFormProps {
  readonly open: readonly ExplainedItem<RecordReason | null>[];
  readonly record: KnownBirthRecord;
  readonly href: string;
  /** In the practice's time zone. */
  readonly today: string;
}

/** Closed at first: most items are entered, not excused. */
export const ReasonForm = ({ open, record, href, today }: ReasonFormProps) => (
  <details class="margin-top-1">
    <summary>Mark items that are not available</summary>
    <Form action={`${href}/missing`}>
      <input type="hidden" name="version" value={String(record.version)} />
      <fieldset class="usa-fieldset choices choices--columns">
        <legend class="usa-legend">Which items?</legend>
        {open.map(({ missing }) => (
          <ItemChoice
            key={toPlaceText(missing)}
            missing={missing}
            record={record}
            checked={open.length === 1}
          />
        ))}
      </fieldset>
      <div class="margin-top-2">
        <strong>It cannot be found out.</strong> It is reported as unknown, and leaves the to-do
        list.
        <div class="buttons margin-top-1">
          <button
            type="submit"
            class="usa-button usa-button--outline"
            name="reason"
            value="unobtainable"
          >
            {REASON_TEXT.unobtainable}
          </button>
        </div>
      </div>
      <div class="margin-top-2">
        <span id="expected-hint">
          <strong>It will come later.</strong> It returns to the to-do list on the day that you
          choose.
        </span>
        <div class="cluster">
          <label class="usa-label margin-top-1" for="expected">
            Expected on
          </label>
          <input
            id="expected"
            class="usa-input field maxw-card-lg margin-top-1"
            type="date"
            name="until"
            min={addDays(today, 1)}
            max={addDays(today, MAX_DAYS_AWAITED)}
            aria-describedby="expected-hint"
          />
          <button
            type="submit"
            class="usa-button usa-button--outline margin-top-1"
            name="reason"
            value="awaited"
          >
            {REASON_TEXT.awaited}
          </button>
        </div>
      </div>
    </Form>
  </details>
);

const addDays = (date: string, days: number): string => toDate(toDayNumber(date) + days);

const toPlaceText = ({ item, child }: MissingItem): string => formatPlace({ item: item.id, child });

const formatMissing = ({ item, child }: MissingItem, { course }: KnownBirthRecord): string =>
  formatItem(item.words, child, course.children.length);

const ItemChoice = ({
  missing,
  record,
  checked,
}: {
  readonly missing: MissingItem;
  readonly record: KnownBirthRecord;
  readonly checked: boolean;
}) => {
  const place = toPlaceText(missing);
  const id = `item-${place.replaceAll(/[ .]/g, '-')}`;
  return (
    <div class="usa-checkbox">
      <input
        class="usa-checkbox__input"
        type="checkbox"
        id={id}
        name="item"
        value={place}
        checked={checked}
      />
      <label class="usa-checkbox__label" for={id}>
        {formatMissing(missing, record)}
      </label>
    </div>
  );
};

interface ExcusedItemsProps {
  readonly excused: readonly ExplainedItem<RecordReason>[];
  readonly record: KnownBirthRecord;
  readonly href: string | null;
}

export const ExcusedItems = ({ excused, record, href }: ExcusedItemsProps) => (
  <Section id="not-available" heading="Not available" class="notice notice--info no-print">
    {excused.map(({ missing, reason }) => (
      <div key={toPlaceText(missing)} class="cluster cluster--close padding-y-05">
        <span>
          <strong>{formatMissing(missing, record)}:</strong> <ReasonText {...reason} />
        </span>
        {href !== null && (
          <Form action={`${href}/needed`}>
            <input type="hidden" name="version" value={String(record.version)} />
            <input type="hidden" name="item" value={toPlaceText(missing)} />
            <button type="submit" class="usa-button usa-button--unstyled">
              Undo<span class="usa-sr-only"> {formatMissing(missing, record)}</span>
            </button>
          </Form>
        )}
      </div>
    ))}
  </Section>
);

const ReasonText = ({ reason, by, at }: RecordReason) => (
  <>
    {REASON_TEXT[reason.kind].toLowerCase()}
    {reason.kind === 'awaited' && `, expected on ${formatDate(reason.until)}`}. Marked by {by},{' '}
    <Time at={at} />.
  </>
);
