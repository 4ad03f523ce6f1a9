import { cappedFetch } from '../egress/capped-fetch.ts';
import { type EgressPolicy, findEgressPolicy } from '../egress/egress-policy.ts';
import { openConnectionsTo } from '../egress/guarded-connections.ts';

/** Who has named an identity provider, and with it where the registry sends requests. */
export type NamedBy = 'operator' | 'practice' | 'practice-on-this-machine';

/**
 * How far a request may reach to an endpoint of a provider; null: not at all. What an Admin of a practice
 * types never leads to machines beside the registry, unless the whole service is one on this machine, for
 * development.
 */
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

/** What a library passes to its replacement for `fetch`. */
interface Asked {
  readonly method?: string | undefined;
  readonly headers?: unknown;
  readonly body?: unknown;
}

const hasNoBody = (status: number): boolean => [204, 205, 304].includes(status);

/** A `fetch` that goes where a provider may send the registry, and no further. */
export const createProviderFetch =
  (issuer: string, namedBy: NamedBy) =>
  async (url: string, { method = 'GET', headers, body }: Asked): Promise<Response> => {
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
    return new Response(hasNoBody(answer.status) ? null : new Uint8Array(answer.body), {
      status: answer.status,
      // Not every server sends this header; anything that is not JSON is refused when it is parsed.
      headers: { 'Content-Type': 'application/json' },
    });
  };
