import { REGISTRY_CODES } from '../../course/codes.ts';
import { MAX_NAME, MAX_TEXT } from '../../course/limits.ts';
import { readCodings } from '../../fhir/coded-values.ts';
import { isCurrent, type ReferenceDay } from '../../fhir/current-elements.ts';
import { getFamilyText } from '../../fhir/human-names.ts';
import {
  asArray,
  asObjects,
  asText,
  cacheBy,
  firstMatch,
  isObject,
  type JsonObject,
} from '../../fhir/json.ts';
import type { Document } from '../../fhir/references.ts';
import { isInactive } from '../../fhir/resources.ts';
import { spendBudget } from '../../fhir/steps.ts';
import {
  mergeDetails,
  PROVIDER_ROLES,
  type ProviderMention,
  type ProviderRole,
} from '../../provider/details.ts';
import { isAttendant } from '../from-fhir/attendants.ts';
import { nameInUse } from '../from-fhir/names-and-contacts.ts';
import { findEncounters } from './encounters.ts';
import type { People } from './people.ts';
import type { WarningCollector } from './warning-collector.ts';

export type Attribution = {
  readonly attendant: string | null;
  readonly certifier: string | null;
  readonly doulaPresent: boolean;
  readonly providers: readonly ProviderMention[];
};

// Our choice: more than any birth has. Each provider has its own stream.
const MAX_PROVIDERS = 50;
const MAX_IDENTITY = 255;
// Our choice: more than any provider has. Each is compared with all others.
const MAX_CREDENTIALS = 50;
// Far longer than the text that is kept, even where a letter in lower case is longer.
const MAX_WORDS = 3 * MAX_TEXT;

/** Skips Practitioners without a stable id. */
export const readAttribution = (
  document: Document,
  birthEncounter: JsonObject | null,
  people: People,
  day: ReferenceDay,
  notes: WarningCollector,
): Attribution => {
  const encounters = findEncounters(document);
  const birthFirst = [
    ...encounters.filter((encounter) => encounter === birthEncounter),
    ...encounters.filter((encounter) => encounter !== birthEncounter),
  ];
  const listed = document.ofType('Practitioner');
  const replacements = findReplacements(listed);
  for (const _ of replacements) notes.warn('Practitioner.active', null, null, 'person-replaced');
  const findPractitioner = createFindPractitioner(document, replacements);
  const participations = birthFirst.flatMap((encounter) =>
    listParticipations(encounter, findPractitioner, people),
  );
  if (birthEncounter !== null && isAttendantMissing(birthEncounter, document))
    notes.warn('attendant', null, null, 'reference-missing');
  // A practitioner who came after the birth attended it only if no one else did.
  const attending = participations
    .filter(({ attends }) => attends)
    .sort((one, other) => Number(one.isAfterwards) - Number(other.isAfterwards))
    .map(({ practitioner }) => practitioner);
  const certifying = findCertifier(document, findPractitioner, notes);
  const present = new Set(participations.map(({ practitioner }) => practitioner));

  const entries = new Set(listed.filter((practitioner) => !replacements.has(practitioner)));
  // The id of a contained resource is valid only within its container, so it does not identify a
  // person.
  const identify = (practitioner: JsonObject): string | null =>
    entries.has(practitioner)
      ? readProviderIdentity(practitioner)
      : findOwnIdentifier(practitioner);
  const roleOf = cacheBy(readProviderRole);
  const attendant = firstMatch([...new Set(attending)], identify);
  const certifier = certifying === null ? null : identify(certifying);
  const named = new Set([...entries, ...present, ...(certifying === null ? [] : [certifying])]);
  return {
    attendant,
    certifier,
    doulaPresent: participations.some(
      ({ practitioner, isAfterwards }) => !isAfterwards && roleOf(practitioner) === 'doula',
    ),
    providers: listMentions([...named], day, identify, [attendant, certifier]),
  };
};

type Participation = {
  readonly practitioner: JsonObject;
  readonly attends: boolean;
  readonly isAfterwards: boolean;
};

