import fc from 'fast-check';
import type { Answer } from './answers.ts';
import { openConnection } from './connection.ts';
import type { Findings } from './findings.ts';
import { type FuzzTask, Violation } from './fuzz-run.ts';
import { rarely, splitWords } from './hostile-values.ts';
import { type HostileRequest, MARKER, type Target } from './request.ts';

/**
 * The right answer to a shape. `refused`: 400, and the connection ends; `one`: one answer of any
 * kind, and nothing in the body is taken for another request.
 */
type Expected = 'refused' | 'one';

interface Shape {
  readonly name: string;
  readonly expected: Expected;
  readonly text: string;
}

const HIDDEN = `GET /${MARKER} HTTP/1.1\r\nHost: x\r\n\r\n`;
const CHUNK = `${HIDDEN.length.toString(16)}\r\n${HIDDEN}\r\n0\r\n\r\n`;

/** Ways to let two readers disagree on where a request ends. @see RFC 9112, 6.3 and 11.2 */
const shapes = (path: string, authorization: string): readonly Shape[] => {
  const refused = (name: string, headers: string, body = `0\r\n\r\n${HIDDEN}`): Shape => ({
    name,
    expected: 'refused',
    text: `POST ${path} HTTP/1.1\r\nHost: x\r\n${authorization}${headers}\r\n\r\n${body}`,
  });
  const one = (name: string, headers: string, body: string): Shape => ({
    ...refused(name, headers, body),
    expected: 'one',
  });
  const length = `Content-Length: ${HIDDEN.length}`;
  const chunked = 'Transfer-Encoding: chunked';
  const upgrade = 'Connection: Upgrade';
  return [
    refused('length and chunks', 'Content-Length: 5\r\nTransfer-Encoding: chunked'),
    refused('chunks and length', 'Transfer-Encoding: chunked\r\nContent-Length: 5'),
    refused('two lengths', `Content-Length: 0\r\n${length}`, HIDDEN),
    refused('two equal lengths', `${length}\r\n${length}`, HIDDEN),
    refused('a list of lengths', `Content-Length: ${HIDDEN.length}, 0`, HIDDEN),
    refused('a negative length', 'Content-Length: -1', HIDDEN),
    refused('a length with a sign', 'Content-Length: +5', HIDDEN),
    refused('a hexadecimal length', 'Content-Length: 0x5', HIDDEN),
    refused('a length beyond 64 bits', 'Content-Length: 18446744073709551617', HIDDEN),
    refused('a fractional length', 'Content-Length: 5.0', HIDDEN),
    refused('an empty length', 'Content-Length:', HIDDEN),
    refused('a length with a vertical tab', 'Content-Length: \x0b5', HIDDEN),
    refused('a space before the colon of a length', `Content-Length : ${HIDDEN.length}`, HIDDEN),
    refused('a space before the colon of chunks', 'Transfer-Encoding : chunked'),
    refused('chunks misspelt', 'Transfer-Encoding: xchunked'),
    refused('chunks with a vertical tab', 'Transfer-Encoding: \x0bchunked'),
    refused('chunks before another coding', 'Transfer-Encoding: chunked, identity'),
    refused('identity as a coding', 'Transfer-Encoding: identity'),
    refused('chunks said twice, once wrongly', `${chunked}\r\nTransfer-Encoding: x`),
    refused('chunks in quotes', 'Transfer-Encoding: "chunked"'),
    refused('a folded header', 'Transfer-Encoding:\r\n chunked'),
    refused('a folded first header', ' X: y'),
    refused('a bare line feed between headers', `X: y\nTransfer-Encoding: chunked`),
    refused('a bare carriage return in a header', `X: y\rTransfer-Encoding: chunked`),
    refused('a NUL in a header', 'X: y\0z'),
    refused('a NUL in the name of a header', 'X\0: y'),
    refused('a header without a colon', 'Transfer-Encoding chunked'),
    refused('a header without a name', ': y'),
    refused('a space in the name of a header', 'X Y: z'),
    refused('a chunk size with a sign', chunked, `+0\r\n\r\n${HIDDEN}`),
    refused('a chunk size with 0x', chunked, `0x0\r\n\r\n${HIDDEN}`),
    refused('a negative chunk size', chunked, `-1\r\n\r\n${HIDDEN}`),
    refused('a chunk size beyond 64 bits', chunked, `10000000000000000\r\n${HIDDEN}`),
    refused('a chunk size with a space before it', chunked, ` 0\r\n\r\n${HIDDEN}`),
    refused('an empty chunk size', chunked, `\r\n\r\n${HIDDEN}`),
    refused('a chunk size that ends with a bare line feed', chunked, `0\n\n${HIDDEN}`),
    refused('a chunk longer than its size', chunked, `1\r\nab\r\n0\r\n\r\n${HIDDEN}`),
    refused('an extension without an end', chunked, `0;${'x'.repeat(70_000)}`),
    refused('an extension with a bare line feed', chunked, `2;\nxx\r\n0\r\n\r\n`),
    one('a request in a body', length, HIDDEN),
    one('a request in a chunk', chunked, CHUNK),
    one('chunks in capitals', 'Transfer-Encoding: CHUNKED', CHUNK),
    refused(
      'a length as a trailer',
      `${chunked}\r\nTrailer: Content-Length`,
      `${CHUNK.slice(0, -2)}Content-Length: 0\r\n\r\n`,
    ),
    one('a request in an extension', chunked, `0;x="GET / HTTP/1.1"\r\n\r\n`),
    one('a body that was to be waited for', `Expect: 100-continue\r\n${length}`, HIDDEN),
    one('an unknown expectation', `Expect: ${MARKER}\r\n${length}`, HIDDEN),
    one(
      'another protocol asked for',
      `${upgrade}, HTTP2-Settings\r\nUpgrade: h2c\r\n${length}`,
      HIDDEN,
    ),
    one('a websocket asked for', `${upgrade}\r\nUpgrade: websocket\r\n${length}`, HIDDEN),
  ];
};

