import { countInWords } from '../../../domain/format-measures.ts';
import type { CountedOne } from '../../../domain/statistics/figure-query.ts';
import type { RecordLine } from '../../../projections/lists/records.ts';
import { type Column, DataTable } from '../layout/data-table.tsx';
import { EmptyState } from '../layout/empty-state.tsx';
import { Pagination } from '../layout/pagination.tsx';
import { MOTHER_COLUMN } from '../layout/record-rows.tsx';
import { formatDate } from '../text/format-dates.ts';

/** Counted delivery or birth, with its record. */
export type FigureLine = RecordLine & Pick<CountedOne, 'child'>;

export interface FigureRecordsProps {
  readonly heading: string;
  readonly scope: string;
  /** States that unknown values are excluded, or that these are the unknown ones. */
  readonly note: string;
  /** True if the figure counts children instead of deliveries. */
  readonly isOfBirths: boolean;
  readonly lines: readonly FigureLine[];
  readonly found: number;
  readonly page: number;
  readonly pages: number;
  readonly href: (page: number) => string;
  readonly back: string;
}

export const describeCounted = (count: number, isOfBirths: boolean): string =>
  `${isOfBirths ? countInWords(count, 'birth') : countInWords(count, 'delivery', 'deliveries')}, the latest first`;

/** Records behind a figure, as many as the figure states, each with a link. */
export const FigureRecordsPage = (props: FigureRecordsProps) => {
  const { heading, scope, note, isOfBirths, lines, found, page, pages, href, back } = props;
  return (
    <>
      <p>
        <a href={back}>Back to statistics</a>
      </p>
      <p class="font-sans-md">{heading}</p>
      <p class="scope">
        {scope}. {note}
      </p>
      {found === 0 ? (
        <EmptyState links={[{ href: back, text: 'Back to statistics' }]}>
          No active record is counted here now.
        </EmptyState>
      ) : (
        <>
          <p class="quiet" role="status">
            {describeCounted(found, isOfBirths)}
          </p>
          <DataTable
            caption={heading}
            captionHidden
            rows={lines}
            keyOf={({ submissionUuid, child }) => `${submissionUuid} ${child}`}
            columns={[MOTHER_COLUMN, ...(isOfBirths ? [CHILD_COLUMN] : []), ...COLUMNS]}
          />
        </>
      )}
      <Pagination page={page} pages={pages} of="records" href={href} />
    </>
  );
};

const CHILD_COLUMN: Column<FigureLine> = {
  heading: 'Child',
  cell: ({ child, children }) => (children === 1 ? 'Only child' : `Child ${child} of ${children}`),
};

const COLUMNS: readonly Column<FigureLine>[] = [
  {
    heading: 'Children',
    cell: ({ childNames, children }) => childNames ?? countInWords(children, 'child', 'children'),
  },
  {
    heading: 'Born',
    cell: ({ born }) => (
      <span class="text-no-wrap">{born === null ? 'Not recorded' : formatDate(born)}</span>
    ),
  },
  { heading: 'Place', cell: ({ place }) => place ?? 'Not recorded' },
  { heading: 'Chart number', cell: ({ chartNumber }) => chartNumber ?? 'None' },
];
