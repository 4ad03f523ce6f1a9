import { SCOPES, type Scope } from '../../../domain/api-key/events.ts';

/** What a scope lets a key do, after "may". */
export const SCOPE_WORDS: Readonly<Record<Scope, string>> = {
  'ingest:write': 'send births',
  'ingest:read': 'read results',
  'export:read': 'export whole records',
};

/** "may send births, may read results" */
export const scopesInWords = (scopes: readonly Scope[]): string =>
  SCOPES.filter((scope) => scopes.includes(scope))
    .map((scope) => `may ${SCOPE_WORDS[scope]}`)
    .join(', ');
