import {
  MAX_CONCURRENT_REQUESTS,
  MAX_WAITING_REQUESTS,
} from '../../../api/http/limit-pipelining.ts';
import { type Connection, openConnection } from './connection.ts';
import type { Findings } from './findings.ts';
import type { Session, Target } from './request.ts';

/** The longest that the service keeps a slow connection. Milliseconds. */
export interface Patience {
  readonly headersMs: number;
  readonly requestMs: number;
}

/** A client that keeps a connection for as long as it can. */
interface SlowSender {
  readonly name: string;
  readonly withinMs: number;
  begin(connection: Connection): void;
  /** Goes on; called every so often. */
  readonly goOn: (connection: Connection) => void;
}

const GOES_ON_EVERY_MS = 100;
/** What a look at the connections takes, and a machine that is busy. */
const GRACE_MS = 5_000;
/** Shorter than an idle connection is kept: that is another end. */
const READS_REST_MS = 2_000;
const ANNOUNCED = 1_000_000;
/** In one piece: of half a request Node would say that it took too long. */
const UNREAD_ANSWERS = MAX_CONCURRENT_REQUESTS + MAX_WAITING_REQUESTS;

const senders = (target: Target, session: Session, patience: Patience): readonly SlowSender[] => {
  const { headersMs, requestMs } = patience;
  const key = `Host: ${target.host}\r\nAuthorization: Bearer ${target.nativeToken}\r\n`;
  const bundle = 'POST /api/registry/fhir/Bundle HTTP/1.1\r\n';
  const slowBody = (name: string, head: string, drop: string): SlowSender => ({
    name,
    withinMs: requestMs,
    begin: (connection) => connection.write(`${head}\r\n`),
    goOn: (connection) => connection.write(drop),
  });
  const length = `Content-Length: ${ANNOUNCED}\r\n`;
  const upload = `POST /registry/import HTTP/1.1\r\nHost: ${target.host}\r\nCookie: ${session.cookie}\r\nContent-Type: multipart/form-data; boundary=x\r\n`;
  return [
    { name: 'nothing at all', withinMs: headersMs, begin: () => undefined, goOn: () => undefined },
    {
      name: 'headers letter by letter',
      withinMs: headersMs,
      begin: (connection) => connection.write(`${bundle}X: `),
      goOn: (connection) => connection.write('y'),
    },
    {
      name: 'headers one after another',
      withinMs: headersMs,
      begin: (connection) => connection.write(bundle),
      goOn: (connection) => connection.write('X: y\r\n'),
    },
    {
      name: 'a slow second request',
      withinMs: headersMs,
      begin: (connection) =>
        connection.write(`GET /health/live HTTP/1.1\r\nHost: ${target.host}\r\n\r\nGET /`),
      goOn: (connection) => connection.write('y'),
    },
    slowBody('a body byte by byte', `${bundle}${key}${length}`, ' '),
    slowBody('a body that never begins', `${bundle}${key}${length}`, ''),
    slowBody('a body without a key', `${bundle}Host: ${target.host}\r\n${length}`, ' '),
    slowBody('chunk by chunk', `${bundle}${key}Transfer-Encoding: chunked\r\n`, '1\r\n \r\n'),
    slowBody('a compressed body', `${bundle}${key}Content-Encoding: gzip\r\n${length}`, ''),
    slowBody('a file', `${upload}${length}\r\n--x\r\n`, 'x'),
    slowBody(
      'a form',
      `POST /sign-in HTTP/1.1\r\nHost: ${target.host}\r\nContent-Type: application/x-www-form-urlencoded\r\n${length}`,
      'a',
    ),
    {
      // A write that got on at all gives it as long again.
      name: 'answers that are not read',
      withinMs: 2 * requestMs,
      begin(connection) {
        connection.pause();
        const one = `GET /openapi.json HTTP/1.1\r\nHost: ${target.host}\r\n\r\n`;
        connection.write(one.repeat(UNREAD_ANSWERS));
      },
      goOn: () => undefined,
    },
  ];
};

/**
 * Keeps connections for as long as the service lets one. Goes on beside everything else.
 * @param each connections of every kind
 */
export const trySlowSenders = async (
  port: number,
  target: Target,
  patience: Patience,
  each: number,
  findings: Findings,
): Promise<void> => {
  const all = senders(target, target.sessions[0], patience).flatMap((sender) =>
    Array.from({ length: each }, () => sender),
  );
  await Promise.all(all.map((sender) => keep(port, sender, findings)));
  findings.count('slow senders', all.length);
};

const keep = async (port: number, sender: SlowSender, findings: Findings): Promise<void> => {
  const connection = await openConnection(port);
  const until = performance.now() + sender.withinMs + GRACE_MS;
  sender.begin(connection);
  let hasEnded = false;
  while (!hasEnded && performance.now() < until) {
    sender.goOn(connection);
    hasEnded = await connection.ended(GOES_ON_EVERY_MS);
  }
  connection.drop();
  if (!hasEnded) hasEnded = await connection.ended(READS_REST_MS);
  if (!hasEnded) findings.fault('a slow sender is not ended', sender.name);
  connection.close();
};
