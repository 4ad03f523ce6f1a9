import { readChartNumber } from '../../course/chart-number.ts';
import { readRecorded, readUnrecorded } from '../../fhir/extensions.ts';
import { isTooLongToResolve, readIdentifierSearch } from '../../fhir/identifiers.ts';
import { asArray, asObject, asText, isObject, type JsonObject } from '../../fhir/json.ts';

export type Deletion =
  | { readonly kind: 'this record' }
  /** Another record, or this one if the Bundle has no chart number of its own. */
  | { readonly kind: 'named record'; readonly chartNumber: string }
  | { readonly kind: 'something else'; readonly type: string | null };

// Types that contain an entire record.
const RECORD_TYPES: ReadonlySet<string> = new Set(['Bundle', 'Composition']);

/**
 * Voids only by a Bundle, a Composition, the chart number, or no target: not by an old Observation.
 * @param chartNumber of the Bundle that contains the entry; null if it has none
 * @see spec "Record lifecycle"
 */
export const readDeletion = (entry: JsonObject, chartNumber: string | null): Deletion => {
  const sent = asObject(entry['request'])['url'];
  // The DELETE of a batch is read again for each of its Bundles.
  if (isTooLongToResolve(sent)) return { kind: 'something else', type: null };
  const url = asText(sent)?.replace(/^\/|\/$/g, '') ?? '';
  const search = readIdentifierSearch(url);
  if (search !== null) {
    if (search.value === chartNumber) return THIS_RECORD;
    if (search.type === null || search.type === 'Bundle')
      return { kind: 'named record', chartNumber: search.value };
  } else if (url !== '' && url === chartNumber) return THIS_RECORD;
  const type = url === '' ? findEntryType(entry) : parseType(url);
  const isRecord = type === null ? url === '' : RECORD_TYPES.has(type);
  return isRecord ? THIS_RECORD : { kind: 'something else', type };
};

const THIS_RECORD: Deletion = { kind: 'this record' };

export type BundleChart = ReturnType<typeof readChartNumber> | { readonly kind: 'several' };

/**
 * Also forms that FHIR does not have, since each push without a number makes another record. Our exports
 * have a number that does not fit in an extension.
 */
export const readBundleChart = ({ identifier }: JsonObject): BundleChart => {
  const listed = asArray(identifier).flatMap(listValues);
  const read = listed.map(readChartNumber);
  const [first, ...others] = read.filter(({ kind }) => kind !== 'absent');
  if (first === undefined) return { kind: 'absent' };
  const isSame = others.every((one) => JSON.stringify(one) === JSON.stringify(first));
  return isSame ? first : { kind: 'several' };
};

/** True if `Bundle.identifier` has a form that FHIR does not have, whether it can be read or not. */
export const isOtherForm = ({ identifier }: JsonObject): boolean =>
  isObject(identifier)
    ? !['string', 'undefined'].includes(typeof (identifier['value'] ?? undefined))
    : identifier !== undefined && identifier !== null;

const listValues = (identifier: unknown): readonly unknown[] => {
  if (readUnrecorded(identifier).has('chart_number')) return [];
  const [recorded] = readRecorded(identifier);
  if (recorded !== undefined) return [recorded];
  const sent = isObject(identifier) ? identifier['value'] : identifier;
  return asArray(sent).map((one) => (Number.isSafeInteger(one) ? String(one) : one));
};

export const deletesRecord = (entry: JsonObject, bundle: JsonObject): boolean => {
  const chart = readBundleChart(bundle);
  const chartNumber = chart.kind === 'chart number' ? chart.value : null;
  return readDeletion(entry, chartNumber).kind === 'this record';
};

// Accepts `Type`, `Type/id`, `Type/id/_history/1`, or `Type?search`, with or without a base URL.
const parseType = (url: string): string | null => {
  const [path = '', search] = url.split('?', 2);
  const segments = path.split('/').filter((segment) => segment !== '');
  const history = segments.indexOf('_history');
  const [last, beforeLast] = (history < 0 ? segments : segments.slice(0, history)).toReversed();
  if (search === undefined && isType(beforeLast)) return beforeLast;
  return isType(last) ? last : null;
};

const isType = (segment: string | undefined): segment is string =>
  segment !== undefined && /^[A-Z][A-Za-z]{1,40}$/.test(segment);

// An entry whose request has no target refers to its own resource.
const findEntryType = (entry: JsonObject): string | null => {
  const resource = entry['resource'];
  const type = isObject(resource) ? asText(resource['resourceType']) : null;
  return type ?? parseType(asText(entry['fullUrl']) ?? '');
};