const listParticipations = (
  encounter: JsonObject,
  findPractitioner: FindPractitioner,
  people: People,
): readonly Participation[] =>
  asObjects(encounter['participant']).flatMap((participant) => {
    const practitioner = findPractitioner(participant['individual'], encounter);
    if (practitioner === null) return [];
    const isAfterwards = people.isAfterBirth(participant);
    return [{ practitioner, attends: isAttendant(participant), isAfterwards }];
  });

const isAttendantMissing = (encounter: JsonObject, document: Document): boolean =>
  asObjects(encounter['participant'])
    .filter(isAttendant)
    .flatMap(({ individual }) => asObjects(individual))
    .some(
      (individual) =>
        asText(individual['reference']) !== null &&
        document.resolve(individual, encounter) === null,
    );

/** Directly or through a PractitionerRole. */
type FindPractitioner = (reference: unknown, holder: JsonObject) => JsonObject | null;

const createFindPractitioner = (
  document: Document,
  replacements: ReadonlyMap<JsonObject, JsonObject>,
): FindPractitioner => {
  const toCurrent = (resource: JsonObject | null): JsonObject | null => {
    const practitioner = toPractitioner(resource);
    return practitioner === null ? null : (replacements.get(practitioner) ?? practitioner);
  };
  const findOwnPerson = cacheBy((role) => document.resolve(role['practitioner'], role));
  return (reference, holder) => {
    const named = document.resolve(reference, holder);
    if (named?.['resourceType'] !== 'PractitionerRole') return toCurrent(named);
    const person = findOwnPerson(named) ?? document.resolve(named['practitioner'], holder);
    return toCurrent(person);
  };
};

/** FHIR has no link between merged Practitioners. */
const findReplacements = (
  practitioners: readonly JsonObject[],
): ReadonlyMap<JsonObject, JsonObject> => {
  const replacements = new Map<JsonObject, JsonObject>();
  const inactive = practitioners.filter(isInactive);
  if (inactive.length === 0) return replacements;
  const byIdentifier = new Map<string, JsonObject | null>();
  for (const practitioner of practitioners) {
    if (isInactive(practitioner)) continue;
    for (const key of listIdentifiers(practitioner)) {
      const isOther = byIdentifier.has(key) && byIdentifier.get(key) !== practitioner;
      byIdentifier.set(key, isOther ? null : practitioner);
    }
  }
  for (const practitioner of inactive) {
    const replacement = firstMatch(
      listIdentifiers(practitioner),
      (key) => byIdentifier.get(key) ?? null,
    );
    if (replacement !== null) replacements.set(practitioner, replacement);
  }
  return replacements;
};

const listIdentifiers = (practitioner: JsonObject): readonly string[] =>
  asObjects(practitioner['identifier']).flatMap((identifier) => {
    const value = limitLength(asText(identifier['value']), MAX_IDENTITY);
    const system = isNpi(identifier) ? NPI : asText(identifier['system']);
    return value === null || system === null ? [] : [JSON.stringify([system, value])];
  });

const toPractitioner = (resource: JsonObject | null): JsonObject | null =>
  resource?.['resourceType'] === 'Practitioner' ? resource : null;

// Returns the first attester with a party, else the first author, if that is a Practitioner.
const findCertifier = (
  document: Document,
  findPractitioner: FindPractitioner,
  notes: WarningCollector,
): JsonObject | null => {
  const [composition] = document.ofType('Composition');
  if (composition === undefined) return null;
  const attested = asObjects(composition['attester'])
    .flatMap((attester) => asObjects(attester['party']))
    .find((party) => asText(party['reference']) !== null || isObject(party['identifier']));
  const party = attested ?? asObjects(composition['author'])[0];
  if (asText(party?.['reference']) !== null && document.resolve(party, composition) === null)
    notes.warn('certifier', null, null, 'reference-missing');
  return findPractitioner(party, composition);
};

/**
 * An identifier without a value belongs to a person entered by a practice, not to a partner's provider.
 */
export const PROVIDER_IDENTITIES = 'urn:birth-registry:providers';

