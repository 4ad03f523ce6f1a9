/** Every role there is. */
export const ROLES: readonly Role[] = ['Admin', 'Provider', 'Viewer', 'Scribe'];

/** Permissions of a member at a practice. @see spec "Authentication" */
export type Role = 'Admin' | 'Provider' | 'Viewer' | 'Scribe';

/** The roles that may be given the permission of an auditor: an Admin has it, and a Scribe sees no records. */
export const AUDITOR_ROLES: readonly Role[] = ['Provider', 'Viewer'];
