/** An answer as it came over the wire. */
export interface Answer {
  readonly status: number;
  /** Status line and headers, without the empty line. */
  readonly head: string;
  readonly body: Buffer;
  /** The server ends the connection after it. */
  readonly isLast: boolean;
}

/** What stands at the beginning of some bytes: an answer, and how many bytes it takes. */
export interface ReadAnswer {
  readonly answer: Answer;
  readonly bytes: number;
}

const HEAD_END = '\r\n\r\n';
const FIRST_FINAL = 200;
const NO_CONTENT = 204;
const NOT_MODIFIED = 304;

/**
 * Reads the first answer out of what has come so far. Our own reader: it takes answers to requests
 * that no client library would send.
 * @param isToHead the request was HEAD: no body follows, whatever the headers say
 * @param hasEnded nothing more will come
 * @returns null while it is not complete
 */
export const readAnswer = (
  received: Buffer,
  isToHead: boolean,
  hasEnded: boolean,
): ReadAnswer | null => {
  const end = received.indexOf(HEAD_END);
  if (end === -1) return null;
  const head = received.toString('latin1', 0, end);
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1] ?? Number.NaN);
  const from = end + HEAD_END.length;
  if (status < FIRST_FINAL) {
    // "100 Continue" is no answer yet.
    const next = readAnswer(received.subarray(from), isToHead, hasEnded);
    return next === null ? null : { answer: next.answer, bytes: from + next.bytes };
  }
  const body =
    isToHead || status === NO_CONTENT || status === NOT_MODIFIED
      ? { content: Buffer.alloc(0), bytes: 0 }
      : readContent(head, received.subarray(from), hasEnded);
  if (body === null) return null;
  const isLast = /^connection: *close/im.test(head);
  return {
    answer: { status, head, body: body.content, isLast },
    bytes: from + body.bytes,
  };
};

interface ReadContent {
  readonly content: Buffer;
  readonly bytes: number;
}

const readContent = (head: string, rest: Buffer, hasEnded: boolean): ReadContent | null => {
  if (/^transfer-encoding: *chunked/im.test(head)) return readChunks(rest);
  const length = /^content-length: *(\d+)/im.exec(head)?.[1];
  if (length === undefined) return hasEnded ? { content: rest, bytes: rest.length } : null;
  const bytes = Number(length);
  return rest.length < bytes ? null : { content: rest.subarray(0, bytes), bytes };
};

const HEXADECIMAL = 16;
const LINE_END = '\r\n';

const readChunks = (rest: Buffer): ReadContent | null => {
  const chunks: Buffer[] = [];
  let at = 0;
  for (;;) {
    const line = rest.indexOf(LINE_END, at);
    if (line === -1) return null;
    const size = Number.parseInt(rest.toString('latin1', at, line), HEXADECIMAL);
    const from = line + LINE_END.length;
    const next = from + size + LINE_END.length;
    if (!(rest.length >= next)) return null;
    if (size === 0) return { content: Buffer.concat(chunks), bytes: next };
    chunks.push(rest.subarray(from, from + size));
    at = next;
  }
};
