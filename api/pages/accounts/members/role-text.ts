import type { Role } from '../../../../domain/roles.ts';

/** Permission of an auditor, in addition to the role. */
export const AUDITOR_TEXT = 'Auditor: also views the access log and the audit trail';

export const ROLE_TEXT: Readonly<Record<Role, string>> = {
  Admin: 'View and edit records; manage API keys, members, and settings',
  Provider: 'View and edit records; view API keys',
  Viewer: 'View records and statistics',
  Scribe: 'Enter births; no access to existing records',
};
