import { SCOPES, type Scope } from '../../../domain/api-key/events.ts';

export const SCOPE_TEXT: Readonly<Record<Scope, string>> = {
  'ingest:write': 'send births',
  'ingest:read': 'read results',
};

/** Shown for a key whose only scope no longer exists. */
export const NO_SCOPE = 'may do nothing';

/** "may send births, may read results" */
export const formatScopes = (scopes: readonly Scope[]): string =>
  scopes.length === 0
    ? NO_SCOPE
    : SCOPES.filter((scope) => scopes.includes(scope))
        .map((scope) => `may ${SCOPE_TEXT[scope]}`)
        .join(', ');
