/** An answer is larger than it may be. */
export class AnswerTooLarge extends Error {
  override readonly name = 'AnswerTooLarge';
}

/** One request to an EHR. */
export interface CappedRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>> | Headers;
  readonly body?: string | URLSearchParams | null;
  /** Ends the request, the reading of its body included. */
  readonly signal: AbortSignal;
  readonly mostBytes: number;
}

/** What came back: redirects are answers, never followed. */
export interface CappedAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
}

/**
 * Sends a request and reads the answer up to a limit, counted after decompression.
 * @throws AnswerTooLarge, or what fetch throws
 */
export const cappedFetch = async (url: string, request: CappedRequest): Promise<CappedAnswer> => {
  const { method = 'GET', headers = {}, body = null, signal, mostBytes } = request;
  const response = await fetch(url, { method, headers, body, signal, redirect: 'manual' });
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    // Leaving the loop cancels the rest.
    if (bytes > mostBytes) throw new AnswerTooLarge('An answer is larger than it may be.');
    chunks.push(chunk);
  }
  return { status: response.status, headers: response.headers, body: Buffer.concat(chunks) };
};

/** The JSON of an answer; undefined if it is none. A parser's message quotes its input. */
export const jsonIn = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
};

/** Whether a request took too long. */
export const isTimeout = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === 'TimeoutError' || (error.cause !== undefined && isTimeout(error.cause)));
