import type { IncomingMessage } from 'node:http';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { GuardedConnections } from './guarded-connections.ts';

/** An answer is larger than it may be. */
export class AnswerTooLarge extends Error {
  override readonly name = 'AnswerTooLarge';
}

/** Nothing answered, or the answer broke off; the cause says why. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

/** One request to an EHR. */
export interface CappedRequest {
  /** Decide which addresses the request may go to. */
  readonly connections: GuardedConnections;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>> | Headers;
  readonly body?: string | URLSearchParams | null;
  /** Milliseconds until the answer has to be there, its body included. */
  readonly withinMs: number;
  /** Ends the request before that. */
  readonly over?: AbortSignal;
  readonly mostBytes: number;
}

/** What came back: redirects are answers, never followed. */
export interface CappedAnswer {
  readonly status: number;
  readonly body: Buffer;
  /** Seconds to wait, as the server says; null where it does not. */
  readonly retryAfterSeconds: number | null;
}

/**
 * Sends a request and reads the answer up to a limit, counted after decompression. Node's own
 * request, for `fetch` leaves no say in the address that it connects to.
 * @throws AnswerTooLarge, NoAnswer
 */
export const cappedFetch = async (url: string, request: CappedRequest): Promise<CappedAnswer> => {
  const { withinMs, over, mostBytes } = request;
  const ending = new AbortController();
  const { signal } = ending;
  // Not AbortSignal.any: the garbage collector may take the timeout that nothing else holds.
  const late = setTimeout(() => ending.abort(new DOMException('', 'TimeoutError')), withinMs);
  const end = () => ending.abort(over?.reason);
  over?.addEventListener('abort', end, { once: true });
  try {
    over?.throwIfAborted();
    const answer = await answerTo(new URL(url), request, signal);
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of inflated(answer) as AsyncIterable<Buffer>) {
      bytes += chunk.byteLength;
      // Leaving the loop ends the connection.
      if (bytes > mostBytes) throw new AnswerTooLarge('An answer is larger than it may be.');
      chunks.push(chunk);
    }
    return {
      status: answer.statusCode ?? 0,
      body: Buffer.concat(chunks),
      retryAfterSeconds: secondsIn(answer.headers['retry-after']),
    };
  } catch (error) {
    if (error instanceof AnswerTooLarge) throw error;
    // A connection that the signal has ended only says that it was reset.
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
    // Also after the answer has begun: then its reader gets the error.
    sent.on('error', reject);
    sent.end(body === null ? undefined : String(body));
  });
};

const inflated = (answer: IncomingMessage): Readable =>
  /^(?:x-)?gzip$/i.test(answer.headers['content-encoding'] ?? '')
    ? pipeline(answer, createGunzip(), () => undefined)
    : answer;

const secondsIn = (header: string | undefined): number | null =>
  header !== undefined && /^\d{1,6}$/.test(header) ? Number(header) : null;

const BYTE_ORDER_MARK = '\ufeff';

/** The JSON of an answer; undefined if it is none. A parser's message quotes its input. */
export const parseJsonBody = (body: Buffer): unknown => {
  try {
    const text = body.toString('utf8');
    return JSON.parse(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text);
  } catch {
    return undefined;
  }
};

/** Whether a request took too long. */
export const isTimeout = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === 'TimeoutError' || (error.cause !== undefined && isTimeout(error.cause)));
