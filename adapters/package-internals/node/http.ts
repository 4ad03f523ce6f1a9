import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Makes Node's HTTP parser stop, as if another protocol followed. */
const STOP_PARSING = 2;

/** Destroying the socket does not stop Node's parser, which would create the remaining requests. */
export const closeWithoutParsing = (socket: Socket): void => {
  const { parser } = socket as { parser?: { onIncoming?: unknown } | null };
  if (parser) parser.onIncoming = () => STOP_PARSING;
  socket.destroy();
};

/** Next response of a connection. Its request may be incomplete. */
export const findPendingResponse = (socket: Duplex): ServerResponse | null =>
  (socket as { readonly _httpMessage?: ServerResponse | null })._httpMessage ?? null;
