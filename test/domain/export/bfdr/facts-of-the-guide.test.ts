import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  type Child,
  type CourseOfCare,
  emptyChild,
  emptyCourseOfCare,
  emptyMother,
} from '../../../../domain/course/course.ts';
import { maskForPartner } from '../../../../domain/course/mask.ts';
import {
  buildDocumentBundles,
  DOCUMENTS_PER,
  type DocumentsPer,
  type ExportedRecord,
} from '../../../../domain/export/bfdr/document-bundle.ts';
import { asObject, asObjects, type JsonObject } from '../../../../domain/fhir/json.ts';
import type { NamedProvider } from '../../../../domain/provider/details.ts';
import { providerIdOf } from '../../../support/any-course.ts';
import { courseOf } from '../../../support/bundles.ts';
import {
  assertBroughtBack,
  broughtBackNatively,
  exportedRecord,
  problemsOf,
  readAsPushed,
} from '../../../support/exported-records.ts';
import {
  at,
  BFDR,
  coded,
  FACTS,
  isHeld,
  LOINC,
  MANY,
  profilesIn,
} from '../../../support/facts-of-the-guide.ts';
import { IS_LONG } from '../../../support/runs.ts';
import { buildTransfer } from '../../../support/transfers.ts';

const ANA: Child = {
  ...emptyChild(),
  family_name: 'Reyes',
  given_names: ['Ana'],
  birth_date: '2026-05-12',
  birth_time: '2026-05-12T14:05:00-05:00',
  sex: 'female',
  birth_order: 1,
  fetal_death: false,
  living: true,
  birth_weight_grams: 3401.94,
  gestational_age_weeks: 39,
  gestational_age_days: 2,
  apgar_five_minute: 9,
  presentation: '70028003',
  nicu_admission: false,
  breastfed_at_discharge: true,
};
const SECOND: Child = { ...ANA, birth_order: 2, given_names: ['Eva'], nicu_admission: true };
const FETUS: Child = { ...ANA, birth_order: 2, fetal_death: true, living: false };

const BIRTH: CourseOfCare = {
  ...emptyCourseOfCare(),
  chart_number: 'A-1',
  ig_version: '2.0.0',
  mother: {
    ...emptyMother(),
    family_name: 'Reyes',
    birth_date: '1994-06-02',
    age_at_delivery: 31,
    height_cm: 170,
    prepregnancy_weight_kg: 65,
    delivery_weight_kg: 78,
    education: 'PHC1453',
  },
  children: [ANA],
  plurality: 1,
  first_prenatal_visit: '2025-10-02',
  prenatal_visits: 11,
  wic: true,
  cigarettes_before: 3,
  place_of_birth: 'Hospital',
  planned_place_of_birth: 'Home',
  delivery_method: '11466000',
  trial_of_labor: true,
  attendant_name: 'Dana Fox',
  attendant_title: 'cnm-cm',
  consent: { granted: true, status: 'active', date_time: '2026-05-12' },
};

const provider = (
  id: string,
  role: NamedProvider['role'],
  credentials: string | null,
): NamedProvider => ({
  providerId: providerIdOf(id),
  identity: id,
  npi: null,
  name: id,
  credentials,
  role,
});

const PROVIDERS: readonly NamedProvider[] = [
  { ...provider('Lee', 'physician', 'M.D.'), npi: '1234567893' },
  provider('Ida', 'midwife', 'Certified Nurse-Midwife'),
  provider('Maya', 'doula', null),
  provider('Ray', 'nurse', 'RN'),
];

const ofPartner = (changes: Partial<CourseOfCare>, providers = PROVIDERS): ExportedRecord => {
  const { attendant = null, certifier = null, ...course } = changes;
  const inPart = providers.filter(({ providerId }) => [attendant, certifier].includes(providerId));
  return exportedRecord(
    { ...maskForPartner({ ...BIRTH, ...course }), attendant, certifier },
    'partner',
    { providers: [...inPart, ...providers.filter((one) => !inPart.includes(one))] },
  );
};

const native = (changes: Partial<CourseOfCare>): ExportedRecord =>
  exportedRecord({ ...BIRTH, ...changes }, 'native');

