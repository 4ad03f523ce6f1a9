import type { IncomingMessage } from 'node:http';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { GuardedConnections } from './guarded-connections.ts';

export class AnswerTooLarge extends Error {
  override readonly name = 'AnswerTooLarge';
}

/** There was no response, or it broke off. See the cause. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

export interface CappedRequest {
  readonly connections: GuardedConnections;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>> | Headers;
  readonly body?: string | URLSearchParams | null;
  /** Timeout in milliseconds, including the body. */
  readonly withinMs: number;
  readonly over?: AbortSignal;
  readonly mostBytes: number;
}

/** Response. Redirects are not followed. */
export interface CappedAnswer {
  readonly status: number;
  readonly body: Buffer;
  /** Seconds to wait according to the server, or `null` if it does not say. */
  readonly retryAfterSeconds: number | null;
}

/** Not `fetch`, which gives no control over the address it connects to. @throws AnswerTooLarge, NoAnswer */
export const cappedFetch = async (url: string, request: CappedRequest): Promise<CappedAnswer> => {
  const { withinMs, over, mostBytes } = request;
  const ending = new AbortController();
  const { signal } = ending;
  // Not AbortSignal.any: the garbage collector may collect a timeout that only it references.
  const late = setTimeout(() => ending.abort(new DOMException('', 'TimeoutError')), withinMs);
  const end = () => ending.abort(over?.reason);
  over?.addEventListener('abort', end, { once: true });
  try {
    over?.throwIfAborted();
    const answer = await answerTo(new URL(url), request, signal);
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of inflate(answer) as AsyncIterable<Buffer>) {
      bytes += chunk.byteLength;
      // Leaving the loop closes the connection.
      if (bytes > mostBytes) throw new AnswerTooLarge('An answer is larger than it may be.');
      chunks.push(chunk);
    }
    return {
      status: answer.statusCode ?? 0,
      body: Buffer.concat(chunks),
      retryAfterSeconds: parseSeconds(answer.headers['retry-after']),
    };
  } catch (error) {
    if (error instanceof AnswerTooLarge) throw error;
    // After an abort, the error only reports a connection reset.
    const cause = signal.aborted ? signal.reason : error;
    throw new NoAnswer('There was no answer.', { cause });
  } finally {
    clearTimeout(late);
    over?.removeEventListener('abort', end);
  }
};

const answerTo = (
  url: URL,
  request: CappedRequest,
  signal: AbortSignal,
): Promise<IncomingMessage> => {
  const { connections, method = 'GET', headers = {}, body = null } = request;
  return new Promise((resolve, reject) => {
    const named = Object.fromEntries(new Headers(headers));
    const sent = connections.begin(url, {
      method,
      signal,
      headers: { 'user-agent': 'birth-registry', ...named, 'accept-encoding': 'gzip' },
    });
    sent.on('response', resolve);
    // Called even after the response has begun. Its reader gets the error then.
    sent.on('error', reject);
    sent.end(body === null ? undefined : String(body));
  });
};

const inflate = (answer: IncomingMessage): Readable =>
  /^(?:x-)?gzip$/i.test(answer.headers['content-encoding'] ?? '')
    ? pipeline(answer, createGunzip(), () => undefined)
    : answer;

const parseSeconds = (header: string | undefined): number | null =>
  header !== undefined && /^\d{1,6}$/.test(header) ? Number(header) : null;

export const isTimeout = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === 'TimeoutError' || (error.cause !== undefined && isTimeout(error.cause)));
