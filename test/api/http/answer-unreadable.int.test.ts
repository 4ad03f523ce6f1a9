import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { answerUnreadable, refuseUnknownExpectation } from '../../../api/http/answer-unreadable.ts';
import { sendOutcome, toIssue } from '../../../api/http/operation-outcome.ts';
import type { RequestProblem } from '../../../api/http/request-problem.ts';

const unreadable = suite<{ server: Server; port: number }>('what is no request');

const HEADERS_MS = 200;
const REQUEST_MS = 400;

unreadable.before(async (context) => {
  const server = createServer(
    {
      headersTimeout: HEADERS_MS,
      requestTimeout: REQUEST_MS,
      connectionsCheckingInterval: HEADERS_MS / 4,
    },
    (req, res) => {
      if (req.url === '/begun') {
        res.flushHeaders();
        return;
      }
      res.setHeader('X-RateLimit-Limit', '120');
      res.setHeader('X-Correlation-Id', 'of this request');
      try {
        refuseUnknownExpectation(req);
      } catch (error) {
        sendOutcome(res, 417, toIssue(error as RequestProblem));
      }
    },
  );
  answerUnreadable(server);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  Object.assign(context, { server, port: (server.address() as AddressInfo).port });
});
unreadable.after(({ server }) => {
  server.closeAllConnections();
  server.close();
});

/** Sends these bytes and nothing more. @returns everything that comes back */
const answerTo = (port: number, bytes: string): Promise<string> => {
  const socket = connect(port, '127.0.0.1');
  // With what nobody read on the other side, the end of a connection may be a reset.
  socket.on('error', () => socket.destroy());
  socket.write(bytes);
  return text(socket).catch(() => '');
};

const outcomeIn = (answer: string) => {
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  assert.match(head, 'Content-Type: application/fhir+json');
  const { resourceType, issue } = JSON.parse(body);
  assert.is(resourceType, 'OperationOutcome');
  assert.is(issue.length, 1);
  return [Number(head.split(' ')[1]), issue[0].code];
};

for (const [what, bytes, status, code] of [
  ['no HTTP at all', 'hello\r\n\r\n', 400, 'invalid'],
  [
    'a length that is no number',
    'GET / HTTP/1.1\r\nHost: x\r\nContent-Length: abc\r\n\r\n',
    400,
    'invalid',
  ],
  [
    'headers of more than 16 KiB',
    `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(17_000)}`,
    431,
    'too-long',
  ],
  ['headers that never end', 'GET / HTTP/1.1\r\nHost: x\r\n', 408, 'timeout'],
  [
    'an expectation that nobody knows',
    'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nExpect: tea\r\n\r\n',
    417,
    'not-supported',
  ],
] as const)
  unreadable(`${what} is answered with an OperationOutcome`, async ({ port }) => {
    assert.equal(outcomeIn(await answerTo(port, bytes)), [status, code]);
  });

unreadable(
  'a body that never ends: what was said of the request is said with 408',
  async ({ port }) => {
    const answer = await answerTo(port, 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n');
    assert.equal(outcomeIn(answer), [408, 'timeout']);
    assert.match(answer, /^x-ratelimit-limit: 120\r$/m);
    assert.match(answer, /^x-correlation-id: of this request\r$/m);
  },
);

unreadable('behind an answer that is on its way nothing is put', async ({ port }) => {
  const answer = await answerTo(port, 'GET /begun HTTP/1.1\r\nHost: x\r\n\r\nhello\r\n\r\n');
  assert.match(answer, /^HTTP\/1.1 200 /);
  assert.not.match(answer, 'OperationOutcome');
});

unreadable.run();
