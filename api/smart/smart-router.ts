import { type Request, type RequestHandler, Router } from 'express';
import {
  type DiscoverEhr,
  type EhrAccess,
  type ExchangeCode,
  LAUNCH_SCOPES,
  type LaunchSecrets,
  type PullChart,
} from '../../domain/mapping/us-core/ports.ts';
import type { SavedChart } from '../../domain/mapping/us-core/prefill.ts';
import { DEFAULT_TIME_ZONE } from '../../domain/practice/state.ts';
import { methodNotSupported } from '../http/problems.ts';
import { RequestProblem } from '../http/request-problem.ts';
import type { App } from '../ports/app-ports.ts';
import { packChart } from '../reading/read-chart.ts';
import { ReadingTooCostly } from '../reading/read-pieces.ts';
import { ReaderBusy } from '../reading/reader.ts';
import type { Claim } from '../reading/receiving.ts';
import { estimateMemory } from '../reading/shares.ts';
import { allowPrefills, getLaunchingBrowser, nameEhrBrowser } from '../web/ehr-browser.ts';
import {
  chartTooLarge,
  ehrDeclined,
  ehrFailed,
  issuerNotAllowed,
  launchBusy,
  launchNotConfigured,
  launchTokenNeeded,
  patientNeeded,
  unknownState,
  unusableCallback,
} from './launch-problem.ts';
import { noSuchLaunchPath, wantsPage } from './smart-errors.ts';

export interface EhrClient {
  /** `null` until the operator has registered the service with an EHR. */
  readonly clientId: string | null;
  /** Exact matches only; an empty list trusts none. */
  readonly allowedIssuers: readonly string[];
  readonly redirectUri: string;
  readonly discover: DiscoverEhr;
  readonly newSecrets: () => Promise<LaunchSecrets>;
  readonly exchange: ExchangeCode;
  readonly pull: PullChart;
}

const MAX_LAUNCH_LENGTH = 4_096;
const PREFILL_PAGE = '/registry/capture/prefill';

/**
 * Public: the clinician's session at the EHR authorizes the reads, and no data reaches a practice
 * until a signed-in person saves it.
 * @see spec "Pull lane (EHR launch); no API key"
 */
export const smartRouter = (app: App, ehr: EhrClient): Router =>
  Router()
    .use('/smart', sendNoReferrer)
    // A HEAD request would also use up a state.
    .all(['/smart/launch', '/smart/callback'], allowOnlyGet)
    .get('/smart/launch', createLaunch(app, ehr))
    .get('/smart/callback', createFinishLaunch(app, ehr))
    .use('/smart', noSuchLaunchPath);

const sendNoReferrer: RequestHandler = (_req, res, next) => {
  res.set('Referrer-Policy', 'no-referrer');
  next();
};

const allowOnlyGet: RequestHandler = (req, _res, next) => {
  if (req.method !== 'GET') throw new RequestProblem(methodNotSupported('GET'));
  next();
};

const createLaunch = ({ launches }: App, ehr: EhrClient): RequestHandler => {
  const { clientId, allowedIssuers, redirectUri, discover, newSecrets } = ehr;
  return async (req, res) => {
    // spec: 503 until a client id is configured; then the allow-list, before any network call
    if (clientId === null) throw launchNotConfigured();
    const query = readQuery(req);
    const fhirBaseUrl = only(query, 'iss');
    if (fhirBaseUrl === null || !allowedIssuers.includes(fhirBaseUrl)) throw issuerNotAllowed();
    const launch = only(query, 'launch');
    if (launch === null || launch === '' || launch.length > MAX_LAUNCH_LENGTH)
      throw launchTokenNeeded();
    const found = await discover(fhirBaseUrl);
    if (found.kind === 'failure') throw ehrFailed(found.failure);
    const server = found.value;
    const { state, verifier, challenge } = await newSecrets();
    await launches.keep(nameEhrBrowser(req), state, { fhirBaseUrl, server, verifier });
    const address = new URL(server.authorizationEndpoint);
    for (const [name, value] of Object.entries({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectUri,
      scope: LAUNCH_SCOPES,
      state,
      aud: fhirBaseUrl,
      launch,
      code_challenge: challenge,
      code_challenge_method: 'S256',
    }))
      address.searchParams.set(name, value);
    res.redirect(303, address.href);
  };
};

const createFinishLaunch = (app: App, ehr: EhrClient): RequestHandler => {
  const { launches, prefills, memory } = app;
  const { clientId, exchange, pull } = ehr;
  return async (req, res) => {
    if (clientId === null) throw launchNotConfigured();
    const query = readQuery(req);
    const state = only(query, 'state');
    const browser = getLaunchingBrowser(req);
    if (state === null || browser === null) throw unknownState();
    // Removed before any network call: a state is valid once, whatever the outcome.
    const launch = await launches.take(browser, state);
    if (launch === null) {
      // After going back or reloading, the pre-fill of the launch is still open.
      const [open] = wantsPage(req) ? await prefills.list(browser, DEFAULT_TIME_ZONE) : [];
      if (open === undefined) throw unknownState();
      res.redirect(303, `${PREFILL_PAGE}?id=${open.prefillId}`);
      return;
    }
    const exchanged = await exchange(launch, state, query);
    if (exchanged.kind === 'ehr-error')
      throw ehrDeclined(exchanged.isDenied, exchanged.isTemporary);
    if (exchanged.kind === 'unusable') throw unusableCallback();
    if (exchanged.kind === 'no-patient') throw patientNeeded();
    if (exchanged.kind === 'failure') throw ehrFailed(exchanged.failure);
    const chart = await memory.run(exchanged.access.fhirBaseUrl, (claim) =>
      readLaunchedChart(app, pull, exchanged.access, claim),
    );
    const prefillId = await prefills.keep(browser, chart);
    allowPrefills(req);
    res.redirect(303, `${PREFILL_PAGE}?id=${prefillId}`);
  };
};

/** @throws LaunchProblem */
const readLaunchedChart = async (
  { reads, reader, now }: App,
  pull: PullChart,
  access: EhrAccess,
  claim: Claim,
): Promise<SavedChart> => {
  let isBusy = false;
  const pulled = await pull(access, async (bytes) => {
    const isClaimed = await claim(estimateMemory(bytes));
    isBusy ||= !isClaimed;
    return isClaimed;
  });
  if (isBusy) throw launchBusy();
  if (pulled.kind === 'failure') throw ehrFailed(pulled.failure);
  // All practices' zones, because we learn the practice only at sign-in.
  const timeZones = [DEFAULT_TIME_ZONE, ...(await reads.listTimeZones())];
  const pieces = await packChart(pulled.value);
  const { chart } = await reader
    .read(access.fhirBaseUrl, { kind: 'chart', pieces, timeZones, now: now() })
    .catch((error: unknown) => {
      if (error instanceof ReaderBusy) throw launchBusy();
      if (error instanceof ReadingTooCostly) throw chartTooLarge();
      throw error;
    });
  if (chart === null) throw chartTooLarge();
  return chart;
};

/** Express would join repeated parameters. */
const readQuery = ({ originalUrl }: Request): URLSearchParams => {
  const start = originalUrl.indexOf('?');
  return new URLSearchParams(start === -1 ? '' : originalUrl.slice(start + 1));
};

/** `null` unless the parameter is present exactly once. */
const only = (query: URLSearchParams, name: string): string | null => {
  const [value = null, ...more] = query.getAll(name);
  return more.length === 0 ? value : null;
};
