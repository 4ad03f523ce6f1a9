import type { Role } from '../../../domain/roles.ts';

/** What the permission of an auditor lets its member do besides. */
export const AUDITOR_WORDS = 'Auditor: reads the access log and the audit trail too';

/** What a seat lets its member do. */
export const SEAT_WORDS: Readonly<Record<Role, string>> = {
  Admin: 'reads and writes records, mints keys, manages members and settings',
  Provider: 'reads and writes records, sees the keys',
  Viewer: 'reads records and statistics',
  Scribe: 'enters births, cannot view records',
};
