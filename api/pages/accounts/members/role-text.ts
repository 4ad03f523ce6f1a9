import type { Role } from '../../../../domain/roles.ts';

/** Permission of an auditor, in addition to the seat. */
export const AUDITOR_TEXT = 'Auditor: reads the access log and the audit trail too';

/** Permissions of each seat. */
export const ROLE_TEXT: Readonly<Record<Role, string>> = {
  Admin: 'reads and writes records, mints keys, manages members and settings',
  Provider: 'reads and writes records, sees the keys',
  Viewer: 'reads records and statistics',
  Scribe: 'enters births, cannot view records',
};
