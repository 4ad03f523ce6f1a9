import type { ComponentChildren } from 'preact';

export interface Column<Row> {
  readonly heading: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** Right-aligned, with digits of equal width. */
  readonly figures?: boolean;
  /** Row header; at most one column of a table. */
  readonly namesRow?: boolean;
}

export interface DataTableProps<Row> {
  /** Describes the table, also to screen readers without the surrounding page. */
  readonly caption: string;
  /** Shows the caption to screen readers only, because the heading above has the same text. */
  readonly captionHidden?: boolean;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** Class of a row, such as a voided one. */
  readonly rowClass?: (row: Row) => string | undefined;
}

/** Table; on a narrow screen each row becomes a block with its headings next to its values. */
export const DataTable = <Row,>(props: DataTableProps<Row>) => {
  const { caption, captionHidden = false, columns, rows, keyOf, rowClass } = props;
  return (
    <table class="usa-table usa-table--stacked data-table">
      <caption class={captionHidden ? 'usa-sr-only' : undefined}>{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ heading, figures }) => (
            <th key={heading} scope="col" class={figures ? 'figures' : undefined}>
              {heading}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)} class={rowClass?.(row)}>
            {columns.map((column) => (
              <Cell key={column.heading} column={column} row={row} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
};

const Cell = <Row,>({ column, row }: { readonly column: Column<Row>; readonly row: Row }) => {
  const { heading, cell, figures, namesRow } = column;
  const attributes = { 'data-label': heading, class: figures ? 'figures' : undefined };
  return namesRow ? (
    <th scope="row" {...attributes}>
      {cell(row)}
    </th>
  ) : (
    <td {...attributes}>{cell(row)}</td>
  );
};
