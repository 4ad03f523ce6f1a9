import type { AuditEntry } from '../../../projections/lists/audit.ts';
import { type Audience, actorNameCapitalized } from '../text/actor-name.ts';
import { formatAuditEntry } from '../text/audit-text.ts';
import { DataTable } from './data-table.tsx';
import { useFrame } from './frame-context.ts';
import { Section } from './section.tsx';
import { Time } from './time.tsx';

export interface AuditTrailProps {
  readonly entries: readonly AuditEntry[];
  readonly audience: Audience;
}

export const AUDIT_TRAIL = 'Audit trail';

export const AUDIT_PAGE = '/registry/audit';

export const MAX_ENTRIES = 50;

/** Newest first. */
export const AuditTrail = ({ entries, audience }: AuditTrailProps) => (
  <Section id="audit-trail" heading={AUDIT_TRAIL}>
    <AuditTable
      caption={`Who changed what; the last ${MAX_ENTRIES} changes`}
      entries={entries}
      audience={audience}
    />
    {audience === 'practice' && (
      <p>
        <a href={AUDIT_PAGE}>All changes</a>
      </p>
    )}
  </Section>
);

export const AuditTable = ({
  caption,
  entries,
  audience,
}: AuditTrailProps & { readonly caption: string }) => {
  const frame = useFrame();
  return entries.length === 0 ? (
    <p>Nothing yet.</p>
  ) : (
    <DataTable
      caption={caption}
      captionHidden
      rows={entries}
      keyOf={({ entryId }) => entryId}
      columns={[
        { heading: 'When', cell: ({ at }) => <Time at={at} /> },
        { heading: 'What', cell: (entry) => formatAuditEntry(entry, frame) },
        { heading: 'Who', cell: ({ by }) => actorNameCapitalized(by, audience) },
      ]}
    />
  );
};
