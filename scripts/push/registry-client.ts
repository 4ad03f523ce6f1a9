import { setTimeout as sleep } from 'node:timers/promises';
import { asObject, asObjects, asText, type JsonObject } from '../../domain/fhir/json.ts';

export type RegistryAnswer =
  | { readonly kind: 'queued'; readonly receipt: string; readonly retryAfterMs: number }
  /** The Bundle itself is invalid, so a retry would fail, too. */
  | { readonly kind: 'refused'; readonly diagnostics: readonly string[] };

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
  /** @returns `null` if the registry does not know the receipt. @throws RegistryRefused */
  readonly readReceipt: (address: string) => Promise<ReadReceipt | null>;
  /**
   * Address of a receipt at this registry; `null` if the text is not one of a receipt. The registry
   * may call itself by another name than we do, so only the id counts.
   */
  readonly findReceipt: (text: string) => string | null;
}

/** Maximum outage of a registry, in milliseconds. */
export interface Patience {
  /** Limit until its first answer. */
  readonly firstMs: number;
  /** Limit after a successful answer. */
  readonly laterMs: number;
  /** Limit without any new outcome, while receipts stay queued. */
  readonly queuedMs: number;
}

const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 15_000;
/** Longer than the registry's own timeout for clients. */
const REQUEST_TIMEOUT_MS = 150_000;
/** The rate limit is per minute; the clocks of the two machines may differ. */
const MAX_BUDGET_WAIT_MS = 60_000;
const MS_PER_SECOND = 1_000;
const MIN_POLL_MS = 500;
const MAX_POLL_MS = 30_000;
const MS_PER_DAY = 86_400_000;
/** More than the receipt of the largest batch. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;
const INTAKE = '/api/registry/fhir/Bundle';
const RECEIPTS = '/api/registry/fhir/ingestions/';
const RECEIPT_PATH = /^(?:\/[^/\\%]+)*\/api\/registry\/fhir\/ingestions\/([\w-]{1,128})$/;

interface ReadAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: JsonObject;
}

/**
 * @param apiKey sent to this address only
 * @param onWait called with the reason when requests have to wait
 */
