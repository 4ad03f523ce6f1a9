import { setTimeout } from 'node:timers/promises';
import { asArray, asObject, asObjects, isObject, type JsonObject } from '../../domain/fhir/json.ts';
import { OBSERVATION_CODES } from '../../domain/mapping/us-core/observation-kinds.ts';
import { type EhrAccess, findGrant, type PullChart } from '../../domain/mapping/us-core/ports.ts';
import type { UnreadPart } from '../../domain/mapping/us-core/prefill.ts';
import { isAboutOther } from '../../domain/mapping/us-core/pulled-chart.ts';
import { type CappedAnswer, cappedFetch } from '../egress/capped-fetch.ts';
import { isUnderIssuer } from '../egress/egress-policy.ts';
import { openConnectionsTo } from '../egress/guarded-connections.ts';
import { parseJsonBody } from '../egress/json-body.ts';
import type { EhrLimits } from '../egress/limits.ts';
import { invalidResponse, toRemoteFailure } from '../egress/remote-failure.ts';

interface Pulled {
  /** Without those about other people. */
  readonly resources: readonly unknown[];
  readonly others: number;
  readonly gap: UnreadPart['why'] | null;
  readonly isUnsupported: boolean;
}

interface Reading {
  readonly access: EhrAccess;
  readonly limits: EhrLimits;
  readonly over: AbortSignal;
  readonly claimMemory: (bytes: number) => Promise<boolean>;
  /** Unpacked size of what was read so far. */
  readonly size: { bytes: number };
}

const OK = 200;
const DENIED: ReadonlySet<number> = new Set([401, 403]);
const TOO_MANY_REQUESTS = 429;
/** Statuses not caused by the form of the search, so another search would not help. */
const NOT_ABOUT_THE_SEARCH: ReadonlySet<number> = new Set([404, 408, 410, 423, TOO_MANY_REQUESTS]);
const MAX_WAIT_SECONDS = 5;
// US Core servers must support Observation search by category; not all support several codes.
const CATEGORIES = ['vital-signs', 'laboratory', 'social-history', 'exam', 'survey'] as const;
const PAGE_ROWS = 100;

/** Patient first, then the rest in parallel, page by page, only at the EHR's FHIR address. */
export const createPullChart =
  (limits: EhrLimits): PullChart =>
  async (access, claimMemory = async () => true) => {
    const over = AbortSignal.timeout(limits.chartMs);
    const reading: Reading = { access, limits, over, claimMemory, size: { bytes: 0 } };
    const { fhirBaseUrl, patientId, encounterId, scope, needsPatientBanner } = access;
    if (findGrant(scope, 'Patient') === 'none')
      return { kind: 'failure', failure: { why: 'refused', cause: null } };
    let patient: unknown;
    try {
      const { status, body } = await get(reading, buildAddress(access, `Patient/${patientId}`));
      if (status !== OK)
        return DENIED.has(status)
          ? { kind: 'failure', failure: { why: 'refused', cause: null } }
          : invalidResponse();
      patient = parseJsonBody(body);
    } catch (error) {
      return { kind: 'failure', failure: toRemoteFailure(error) };
    }
    if (!isPatient(patient, patientId)) return invalidResponse();
    const parts = await Promise.all(PARTS.map((part) => pullPart(reading, part)));
    const [observations = [], conditions = [], encounters = []] = parts.map(
      ({ resources }) => resources,
    );
    const value = {
      fhirBaseUrl,
      patientId,
      encounterId,
      needsPatientBanner,
      patient,
      observations,
      conditions,
      encounters,
      others: parts.reduce((sum, { others }) => sum + others, 0),
      unread: parts.flatMap(({ gap }, place) => {
        const part = PARTS[place];
        return gap === null || part === undefined ? [] : [{ part, why: gap }];
      }),
    };
    return { kind: 'answer', value };
  };

const PARTS = ['Observation', 'Condition', 'Encounter'] as const;

