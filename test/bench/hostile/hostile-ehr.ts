import { randomUUID } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { type HostileChart, PATIENT_ID, SEARCHED, type Searched } from './charts.ts';

const FHIR_PATH = '/fhir';
const PATIENT = {
  resourceType: 'Patient',
  id: PATIENT_ID,
  gender: 'female',
  birthDate: '1994-06-17',
};

/** An EHR on the loopback that answers every launch with the chart it was opened from. */
export interface HostileEhr {
  readonly issuer: string;
  /** Begins a launch from a chart. @returns path and query at the service */
  launchPath(chart: HostileChart): string;
  stop(): Promise<void>;
}

/** Starts it. It checks nothing: its own faults are not what is tried. */
export const startHostileEhr = async (): Promise<HostileEhr> => {
  const charts = new Map<string, HostileChart>();
  const origin = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const issuer = (): string => `${origin()}${FHIR_PATH}`;

  const search = (type: Searched, query: URLSearchParams, token: string, res: ServerResponse) => {
    const page = Number(query.get('page') ?? '0');
    const pages = charts.get(token)?.pagesOf(type) ?? [];
    if (page >= pages.length) {
      sendJson(res, { resourceType: 'Bundle', type: 'searchset', entry: [] });
      return;
    }
    const next = new URL(`${issuer()}/${type}?${query}`);
    next.searchParams.set('page', String(page + 1));
    const link = page + 1 < pages.length ? [{ relation: 'next', url: next.href }] : [];
    res.writeHead(200, { 'Content-Type': 'application/fhir+json', 'Content-Encoding': 'gzip' });
    // What gzip has packed may follow one another.
    res.write(pages[page]);
    res.end(gzipSync(`,"link":${JSON.stringify(link)}}`));
  };

  const server = createServer((req, res) => {
    const { pathname, searchParams: query } = new URL(req.url ?? '/', origin());
    const token = /^Bearer (\S+)$/.exec(req.headers.authorization ?? '')?.[1] ?? '';
    const type = SEARCHED.find((one) => pathname === `${FHIR_PATH}/${one}`);
    if (pathname === `${FHIR_PATH}/.well-known/smart-configuration`)
      sendJson(res, {
        authorization_endpoint: `${origin()}/authorize`,
        token_endpoint: `${origin()}/token`,
        code_challenge_methods_supported: ['S256'],
      });
    else if (pathname === '/authorize') {
      const back = new URL(query.get('redirect_uri') ?? '');
      back.searchParams.set('code', query.get('launch') ?? '');
      back.searchParams.set('state', query.get('state') ?? '');
      res.writeHead(302, { Location: back.href }).end();
    } else if (pathname === '/token') {
      let body = '';
      req.setEncoding('utf8').on('data', (text: string) => {
        body += text;
      });
      req.once('end', () =>
        sendJson(res, {
          access_token: new URLSearchParams(body).get('code'),
          token_type: 'Bearer',
          expires_in: 300,
          patient: PATIENT_ID,
        }),
      );
    } else if (pathname === `${FHIR_PATH}/Patient/${PATIENT_ID}`) sendJson(res, PATIENT);
    else if (type !== undefined) search(type, query, token, res);
    else res.writeHead(404).end();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });

  return {
    issuer: issuer(),
    launchPath(chart) {
      const launch = randomUUID();
      charts.set(launch, chart);
      return `/smart/launch?${new URLSearchParams({ iss: issuer(), launch })}`;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

const sendJson = (res: ServerResponse, body: unknown): void => {
  res.writeHead(200, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
  res.end(JSON.stringify(body));
};
