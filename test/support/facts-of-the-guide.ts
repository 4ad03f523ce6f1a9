import { asObject, asObjects, isObject, type JsonObject } from '../../domain/fhir/json.ts';

/** The names of the profiles that a resource claims. */
export const profilesIn = (resource: JsonObject): readonly unknown[] => {
  const { profile } = asObject(resource['meta']);
  return Array.isArray(profile) ? profile.map((one) => String(one).split(/[/|]/).at(-1)) : [];
};

/** What stands at a path; a primitive that says only why it is absent stands there too. */
export const at = (element: unknown, path: string): readonly unknown[] => {
  const [name = '', ...rest] = path.split('.');
  const values = asObjects(element).flatMap((one) => {
    const value = one[name] ?? one[`_${name}`];
    return Array.isArray(value) ? value : value === undefined ? [] : [value];
  });
  return rest.length === 0 ? values : values.flatMap((value) => at(value, rest.join('.')));
};

const includes = (value: unknown, pattern: unknown): boolean => {
  if (Array.isArray(pattern))
    return pattern.every((one) => Array.isArray(value) && value.some((it) => includes(it, one)));
  if (!isObject(pattern)) return value === pattern;
  return (
    isObject(value) && Object.entries(pattern).every(([name, one]) => includes(value[name], one))
  );
};

/** A CodeableConcept of one Coding. */
export const coded = (system: string, code: string, display?: string) => ({
  coding: [{ system, code, ...(display === undefined ? {} : { display }) }],
});
export const LOINC = 'http://loinc.org';
export const BFDR = 'http://hl7.org/fhir/us/bfdr/StructureDefinition';
const ROLE_CODES = 'http://terminology.hl7.org/CodeSystem/v3-RoleCode';
const roleOf = (code: string) => ({
  url: `${BFDR}/Extension-role`,
  valueCodeableConcept: coded(ROLE_CODES, code),
});
const partOf = (part: string) => ({
  url: `${BFDR}/practitioner-role-birth-${part}`,
  valueCode: part,
});
const VITAL_SIGNS = coded(
  'http://terminology.hl7.org/CodeSystem/observation-category',
  'vital-signs',
);
const SURVEY = coded('http://terminology.hl7.org/CodeSystem/observation-category', 'survey');

/** Facts of the profiles: at least so many, at most so many, and a value that one of them has. */
export type Fact = readonly [
  profile: string,
  path: string,
  least: number,
  most: number,
  fixed?: unknown,
];

/** No most. */
export const MANY = Number.POSITIVE_INFINITY;
const observed = (profile: string, code: string, ...more: readonly Fact[]): readonly Fact[] => [
  [`Observation-${profile}`, 'code', 1, 1, coded(LOINC, code)],
  [`Observation-${profile}`, 'subject', 1, 1],
  ...more,
];
const measured = (profile: string, code: string, unit: string): readonly Fact[] =>
  observed(
    profile,
    code,
    [`Observation-${profile}`, 'category', 1, MANY, VITAL_SIGNS],
    [`Observation-${profile}`, 'effectiveDateTime', 1, 1],
    [`Observation-${profile}`, 'valueQuantity.value', 1, 1],
    [`Observation-${profile}`, 'valueQuantity.code', 1, 1, unit],
  );
const valued = (profile: string, code: string, value: string): readonly Fact[] =>
  observed(profile, code, [`Observation-${profile}`, value, 1, 1]);
const inFocus = (profile: string, code: string, value: string): readonly Fact[] => [
  ...valued(profile, code, value),
  [`Observation-${profile}`, 'focus', 1, 1],
];
const participating = (encounter: string): readonly Fact[] => [
  [encounter, 'status', 1, 1],
  [encounter, 'class', 1, 1],
  [encounter, 'type', 1, MANY],
  [encounter, 'subject', 1, 1],
];
const practitioner = (profile: string): readonly Fact[] => [
  [profile, 'identifier', 1, MANY],
  [profile, 'identifier.system', 1, MANY],
  [profile, 'identifier.value', 1, MANY],
  [profile, 'name', 1, 1],
  [profile, 'name.family', 1, 1],
  [profile, 'qualification', 1, 1],
  [profile, 'qualification.code', 1, 1],
];