type Part = (typeof PARTS)[number];

const isPatient = (resource: unknown, id: string): boolean => {
  const { resourceType, id: found } = (resource ?? {}) as Readonly<Record<string, unknown>>;
  return resourceType === 'Patient' && found === id;
};

const buildAddress = ({ fhirBaseUrl }: EhrAccess, path: string): string =>
  `${fhirBaseUrl.replace(/\/+$/, '')}/${path}`;

const pullPart = async (reading: Reading, part: Part): Promise<Pulled> => {
  const { access } = reading;
  const grant = findGrant(access.scope, part);
  if (grant === 'none')
    return { resources: [], others: 0, gap: 'not-granted', isUnsupported: false };
  const found =
    part === 'Observation' ? await pullObservations(reading) : await search(reading, part, {});
  return grant === 'narrowed' && found.gap === null ? { ...found, gap: 'narrowed' } : found;
};

/** By our codes, then by category, then everything: a server may not support code lists. */
const pullObservations = async (reading: Reading): Promise<Pulled> => {
  const byCode = await search(reading, 'Observation', { code: OBSERVATION_CODES.join(',') });
  const isEmpty =
    (byCode.gap === null || byCode.gap === 'failed') &&
    byCode.resources.length + byCode.others === 0;
  if (!byCode.isUnsupported && !isEmpty) return byCode;
  const parts: Pulled[] = [];
  for (const category of CATEGORIES) parts.push(await search(reading, 'Observation', { category }));
  const usable = parts.filter(({ isUnsupported }) => !isUnsupported);
  if (usable.length === 0) return isEmpty ? byCode : search(reading, 'Observation', {});
  const failed = usable.find(({ gap }) => gap !== null);
  const resources = usable.flatMap((one) => one.resources);
  const gap = usable.length < parts.length ? 'incomplete' : (failed?.gap ?? null);
  const others = usable.reduce((sum, one) => sum + one.others, 0);
  const hasSome = resources.length + others > 0 || usable.some((one) => one.gap === null);
  return {
    resources,
    others,
    gap: gap !== null && hasSome && !NAMED_GAPS.has(gap) ? 'incomplete' : gap,
    isUnsupported: false,
  };
};

/** Gaps that are the same for a part of the searches. */
const NAMED_GAPS: ReadonlySet<UnreadPart['why']> = new Set(['not-granted', 'failed']);

const search = async (
  reading: Reading,
  part: Part,
  parameters: Readonly<Record<string, string>>,
): Promise<Pulled> => {
  const { access, limits } = reading;
  const query = new URLSearchParams({
    patient: access.patientId,
    ...parameters,
    _count: String(PAGE_ROWS),
  });
  const resources: unknown[] = [];
  let others = 0;
  let hasFailed = false;
  const seen = new Set<string>();
  let next: string | null = buildAddress(access, `${part}?${query}`);
  const finish = (gap: Pulled['gap'], isUnsupported = false): Pulled => ({
    resources,
    others,
    isUnsupported,
    gap: gap === 'not-readable' && seen.size > 1 ? 'incomplete' : gap,
  });
  while (next !== null) {
    if (isChartTooLong(reading)) return finish('incomplete');
    if (seen.has(next) || seen.size >= limits.pages || !isUnderIssuer(next, access.fhirBaseUrl))
      return finish('incomplete');
    seen.add(next);
    try {
      const { status, body } = await get(reading, next);
      if (DENIED.has(status)) return finish(seen.size === 1 ? 'not-granted' : 'incomplete');
      if (status !== OK) {
        const isAboutSearch = status < 500 && !NOT_ABOUT_THE_SEARCH.has(status);
        return finish('not-readable', seen.size === 1 && isAboutSearch);
      }
      if (isChartTooLong(reading)) return finish('incomplete');
      const page = parsePage(parseJsonBody(body), part, next, limits.pageEntries);
      if (page === null) return finish('not-readable');
      hasFailed ||= page.hasFailed;
      const found = page.resources.slice(0, limits.rows - resources.length - others);
      const own = found.filter((resource) => !isAboutOther(resource, access));
      resources.push(...own);
      others += found.length - own.length;
      if (page.isCut || found.length < page.resources.length) return finish('incomplete');
      next = page.next;
    } catch {
      return finish('not-readable');
    }
  }
  return finish(hasFailed ? 'failed' : null);
};