/** Births of every shape. */
const SHAPES: Readonly<Record<string, ExportedRecord>> = {
  'a singleton': native({}),
  twins: native({ plurality: 2, children: [ANA, SECOND] }),
  'triplets, one of them dead': native({
    plurality: 3,
    children: [ANA, FETUS, { ...SECOND, birth_order: 3, fetal_death: null }],
  }),
  'a fetal death': native({ children: [{ ...FETUS, birth_order: 1 }] }),
  'a planned home birth': native({ place_of_birth: 'Home' }),
  'an unplanned home birth': native({ place_of_birth: 'Home', planned_place_of_birth: 'Hospital' }),
  'a home birth of unknown plan': native({ place_of_birth: 'Home', planned_place_of_birth: null }),
  'a home birth that was not planned, although Home was': native({
    place_of_birth: 'Home',
    planned_home_birth: 'no',
  }),
  'a planned home birth without a planned place': native({
    place_of_birth: 'Home',
    planned_place_of_birth: null,
    planned_home_birth: 'yes',
  }),
  'a home birth whose plan is said to be unknown': native({
    place_of_birth: 'Home',
    planned_home_birth: 'unknown',
  }),
  'a planned home birth that took place elsewhere': native({
    planned_place_of_birth: null,
    planned_home_birth: 'yes',
  }),
  'a birth center': native({ place_of_birth: 'Birth center', attendant_title: 'other' }),
  'a clinic': native({ place_of_birth: 'Clinic', attendant_name: null, attendant_title: 'doula' }),
  'another place': native({ place_of_birth: 'Other', attendant_title: null }),
  'on the way': native({
    place_of_birth: 'En route',
    transfers: [buildTransfer({ type: 'mother', direction: null, facility: 'East Hospital' })],
  }),
  'no first visit known': native({ first_prenatal_visit: null, prenatal_visits: null }),
  'no earlier birth': native({
    previous_births_living: 0,
    previous_births_dead: 0,
    other_outcomes: 0,
    children: [{ ...ANA, apgar_five_minute: 8 }],
  }),
  'cesareans before, and labor induced': native({
    previous_cesareans: 2,
    induction_agents: ['oxytocin'],
    augmentation_agents: ['amniotomy'],
  }),
  'a reason for induction alone': native({ induction_indication: 'elective' }),
  'no prenatal care': native({ first_prenatal_visit: null, prenatal_visits: 0 }),
  'a refused consent': native({ consent: { granted: false, status: 'rejected', date_time: null } }),
  'a denied consent': native({ consent: { granted: false, status: 'active', date_time: null } }),
  'a consent without status': native({
    consent: { granted: false, status: null, date_time: '2026-05-12' },
  }),
  'another education': native({ mother: { ...BIRTH.mother, education: 'school of life' } }),
  'version 1 of the guide': native({ ig_version: '1.1.0', chart_number: null }),
  'no version of the guide': native({ ig_version: null }),
  sparse: exportedRecord(
    { ...emptyCourseOfCare(), children: [emptyChild()], place_of_birth: 'Other' },
    null,
  ),
  'a partner’s record': ofPartner({
    attendant: providerIdOf('Lee'),
    certifier: providerIdOf('Ida'),
    doula_present: true,
  }),
  'a partner’s record that names nobody in a part': ofPartner({ place_of_birth: null }),
  'a partner’s twins, certified by a doula': ofPartner({
    plurality: 2,
    children: [ANA, SECOND],
    certifier: providerIdOf('Maya'),
  }),
  voided: { ...native({}), status: 'voided' },
};

const documentsOf = (record: ExportedRecord, per: DocumentsPer): readonly JsonObject[] =>
  buildDocumentBundles(record, per).map((one) => JSON.parse(JSON.stringify(one)));

const shape = (name: keyof typeof SHAPES): ExportedRecord => {
  const record = SHAPES[name];
  if (record === undefined) throw new Error(name);
  return record;
};

const ofType = (bundle: JsonObject, type: string): readonly JsonObject[] =>
  asObjects(bundle['entry'])
    .map(({ resource }) => asObject(resource))
    .filter(({ resourceType }) => resourceType === type);

/** The resources of all documents of all shapes that claim a profile. */
const claimants = (profile: string): readonly JsonObject[] =>
  Object.values(SHAPES)
    .flatMap((record) => DOCUMENTS_PER.flatMap((per) => documentsOf(record, per)))
    .flatMap((bundle) => asObjects(bundle['entry']).map(({ resource }) => asObject(resource)))
    .filter((resource) => profilesIn(resource).includes(profile));

