import type { ComponentChildren } from 'preact';
import { numberInWords } from '../../../domain/format-measures.ts';
import type { RecordLine } from '../../../projections/lists/records.ts';
import type { Column } from '../layout/data-table.tsx';
import { formatRecord } from '../text/record-titles.ts';
import { buildQueryParameters, type RecordQuery } from './record-query.ts';

export const EXPORT = '/registry/export';

export const CHOICE_COLUMN: Column<RecordLine> = {
  heading: 'Select',
  cell: (record) => {
    const id = `select-${record.submissionUuid}`;
    return (
      <div class="usa-checkbox bg-transparent">
        <input
          class="usa-checkbox__input"
          type="checkbox"
          id={id}
          name="record"
          value={record.submissionUuid}
        />
        <label class="usa-checkbox__label" for={id}>
          <span class="usa-sr-only">Select {formatRecord(record)}</span>
        </label>
      </div>
    );
  },
};

/** Wraps a list in a form that exports the selected records or all matches. */
export const ExportForm = ({
  query,
  found,
  isMore,
  mayExport,
  children,
}: {
  readonly query: RecordQuery;
  readonly found: number;
  /** True if counting stopped at a limit. */
  readonly isMore: boolean;
  readonly mayExport: boolean;
  readonly children: ComponentChildren;
}) =>
  mayExport ? (
    <form method="get" action={EXPORT}>
      {Object.entries(buildQueryParameters(query)).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
      <div class="buttons no-print">
        <button type="submit" class="usa-button usa-button--outline" name="of" value="selected">
          Export selected
        </button>
        <button type="submit" class="usa-button usa-button--outline" name="of" value="found">
          Export all {isMore ? `of more than ${numberInWords(found)}` : numberInWords(found)}
        </button>
      </div>
    </form>
  ) : (
    children
  );

export const ExportLink = ({ record }: { readonly record: string }) => (
  <p class="no-print">
    <a href={`${EXPORT}?record=${record}`}>Export this record</a>
  </p>
);
