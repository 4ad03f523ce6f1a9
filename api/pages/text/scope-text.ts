import { SCOPES, type Scope } from '../../../domain/api-key/events.ts';

export const SCOPE_TEXT: Readonly<Record<Scope, string>> = {
  'ingest:write': 'send births',
  'ingest:read': 'read results',
};

/** "may send births, may read results"; the only scope of a key may no longer exist. */
export const formatScopes = (scopes: readonly Scope[]): string =>
  scopes.length === 0
    ? 'may do nothing'
    : SCOPES.filter((scope) => scopes.includes(scope))
        .map((scope) => `may ${SCOPE_TEXT[scope]}`)
        .join(', ');
