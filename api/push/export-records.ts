import type { FilterKind } from '../../domain/access-log/events.ts';
import { isUuid } from '../../domain/uuid.ts';
import type { ExportableRecord } from '../../projections/record-exports.ts';
import type { Caller } from '../access/authenticate.ts';
import {
  type Exporter,
  noteExportBegun,
  noteRecordsExported,
  noteRecordsTaken,
} from '../access-log/export-notes.ts';
import { bundleOf, maskedBundleOf } from '../export/bundle-of.ts';
import { sendJson } from '../http/operation-outcome.ts';
import { sendPieces } from '../http/send-pieces.ts';
import type { Registry } from '../registry/registry.ts';
import { newTimeSlices } from '../time-slices.ts';
import type { Exchange } from './exchange.ts';
import { cursorAt, type ExportSearch, readExportSearch } from './export-query.ts';
import { noSuchRecord } from './problems.ts';

type Exporting = Pick<Registry, 'reads' | 'noteAccess' | 'now' | 'baseUrl'>;

const FHIR_JSON = 'application/fhir+json';

/** Answers with one record as a document Bundle. @throws RequestProblem 404 */
export const readRecord = async (
  registry: Exporting,
  exchange: Exchange,
  submissionUuid: string,
): Promise<void> => {
  const { res, caller } = exchange;
  const [record] = isUuid(submissionUuid)
    ? await registry.reads.readExportable(caller.practiceId, [submissionUuid], caller.partnerId)
    : [];
  if (record === undefined) throw noSuchRecord();
  await noteExported(registry, exchange, [record], []);
  res.setHeader('Cache-Control', 'no-store');
  res.setHeader('Last-Modified', record.changedAt.toUTCString());
  res.setHeader('ETag', `W/"${record.version}"`);
  sendJson(res, 200, FHIR_JSON, bundleFor(caller)(record));
};

/**
 * Answers with a page of records, those that changed first coming first. A page is one look at the tables; what
 * changes later has a later position, and comes on a later page.
 * @throws RequestProblem 400
 */
export const searchRecords = async (registry: Exporting, exchange: Exchange): Promise<void> => {
  const { req, res, caller } = exchange;
  const search = readExportSearch(new URL(req.url ?? '', registry.baseUrl).searchParams);
  const { count, since, chartNumber, after } = search;
  const filter = { since, chartNumber, partnerId: caller.partnerId };
  const found = await registry.reads.readChangedRecords(
    caller.practiceId,
    filter,
    after,
    count + 1,
  );
  const records = found.slice(0, count);
  await noteExported(registry, exchange, records, filterKindsOf(search));
  res.statusCode = 200;
  res.setHeader('Content-Type', `${FHIR_JSON}; charset=utf-8`);
  res.setHeader('Cache-Control', 'no-store');
  const next = found.length > count ? (records.at(-1)?.position ?? null) : null;
  const pieces = searchsetOf(records, registry.baseUrl, search, next, bundleFor(caller));
  await sendPieces(res, pieces);
};

const bundleFor = ({ kind }: Caller) => (kind === 'partner' ? maskedBundleOf : bundleOf);

const filterKindsOf = ({ since, chartNumber }: ExportSearch): readonly FilterKind[] => [
  ...(since === null ? [] : (['since'] as const)),
  ...(chartNumber === null ? [] : (['words'] as const)),
];

const noteExported = async (
  registry: Exporting,
  { caller, correlationId }: Exchange,
  records: readonly ExportableRecord[],
  filters: readonly FilterKind[],
): Promise<void> => {
  // A system that asks each minute whether there is something new was given nothing.
  if (records.length === 0) return;
  const exporter: Exporter = {
    practiceId: caller.practiceId,
    actor: { kind: 'key', id: caller.keyId },
    correlationId,
    what: 'records-api',
  };
  await noteExportBegun(registry, exporter, records.length, filters);
  const noteEach = caller.kind === 'partner' ? noteRecordsTaken : noteRecordsExported;
  await noteEach(registry, exporter, records);
};

/** The page as it is sent, a Bundle in memory at a time. @param next position after which the next page begins */
async function* searchsetOf(
  records: readonly ExportableRecord[],
  baseUrl: string,
  search: ExportSearch,
  next: string | null,
  toBundle: (record: ExportableRecord) => unknown,
): AsyncGenerator<string> {
  const rest = newTimeSlices();
  const address = `${baseUrl}/api/registry/fhir/Bundle`;
  const linkTo = (relation: string, after: string | null) => ({
    relation,
    url: `${address}?${parametersOf({ ...search, after })}`,
  });
  const last = records.at(-1);
  const head = {
    resourceType: 'Bundle',
    ...(last === undefined ? {} : { meta: { lastUpdated: last.changedAt.toISOString() } }),
    type: 'searchset',
    link: [linkTo('self', search.after), ...(next === null ? [] : [linkTo('next', next)])],
  };
  // FHIR knows no empty arrays.
  if (last === undefined) {
    yield JSON.stringify(head);
    return;
  }
  let before = `${JSON.stringify(head).slice(0, -1)},"entry":[`;
  for (const record of records) {
    yield before +
      JSON.stringify({
        fullUrl: `${address}/${record.submissionUuid}`,
        resource: toBundle(record),
        search: { mode: 'match' },
      });
    before = ',';
    await rest();
  }
  yield ']}';
}

const parametersOf = ({ count, since, chartNumber, after }: ExportSearch): string =>
  new URLSearchParams({
    ...(since === null ? {} : { _since: since.toISOString() }),
    ...(chartNumber === null ? {} : { identifier: chartNumber }),
    _count: String(count),
    ...(after === null ? {} : { _cursor: cursorAt(after) }),
  }).toString();
