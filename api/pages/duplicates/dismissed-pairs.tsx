import type { DismissedPair, PairLine } from '../../../projections/lists/duplicates.ts';
import { DataTable } from '../layout/data-table.tsx';
import { Form } from '../layout/form.tsx';
import { RecordLink } from '../layout/record-link.tsx';
import { Section } from '../layout/section.tsx';
import { Time } from '../layout/time.tsx';
import { PairFields } from './pair-page.tsx';

export interface NamedDismissedPair extends DismissedPair {
  /** `null` if no longer known. */
  readonly by: string | null;
}

export const DismissedPairs = ({
  pairs,
  days,
}: {
  readonly pairs: readonly NamedDismissedPair[];
  readonly days: number;
}) =>
  pairs.length === 0 ? null : (
    <Section id="dismissed-pairs" heading={`Marked as not a duplicate, last ${days} days`}>
      <DataTable
        caption="Pairs that were marked as not a duplicate"
        captionHidden
        rows={pairs}
        keyOf={({ newer, older }) => `${newer.submissionUuid} ${older.submissionUuid}`}
        columns={[
          { heading: 'Older', namesRow: true, cell: ({ older }) => <RecordOfPair {...older} /> },
          { heading: 'Newer', cell: ({ newer }) => <RecordOfPair {...newer} /> },
          { heading: 'Marked', cell: ({ at }) => <Time at={at} /> },
          { heading: 'Marked by', cell: ({ by }) => by ?? 'A former member' },
          {
            heading: 'Undo',
            cell: (pair) => (
              <Form action="/registry/duplicates/undo">
                <PairFields pair={pair} />
                <button type="submit" class="usa-button usa-button--unstyled">
                  Undo{' '}
                  <span class="usa-sr-only">
                    {formatRecordLabel(pair.older)} and {formatRecordLabel(pair.newer)}
                  </span>
                </button>
              </Form>
            ),
          },
        ]}
      />
    </Section>
  );

const formatRecordLabel = ({ chartNumber, motherName }: PairLine): string =>
  chartNumber ?? motherName ?? 'a record with no chart number';

const RecordOfPair = ({ submissionUuid, chartNumber, motherName }: PairLine) => (
  <>
    <RecordLink id={submissionUuid}>{chartNumber ?? 'No chart number'}</RecordLink>
    {motherName !== null && <span class="display-block">{motherName}</span>}
  </>
);
