import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { flood, html, json, redirect, silence } from './answers.ts';
import { authorizationServer } from './authorization-server.ts';
import { type EhrBehavior, GOOD_BEHAVIOR } from './behavior.ts';
import { chartsAt } from './charts.ts';
import { fhirServer } from './fhir-server.ts';
import type { Chart } from './resources.ts';

export interface SeenRequest {
  readonly method: string;
  /** Path and query. */
  readonly address: string;
  readonly hasToken: boolean;
}

export interface SimulatedEhr {
  readonly url: string;
  /** FHIR address, for the allow-list. */
  readonly issuer: string;
  readonly clientId: string;
  readonly charts: Readonly<Record<string, Chart>>;
  /** Allows a service's redirect URI, and adds the service to the list of patients. */
  register(serviceUrl: string): void;
  /** Address that a clinician's click opens. */
  launchUrl(serviceUrl: string, patientId: string): string;
  /** Resets to good behavior, with these changes. */
  behave(changes: Partial<EhrBehavior>): void;
  takeRequests(): readonly SeenRequest[];
  /** Requests to the foreign server since the last call; there should never be any. */
  takeRequestsElsewhere(): readonly SeenRequest[];
  issuedTokens(): readonly string[];
  stop(): Promise<void>;
}

const FHIR_PATH = '/fhir/r4';
const HUGE_BYTES = 1024 * 1024;

/**
 * Strict about client requests, with faults set by `behave`.
 * @param options `now` is the reference time for the births
 */
export const startEhr = async (
  options: { readonly now?: Date; readonly clientId?: string } = {},
): Promise<SimulatedEhr> => {
  const { now = new Date(), clientId = 'birth-registry' } = options;
  const charts = chartsAt(now);
  const redirectUris = new Set<string>();
  const services = new Set<string>();
  let behavior: EhrBehavior = GOOD_BEHAVIOR;
  let seen: SeenRequest[] = [];
  let seenElsewhere: SeenRequest[] = [];
  const getBehavior = () => behavior;
  const issuer = () => `${getAddress(server)}${FHIR_PATH}`;

  const elsewhere = createServer((req, res) => {
    seenElsewhere.push(toSeenRequest(req));
    json(res, 200, { resourceType: 'Bundle', entry: [] });
  });
  const authorization = await authorizationServer({
    issuer,
    clientId,
    redirectUris,
    behavior: getBehavior,
  });
  const readFhir = fhirServer({
    issuer,
    charts,
    behavior: getBehavior,
    accessOf: authorization.accessOf,
    elsewhere: () => getAddress(elsewhere),
  });
  const launchUrl = (serviceUrl: string, patientId: string): string => {
    const encounterId = charts[patientId]?.encounterId ?? null;
    const launch = authorization.newLaunch({ patientId, encounterId });
    return `${serviceUrl}/smart/launch?${new URLSearchParams({ iss: issuer(), launch })}`;
  };

  const configure = (res: ServerResponse): void => {
    const { discovery, pkceMethods, isTerse, tokenEndpoint, published } = behavior;
    const own = getAddress(server);
    if (discovery === 'missing') json(res, 404, {});
    else if (discovery === 'redirected') redirect(res, `${getAddress(elsewhere)}/configuration`);
    else if (discovery === 'silent') silence(res);
    else if (discovery === 'huge') flood(res, HUGE_BYTES);
    else if (discovery === 'no-json') html(res, 200, 'no configuration');
    else
      json(res, 200, {
        authorization_endpoint: `${own}/authorize`,
        token_endpoint: tokenEndpoint ?? `${own}/token`,
        ...(pkceMethods === null ? {} : { code_challenge_methods_supported: pkceMethods }),
        ...(isTerse
          ? {}
          : {
              issuer: issuer(),
              jwks_uri: `${own}/keys`,
              grant_types_supported: ['authorization_code'],
              capabilities: [
                'launch-ehr',
                'client-public',
                'context-ehr-patient',
                'sso-openid-connect',
              ],
            }),
        ...published,
      });
  };

  const answer = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    seen.push(toSeenRequest(req));
    const target = req.url ?? '/';
    // `//` names another host, but none.
    if (!URL.canParse(target, getAddress(server))) {
      json(res, 400, {});
      return;
    }
    const { pathname, searchParams } = new URL(target, getAddress(server));
    if (pathname === '/') html(res, 200, renderLaunchPage(charts, [...services], launchUrl));
    else if (pathname === `${FHIR_PATH}/.well-known/smart-configuration`) configure(res);
    else if (pathname === '/authorize') authorization.authorize(searchParams, res);
    else if (pathname === '/keys') authorization.keys(res);
    else if (pathname === '/token' && req.method === 'POST') {
      const form = new URLSearchParams(await readBody(req));
      const hasSecret = req.headers.authorization !== undefined || form.has('client_secret');
      await authorization.exchange(form, hasSecret, res);
    } else if (pathname.startsWith(`${FHIR_PATH}/`) && req.method === 'GET')
      readFhir(req, pathname.slice(FHIR_PATH.length + 1), searchParams, res);
    else json(res, 404, {});
  };
  const server = createServer((req, res) => {
    // A client that leaves while it sends must not end the demo.
    answer(req, res).catch(() => res.destroy());
  });
  await Promise.all([listen(server), listen(elsewhere)]);

  return {
    clientId,
    charts,
    launchUrl,
    url: getAddress(server),
    issuer: issuer(),
    register(serviceUrl) {
      redirectUris.add(`${serviceUrl}/smart/callback`);
      services.add(serviceUrl);
    },
    behave(changes) {
      behavior = { ...GOOD_BEHAVIOR, ...changes };
    },
    takeRequests() {
      const taken = seen;
      seen = [];
      return taken;
    },
    takeRequestsElsewhere() {
      const taken = seenElsewhere;
      seenElsewhere = [];
      return taken;
    },
    issuedTokens: authorization.issuedTokens,
    async stop() {
      await Promise.all([close(server), close(elsewhere)]);
    },
  };
};

const getAddress = (server: Server): string =>
  `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

const toSeenRequest = (req: IncomingMessage): SeenRequest => ({
  method: req.method ?? '',
  address: req.url ?? '',
  hasToken: req.headers.authorization !== undefined,
});

const readBody = async (req: IncomingMessage): Promise<string> => {
  let body = '';
  for await (const chunk of req) body += String(chunk);
  return body;
};

const listen = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });

const close = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? '');

/** List of patients; each link launches the registry from that patient's chart. */
const renderLaunchPage = (
  charts: Readonly<Record<string, Chart>>,
  serviceUrls: readonly string[],
  launchUrl: (serviceUrl: string, patientId: string) => string,
): string => {
  const rows = serviceUrls.flatMap((serviceUrl) =>
    Object.entries(charts).map(
      ([patientId, { about }]) =>
        `<li><a href="${escapeHtml(launchUrl(serviceUrl, patientId))}">${escapeHtml(about)}</a> (${escapeHtml(patientId)})</li>`,
    ),
  );
  return `<h1>Simulated EHR</h1><p>Synthetic patients. Each link opens the birth registry from the chart, as a clinician would.</p><ul>${rows.join('')}</ul>`;
};
