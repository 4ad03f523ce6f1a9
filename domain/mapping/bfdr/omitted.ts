import { asText } from '../../fhir/json.ts';
import type { Document, OmittedResource } from '../../fhir/references.ts';
import type { Deletion } from './deletions.ts';
import type { People } from './people.ts';
import type { Lane } from './place-of-birth.ts';
import type { WarningCollector } from './warning-collector.ts';

/** Field filled by each element of a resource; `null` is the key for the entire resource. */
type Filled = ReadonlyMap<string | null, string>;

const OF_CHILD: Filled = new Map([
  [null, 'family_name'],
  ['name', 'family_name'],
  ['identifier', 'medical_record_number'],
]);
const OF_MOTHER: Filled = new Map([...OF_CHILD, ['telecom', 'phone'], ['address', 'address.line']]);

const PLACE = 'place_of_birth';
const FILLED: ReadonlyMap<string, Filled> = new Map([
  [
    'Encounter',
    new Map([
      [null, PLACE],
      ['location', PLACE],
      ['participant', 'attendant'],
      ['hospitalization', 'transfers.facility'],
      ['type', 'transfers.type'],
      ['class', 'transfers.type'],
    ]),
  ],
  [
    'Location',
    new Map([
      [null, PLACE],
      ['type', PLACE],
      ['physicalType', PLACE],
    ]),
  ],
  [
    'Practitioner',
    new Map([
      [null, 'attendant'],
      ['identifier', 'attendant'],
      ['name', 'attendant'],
      ['qualification', 'attendant'],
    ]),
  ],
  [
    'PractitionerRole',
    new Map([
      [null, 'attendant'],
      ['practitioner', 'attendant'],
    ]),
  ],
  [
    'Composition',
    new Map([
      [null, 'certifier'],
      ['attester', 'certifier'],
      ['author', 'certifier'],
      ['encounter', PLACE],
    ]),
  ],
  [
    'Consent',
    new Map([
      [null, 'consent.status'],
      ['provision', 'consent.status'],
    ]),
  ],
]);

// Providers are not read from a Bundle sent with a native key, so nothing about them can be
// omitted.
const OF_PARTNERS: ReadonlySet<string> = new Set(['attendant', 'certifier']);

/** On the first field it would have filled. Observations get their warnings when they are read. */
export const warnOfOmitted = (
  document: Document,
  people: People,
  lane: Lane,
  notes: WarningCollector,
): void => {
  for (const leftOut of document.leftOut) {
    const filled = findFilledField(leftOut, people);
    if (filled === null || (lane === 'native' && OF_PARTNERS.has(filled.field))) continue;
    notes.warn(filled.field, filled.child, null, 'modifier-unknown');
  }
};

type FilledField = { readonly field: string; readonly child: number | null };

const findFilledField = (
  { resource, element }: OmittedResource,
  { subjects }: People,
): FilledField | null => {
  if (resource['resourceType'] !== 'Patient') {
    const field = FILLED.get(asText(resource['resourceType']) ?? '')?.get(element);
    return field === undefined ? null : { field, child: null };
  }
  const person = subjects.get(resource);
  if (person === undefined) return null;
  const name = (person.kind === 'child' ? OF_CHILD : OF_MOTHER).get(element);
  if (name === undefined) return null;
  return person.kind === 'child'
    ? { field: `children.${name}`, child: person.child }
    : { field: `mother.${name}`, child: null };
};

export const warnOfDeletions = (deletions: readonly Deletion[], notes: WarningCollector): void => {
  const types = deletions.map((one) => (one.kind === 'something else' ? one.type : 'Bundle'));
  for (const type of new Set(types)) notes.warn('chart_number', null, type, 'deletion-ignored');
};
