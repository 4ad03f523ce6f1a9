import { setTimeout as sleep } from 'node:timers/promises';
import { asObject, asObjects, asText, type JsonObject } from '../../domain/fhir/json.ts';

/** Answer to a push. */
export type RegistryAnswer =
  | { readonly kind: 'queued'; readonly receipt: string; readonly retryAfterMs: number }
  /** The Bundle itself is invalid, so a retry would fail, too. */
  | { readonly kind: 'refused'; readonly diagnostics: readonly string[] };

/** Relevant part of a receipt. */
export interface ReadReceipt {
  readonly outcome: 'accepted' | 'rejected' | 'failed' | null;
  readonly diagnostics: readonly string[];
  readonly retryAfterMs: number;
}

/** The registry refuses all requests of this command; the message explains why, with a remedy. */
export class RegistryRefused extends Error {
  override readonly name = 'RegistryRefused';
}

export interface RegistryClient {
  /** @throws RegistryRefused */
  readonly push: (content: Buffer, idempotencyKey: string) => Promise<RegistryAnswer>;
  /**
   * @returns `null` if the registry does not know the receipt.
   * @throws RegistryRefused
   */
  readonly readReceipt: (address: string) => Promise<ReadReceipt | null>;
}

/** Maximum outage of a registry, in milliseconds. */
export interface Patience {
  /** Limit until its first answer. */
  readonly firstMs: number;
  /** Limit after a successful answer. */
  readonly laterMs: number;
}

const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 15_000;
/** Longer than the registry's own timeout for clients. */
const REQUEST_TIMEOUT_MS = 150_000;
/** The rate limit is per minute; the clocks of the two machines may differ. */
const MAX_BUDGET_WAIT_MS = 60_000;
const MS_PER_SECOND = 1_000;
const INTAKE = '/api/registry/fhir/Bundle';

/**
 * @param baseUrl address of the registry, such as `https://registry.example`
 * @param apiKey sent to this address only
 * @param onWait called with the reason when requests have to wait
 */