const CLAIMANTS = new Map(
  [...new Set(FACTS.map(([profile]) => profile))].map((one) => [one, claimants(one)] as const),
);

/** As it would be without what the fact says. */
const broken = (resource: JsonObject, path: string): JsonObject => {
  const [name = '', ...rest] = path.split('.');
  const { [name]: value, [`_${name}`]: beside, ...others } = resource;
  if (rest.length === 0) return others;
  const inner = (one: unknown) => broken(asObject(one), rest.join('.'));
  return { ...others, [name]: Array.isArray(value) ? value.map(inner) : inner(value ?? beside) };
};

const facts = suite('what a resource claims of the guide');

for (const fact of FACTS) {
  const [profile, path, least, most, fixed] = fact;
  facts(
    `${profile}.${path}: ${least}..${most === MANY ? '*' : most}${fixed === undefined ? '' : `, ${JSON.stringify(fixed)}`}`,
    () => {
      const claiming = CLAIMANTS.get(profile) ?? [];
      assert.ok(claiming.length > 0);
      for (const resource of claiming) {
        assert.ok(isHeld(resource, fact), JSON.stringify(resource));
        assert.not(isHeld(broken(resource, path), fact));
      }
    },
  );
}

facts.run();

const whole = suite('a document of a birth');

for (const [name, record] of Object.entries(SHAPES)) {
  if (record.status === 'live')
    whole(`of ${name} comes back the same, and warns of nothing`, () => {
      const lane = record.keyKind === 'partner' ? 'partner' : 'native';
      const [bundle] = documentsOf(record, 'course');
      assertBroughtBack(record, lane, bundle);
    });
  for (const per of DOCUMENTS_PER)
    whole(`of ${name} per ${per} has all that a document has`, () => {
      for (const bundle of documentsOf(record, per)) assert.equal(problemsOf(bundle), []);
    });
}

whole.run();

/** One row of what other readers make of a document, and the form in which it left before. */
interface Row {
  readonly name: string;
  readonly shape: keyof typeof SHAPES;
  readonly holds: (bundle: JsonObject, record: ExportedRecord) => boolean;
  /** Makes it as it was. Read in that form, the record is the same. */
  readonly before: (bundle: JsonObject) => void;
}

const observationsOf = (bundle: JsonObject, code: string): readonly JsonObject[] =>
  ofType(bundle, 'Observation').filter((one) => at(one, 'code.coding.code').includes(code));

const change = (element: JsonObject | undefined, changes: JsonObject): void => {
  if (element === undefined) throw new Error('There is nothing to change');
  Object.assign(element, changes);
};

const remove = (bundle: JsonObject, unwanted: (resource: JsonObject) => boolean): void => {
  const entries = asObjects(bundle['entry']);
  const kept = entries.filter(({ resource }) => !unwanted(asObject(resource)));
  assert.ok(kept.length < entries.length, 'There is nothing to remove');
  Object.assign(bundle, { entry: kept });
};

const sectionsOf = (bundle: JsonObject): readonly JsonObject[] =>
  ofType(bundle, 'Composition').flatMap(({ section }) => asObjects(section));

const withoutSection = (bundle: JsonObject, code: string): void =>
  change(ofType(bundle, 'Composition')[0], {
    section: sectionsOf(bundle).filter((one) => !at(one, 'code.coding.code').includes(code)),
  });

/** The addresses to which references lead, from the Composition on. */
const reachedIn = (bundle: JsonObject): ReadonlySet<unknown> => {
  const byAddress = new Map(asObjects(bundle['entry']).map((one) => [one['fullUrl'], one]));
  const [composition] = asObjects(bundle['entry']);
  const reached = new Set<unknown>([composition?.['fullUrl']]);
  for (const address of reached)
    for (const [, next] of JSON.stringify(byAddress.get(address) ?? null).matchAll(
      /"reference":"([^"]+)"/g,
    ))
      reached.add(next);
  return reached;
};

const isReached = (bundle: JsonObject, type: string): boolean => {
  const reached = reachedIn(bundle);
  return ofType(bundle, type).every(({ id }) => reached.has(`urn:uuid:${String(id)}`));
};