export const createRegistryClient = (
  baseUrl: string,
  apiKey: string,
  patience: Patience,
  onWait: (reason: string) => void,
  stop: AbortSignal,
): RegistryClient => {
  /** Earliest start of the next request, set by the registry's answers. */
  let notBefore = 0;
  let hasAnswered = false;
  let tookAt = performance.now();

  const patienceLeft = (): number =>
    tookAt + (hasAnswered ? patience.laterMs : patience.firstMs) - performance.now();

  const wait = async (): Promise<void> => {
    for (let left = notBefore - performance.now(); left > 0; left = notBefore - performance.now())
      await sleep(left, undefined, { signal: stop });
  };

  const request = async (address: string, init: RequestInit): Promise<Response> =>
    fetch(address, {
      ...init,
      // The key must not follow a redirect.
      redirect: 'manual',
      signal: AbortSignal.any([AbortSignal.timeout(REQUEST_TIMEOUT_MS), stop]),
      headers: {
        Accept: 'application/fhir+json, application/json',
        Authorization: `Bearer ${apiKey}`,
        ...init.headers,
      },
    });

  /** @returns `null` if the registry does not answer, or is busy and its body does not matter */
  const askOnce = async (
    address: string,
    init: RequestInit,
  ): Promise<{ readonly response: Response | null; readonly answer: ReadAnswer | null }> => {
    let response: Response | null = null;
    try {
      response = await request(address, init);
      if (isBusy(response)) {
        await response.body?.cancel();
        return { response, answer: null };
      }
      const { status, headers } = response;
      return { response, answer: { status, headers, body: await readJson(response) } };
    } catch (error) {
      if (error instanceof RegistryRefused) throw error;
      stop.throwIfAborted();
      requireUsableConnection(error);
      return { response: null, answer: null };
    }
  };

  /** Retries on 429, 5xx, and lost connections until the registry has handled the request. */
  const ask = async (address: string, init: RequestInit): Promise<ReadAnswer> => {
    let pauseMs = FIRST_PAUSE_MS;
    for (;;) {
      await wait();
      const { response, answer } = await askOnce(address, init);
      hasAnswered ||= response !== null;
      if (answer !== null) {
        tookAt = performance.now();
        respectBudget(answer);
        return answer;
      }
      // A server that asks for no wait at all must not be asked without pause.
      const waitMs = Math.max(retryAfter(response) ?? 0, pauseMs * (0.5 + Math.random() / 2));
      if (waitMs >= patienceLeft())
        throw new RegistryRefused(
          response === null
            ? 'The registry does not answer. Check --url and the network, then run the command again: it sends the rest.'
            : `The registry is busy (${response.status}), and asks to wait ${formatWait(waitMs)}. Run the command again later: it sends the rest.`,
        );
      onWait(
        response === null
          ? 'The registry does not answer; trying again.'
          : `The registry is busy (${response.status}); waiting ${formatWait(waitMs)}.`,
      );
      // All requests wait, because the next one would also be refused.
      notBefore = Math.max(notBefore, performance.now() + waitMs);
      pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS);
    }
  };

  /** Waits until the minute ends if the rate limit is used up. */
  const respectBudget = ({ headers }: ReadAnswer): void => {
    if (headers.get('X-RateLimit-Remaining') !== '0') return;
    // By the registry's clock.
    const now = Date.parse(headers.get('Date') ?? '') || Date.now();
    const reset = Number(headers.get('X-RateLimit-Reset') ?? 0) * MS_PER_SECOND - now;
    if (reset > 0)
      notBefore = Math.max(notBefore, performance.now() + Math.min(reset, MAX_BUDGET_WAIT_MS));
  };

  /** @throws RegistryRefused for errors that affect all requests */
  const check = ({ status }: ReadAnswer): void => {
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

  const unexpected = ({ status }: ReadAnswer): RegistryRefused =>
    new RegistryRefused(
      `The answer is not one of a registry (${status}). Check --url, and what stands between.`,
    );

  const findReceipt = (text: string): string | null => {
    // A parser of addresses reads a backslash as a slash.
    if (text.includes('\\') || !URL.canParse(text, baseUrl)) return null;
    const { protocol, username, password, pathname, search, hash } = new URL(text, baseUrl);
    const id = RECEIPT_PATH.exec(pathname)?.[1];
    const isPlain = `${username}${password}${search}${hash}` === '' && /^https?:$/.test(protocol);
    return isPlain && id !== undefined ? `${baseUrl}${RECEIPTS}${id}` : null;
  };

  return {
    findReceipt,
    async push(content, idempotencyKey) {
      const answer = await ask(`${baseUrl}${INTAKE}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/fhir+json', 'Idempotency-Key': idempotencyKey },
        body: content as Uint8Array<ArrayBuffer>,
      });
      check(answer);
      if (REFUSALS_OF_BUNDLE.has(answer.status))
        return { kind: 'refused', diagnostics: readDiagnostics(answer.body) };
      const location = answer.headers.get('Content-Location');
      if (answer.status !== 202 || location === null) throw unexpected(answer);
      const receipt = findReceipt(location);
      if (receipt === null)
        throw new RegistryRefused(
          'The registry names an address that is not one of its receipts. Nothing was sent there. Check --url, and what stands between.',
        );
      return { kind: 'queued', receipt, retryAfterMs: computePollDelay(answer) };
    },
    async readReceipt(address) {
      const answer = await ask(address, {});
      if (answer.status === 404) return null;
      check(answer);
      if (answer.status !== 200 || typeof answer.body['status'] !== 'string')
        throw unexpected(answer);
      return { ...readOutcome(answer.body), retryAfterMs: computePollDelay(answer) };
    },
  };
};

const REFUSALS_OF_BUNDLE: ReadonlySet<number> = new Set([400, 413, 415, 422]);

/** A retry may succeed. */
const isBusy = ({ status }: Response): boolean => status === 408 || status === 429 || status >= 500;

/** Connections that fail the same way each time. */
const requireUsableConnection = (error: unknown): void => {
  const { code = '', message = '' } =
    (error as { cause?: { code?: string; message?: string } }).cause ?? {};
  if (/CERT|SIGNATURE|ISSUER|HOSTNAME_MISMATCH/.test(code))
    throw new RegistryRefused(
      `The certificate of this address cannot be trusted (${code}). Nothing was sent. Check --url; for an authority of your own, set NODE_EXTRA_CA_CERTS to its certificate.`,
    );
  if (/^ERR_SSL|^EPROTO/.test(code))
    throw new RegistryRefused(
      `The address does not speak https (${code}). Nothing was sent. Check the port in --url.`,
    );
  if (message === 'bad port')
    throw new RegistryRefused(
      'No registry is at this port, which other protocols use. Check --url.',
    );
};

/** @throws RegistryRefused if it is too long */
const readJson = async (response: Response): Promise<JsonObject> => {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    // Leaving the loop closes the connection.
    if (bytes > MAX_ANSWER_BYTES)
      throw new RegistryRefused(
        `The answer is longer than any of a registry (${response.status}). Check --url, and what stands between.`,
      );
    chunks.push(chunk);
  }
  try {
    return asObject(JSON.parse(Buffer.concat(chunks).toString('utf8')));
  } catch {
    return {};
  }
};

/** `Retry-After` in seconds or as a date (RFC 9110, 10.2.3); `null` if absent or neither. */
export const retryAfter = (response: Pick<Response, 'headers'> | null): number | null => {
  const text = response?.headers.get('Retry-After') ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * MS_PER_SECOND;
  const at = /^[A-Z][a-z]+, /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(at - Date.now(), 0);
};

const computePollDelay = (answer: Pick<Response, 'headers'>): number =>
  Math.min(Math.max(retryAfter(answer) ?? MS_PER_SECOND, MIN_POLL_MS), MAX_POLL_MS);

const formatWait = (ms: number): string =>
  ms > MS_PER_DAY ? 'more than a day' : `${Math.ceil(ms / MS_PER_SECOND)} s`;

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
