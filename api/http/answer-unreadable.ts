import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { findPendingResponse } from '../../adapters/package-internals/node/http.ts';
import { toIssue, toOutcome } from './operation-outcome.ts';
import { type Problem, REQUEST_PROBLEMS } from './problems.ts';
import { RequestProblem } from './request-problem.ts';

const findProblem = (code: string | undefined): Problem => {
  if (code === 'HPE_HEADER_OVERFLOW') return REQUEST_PROBLEMS['headers-too-long'];
  return REQUEST_PROBLEMS[code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'too-slow' : 'malformed-address'];
};

/**
 * Covers input that is not a request, and requests that take too long. One with an unknown Expect
 * is handled like any other, so that it is counted before {@link refuseUnknownExpectation}.
 * @see spec "Errors": every error is an OperationOutcome
 */
export const answerUnreadable = (server: Server): void => {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    const pending = findPendingResponse(socket);
    // After part of an answer, another one would be read as its continuation.
    if (socket.writable && pending?.headersSent !== true)
      socket.write(formatAnswer(findProblem(error.code), formatPreservedHeaders(pending)));
    socket.destroy();
  });
  server.on('checkExpectation', (req: IncomingMessage, res: ServerResponse) => {
    expectUnmet.add(req);
    server.emit('request', req, res);
  });
};

const expectUnmet = new WeakSet<IncomingMessage>();

/** @throws RequestProblem 417 */
export const refuseUnknownExpectation = (req: IncomingMessage): void => {
  if (expectUnmet.has(req)) throw new RequestProblem(REQUEST_PROBLEMS['expectation-unknown']);
};

const PRESERVED_HEADERS = /^(?:x-ratelimit-|x-correlation-id$)/;

const formatPreservedHeaders = (pending: ServerResponse | null): readonly string[] =>
  Object.entries(pending?.getHeaders() ?? {})
    .filter(([name]) => PRESERVED_HEADERS.test(name))
    .map(([name, value]) => `${name}: ${value}`);

const formatAnswer = (problem: Problem, headers: readonly string[]): string => {
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