/** What the compiled profiles of BFDR 2.0.0 ask. */
export const FACTS: readonly Fact[] = [
  ['Composition-provider-live-birth-report', 'type', 1, 1, coded(LOINC, '68998-4')],
  ['Composition-provider-live-birth-report', 'subject', 1, 1],
  ['Composition-provider-live-birth-report', 'encounter', 1, 1],
  ['Composition-provider-live-birth-report', 'author', 1, 1],
  ['Composition-provider-live-birth-report', 'section', 1, MANY],
  ['Composition-jurisdiction-fetal-death-report', 'type', 1, 1, coded(LOINC, '92010-8')],
  ['Composition-jurisdiction-fetal-death-report', 'author.reference', 1, 1],
  ['us-core-organization', 'active', 1, 1],
  ['us-core-organization', 'name', 1, 1],
  ...participating('Encounter-birth'),
  ['Encounter-birth', 'extension', 1, MANY, roleOf('CHILD')],
  ['Encounter-birth', 'partOf', 1, 1],
  ...participating('Encounter-maternity'),
  ['Encounter-maternity', 'extension', 1, MANY, roleOf('MTH')],
  ['Location-bfdr', 'name', 1, 1],
  ['Location-bfdr', 'type', 1, MANY],
  ...practitioner('Practitioner-vr'),
  ...practitioner('Practitioner-birth-attendant'),
  ['Practitioner-birth-attendant', 'extension', 1, MANY, partOf('attendant')],
  ...practitioner('Practitioner-birth-certifier'),
  ['Practitioner-birth-certifier', 'extension', 1, MANY, partOf('certifier')],
  ...measured('birth-weight', '8339-4', 'g'),
  ...measured('mother-height', '8302-2', '[in_i]'),
  ...measured('mother-prepregnancy-weight', '56077-1', '[lb_av]'),
  ...measured('mother-delivery-weight', '69461-2', '[lb_av]'),
  [
    'Observation-mother-delivery-weight',
    'code',
    1,
    1,
    coded(LOINC, '69461-2', "Mother's body weight --at delivery"),
  ],
  ['Observation-apgar-score', 'category', 1, MANY, SURVEY],
  ['Observation-apgar-score', 'valueInteger', 1, 1],
  ...valued('education-level-vr', '57712-2', 'valueCodeableConcept'),
  ...valued('gestational-age-at-delivery', '11884-4', 'valueQuantity'),
  ...valued('number-live-births-this-delivery', '73773-4', 'valueInteger'),
  ...valued('number-fetal-deaths-this-delivery', '73772-6', 'valueInteger'),
  ...valued('number-prenatal-visits', '68493-6', 'valueInteger'),
  ...valued('fetal-presentation', '73761-9', 'valueCodeableConcept'),
  ...valued('infant-living', '73757-7', 'valueBoolean'),
  ...valued('infant-breastfed-at-discharge', '73756-9', 'valueBoolean'),
  ...observed('nicu-admission', '73812-0', [
    'Observation-nicu-admission',
    'valueCodeableConcept',
    1,
    1,
    coded('http://snomed.info/sct', '830077005'),
  ]),
  ...inFocus('date-of-first-prenatal-care-visit', '69044-6', 'valueDateTime'),
  ...inFocus('mother-received-wic-food', '87303-4', 'valueCodeableConcept'),
  ['Observation-cigarette-smoking-before-during-pregnancy', 'focus', 1, 1],
  ['Observation-cigarette-smoking-before-during-pregnancy', 'valueInteger', 1, 1],
  ...inFocus('labor-trial-attempted', '73760-1', 'valueBoolean'),
  [
    'Observation-labor-trial-attempted',
    'code',
    1,
    1,
    coded(
      LOINC,
      '73760-1',
      'If cesarean, a trial of labor was attempted [US Standard Certificate of Live Birth]',
    ),
  ],
  ...inFocus('planned-to-deliver-at-home', '73765-0', 'valueBoolean'),
  ['Procedure-final-route-method-delivery', 'category', 1, 1, coded(LOINC, '73762-7')],
  ['Procedure-final-route-method-delivery', 'code', 1, 1],
  ['Procedure-final-route-method-delivery', 'performedDateTime', 1, 1],
];

/** Whether a resource that claims the profile has what the fact says. */
export const isHeld = (resource: JsonObject, [, path, least, most, fixed]: Fact): boolean => {
  const values = at(resource, path);
  return (
    values.length >= least &&
    values.length <= most &&
    (fixed === undefined || values.some((value) => includes(value, fixed)))
  );
};

/** The facts that resources of a document break, by profile and path. */
export const brokenFactsOf = (bundle: JsonObject): readonly string[] =>
  asObjects(bundle['entry'])
    .map(({ resource }) => asObject(resource))
    .flatMap((resource) => {
      const claimed = profilesIn(resource);
      return FACTS.filter((fact) => claimed.includes(fact[0]) && !isHeld(resource, fact));
    })
    .map(([profile, path]) => `${profile}.${path}`);
