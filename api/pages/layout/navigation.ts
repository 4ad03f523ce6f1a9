import type { Role } from '../../../domain/roles.ts';
import type { SignedIn } from '../../access/signed-in.ts';
import { canAudit } from '../../web/guards/seats.ts';
import { AUDIT_PAGE, AUDIT_TRAIL } from './audit-trail.tsx';

export interface NavItem {
  readonly href: string;
  readonly text: string;
}

interface PracticeNavItem extends NavItem {
  /** `AUDITORS` for accounts that may read the practice's logs. */
  readonly seats: readonly Role[] | typeof AUDITORS;
}

const AUDITORS = 'auditors';
const EVERYONE: readonly Role[] = ['Admin', 'Provider', 'Viewer', 'Scribe'];
const READERS: readonly Role[] = ['Admin', 'Provider', 'Viewer'];
const WRITERS: readonly Role[] = ['Admin', 'Provider', 'Scribe'];

const PRACTICE_PLACES: readonly PracticeNavItem[] = [
  { href: '/registry', text: 'Home', seats: EVERYONE },
  { href: '/registry/to-do', text: 'To do', seats: WRITERS },
  { href: '/registry/records', text: 'Records', seats: READERS },
  { href: '/registry/records/new', text: 'Enter a birth', seats: WRITERS },
  { href: '/registry/import', text: 'Import', seats: WRITERS },
  { href: '/registry/births', text: 'Births', seats: READERS },
  { href: '/registry/duplicates', text: 'Duplicates', seats: ['Admin', 'Provider'] },
  { href: '/registry/statistics', text: 'Statistics', seats: READERS },
  { href: '/registry/providers', text: 'Providers', seats: READERS },
  { href: '/registry/integrations', text: 'Integrations', seats: ['Admin', 'Provider'] },
  { href: '/registry/custom-fields', text: 'Custom fields', seats: ['Admin'] },
  { href: '/registry/members', text: 'Members', seats: ['Admin'] },
  { href: '/registry/practice', text: 'Practice', seats: ['Admin'] },
  { href: '/registry/access-log', text: 'Access log', seats: AUDITORS },
  { href: AUDIT_PAGE, text: AUDIT_TRAIL, seats: AUDITORS },
];

const STAFF_PLACES: readonly NavItem[] = [
  { href: '/staff', text: 'Home' },
  { href: '/staff/practices', text: 'Practices' },
  { href: '/staff/partners', text: 'Partners' },
  { href: '/staff/people', text: 'Staff' },
  { href: '/staff/status', text: 'Status' },
  { href: '/staff/access-log', text: 'Access log' },
];

export const navItemsFor = (who: SignedIn): readonly NavItem[] =>
  who.kind === 'staff'
    ? STAFF_PLACES
    : PRACTICE_PLACES.filter(({ seats }) =>
        seats === AUDITORS ? canAudit(who) : seats.includes(who.role),
      );

export const getHomePath = (who: SignedIn): string =>
  who.kind === 'staff' ? '/staff' : '/registry';

/** Page that a path belongs to, by longest prefix. Home only matches itself. */
export const findNavItem = (places: readonly NavItem[], path: string): NavItem | undefined =>
  places
    .filter(({ href, text }) => path === href || (text !== 'Home' && path.startsWith(`${href}/`)))
    .toSorted((a, b) => b.href.length - a.href.length)[0];
