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
 * Answers with an OperationOutcome what Node would answer by itself, without one: what it cannot read
 * as a request, or does not wait for. A request whose Expect it does not know goes the way of all
 * requests, to be counted before {@link refuseUnknownExpectation}.
 * @see spec "Errors": every error is an OperationOutcome
 */
export const answerUnreadable = (server: Server): void => {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    const pending = findPendingResponse(socket);
    // Behind part of an answer another one would be read as more of it.
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

/** What was said already of the request: how much its bucket has left, and its correlation id. */
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
