import { SCOPES, type Scope } from '../../../domain/api-key/events.ts';

/** What a scope lets a key do, after "may". */
export const SCOPE_WORDS: Readonly<Record<Scope, string>> = {
  'ingest:write': 'send births',
  'ingest:read': 'read results',
};

/** What a key without a scope may do. Its scope is one that there no longer is. */
export const NO_SCOPE = 'may do nothing';

/** "may send births, may read results" */
export const scopesInWords = (scopes: readonly Scope[]): string =>
  scopes.length === 0
    ? NO_SCOPE
    : SCOPES.filter((scope) => scopes.includes(scope))
        .map((scope) => `may ${SCOPE_WORDS[scope]}`)
        .join(', ');
