import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { issueOf, outcomeOf, sendOutcome } from './operation-outcome.ts';
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
 * as a request, or does not wait for.
 * @see spec "Errors": every error is an OperationOutcome
 */
export const answerUnreadable = (server: Server): void => {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (socket.writable && !isAnswering(socket)) socket.write(textOf(problemOf(error.code)));
    socket.destroy();
  });
  server.on('checkExpectation', (_req: IncomingMessage, res: ServerResponse) => {
    const problem = expectationUnknown();
    sendOutcome(res, problem.status, issueOf(problem));
  });
};

/** Whether part of an answer is on its way: another behind it would be read as more of it. */
const isAnswering = (socket: Duplex): boolean =>
  (socket as { readonly _httpMessage?: ServerResponse | null })._httpMessage?.headersSent === true;

const textOf = (problem: RequestProblem): string => {
  const body = JSON.stringify(outcomeOf(issueOf(problem)));
  return [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
    'Connection: close',
    'Content-Type: application/fhir+json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n');
};