const PLACES = splitWords(`
  /api/registry/fhir/Bundle /api/registry/fhir/ingestions/none /sign-in /registry/import /health/live
  /nowhere`);

const ANSWER_TIMEOUT_MS = 10_000;
const NOTHING_MORE_MS = 40;

/** A request that is sent in pieces. */
interface Framed extends HostileRequest {
  /** Where it is cut. */
  readonly cuts: readonly number[];
}

const cuts = fc.array(fc.nat(), { maxLength: 2 });

/** Opens a connection, and sends a request on it piece by piece. */
const sendInPieces = async (port: number, { bytes, cuts: places }: Framed) => {
  const connection = await openConnection(port);
  const ends = places.map((at) => at % bytes.length).sort((one, other) => one - other);
  let from = 0;
  for (const end of [...ends, bytes.length]) {
    connection.write(bytes.subarray(from, end));
    from = end;
  }
  return connection;
};

const checkShape = async (
  port: number,
  request: Framed,
  expected: Expected,
  findings: Findings,
): Promise<void> => {
  const connection = await sendInPieces(port, request);
  try {
    const first = await connection.next(ANSWER_TIMEOUT_MS);
    // What is still on its way when the service ends the connection may take the answer with it.
    if (first === 'closed' && expected === 'refused') {
      findings.count('refused without a word');
      return;
    }
    if (typeof first === 'string') throw new Violation('no answer', first);
    const { status, isLast } = first;
    if (status >= 500) throw new Violation('a server error', String(status));
    if (expected === 'refused' && status < 400) throw new Violation('taken', String(status));
    const next = isLast ? 'closed' : await connection.next(NOTHING_MORE_MS);
    if (!isEnd(next, expected)) {
      const seen = typeof next === 'string' ? next : String(next.status);
      throw new Violation('what follows is not as it must be', `${status}, ${seen}`);
    }
    if (isLast && !(await connection.ended(ANSWER_TIMEOUT_MS)))
      throw new Violation('the connection goes on', String(status));
  } finally {
    connection.close();
  }
};

/** After a refusal comes at most another one, and the end: the hidden request got no answer. */
const isEnd = (next: Answer | 'closed' | 'silent', expected: Expected): boolean => {
  if (next === 'closed') return true;
  if (next === 'silent') return expected === 'one';
  return expected === 'refused' && next.status === 400 && next.isLast;
};