/** Retries once if the EHR rate-limits us and announces a short wait. */
const get = async (reading: Reading, address: string): Promise<CappedAnswer> => {
  const answer = await getOnce(reading, address);
  if (answer.status !== TOO_MANY_REQUESTS) return answer;
  const seconds = answer.retryAfterSeconds ?? 1;
  if (seconds > MAX_WAIT_SECONDS) return answer;
  await setTimeout(seconds * 1_000, undefined, { signal: reading.over });
  return getOnce(reading, address);
};

const getOnce = async (
  { access, limits, over, claimMemory, size }: Reading,
  address: string,
): Promise<CappedAnswer> => {
  const answer = await cappedFetch(address, {
    // All addresses are under a listed EHR.
    connections: openConnectionsTo('anywhere'),
    headers: { Accept: 'application/fhir+json', Authorization: `Bearer ${access.token}` },
    withinMs: limits.pageMs,
    over,
    mostBytes: limits.pageBytes,
  });
  size.bytes += answer.body.byteLength;
  if (!(await claimMemory(answer.body.byteLength))) throw new NoMemory();
  return answer;
};

/** Other charts, files, and bodies are read first. */
class NoMemory extends Error {
  override readonly name = 'NoMemory';
}

const isChartTooLong = ({ limits, size }: Reading): boolean => size.bytes > limits.chartBytes;

interface Page {
  readonly resources: readonly unknown[];
  /** True if it has more entries than are read. */
  readonly isCut: boolean;
  /** True if the EHR reports an error beside the matches, some of which may be missing. */
  readonly hasFailed: boolean;
  readonly next: string | null;
}

/** Includes entries that may be matches but cannot be read. */
const parsePage = (
  bundle: unknown,
  part: Part,
  address: string,
  mostEntries: number,
): Page | null => {
  const { resourceType, entry, link } = (bundle ?? {}) as Readonly<Record<string, unknown>>;
  if (resourceType !== 'Bundle') return null;
  const entries = asArray(entry);
  const read = entries.slice(0, mostEntries).map((one) => (isObject(one) ? one : UNREADABLE));
  const resources = read.filter((one) => canBeMatch(one, part)).map(({ resource }) => resource);
  const hasFailed = read.some(({ resource }) => reportsError(resource));
  const isCut = entries.length > mostEntries;
  const following = asObjects(link).find(({ relation }) => relation === 'next')?.['url'];
  if (following === undefined) return { resources, isCut, hasFailed, next: null };
  // An unusable next page still counts as one, so the chart is reported as incomplete.
  const isAddress = typeof following === 'string' && URL.canParse(following, address);
  const next = isAddress ? new URL(following, address).href : 'about:blank';
  return { resources, isCut, hasFailed, next };
};

const UNREADABLE: JsonObject = { resource: null };

const canBeMatch = ({ resource, search: found }: JsonObject, part: Part): boolean => {
  if (resource === undefined || asObject(found)['mode'] === 'outcome') return false;
  const { resourceType: type } = asObject(resource);
  return typeof type !== 'string' || type.trim().toLowerCase() === part.toLowerCase();
};

const ERRORS: ReadonlySet<unknown> = new Set(['error', 'fatal']);

/** @see https://hl7.org/fhir/R4/search.html#errors */
const reportsError = (resource: unknown): boolean =>
  isObject(resource) &&
  resource['resourceType'] === 'OperationOutcome' &&
  asObjects(resource['issue']).some(({ severity }) => ERRORS.has(severity));
