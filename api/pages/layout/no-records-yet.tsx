import type { ComponentChildren } from 'preact';
import { EmptyState } from './empty-state.tsx';

/** Invitation to enter the first birth. */
export const NO_BIRTHS = 'No births yet. Enter one, import a CSV, or connect your EHR.';

/** For a role that may not enter births. */
export const NO_BIRTHS_TO_READ = 'No births yet. They appear here once your practice enters one.';

/** Empty list of a practice without records, with links for adding the first one. */
export const NoRecordsYet = ({
  mayEnter,
  invitation,
  children,
}: {
  /** True if the seat may enter births. */
  readonly mayEnter: boolean;
  /** Text for a seat that may enter births. */
  readonly invitation: ComponentChildren;
  /** Text for other seats. */
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
