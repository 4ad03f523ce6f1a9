import type { AuditEntry } from '../../../projections/audit-entries.ts';
import { DataTable } from '../frame/data-table.tsx';
import { Time } from '../frame/time.tsx';
import { auditWords } from './audit-words.ts';
import { type Audience, doerFirst } from './doer-words.ts';

/** What an audit trail shows. */
export interface AuditTrailProps {
  readonly entries: readonly AuditEntry[];
  readonly audience: Audience;
}

/** How many entries a page shows. */
export const MOST_ENTRIES = 50;

/** Who changed which right, and when; the newest first. */
export const AuditTrail = ({ entries, audience }: AuditTrailProps) => (
  <section aria-labelledby="audit-trail">
    <h2 id="audit-trail">Audit trail</h2>
    {entries.length === 0 ? (
      <p>Nothing yet.</p>
    ) : (
      <DataTable
        caption={`Who changed what; the last ${MOST_ENTRIES} changes`}
        captionHidden
        rows={entries}
        keyOf={({ entryId }) => entryId}
        columns={[
          { heading: 'When', cell: ({ at }) => <Time at={at} /> },
          { heading: 'What', cell: auditWords },
          { heading: 'Who', cell: ({ by }) => doerFirst(by, audience) },
        ]}
      />
    )}
  </section>
);
