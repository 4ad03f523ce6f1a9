import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { findPendingResponse } from '../../adapters/private-parts/node/http.ts';
import { toIssue, toOutcome } from './operation-outcome.ts';
import {
  expectationUnknown,
  headersTooLong,
  malformed,
  type RequestProblem,
  tooSlow,
} from './request-problem.ts';

const problemOf = (code: string | undefined): RequestProblem => {
  if (code === 'HPE_HEADER_OVERFLOW') return headersTooLong();
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? tooSlow() : malformed(400);
};

/**
 * Responds with an OperationOutcome where Node would respond without one: to unreadable requests
 * and timeouts. A request with an unknown `Expect` follows the usual path, so that it is counted
 * before {@link refuseUnknownExpectation}.
 * @see spec "Errors": every error is an OperationOutcome
 */
export const answerUnreadable = (server: Server): void => {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    const pending = findPendingResponse(socket);
    // After part of a response, the client would read another one as its continuation.
    if (socket.writable && pending?.headersSent !== true)
      socket.write(textOf(problemOf(error.code), headersOf(pending)));
    socket.destroy();
  });
  server.on('checkExpectation', (req: IncomingMessage, res: ServerResponse) => {
    expectUnmet.add(req);
    server.emit('request', req, res);
  });
};

/** Requests with an `Expect` that the service does not support. */
const expectUnmet = new WeakSet<IncomingMessage>();

/** @throws RequestProblem 417 for a request with an unsupported `Expect` */
export const refuseUnknownExpectation = (req: IncomingMessage): void => {
  if (expectUnmet.has(req)) throw expectationUnknown();
};

/** Headers already set for the request: the rest of its bucket, and its correlation id. */
const SAID_BEFORE = /^(?:x-ratelimit-|x-correlation-id$)/;

const headersOf = (pending: ServerResponse | null): readonly string[] =>
  Object.entries(pending?.getHeaders() ?? {})
    .filter(([name]) => SAID_BEFORE.test(name))
    .map(([name, value]) => `${name}: ${value}`);

const textOf = (problem: RequestProblem, headers: readonly string[]): string => {
  const body = JSON.stringify(toOutcome(toIssue(problem)));
  return [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
    'Connection: close',
    'Content-Type: application/fhir+json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...headers,
    '',
    body,
  ].join('\r\n');
};