const GUIDE_PLACES: Readonly<Record<string, string>> = {
  Hospital: '22232009',
  'Birth center': '91154008',
  Clinic: '67190003',
  Other: 'OTH',
  'En route': 'OTH',
};

const GUIDE_HOMES = { yes: '408839006', no: '408838003', unknown: 'unknownplannedhomebirth' };

const guidePlaceOf = ({
  place_of_birth: place,
  planned_place_of_birth: plan,
  planned_home_birth: answer,
}: CourseOfCare) => {
  if (place !== 'Home') return GUIDE_PLACES[place ?? ''];
  if (answer !== null) return GUIDE_HOMES[answer];
  if (plan === null) return GUIDE_HOMES.unknown;
  return plan === 'Home' ? GUIDE_HOMES.yes : GUIDE_HOMES.no;
};

const GUIDE_LEVELS = ['ELEM', 'SEC', 'HS', 'SCOL', 'AA', 'BA', 'MA', 'POSTG'];
const ATTENDS = '87286-1';

const participantsIn = (bundle: JsonObject, code: string): readonly JsonObject[] =>
  ofType(bundle, 'Encounter')
    .flatMap(({ participant }) => asObjects(participant))
    .filter((one) => at(one, 'type.coding.code').includes(code));

const OUTCOMES = [
  ['68499-3', 'last_live_birth', ['previous_births_living', 'previous_births_dead']],
  ['68500-8', 'last_other_outcome', ['other_outcomes']],
] as const;

const codesIn = (resource: JsonObject): readonly unknown[] => [
  ...at(resource, 'code.coding.code'),
  ...at(resource, 'valueCodeableConcept.coding.code'),
];

const codesOf = (bundle: JsonObject): readonly unknown[] =>
  ['Observation', 'Procedure'].flatMap((type) => ofType(bundle, type).flatMap(codesIn));

/** Facts that the guide has, where the registry holds numbers, methods, or reasons. */
const LABOR: readonly (readonly [string, (course: CourseOfCare) => boolean])[] = [
  ['200144004', ({ previous_cesareans }) => (previous_cesareans ?? 0) > 0],
  [
    '236958009',
    ({ induction_agents, induction_indication }) =>
      induction_agents.length > 0 || induction_indication !== null,
  ],
  ['237001001', ({ augmentation_agents }) => augmentation_agents.length > 0],
];

