import type { ComponentChildren } from 'preact';
import { EmptyState } from './empty-state.tsx';

export const NO_BIRTHS = 'No births yet. Enter one, import a CSV, or connect your EHR.';

/** For a role that may not enter births. */
export const NO_BIRTHS_TO_READ = 'No births yet. They appear here once your practice enters one.';

export const NoRecordsYet = ({
  mayEnter,
  invitation,
  children,
}: {
  readonly mayEnter: boolean;
  readonly invitation: ComponentChildren;
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