/** Requests that are answered with these, one after another on one connection. */
const pipelinedRequests = ({
  host,
  nativeToken,
}: Target): readonly (readonly [string, number])[] => {
  const head = `Host: ${host}\r\nAuthorization: Bearer ${nativeToken}\r\n`;
  const post = (path: string, body: string, headers = head) =>
    `POST ${path} HTTP/1.1\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`;
  const bundle = '/api/registry/fhir/Bundle';
  return [
    [`GET /health/live HTTP/1.1\r\nHost: ${host}\r\n\r\n`, 200],
    [`GET /nowhere HTTP/1.1\r\nHost: ${host}\r\n\r\n`, 404],
    [`GET /api/registry/fhir/ingestions/none HTTP/1.1\r\n${head}\r\n`, 404],
    [post(bundle, HIDDEN), 400],
    [post(bundle, '{"resourceType":"Bundle","entry":[]}'), 202],
    [post(bundle, HIDDEN, `Host: ${host}\r\n`), 401],
    [post('/registry/import', HIDDEN, `Host: ${host}\r\n`), 401],
    [post(bundle, HIDDEN, `${head}Content-Encoding: gzip\r\n`), 400],
    [post(bundle, HIDDEN, `${head}Content-Encoding: br\r\n`), 400],
    [post('/sign-in', HIDDEN, `Host: ${host}\r\n`), 403],
    [`DELETE ${bundle} HTTP/1.1\r\n${head}\r\n`, 405],
  ];
};

interface Pipeline extends Framed {
  /** The statuses of the answers. */
  readonly expected: readonly number[];
}

const checkPipeline = async (port: number, request: Pipeline): Promise<void> => {
  const connection = await sendInPieces(port, request);
  const answers: (number | string)[] = [];
  for (const _one of request.expected) {
    const answer = await connection.next(ANSWER_TIMEOUT_MS);
    answers.push(typeof answer === 'string' ? answer : answer.status);
    if (typeof answer === 'string') break;
  }
  connection.close();
  if (answers.join() !== request.expected.join())
    throw new Violation(
      'requests in a row',
      `${answers.join()} instead of ${request.expected.join()}`,
    );
};

/** Requests whose end is in doubt, and many in a row. @param runs of every shape */
export const framingTasks = (
  port: number,
  target: Target,
  findings: Findings,
  runs: number,
): readonly FuzzTask[] => {
  const shapeTask = (name: string): FuzzTask<Framed> => {
    const findShape = (path: string, authorization = '') =>
      shapes(path, authorization).find((shape) => shape.name === name) as Shape;
    return {
      name: `framing: ${name}`,
      runs,
      arbitrary: fc
        .record({
          path: fc.constantFrom(...PLACES),
          key: rarely(2, `Authorization: Bearer ${target.nativeToken}\r\n`),
          cuts,
        })
        .map(({ path, key, cuts: places }) => ({
          kind: 'framing shapes',
          bytes: Buffer.from(findShape(path, key ?? '').text, 'latin1'),
          cuts: places,
          forbidden: [],
        })),
      async check(request) {
        findings.count('framing shapes');
        findings.count('requests');
        await checkShape(port, request, findShape('/').expected, findings);
        return 0;
      },
    };
  };
  const pipelineTask: FuzzTask<Pipeline> = {
    name: 'in a row',
    runs,
    arbitrary: fc
      .record({
        sent: fc.array(fc.constantFrom(...pipelinedRequests(target)), {
          minLength: 2,
          maxLength: 30,
        }),
        cuts,
      })
      .map(({ sent, cuts: places }) => ({
        kind: 'in a row',
        bytes: Buffer.from(sent.map(([text]) => text).join(''), 'latin1'),
        expected: sent.map(([, status]) => status),
        cuts: places,
        forbidden: [],
      })),
    async check(request) {
      findings.count('in a row', request.expected.length);
      findings.count('requests', request.expected.length);
      await checkPipeline(port, request);
      return 0;
    },
  };
  return [...shapes('/', '').map(({ name }) => shapeTask(name)), pipelineTask];
};