const ROWS: readonly Row[] = [
  {
    name: 'says that the date of the first visit is unknown, unless there was no visit',
    shape: 'no first visit known',
    holds: (bundle, { course }) => {
      const [visit] = observationsOf(bundle, '69044-6');
      if (course.first_prenatal_visit !== null) return visit?.['valueDateTime'] !== undefined;
      if (course.prenatal_visits === 0) return visit === undefined;
      return at(visit, 'dataAbsentReason.coding.code').includes('unknown');
    },
    before: (bundle) => remove(bundle, (one) => at(one, 'code.coding.code').includes('69044-6')),
  },
  ...OUTCOMES.map(
    ([code, date, fields]): Row => ({
      name: `says that the date under ${code} is unknown, unless there was nothing before`,
      shape: 'a singleton',
      holds: (bundle, { course }) => {
        const [one = {}] = observationsOf(bundle, code);
        // Of a sibling, in the document of a child.
        if (one['valueDateTime'] !== undefined)
          return course.children.length > 1 || one['valueDateTime'] === course[date];
        const wasNone = fields.every((field) => course[field] === 0);
        return at(one, 'dataAbsentReason.coding.code')[0] === (wasNone ? undefined : 'unknown');
      },
      before: (bundle) => remove(bundle, (one) => at(one, 'code.coding.code').includes(code)),
    }),
  ),
  {
    name: 'says that the score at ten minutes is unknown, unless that at five was not low',
    shape: 'sparse',
    holds: (bundle, { course: { children } }) =>
      children.some(
        ({ fetal_death, apgar_five_minute: five }) => fetal_death || (five ?? 0) >= 6,
      ) ||
      observationsOf(bundle, '9271-8').every((one) => one['dataAbsentReason'] !== undefined) ===
        observationsOf(bundle, '9271-8').length > 0,
    before: (bundle) => remove(bundle, (one) => at(one, 'code.coding.code').includes('9271-8')),
  },
  ...LABOR.map(
    ([code, isHeld]): Row => ({
      name: `has ${code} where the record holds what follows from it`,
      shape: 'cesareans before, and labor induced',
      holds: (bundle, { course }) => codesOf(bundle).includes(code) === isHeld(course),
      before: (bundle) => remove(bundle, (one) => codesIn(one).includes(code)),
    }),
  ),
  {
    name: 'has whole inches and pounds, as the state file has them',
    shape: 'a singleton',
    holds: (bundle, { course: { mother } }) =>
      [
        ['8302-2', mother.height_cm, 2.54],
        ['56077-1', mother.prepregnancy_weight_kg, 0.45359237],
        ['69461-2', mother.delivery_weight_kg, 0.45359237],
      ].every(
        ([code, held, factor]) =>
          held === null ||
          at(observationsOf(bundle, String(code))[0], 'valueQuantity.value')[0] ===
            Math.round(Number(held) / Number(factor)),
      ),
    before: (bundle) =>
      change(observationsOf(bundle, '8302-2')[0], {
        valueQuantity: {
          value: 66.9291338583,
          unit: '[in_i]',
          system: 'http://unitsofmeasure.org',
          code: '[in_i]',
        },
      }),
  },
  {
    name: 'has the height in inches',
    shape: 'a singleton',
    holds: (bundle) =>
      observationsOf(bundle, '8302-2').every((one) =>
        at(one, 'valueQuantity.code').includes('[in_i]'),
      ),
    before: (bundle) =>
      change(observationsOf(bundle, '8302-2')[0], {
        valueQuantity: { value: 170, unit: 'cm', system: 'http://unitsofmeasure.org', code: 'cm' },
      }),
  },
  {
    name: 'has a section with the mother in focus',
    shape: 'sparse',
    holds: (bundle) =>
      sectionsOf(bundle).some(
        (one) => at(one, 'code.coding.code').includes('92014-0') && one['focus'] !== undefined,
      ),
    before: (bundle) => withoutSection(bundle, '92014-0'),
  },
  {
    name: 'has the level of education of the guide, and beside it the one that is held',
    shape: 'a singleton',
    holds: (bundle, { course: { mother } }) =>
      observationsOf(bundle, '57712-2').every((one) => {
        const [guide, ...others] = at(one, 'valueCodeableConcept.coding.code');
        if (mother.education === 'school of life') return guide === undefined;
        const [held = guide] = at(one, 'valueCodeableConcept.extension.valueString');
        return (
          GUIDE_LEVELS.includes(String(guide)) && others.length === 0 && held === mother.education
        );
      }),
    before: (bundle) =>
      change(observationsOf(bundle, '57712-2')[0], {
        valueCodeableConcept: coded('urn:oid:2.16.840.1.114222.4.5.274', 'PHC1453'),
      }),
  },
  {
    name: 'has the place of birth by the value set of the guide',
    shape: 'a clinic',
    holds: (bundle, { course }) =>
      ofType(bundle, 'Encounter').every((stay) =>
        at(stay, 'location.physicalType.coding.code').every((one) => one === guidePlaceOf(course)),
      ),
    before: (bundle) => {
      for (const stay of ofType(bundle, 'Encounter'))
        change(asObjects(stay['location'])[0], {
          physicalType: coded('http://snomed.info/sct', '39350007'),
        });
    },
  },
  {
    name: 'names the attendant as a participant, whose title is of the guide',
    shape: 'a singleton',
    holds: (bundle, { course }) => {
      if (course.attendant === null && course.attendant_name === null) return true;
      const attending = participantsIn(bundle, ATTENDS);
      return (
        attending.length > 0 &&
        attending.every(({ individual }) =>
          ofType(bundle, 'Practitioner').some(
            (one) =>
              `urn:uuid:${String(one['id'])}` === asObject(individual)['reference'] &&
              profilesIn(one).includes('Practitioner-birth-attendant'),
          ),
        )
      );
    },
    before: (bundle) => {
      remove(bundle, ({ resourceType }) => resourceType === 'Practitioner');
      for (const stay of ofType(bundle, 'Encounter')) change(stay, { participant: [] });
    },
  },
  {
    name: 'says nothing of the other conditions of a newborn that was not in the NICU',
    shape: 'a singleton',
    holds: (bundle, { course: { children } }) =>
      observationsOf(bundle, '73812-0').every((one) =>
        at(one, 'valueCodeableConcept.coding.code').includes('830077005'),
      ) &&
      observationsOf(bundle, 'nicu_admission').every(
        (one) => one['valueBoolean'] === false && at(one, 'code.coding.code').includes('830077005'),
      ) &&
      observationsOf(bundle, 'nicu_admission').length <= children.length,
    before: (bundle) =>
      change(observationsOf(bundle, 'nicu_admission')[0], {
        code: coded(LOINC, '73812-0'),
        valueBoolean: undefined,
        valueCodeableConcept: coded('http://snomed.info/sct', '260413007'),
      }),
  },
  {
    name: 'leads from the Composition to every Practitioner',
    shape: 'a partner’s record that names nobody in a part',
    holds: (bundle) => isReached(bundle, 'Practitioner'),
    before: (bundle) => withoutSection(bundle, 'providers'),
  },
  {
    name: 'leads from the Composition to the Consent',
    shape: 'a singleton',
    holds: (bundle) => isReached(bundle, 'Consent'),
    before: (bundle) => withoutSection(bundle, '92014-0'),
  },
  {
    name: 'is of version 2.0.0, whatever the record was sent as',
    shape: 'version 1 of the guide',
    holds: (bundle) => at(bundle, 'meta.profile').every((one) => String(one).endsWith('|2.0.0')),
    before: (bundle) =>
      Object.assign(bundle, {
        meta: {
          ...asObject(bundle['meta']),
          tag: [],
          profile: [`${BFDR}/Bundle-document-bfdr|1.1.0`],
        },
      }),
  },
  {
    name: 'claims no profile of a live-born child for a fetus',
    shape: 'a fetal death',
    holds: (bundle) => {
      const fetuses = ofType(bundle, 'Patient')
        .filter((one) => profilesIn(one).includes('Patient-decedent-fetus'))
        .map(({ id }) => `urn:uuid:${String(id)}`);
      return ofType(bundle, 'Observation')
        .filter(({ subject }) => fetuses.includes(String(asObject(subject)['reference'])))
        .flatMap(profilesIn)
        .every((one) => !/infant|apgar|nicu/.test(String(one)));
    },
    before: (bundle) =>
      change(observationsOf(bundle, '73757-7')[0], {
        meta: { profile: [`${BFDR}/Observation-infant-living`] },
      }),
  },
  {
    name: 'counts live births and fetal deaths where it has the plurality',
    shape: 'triplets, one of them dead',
    holds: (bundle, { course: { children, plurality } }) => {
      const isKnown =
        children.length === plurality && children.every((one) => one.fetal_death !== null);
      const counted = ['73773-4', '73772-6'].flatMap((code) =>
        observationsOf(bundle, code).map((one) => Number(one['valueInteger'])),
      );
      return isKnown
        ? counted.length === 2 && counted.reduce((sum, one) => sum + one, 0) === plurality
        : counted.length === 0;
    },
    before: (bundle) =>
      change(observationsOf(bundle, '57722-1')[0], { code: coded(LOINC, '73773-4') }),
  },
  {
    name: 'has a type of the guide at the Location of a birth on the way',
    shape: 'on the way',
    holds: (bundle, { course }) =>
      course.place_of_birth === null ||
      ofType(bundle, 'Location').some((one) => at(one, 'type.coding.code').includes('loc_birth')),
    before: (bundle) => {
      const vehicle = ofType(bundle, 'Location').find((one) => 'physicalType' in one);
      change(vehicle, { type: [] });
    },
  },
  {
    name: 'opts out where consent is refused',
    shape: 'a refused consent',
    holds: (bundle, { course: { consent } }) =>
      ofType(bundle, 'Consent').every((one) => {
        const [policy] = at(one, 'policyRule.coding.code');
        if (consent.granted) return policy === 'OPTIN';
        const isRefused = consent.status === 'rejected' || consent.status === 'active';
        return policy === (isRefused ? 'OPTOUT' : 'UNK');
      }),
    before: (bundle) =>
      change(ofType(bundle, 'Consent')[0], {
        policyRule: coded('http://terminology.hl7.org/CodeSystem/v3-ActCode', 'OPTIN'),
      }),
  },
];

