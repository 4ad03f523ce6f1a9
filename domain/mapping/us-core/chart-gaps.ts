import { asObject, asObjects, asText, type JsonObject } from '../../fhir/json.ts';
import { findMistypedInChart, type Mistyped } from '../from-fhir/element-types.ts';
import { findChartKind } from './observation-kinds.ts';
import type { UnreadPart } from './prefill.ts';
import type { Gap } from './pulled-chart.ts';

type Part = UnreadPart['part'];
type Why = UnreadPart['why'];

interface ReadPart {
  readonly own: readonly JsonObject[];
  readonly gaps: readonly Gap[];
}

export const listGaps = (parts: Readonly<Record<Part, ReadPart>>): readonly UnreadPart[] =>
  (Object.keys(parts) as Part[]).flatMap((part) => {
    const { own, gaps } = parts[part];
    const named = new Map<Why, Set<string>>();
    const add = (why: Why, names: readonly string[]): void => {
      const known = named.get(why) ?? new Set();
      for (const name of names) known.add(name);
      named.set(why, known);
    };
    // Entries that are too large stay unread.
    for (const { why, entry } of gaps)
      add(why, part === 'Observation' && why !== 'too-large' ? listKinds(asObject(entry)) : []);
    for (const resource of own)
      for (const [why, names] of findOddities(part, resource)) add(why, names);
    return [...named].map(([why, names]) =>
      names.size === 0 ? { part, why } : { part, why, of: [...names] },
    );
  });

const findOddities = (
  part: Part,
  resource: JsonObject,
): readonly (readonly [Why, readonly string[]])[] => {
  const found = findMistypedInChart(part, resource);
  const listPaths = (kind: Mistyped['id']) =>
    found.filter(({ id }) => id === kind).map(({ path }) => path);
  const repeated = listPaths('repeated');
  const isUnclear = part === 'Observation' && !STATUSES.has(asText(resource['status']) ?? '');
  const odd = [...listPaths('other-type'), ...(isUnclear ? ['Observation.status'] : [])];
  if (odd.length + repeated.length === 0) return [];
  const kinds = part === 'Observation' ? listKinds(resource) : [];
  // Charts are full of measurements that no birth record has.
  if (part === 'Observation' && kinds.length === 0 && !odd.some((path) => OF_CODES.test(path)))
    return [];
  const nameAll = (paths: Iterable<string>) => [...kinds, ...[...paths].flatMap(findName)];
  return [
    ...(odd.length > 0 ? [['other-type', nameAll(odd)] as const] : []),
    ...(repeated.length > 0 ? [['repeated', nameAll(repeated)] as const] : []),
  ];
};

const listKinds = (observation: JsonObject): readonly string[] =>
  [observation, ...asObjects(observation['component'])].flatMap(
    ({ code }) => findChartKind(code)?.kind.what ?? [],
  );

/** Elements without which it is not known what an Observation is about. */
const OF_CODES = /^Observation\.(?:component$|(?:component\.)?code\b)/;

/** @see https://hl7.org/fhir/R4/valueset-observation-status.html */
const STATUSES: ReadonlySet<string> = new Set([
  ...['registered', 'preliminary', 'final', 'amended', 'corrected', 'cancelled'],
  ...['entered-in-error', 'unknown'],
]);

const findName = (path: string): readonly string[] => {
  const [, name] = NAMES.find(([start]) => path.startsWith(`Patient.${start}`)) ?? [];
  return name === undefined ? [] : [name];
};

const NAMES: readonly (readonly [string, string])[] = [
  ['name', 'Name'],
  ['birthDate.extension(patient-birthTime)', 'Time of birth'],
  ['birthDate', 'Date of birth'],
  ['gender', 'Sex'],
  ['identifier', 'Record number'],
  ['address', 'Address'],
  ['telecom', 'Phone'],
  ['contact', 'Contacts'],
  ['multipleBirth', 'Birth order'],
  ['deceased', 'Living'],
  ['extension(us-core-race)', 'Race'],
  ['extension(us-core-ethnicity)', 'Ethnicity'],
  ['extension(us-core-birthsex)', 'Sex'],
  ['extension(us-core-sex)', 'Sex'],
  ['extension(patient-birthTime)', 'Time of birth'],
  ['extension(patient-multipleBirthTotal)', 'Children of this birth'],
  ['extension(patient-mothersMaidenName)', 'Birth surname'],
  ['extension', 'Race, ethnicity, or sex'],
];
