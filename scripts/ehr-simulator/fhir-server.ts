import type { IncomingMessage, ServerResponse } from 'node:http';
import { fhir, flood, html, redirect, silence } from './answers.ts';
import type { Access } from './authorization-server.ts';
import type { EhrBehavior } from './behavior.ts';
import type { Chart, Resource } from './resources.ts';

interface FhirServerOptions {
  readonly issuer: () => string;
  readonly charts: Readonly<Record<string, Chart>>;
  readonly accessOf: (token: string) => Access | null;
  readonly behavior: () => EhrBehavior;
  /** Address of another server, which must never receive the token. */
  readonly elsewhere: () => string;
}

const OK = 200;
const PAGE_ROWS = 4;
const HUGE_BYTES = 3 * 1024 * 1024;

const outcome = (code: string, severity = 'error') => ({
  resourceType: 'OperationOutcome',
  issue: [{ severity, code, diagnostics: 'Marisol Quintanilla-Brandvold' }],
});

const readBearer = (req: IncomingMessage): string =>
  /^Bearer (\S+)$/.exec(req.headers.authorization ?? '')?.[1] ?? '';

const CHART_LISTS = {
  Observation: 'observations',
  Condition: 'conditions',
  Encounter: 'encounters',
} as const;

type ListedType = keyof typeof CHART_LISTS;

/** FHIR server of the simulated EHR, limited to the launched patient's compartment, with paging. */
export const fhirServer = ({
  issuer,
  charts,
  accessOf,
  behavior,
  elsewhere,
}: FhirServerOptions) => {
  const search = (
    part: ListedType,
    query: URLSearchParams,
    access: Access,
    res: ServerResponse,
  ): void => {
    const chart = charts[access.patientId];
    const mode = part === 'Observation' ? behavior().observations : 'good';
    const page = Number(query.get('page') ?? '0');
    if (misbehave(mode, page, query, res)) return;
    const found = (chart?.[CHART_LISTS[part]] ?? []).filter((one) =>
      matchesQuery(one, query, mode),
    );
    const rows = found.slice(page * PAGE_ROWS, (page + 1) * PAGE_ROWS);
    const hasMore = found.length > (page + 1) * PAGE_ROWS;
    const next = new URL(`${issuer()}/${part}`);
    for (const [name, value] of query) next.searchParams.set(name, value);
    next.searchParams.set('page', String(page + 1));
    const url = hasMore || mode === 'endless' ? buildNextAddress(mode, next, page) : null;
    fhir(res, OK, {
      resourceType: 'Bundle',
      type: 'searchset',
      total: found.length,
      link: [
        { relation: 'self', url: `${issuer()}/${part}` },
        ...(url === null ? [] : [{ relation: 'next', url }]),
      ],
      entry: [
        ...rows.map((resource) => ({ resource, search: { mode: 'match' } })),
        { resource: outcome('informational', 'information'), search: { mode: 'outcome' } },
      ],
    });
  };

  const buildNextAddress = (mode: EhrBehavior['observations'], next: URL, page: number): string => {
    if (mode === 'next-elsewhere') return `${elsewhere()}${next.pathname}${next.search}`;
    if (mode === 'next-beside') return `${next.origin}/admin${next.search}`;
    if (mode === 'next-with-user') return next.href.replace('://', '://someone@');
    if (mode === 'next-again') next.searchParams.set('page', String(page));
    return next.href;
  };

  /** @returns true if it sent a response */
  const misbehave = (
    mode: EhrBehavior['observations'],
    page: number,
    query: URLSearchParams,
    res: ServerResponse,
  ): boolean => {
    if (mode === 'failing' || (mode === 'second-page-failing' && page > 0))
      fhir(res, 500, outcome('exception'));
    else if (mode === 'denied') fhir(res, 403, outcome('forbidden'));
    else if (mode === 'by-category-only' && !query.has('category'))
      fhir(res, 400, outcome('required'));
    else if (mode === 'silent') silence(res);
    else if (mode === 'huge') flood(res, HUGE_BYTES);
    else if (mode === 'no-json') html(res, OK, 'no Bundle');
    else if (mode === 'redirected') redirect(res, `${elsewhere()}/Observation`);
    else return false;
    return true;
  };

  return (
    req: IncomingMessage,
    path: string,
    query: URLSearchParams,
    res: ServerResponse,
  ): void => {
    const access = accessOf(readBearer(req));
    const [type = '', id = null, ...more] = path.split('/');
    const current = behavior();
    if (access === null) {
      res.setHeader('WWW-Authenticate', 'Bearer');
      fhir(res, 401, outcome('login'));
      return;
    }
    const isGranted = access.scope
      .split(' ')
      .some((scope) => scope.startsWith(`patient/${type}.`) || scope.startsWith('patient/*.'));
    if (!isGranted || more.length > 0) {
      fhir(res, 403, outcome('forbidden'));
      return;
    }
    if (type === 'Patient' && id !== null) {
      const chart = charts[id];
      if (id !== access.patientId || chart === undefined) fhir(res, 403, outcome('forbidden'));
      else if (current.patient === 'failing') fhir(res, 500, outcome('exception'));
      else if (current.patient === 'denied') fhir(res, 403, outcome('forbidden'));
      else if (current.patient === 'silent') silence(res);
      else if (current.patient === 'someone-else') fhir(res, OK, { ...chart.patient, id: 'other' });
      else fhir(res, OK, chart.patient);
      return;
    }
    if (!(type in CHART_LISTS) || id !== null) {
      fhir(res, 404, outcome('not-found'));
      return;
    }
    const part = type as ListedType;
    if (query.get('patient') !== access.patientId) fhir(res, 403, outcome('forbidden'));
    else if (part !== 'Observation' && current[CHART_LISTS[part] as 'conditions'] === 'failing')
      fhir(res, 500, outcome('exception'));
    else search(part, query, access, res);
  };
};

const listCodes = (concept: unknown): readonly string[] => {
  const { coding = [] } = concept as { readonly coding?: readonly { readonly code: string }[] };
  return coding.map(({ code }) => code);
};

const matchesQuery = (
  resource: Resource,
  query: URLSearchParams,
  mode: EhrBehavior['observations'],
): boolean => {
  const [codes, category] = [query.get('code'), query.get('category')];
  if (codes !== null) {
    const codeList = mode === 'no-code-lists' ? [codes] : codes.split(',');
    if (!listCodes(resource['code']).some((code) => codeList.includes(code))) return false;
  }
  const categories = (resource['category'] ?? []) as readonly unknown[];
  return category === null || categories.flatMap(listCodes).includes(category);
};
