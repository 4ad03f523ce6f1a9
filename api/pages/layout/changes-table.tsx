import type { FormattedChange } from '../text/course-values.ts';
import { DataTable } from './data-table.tsx';

export const ChangesTable = ({
  caption,
  changes,
  before = 'Now',
  after,
}: {
  readonly caption: string;
  readonly changes: readonly FormattedChange[];
  readonly before?: string;
  readonly after: string;
}) => (
  <DataTable
    caption={caption}
    rows={changes}
    keyOf={({ path }) => path}
    columns={[
      { heading: 'Value', namesRow: true, cell: ({ label }) => label },
      { heading: before, cell: ({ from }) => from ?? NOT_RECORDED },
      { heading: after, cell: ({ to }) => to ?? NOT_RECORDED },
    ]}
  />
);

const NOT_RECORDED = <span class="quiet">Not recorded</span>;