/** First identifier that is not an NPI, else the resource id, else null. */
export const readProviderIdentity = (practitioner: JsonObject): string | null =>
  isNoProvider(practitioner)
    ? null
    : (findOwnIdentifier(practitioner) ?? limitLength(asText(practitioner['id']), MAX_IDENTITY));

const isNoProvider = (practitioner: JsonObject): boolean =>
  asObjects(practitioner['identifier']).some(
    ({ system, value }) => system === PROVIDER_IDENTITIES && asText(value) === null,
  );

const findOwnIdentifier = (practitioner: JsonObject): string | null =>
  firstMatch(asObjects(practitioner['identifier']), (identifier) =>
    isNpi(identifier) ? null : limitLength(asText(identifier['value']), MAX_IDENTITY),
  );

/** Type of an NPI identifier. @see http://terminology.hl7.org/CodeSystem/v2-0203 */
export const NPI = 'NPI';

// Matches the URL, a last segment such as `npi`, or the registered OID that feeds based on HL7 v2
// or CDA use, in any spelling.
const NPI_SYSTEM =
  /us[-_ ]?npi(?=$|[/#?|])|(?:^|[/:#])npi[/#]?$|^(?:urn:)?(?:oid:)?2\.16\.840\.1\.113883\.4\.6\/?$/i;

const NPI_WORDS = /\bnpi\b|\bnational provider id/i;
const NOT_NPI = /\b(?:non|not)\b/i;

const isNpi = (identifier: JsonObject): boolean =>
  NPI_SYSTEM.test(asText(identifier['system']) ?? '') ||
  asObjects(identifier['type']).some((type) =>
    [
      asText(type['text']),
      ...readCodings(type).flatMap(({ code, display }) => [code, display]),
    ].some((words) => words !== null && NPI_WORDS.test(words) && !NOT_NPI.test(words)),
  );

const readNpi = (practitioner: JsonObject): string | null =>
  firstMatch(asObjects(practitioner['identifier']), (identifier) =>
    isNpi(identifier) ? limitLength(asText(identifier['value']), MAX_NAME) : null,
  );

const limitLength = (text: string | null, longest: number): string | null =>
  text !== null && text.length <= longest ? text : null;

// Returns one mention per identity. The limit never removes the attendant or certifier.
const listMentions = (
  practitioners: readonly JsonObject[],
  day: ReferenceDay,
  identify: (practitioner: JsonObject) => string | null,
  inPart: readonly (string | null)[],
): readonly ProviderMention[] => {
  const mentions = new Map<string, ProviderMention>();
  for (const practitioner of practitioners) {
    const identity = identify(practitioner);
    if (identity === null) continue;
    const mention = toMention(identity, practitioner, day);
    const known = mentions.get(identity);
    mentions.set(identity, known === undefined ? mention : completeMention(known, mention));
  }
  const all = [...mentions.values()];
  const first = all.filter(({ identity }) => inPart.includes(identity));
  return [...first, ...all.filter((mention) => !first.includes(mention))].slice(0, MAX_PROVIDERS);
};

const toMention = (
  identity: string,
  practitioner: JsonObject,
  day: ReferenceDay,
): ProviderMention => ({
  identity,
  npi: readNpi(practitioner),
  name: readName(practitioner, day),
  credentials: readCredentials(practitioner, day),
  role: readProviderRole(practitioner),
});

const completeMention = (known: ProviderMention, other: ProviderMention): ProviderMention => ({
  identity: known.identity,
  ...mergeDetails(known, other),
});

const readName = (practitioner: JsonObject, day: ReferenceDay): string | null => {
  const name = nameInUse(practitioner['name'], day, (one) => readWholeName(one) !== null);
  return name === null ? null : limitLength(readWholeName(name), MAX_NAME);
};

const readWholeName = (name: JsonObject): string | null => {
  const parts = [...asArray(name['given']), getFamilyText(name)].map(asText);
  return asText(name['text']) ?? asText(parts.filter((part) => part !== null).join(' '));
};

// The registry's own role code in an exported record is not a credential.
const readCredentials = (practitioner: JsonObject, day: ReferenceDay): string | null => {
  const names = asObjects(practitioner['name']);
  const current = names.filter((name) => isCurrent(name, day));
  const suffixes = (current.length > 0 ? current : names).flatMap((name) =>
    asArray(name['suffix']),
  );
  const qualifications = asObjects(practitioner['qualification'])
    .flatMap((qualification) => asObjects(qualification['code']))
    .filter((concept) => !readCodings(concept).some(({ system }) => system === REGISTRY_CODES))
    .map((concept) => {
      const [coding] = readCodings(concept);
      return asText(concept['text']) ?? coding?.display ?? coding?.code ?? null;
    });
  const all = [...suffixes.map(asText), ...qualifications].filter((text) => text !== null);
  const [only] = all;
  if (only === undefined) return null;
  if (all.length === 1) return limitLength(only, MAX_TEXT);
  const each = [...new Map(all.map((text) => [toCredentialWords(text), text]))];
  if (each.length > MAX_CREDENTIALS || each.some(([words]) => words.length > MAX_WORDS))
    return null;
  spendBudget(each.length * each.length);
  // Many senders repeat the suffix of the name in the qualification.
  const distinct = each.filter(
    ([words]) => !each.some(([others]) => others !== words && others.includes(words)),
  );
  return limitLength(distinct.map(([, text]) => text).join(', '), MAX_TEXT);
};

/** Lower case without dots, each word surrounded by spaces. */
export const toCredentialWords = (text: string): string =>
  ` ${text
    .toLowerCase()
    .replaceAll('.', '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `;

/** Beginnings of words, and abbreviations as whole words. */
type RoleWords = {
  readonly role: ProviderRole;
  readonly beginnings: readonly string[];
  readonly abbreviations: readonly string[];
};

/** Order matters: a CNM who is also an MD is a midwife, and a Physician Assistant is a physician. */
export const ROLE_WORDS: readonly RoleWords[] = [
  { role: 'midwife', beginnings: ['midwife'], abbreviations: ['CNM', 'CPM', 'LM'] },
  { role: 'physician', beginnings: ['physician', 'obstetric'], abbreviations: ['MD'] },
  { role: 'doula', beginnings: ['doula'], abbreviations: [] },
  { role: 'nurse', beginnings: ['nurse'], abbreviations: ['RN'] },
  { role: 'assistant', beginnings: ['assistant'], abbreviations: [] },
];

const ROLE_PATTERNS = ROLE_WORDS.map(({ role, beginnings, abbreviations }) => ({
  role,
  pattern: new RegExp(
    `\\b(?:${[...beginnings, ...abbreviations.map((one) => `${one}\\b`)].join('|')})`,
    'i',
  ),
}));

/** The registry's own code, else keywords in the texts and displays of the qualifications. */
export const readProviderRole = (practitioner: JsonObject): ProviderRole => {
  const concepts = asObjects(practitioner['qualification']).flatMap((qualification) =>
    asObjects(qualification['code']),
  );
  return readStatedRole(concepts) ?? readRoleInWords(concepts);
};

const readStatedRole = (concepts: readonly JsonObject[]): ProviderRole | null => {
  const codes = readCodings(concepts).flatMap(({ system, code }) =>
    system === REGISTRY_CODES ? [code] : [],
  );
  return PROVIDER_ROLES.find((role) => codes.includes(role)) ?? null;
};

const readRoleInWords = (concepts: readonly JsonObject[]): ProviderRole => {
  const words = concepts
    .flatMap((concept) => [
      asText(concept['text']),
      ...readCodings(concept).map(({ display }) => display),
    ])
    .filter((text) => text !== null)
    .map(removeDots)
    .join('; ');
  return ROLE_PATTERNS.find(({ pattern }) => pattern.test(words))?.role ?? 'other';
};

// Converts M.D. to MD and C.N.M. to CNM.
const removeDots = (text: string): string => text.replace(/\b([a-z])\.(?=[a-z]\b)/gi, '$1');