export const createRegistryClient = (
  baseUrl: string,
  apiKey: string,
  patience: Patience,
  onWait: (reason: string) => void,
): RegistryClient => {
  /** Earliest start of the next request, set by the registry's answers. */
  let notBefore = 0;
  let hasAnswered = false;
  let tookAt = performance.now();

  /** Remaining time that the registry may be busy or unavailable. */
  const patienceLeft = (): number =>
    tookAt + (hasAnswered ? patience.laterMs : patience.firstMs) - performance.now();

  const wait = async (): Promise<void> => {
    for (let left = notBefore - performance.now(); left > 0; left = notBefore - performance.now())
      await sleep(left);
  };

  /** Retries on 429, 5xx, and lost connections until the registry has handled the request. */
  const ask = async (address: string, init: RequestInit): Promise<Response> => {
    let pauseMs = FIRST_PAUSE_MS;
    for (;;) {
      await wait();
      const response = await fetch(address, {
        ...init,
        redirect: 'manual',
        signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
        headers: {
          Accept: 'application/fhir+json, application/json',
          Authorization: `Bearer ${apiKey}`,
          ...init.headers,
        },
      }).catch(() => null);
      hasAnswered ||= response !== null;
      if (response !== null && !isBusy(response)) {
        tookAt = performance.now();
        respectBudget(response);
        return response;
      }
      await response?.body?.cancel();
      const waitMs = retryAfter(response) ?? pauseMs * (0.5 + Math.random() / 2);
      if (waitMs >= patienceLeft())
        throw new RegistryRefused(
          response === null
            ? 'The registry does not answer. Check --url and the network, then run the command again: it sends the rest.'
            : `The registry is busy (${response.status}), and asks to wait ${Math.ceil(waitMs / MS_PER_SECOND)} s. Run the command again later: it sends the rest.`,
        );
      onWait(
        response === null
          ? 'The registry does not answer; trying again.'
          : `The registry is busy (${response.status}); waiting ${Math.ceil(waitMs / MS_PER_SECOND)} s.`,
      );
      // All requests wait, because the next one would also be refused.
      notBefore = Math.max(notBefore, performance.now() + waitMs);
      pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS);
    }
  };

  /** Waits until the minute ends if the rate limit is used up. */
  const respectBudget = ({ headers }: Response): void => {
    if (headers.get('X-RateLimit-Remaining') !== '0') return;
    // By the registry's clock.
    const now = Date.parse(headers.get('Date') ?? '') || Date.now();
    const reset = Number(headers.get('X-RateLimit-Reset') ?? 0) * MS_PER_SECOND - now;
    if (reset > 0)
      notBefore = Math.max(notBefore, performance.now() + Math.min(reset, MAX_BUDGET_WAIT_MS));
  };

  /** @throws RegistryRefused for errors that affect all requests */
  const check = ({ status }: Response): void => {
    if (status === 401)
      throw new RegistryRefused(
        'The registry does not know the API key (401). Check --key-file, or ask the practice for a key.',
      );
    if (status === 403)
      throw new RegistryRefused(
        'The API key may not do this (403). It needs the scopes ingest:write and ingest:read, and may be bound to addresses.',
      );
    if (status === 404 || status === 405 || (status >= 300 && status < 400))
      throw new RegistryRefused(
        `There is no registry at this address (${status}). --url takes its address, as https://registry.example.`,
      );
  };

  const unexpected = ({ status }: Response): RegistryRefused =>
    new RegistryRefused(
      `The answer is not one of a registry (${status}). Check --url, and what stands between.`,
    );

  return {
    async push(content, idempotencyKey) {
      const response = await ask(`${baseUrl}${INTAKE}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/fhir+json', 'Idempotency-Key': idempotencyKey },
        body: content as Uint8Array<ArrayBuffer>,
      });
      check(response);
      const receipt = response.headers.get('Content-Location');
      const body = await readJson(response);
      if (REFUSALS_OF_BUNDLE.has(response.status))
        return { kind: 'refused', diagnostics: readDiagnostics(body) };
      if (response.status !== 202 || receipt === null) throw unexpected(response);
      return { kind: 'queued', receipt, retryAfterMs: retryAfter(response) ?? MS_PER_SECOND };
    },
    async readReceipt(address) {
      // Ignores the host in the address, so that the API key is sent to this registry only.
      const { pathname, search } = new URL(address, baseUrl);
      const response = await ask(new URL(`${pathname}${search}`, baseUrl).href, {});
      if (response.status === 404) return null;
      check(response);
      const receipt = await readJson(response);
      if (response.status !== 200 || typeof receipt['status'] !== 'string')
        throw unexpected(response);
      return { ...readOutcome(receipt), retryAfterMs: retryAfter(response) ?? MS_PER_SECOND };
    },
  };
};

/** The registry rejects the content of the Bundle. */
const REFUSALS_OF_BUNDLE: ReadonlySet<number> = new Set([400, 413, 415, 422]);

/** A retry may succeed. */
const isBusy = ({ status }: Response): boolean => status === 408 || status === 429 || status >= 500;

const readJson = async (response: Response): Promise<JsonObject> =>
  asObject(await response.json().catch(() => null));

/** Milliseconds of `Retry-After`, in seconds or as a date (RFC 9110, 10.2.3); `null` if absent. */
export const retryAfter = (response: Pick<Response, 'headers'> | null): number | null => {
  const text = response?.headers.get('Retry-After') ?? '';
  if (/^\d{1,6}$/.test(text)) return Number(text) * MS_PER_SECOND;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : Math.max(at - Date.now(), 0);
};

/** Texts of an OperationOutcome, which quote no submitted value except a refused code. */
const readDiagnostics = (outcome: unknown): readonly string[] =>
  asObjects(asObject(outcome)['issue']).flatMap(({ diagnostics }) => asText(diagnostics) ?? []);

const readOutcome = ({
  status,
  rejected,
  outcome,
}: JsonObject): Pick<ReadReceipt, 'outcome' | 'diagnostics'> => {
  if (status === 'failed') return { outcome: 'failed', diagnostics: [] };
  if (status !== 'completed') return { outcome: null, diagnostics: [] };
  if (rejected === 0) return { outcome: 'accepted', diagnostics: [] };
  const entries = asObjects(asObject(outcome)['rejected']);
  return {
    outcome: 'rejected',
    diagnostics: entries.flatMap((entry) => readDiagnostics(entry['outcome'])),
  };
};