const rows = suite('a document, as other readers take it,');

for (const { name, shape: shapeName, holds, before } of ROWS) {
  rows(name, () => {
    for (const [of, record] of Object.entries(SHAPES))
      for (const per of DOCUMENTS_PER)
        for (const bundle of documentsOf(record, per))
          assert.ok(holds(bundle, record), `${of}, per ${per}`);
  });

  rows(`${name}; not as it left before, which is read the same`, () => {
    const record = shape(shapeName);
    const [bundle = {}] = documentsOf(record, 'course');
    before(bundle);
    assert.not(holds(bundle, record));
    const lane = record.keyKind === 'partner' ? 'partner' : 'native';
    const old: JsonObject = JSON.parse(JSON.stringify(bundle));
    assert.equal(
      broughtBackNatively(readAsPushed(old, lane).course),
      broughtBackNatively(record.course),
    );
    assert.equal(readAsPushed(old, lane).course.warnings, []);
  });
}

rows('a birth on the way is read as one in both lanes', () => {
  const [bundle = {}] = documentsOf(shape('on the way'), 'course');
  for (const lane of ['native', 'partner'] as const)
    assert.is(readAsPushed(bundle, lane).course.place_of_birth, 'En route');
});

rows.run();

const heights = suite('a height in inches');

/** Tenths of a centimeter: all 2,001 of them in `npm run test:long`, every seventh in `npm test`. */
const TENTHS = Array.from({ length: 2_001 }, (_, tenths) => 500 + tenths).filter(
  (tenths) => IS_LONG || tenths % 7 === 0,
);

