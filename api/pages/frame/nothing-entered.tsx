import type { ComponentChildren } from 'preact';
import { EmptyState } from './empty-state.tsx';

/** A list that is empty because the practice has no records yet, and the ways to the first one. */
export const NothingEntered = ({
  mayEnter,
  invitation,
  children,
}: {
  /** Whether the seat may enter births. */
  readonly mayEnter: boolean;
  /** What a seat that may enter births reads. */
  readonly invitation: ComponentChildren;
  /** What other seats read. */
  readonly children: ComponentChildren;
}) =>
  mayEnter ? (
    <EmptyState
      links={[
        { href: '/registry/records/new', text: 'Enter a birth' },
        { href: '/registry/import', text: 'Import a CSV' },
        { href: '/registry/integrations', text: 'Connect your EHR' },
      ]}
    >
      {invitation}
    </EmptyState>
  ) : (
    <EmptyState>{children}</EmptyState>
  );
