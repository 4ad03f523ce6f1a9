import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Tells Node's HTTP parser that another protocol begins, so it stops reading. */
const STOP_PARSING = 2;

/**
 * Closes a connection without parsing the requests that were already received on it. A destroyed
 * socket alone does not stop Node's parser, which creates the remaining requests at ten times the
 * cost of everything else. Where the parser is not found, they are created and ignored.
 */
export const closeWithoutParsing = (socket: Socket): void => {
  const { parser } = socket as { parser?: { onIncoming?: unknown } | null };
  if (parser) parser.onIncoming = () => STOP_PARSING;
  socket.destroy();
};

/** The response that is next on a connection; its request may not be complete. */
export const findPendingResponse = (socket: Duplex): ServerResponse | null =>
  (socket as { readonly _httpMessage?: ServerResponse | null })._httpMessage ?? null;