heights('comes back exactly, for each tenth of a centimeter', () => {
  const heights = TENTHS.map((tenths) => tenths / 10);
  const heightsRead = heights.map((height_cm) => {
    const record = native({ mother: { ...BIRTH.mother, height_cm } });
    const [bundle = {}] = documentsOf(record, 'course');
    return readAsPushed(bundle, 'native').course.mother.height_cm;
  });
  assert.equal(heightsRead, heights);
});

heights.run();

const levels = suite('a level of education');

for (const [held, guide] of [
  ['ELEM', 'ELEM'],
  ['PHC1448', 'ELEM'],
  ['PHC1449', 'SEC'],
  ['PHC1450', 'HS'],
  ['PHC1451', 'SCOL'],
  ['ASSOC', 'AA'],
  ['PHC1452', 'AA'],
  ['BD', 'BA'],
  ['PB', 'BA'],
  ['PHC1453', 'BA'],
  ['GD', 'MA'],
  ['PHC1454', 'MA'],
  ['POSTG', 'POSTG'],
  ['PHC1455', 'POSTG'],
] as const)
  levels(`${held} leaves as ${guide}, and comes back as ${held}`, () => {
    const [bundle = {}] = documentsOf(
      native({ mother: { ...BIRTH.mother, education: held } }),
      'course',
    );
    const [written] = observationsOf(bundle, '57712-2');
    assert.is(at(written, 'valueCodeableConcept.coding.code')[0], guide);
    assert.is(readAsPushed(bundle, 'native').course.mother.education, held);
  });

levels.run();

const titles = suite('the title of an attendant');

for (const [title, code, text] of [
  ['md', '309343006', undefined],
  ['do', '76231001', undefined],
  ['cnm-cm', '445521000124102', undefined],
  ['other-midwife', '445531000124104', undefined],
  ['other', 'OTH', 'Other'],
  ['Firefighter', 'OTH', 'Firefighter'],
  [null, 'UNK', undefined],
] as const)
  titles(`${title ?? 'that is unknown'} leaves as ${code}`, () => {
    const [bundle = {}] = documentsOf(native({ attendant_title: title }), 'course');
    const [attendant] = ofType(bundle, 'Practitioner');
    assert.is(at(attendant, 'qualification.code.coding.code')[0], code);
    assert.is(at(attendant, 'qualification.code.text')[0], text);
    assert.equal(at(attendant, 'name.text'), ['Dana Fox']);
  });

