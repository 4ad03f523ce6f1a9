export const ROLES: readonly Role[] = ['Admin', 'Provider', 'Viewer', 'Scribe'];

/** Permissions of a member in a practice. @see spec "Authentication" */
export type Role = 'Admin' | 'Provider' | 'Viewer' | 'Scribe';

/** An Admin already has that access, and a Scribe cannot see records. */
export const AUDITOR_ROLES: readonly Role[] = ['Provider', 'Viewer'];
