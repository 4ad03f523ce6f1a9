import type { ComponentChildren } from 'preact';

/** A column of a table. */
export interface Column<Row> {
  readonly heading: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** Figures stand on the right, in digits of one width. */
  readonly figures?: boolean;
  /** Names the row: one column of a table at most. */
  readonly namesRow?: boolean;
}

/** What a table shows. */
export interface DataTableProps<Row> {
  /** Says what the table holds, to people who cannot see the page around it too. */
  readonly caption: string;
  /** The heading above says the same: only those hear the caption who do not see it. */
  readonly captionHidden?: boolean;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** Class of a row, for one that is voided. */
  readonly rowClass?: (row: Row) => string | undefined;
}

/** A table; on a narrow screen each row becomes a block with the headings beside its values. */
export const DataTable = <Row,>(props: DataTableProps<Row>) => {
  const { caption, captionHidden = false, columns, rows, keyOf, rowClass } = props;
  return (
    <table class="usa-table data-table">
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
