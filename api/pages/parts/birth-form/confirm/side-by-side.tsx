import { DataTable } from '../../../layout/data-table.tsx';
import type { FormattedChange } from '../../../text/course-values.ts';
import type { ComparedBirths } from './compare-births.ts';

/** Equal or missing values are gray; differences are bold. @param sent heading of the second column */
export const SideBySide = ({
  beside: { identifying, others },
  sent,
}: {
  readonly beside: ComparedBirths;
  readonly sent: string;
}) => (
  <>
    <SideBySideTable caption="Both records" rows={identifying} sent={sent} />
    {others.length > 0 && (
      <details>
        <summary>Other differences ({others.length})</summary>
        <SideBySideTable caption="Other differences" rows={others} sent={sent} />
      </details>
    )}
  </>
);

const SideBySideTable = ({
  caption,
  rows,
  sent,
}: {
  readonly caption: string;
  readonly rows: readonly FormattedChange[];
  readonly sent: string;
}) => (
  <DataTable
    caption={caption}
    captionHidden
    rows={rows}
    keyOf={({ path }) => path}
    columns={[
      { heading: 'Value', namesRow: true, cell: ({ label }) => label },
      {
        heading: 'In the record',
        cell: ({ from, to }) => <ComparedValueCell text={from} isAlike={from === to} />,
      },
      {
        heading: sent,
        cell: ({ from, to }) => <ComparedValueCell text={to} isAlike={from === to} />,
      },
    ]}
  />
);

const ComparedValueCell = ({
  text,
  isAlike,
}: {
  readonly text: string | null;
  readonly isAlike: boolean;
}) => {
  const words = text ?? 'Not recorded';
  return isAlike || text === null ? <span class="quiet">{words}</span> : <strong>{words}</strong>;
};
