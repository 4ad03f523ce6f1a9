import { cappedFetch } from '../egress/capped-fetch.ts';
import { type EgressPolicy, findEgressPolicy } from '../egress/egress-policy.ts';
import { openConnectionsTo } from '../egress/guarded-connections.ts';
import { parseJsonBody } from '../egress/json-body.ts';

export type NamedBy = 'operator' | 'practice' | 'practice-on-this-machine';

/** `null` if it must not be called: an address that a practice's Admin entered never leads inside. */
export const findProviderPolicy = (
  endpoint: string,
  issuer: string,
  namedBy: NamedBy,
): EgressPolicy | null => {
  if (!URL.canParse(issuer)) return null;
  const reach = findEgressPolicy(endpoint, issuer);
  if (namedBy === 'operator') return reach;
  if (reach === 'loopback') return namedBy === 'practice-on-this-machine' ? reach : null;
  return reach === null ? null : 'outside';
};

const WITHIN_MS = 10_000;
const MAX_BYTES = 256 * 1024;
/** Providers list far fewer keys, algorithms, and claims. */
const MAX_LISTED = 200;
const MAX_DEPTH = 10;

export class ProviderAnswerOverLimit extends Error {
  override readonly name = 'ProviderAnswerOverLimit';
}

/** Before any list is used: keys, algorithms, methods. @throws ProviderAnswerOverLimit */
export const limitLists = (value: unknown, depth = 0): void => {
  if (typeof value !== 'object' || value === null) return;
  if (depth > MAX_DEPTH)
    throw new ProviderAnswerOverLimit(
      `An answer of the provider has more than ${MAX_DEPTH} lists inside each other.`,
    );
  const values = Object.values(value);
  if (values.length > MAX_LISTED)
    throw new ProviderAnswerOverLimit(
      `An answer of the provider has a list of ${values.length}. It may have up to ${MAX_LISTED}.`,
    );
  for (const one of values) limitLists(one, depth + 1);
};

interface FetchOptions {
  readonly method?: string | undefined;
  readonly headers?: unknown;
  readonly body?: unknown;
}

const hasNoBody = (status: number): boolean => [204, 205, 304].includes(status);

export const createProviderFetch =
  (issuer: string, namedBy: NamedBy) =>
  async (url: string, { method = 'GET', headers, body }: FetchOptions): Promise<Response> => {
    const reach = findProviderPolicy(url, issuer, namedBy);
    if (reach === null)
      throw new TypeError('An endpoint of the provider has an address that is not allowed.');
    const answer = await cappedFetch(url, {
      connections: openConnectionsTo(reach),
      method,
      headers: headers as Headers,
      body: (body as URLSearchParams | undefined) ?? null,
      withinMs: WITHIN_MS,
      mostBytes: MAX_BYTES,
    });
    limitLists(parseJsonBody(answer.body));
    return new Response(hasNoBody(answer.status) ? null : new Uint8Array(answer.body), {
      status: answer.status,
      // Not every server sends this header. The parser refuses non-JSON anyway.
      headers: { 'Content-Type': 'application/json' },
    });
  };
