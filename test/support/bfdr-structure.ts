import { isObject, type JsonObject, objectIn, objectsOf } from '../../domain/fhir/json.ts';

const BFDR = 'http://hl7.org/fhir/us/bfdr/StructureDefinition';
const COMMON = 'http://hl7.org/fhir/us/vr-common-library/StructureDefinition';

/** Each kind of report: its Bundle in version 2 and 1 of the guide, its Composition, LOINC type. */
const REPORTS = [
  {
    bundle: `${BFDR}/Bundle-document-birth-report`,
    composition: `${BFDR}/Composition-provider-live-birth-report`,
    type: '68998-4',
  },
  {
    bundle: `${BFDR}/Bundle-document-fetal-death-report`,
    composition: `${BFDR}/Composition-jurisdiction-fetal-death-report`,
    type: '92010-8',
  },
];
const FIRST_VERSION = `${BFDR}/Bundle-document-bfdr`;

const MOTHER = `${COMMON}/Patient-mother-vr`;
const LIVE_BORN = `${COMMON}/Patient-child-vr`;
const FETUS = `${BFDR}/Patient-decedent-fetus`;

/** The sections of the published examples that the registry's values belong to. */
const SECTIONS = new Set(['57073-9', '55752-0', '57075-4', '92014-0']);

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;
const UUID = /^urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Elements that FHIR R4 requires, by type of resource. */
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  Composition: ['status', 'type', 'subject', 'date', 'author', 'title', 'encounter'],
  Patient: [],
  Observation: ['status', 'code', 'subject'],
  Procedure: ['status', 'code', 'subject', 'category'],
  Encounter: ['status', 'class'],
  Location: ['status'],
  Practitioner: ['identifier'],
  Consent: ['scope', 'category', 'patient', 'policyRule'],
};

/** What is wrong with a document by FHIR R4 and by the BFDR guide; nothing if all is well. */
export const problemsOf = (bundle: JsonObject): readonly string[] => {
  const problems: string[] = [];
  const expect = (holds: boolean, problem: string): void => {
    if (!holds) problems.push(problem);
  };
  const entries = objectsOf(bundle['entry']);
  const resources = entries.map((entry) => objectIn(entry['resource']));
  const urls = entries.map((entry) => String(entry['fullUrl']));
  const ofType = (type: string) => resources.filter((one) => one['resourceType'] === type);

  expect(bundle['resourceType'] === 'Bundle' && bundle['type'] === 'document', 'no document');
  expect(INSTANT.test(String(bundle['timestamp'])), 'no timestamp');
  expect(INSTANT.test(String(objectIn(bundle['meta'])['lastUpdated'])), 'no time of change');
  expect(new Set(urls).size === urls.length, 'a fullUrl is there twice');
  if (bundle['identifier'] !== undefined)
    expect(
      ['system', 'value'].every((name) => name in objectIn(bundle['identifier'])),
      'an identifier needs a system and a value',
    );
  for (const [at, resource] of resources.entries()) {
    const type = String(resource['resourceType']);
    expect(UUID.test(urls[at] ?? ''), `${type}: no urn:uuid`);
    expect(urls[at] === `urn:uuid:${String(resource['id'])}`, `${type}: another id`);
    for (const name of REQUIRED[type] ?? [UNEXPECTED])
      expect(resource[name] !== undefined, `${type} without ${name}`);
  }
  for (const reference of referencesIn(bundle))
    expect(urls.includes(reference), 'a reference leads nowhere');
  problems.push(...emptyIn(bundle, 'Bundle'));

  const [composition] = resources;
  const patients = ofType('Patient');
  const mothers = patients.filter((one) => profileOf(one) === MOTHER);
  const children = patients.filter((one) => [LIVE_BORN, FETUS].includes(profileOf(one)));
  const isFetal = children.every((one) => profileOf(one) === FETUS);
  const report = REPORTS[isFetal ? 1 : 0];
  expect(mothers.length === 1 && children.length >= 1, 'roles');
  expect(patients.length === mothers.length + children.length, 'a Patient in no role');
  expect(composition?.['resourceType'] === 'Composition', 'the Composition is not first');
  expect(profileOf(composition) === report?.composition, 'profile of the Composition');
  expect(codeOf(composition?.['type']) === report?.type, 'type of the Composition');
  expect(
    [report?.bundle, FIRST_VERSION].includes(profileOf(bundle).split('|')[0]),
    'profile of the Bundle',
  );

  const sections = objectsOf(composition?.['section']);
  for (const section of sections)
    expect(SECTIONS.has(codeOf(section['code'])), 'code of a section');
  const listed = sections.flatMap((section) =>
    objectsOf(section['entry']).map(({ reference }) => String(reference)),
  );
  const observed = [...ofType('Observation'), ...ofType('Procedure')];
  expect(
    [...listed].sort().join() ===
      observed
        .map(({ id }) => `urn:uuid:${String(id)}`)
        .sort()
        .join(),
    'every Observation and Procedure is in one section',
  );
  for (const observation of ofType('Observation')) {
    const values = Object.keys(observation).filter((name) => name.startsWith('value'));
    expect(
      values.length === (observation['component'] === undefined ? 1 : 0),
      `values: ${values.join()}`,
    );
    const [coding] = objectsOf(objectIn(observation['code'])['coding']);
    expect(typeof coding?.['system'] === 'string' && codeOf(observation['code']) !== '', 'a code');
  }
  const stays = ofType('Encounter').map(profileOf);
  expect(stays.filter((one) => one === `${BFDR}/Encounter-maternity`).length === 1, 'maternity');
  expect(
    stays.filter((one) => one === `${BFDR}/Encounter-birth`).length ===
      children.filter((one) => profileOf(one) === LIVE_BORN).length,
    'one stay of each live-born child',
  );
  expect(ofType('Consent').length <= 1, 'several Consents');
  return problems;
};

const UNEXPECTED = 'a type of resource that is expected';

const profileOf = (resource: JsonObject | undefined): string =>
  String((objectIn(resource?.['meta'])['profile'] as readonly unknown[] | undefined)?.[0] ?? '');

const codeOf = (concept: unknown): string =>
  String(objectsOf(objectIn(concept)['coding'])[0]?.['code'] ?? '');

const referencesIn = (value: unknown): readonly string[] => {
  if (Array.isArray(value)) return value.flatMap(referencesIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    name === 'reference' && typeof inner === 'string' ? [inner] : referencesIn(inner),
  );
};

// FHIR JSON has no empty text, list or object, and null only in lists of extensions of primitives.
const emptyIn = (value: unknown, path: string): readonly string[] => {
  if (Array.isArray(value))
    return value.length === 0
      ? [`${path} is empty`]
      : value.flatMap((one) => (one === null && /\._\w+$/.test(path) ? [] : emptyIn(one, path)));
  if (isObject(value))
    return Object.keys(value).length === 0
      ? [`${path} is empty`]
      : Object.entries(value).flatMap(([name, inner]) => emptyIn(inner, `${path}.${name}`));
  return value === null || value === '' || value === undefined ? [`${path} has no value`] : [];
};