for (const [credentials, role, code] of [
  ['M.D.', 'physician', '309343006'],
  ['MD, Family Medicine', 'physician', '309343006'],
  ['D.O.', 'physician', '76231001'],
  ['CNM, MD', 'midwife', '445521000124102'],
  ['Certified Nurse-Midwife', 'midwife', '445521000124102'],
  ['LM, CPM', 'midwife', '445531000124104'],
  ['RN', 'nurse', 'OTH'],
  [null, 'midwife', 'OTH'],
  [null, 'other', 'UNK'],
] as const)
  titles(
    `of a provider, a ${role} with ${credentials ?? 'no credentials'}, leaves as ${code}`,
    () => {
      const record = ofPartner({ attendant: providerIdOf('Jo') }, [
        provider('Jo', role, credentials),
      ]);
      const [bundle = {}] = documentsOf(record, 'course');
      const [attendant] = ofType(bundle, 'Practitioner');
      assert.is(at(attendant, 'qualification.code.coding.code')[0], code);
      assert.ok(
        participantsIn(bundle, ATTENDS).every((one) =>
          at(one, 'type.coding.code').includes('ATND'),
        ),
      );
      assertBroughtBack(record, 'partner', bundle);
    },
  );

titles('that a practice has named is no provider of a partner', () => {
  const [bundle = {}] = documentsOf(native({ attendant_title: 'doula' }), 'course');
  const { providers, course } = readAsPushed(bundle, 'partner');
  assert.equal(providers, []);
  assert.is(course.attendant, null);
  assert.is(course.doula_present, null);
});

titles.run();

const each = suite('one document for each child');

each('tells that child, its order and the total, and the same mother', () => {
  const record = shape('triplets, one of them dead');
  const documents = documentsOf(record, 'child');
  assert.is(documents.length, 3);
  const told = documents.map((bundle) => {
    const patients = ofType(bundle, 'Patient');
    const [mother, child, ...others] = patients;
    assert.equal(others, []);
    return [
      mother?.['id'],
      child?.['multipleBirthInteger'],
      at(child, '_multipleBirthInteger.extension.valuePositiveInt')[0],
    ];
  });
  const mother = told[0]?.[0];
  assert.equal(told, [
    [mother, 1, 3],
    [mother, 2, 3],
    [mother, 3, 3],
  ]);
});

each('is a report of its own kind, with its own stay, number and ids of what is said of it', () => {
  const documents = documentsOf(shape('triplets, one of them dead'), 'child');
  assert.equal(
    documents.map((bundle) => at(ofType(bundle, 'Composition')[0], 'type.coding.code')[0]),
    ['68998-4', '92010-8', '68998-4'],
  );
  assert.equal(
    documents.map((bundle) => ofType(bundle, 'Encounter').length),
    [2, 1, 2],
  );
  assert.equal(
    documents.map((bundle) => asObject(bundle['identifier'])['value']),
    ['A-1-1', 'A-1-2', 'A-1-3'],
  );
  const named = documents.flatMap((bundle) =>
    [
      ...ofType(bundle, 'Composition'),
      ...ofType(bundle, 'Observation').filter((one) => 'focus' in one),
    ].map(({ id }) => id),
  );
  assert.is(new Set(named).size, named.length);
});

each('has a number of at most eleven characters, and comes back under its own', () => {
  const twins = shape('twins');
  for (const chart_number of ['A-1', 'A-1234567', 'A-12345678', 'A-1234567890', null]) {
    const documents = documentsOf({ ...twins, course: { ...twins.course, chart_number } }, 'child');
    const numbers = documents.map((bundle) => String(asObject(bundle['identifier'])['value']));
    assert.ok(
      numbers.every(({ length }) => length <= 11),
      numbers.join(),
    );
    assert.is(new Set(numbers).size, 2);
    assert.equal(
      documents.map((bundle) => courseOf(bundle).chart_number),
      chart_number === null ? [null, null] : [`${chart_number}-1`, `${chart_number}-2`],
    );
  }
});

each('of a birth of one child is the document of the course', () => {
  for (const name of ['a singleton', 'a fetal death', 'sparse'])
    assert.equal(documentsOf(shape(name), 'child'), documentsOf(shape(name), 'course'));
});

each('of a record without a child is the document of the course', () => {
  const record = shape('a singleton');
  const childless = { ...record, course: { ...record.course, children: [] } };
  assert.is(documentsOf(childless, 'child').length, 1);
});

each('is read without a warning', () => {
  for (const name of ['twins', 'triplets, one of them dead'])
    for (const bundle of documentsOf(shape(name), 'child')) {
      const { course } = readAsPushed(bundle, 'native');
      assert.equal(course.warnings, []);
      assert.is(course.children.length, 1);
      assert.is(course.plurality, shape(name).course.plurality);
    }
});

each.run();
