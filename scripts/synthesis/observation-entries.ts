import { GUIDE_EDUCATION, REGISTRY_CODES } from '../../domain/course/codes.ts';
import type { JsonObject } from '../../domain/fhir/json.ts';
import type { ChildFacts, DeliveryMethod, OptionalValue } from './birth-story.ts';
import { localDate } from './calendar.ts';
import {
  BFDR,
  COMMON,
  childKey,
  concept,
  LOINC,
  type Report,
  SNOMED,
  TERMINOLOGY,
} from './report.ts';

const UNITS = 'http://unitsofmeasure.org';

/** Content of an Observation: subject, code, and value. */
type Statement = {
  readonly key: string;
  readonly about: string;
  readonly code: JsonObject;
  readonly value: JsonObject;
  readonly profile?: string;
  readonly category?: JsonObject;
  /** Set for a measurement, dated by the birth. */
  readonly isTaken?: true;
  /** Set if the subject is the mother and the focus is the child. */
  readonly isOfBirth?: true;
  /** Omitted together with this optional value. */
  readonly optional?: OptionalValue;
};

/** Observations about mother, pregnancy, birth, and newborns. */
export const observationEntries = (report: Report): readonly JsonObject[] =>
  [
    ...aboutMother(report),
    ...aboutPregnancy(report),
    ...aboutLabor(report),
    ...report.story.children.flatMap((child) => aboutChild(child, report)),
  ]
    .filter(({ optional }) => optional === undefined || !report.story.wording.missing.has(optional))
    .map(({ key, about, code, value, profile, category, isTaken, isOfBirth }) =>
      report.entry('Observation', key, {
        ...(profile === undefined ? {} : { meta: { profile: [profile] } }),
        status: 'final',
        ...(category === undefined ? {} : { category: [category] }),
        code,
        subject: report.to('Patient', about),
        ...(isOfBirth === true ? { focus: [report.to('Patient', childKey(1))] } : {}),
        ...(isTaken === true ? { effectiveDateTime: dateTaken(about, report) } : {}),
        ...value,
      }),
    );

/** Date of birth of the measured child, or of the first child if the mother was measured. */
const dateTaken = (about: string, { story, practice, stamp }: Report): string => {
  const { children } = story;
  const child = children.find(({ order }) => childKey(order) === about) ?? children[0];
  return localDate(child?.bornAt ?? stamp, practice.region.zone);
};

const CATEGORIES = `${TERMINOLOGY}/observation-category`;
const VITAL_SIGN = { category: concept(CATEGORIES, 'vital-signs'), isTaken: true } as const;
const SURVEY = { category: concept(CATEGORIES, 'survey') } as const;

const integer = (valueInteger: number): JsonObject => ({ valueInteger });
const boolean = (valueBoolean: boolean): JsonObject => ({ valueBoolean });
const date = (valueDateTime: string): JsonObject => ({ valueDateTime });
const quantity = (value: number, code: string, unit = code): JsonObject => ({
  valueQuantity: { value, unit, system: UNITS, code },
});
const snomed = (code: string, display: string): JsonObject => ({
  valueCodeableConcept: concept(SNOMED, code, display),
});

type Named = Omit<Statement, 'key' | 'about' | 'code' | 'value'>;

const ofMother = (
  key: string,
  code: string,
  display: string,
  value: JsonObject,
  named: Named = {},
): Statement => ({ key, about: 'mother', code: concept(LOINC, code, display), value, ...named });

const aboutMother = ({ story }: Report): readonly Statement[] => {
  const { heightInches, prepregnancyPounds, deliveryPounds, education } = story.mother;
  return [
    ofMother('height', '8302-2', 'Body height', quantity(heightInches, '[in_i]', 'in'), {
      profile: `${BFDR}/Observation-mother-height`,
      optional: 'height',
      ...VITAL_SIGN,
    }),
    ofMother(
      'prepregnancy-weight',
      '56077-1',
      'Body weight --pre current pregnancy',
      quantity(prepregnancyPounds, '[lb_av]', 'lb'),
      {
        profile: `${BFDR}/Observation-mother-prepregnancy-weight`,
        optional: 'prepregnancyWeight',
        ...VITAL_SIGN,
      },
    ),
    ofMother(
      'delivery-weight',
      '69461-2',
      "Mother's body weight --at delivery",
      quantity(deliveryPounds, '[lb_av]', 'lb'),
      {
        profile: `${BFDR}/Observation-mother-delivery-weight`,
        optional: 'deliveryWeight',
        ...VITAL_SIGN,
      },
    ),
    ofMother(
      'education',
      '57712-2',
      'Highest level of education Mother',
      { valueCodeableConcept: concept(`${TERMINOLOGY}/v3-EducationLevel`, education) },
      {
        // Many clients still send degrees from the previous value set, which the profile rejects.
        ...(GUIDE_EDUCATION.get(education) === education
          ? { profile: `${COMMON}/Observation-education-level-vr` }
          : {}),
        optional: 'education',
      },
    ),
  ];
};

const CIGARETTES = [
  ['cigarettes-before', '64794-1', 'Cigarettes a day in the 3 months before the pregnancy'],
  ['cigarettes-1', '87298-6', 'Cigarettes smoked per day by Mother--1st trimester'],
  ['cigarettes-2', '87299-4', 'Cigarettes smoked per day by Mother--2nd trimester'],
  ['cigarettes-3', '64795-8', 'Cigarettes a day in the last 3 months of the pregnancy'],
] as const;

const aboutPregnancy = ({ story }: Report): readonly Statement[] => {
  const { pregnancy, mother, wording } = story;
  const previous: Named = { optional: 'previousBirths' };
  const count = (key: string, code: string, display: string, value: number) =>
    ofMother(key, code, display, integer(value), previous);
  return [
    ofMother(
      'last-period',
      '8665-2',
      'Last menstrual period start date',
      date(pregnancy.lastPeriod),
      {
        profile: `${BFDR}/Observation-last-menstrual-period`,
        optional: 'lastPeriod',
      },
    ),
    ...firstVisit(pregnancy.firstVisit, wording.slip === 'first visit without day'),
    ofMother(
      'prenatal-visits',
      '68493-6',
      'Prenatal visits for this pregnancy #',
      integer(pregnancy.visits),
      { profile: `${BFDR}/Observation-number-prenatal-visits`, optional: 'visits' },
    ),
    ofMother(
      'wic',
      '87303-4',
      'Mother WIC food recipient',
      { valueCodeableConcept: concept(`${TERMINOLOGY}/v2-0136`, pregnancy.wic ? 'Y' : 'N') },
      {
        profile: `${BFDR}/Observation-mother-received-wic-food`,
        optional: 'wic',
        isOfBirth: true,
      },
    ),
    ...CIGARETTES.map(([key, code, display], at) =>
      ofMother(key, code, display, integer(pregnancy.cigarettes[at] ?? 0), {
        profile: `${BFDR}/Observation-cigarette-smoking-before-during-pregnancy`,
        optional: 'cigarettes',
        isOfBirth: true,
      }),
    ),
    count('births-living', '11638-4', '[#] Births.still living', mother.earlierLiving),
    count('births-dead', '68496-9', 'Previous live births now dead #', mother.earlierDead),
    count('other-outcomes', '69043-8', 'Other pregnancy outcomes #', mother.earlierLosses),
    count('cesareans', '68497-7', 'Previous cesarean deliveries #', mother.earlierCesareans),
    ...(pregnancy.site === null
      ? []
      : [
          registry(
            'prenatal_care_site',
            { valueString: pregnancy.site },
            {
              optional: 'prenatalSite',
            },
          ),
        ]),
  ];
};

const firstVisit = (visit: string | null, isPartial: boolean): readonly Statement[] => {
  if (visit === null) return [];
  const day = isPartial ? visit.slice(0, 'YYYY-MM'.length) : visit;
  // An erroneous value is always sent, even if the value would otherwise be omitted.
  const named: Named = isPartial ? {} : { optional: 'firstVisit' };
  return [
    ofMother('first-visit', '69044-6', 'Date first prenatal visit', date(day), {
      profile: `${BFDR}/Observation-date-of-first-prenatal-care-visit`,
      isOfBirth: true,
      ...named,
    }),
  ];
};

/** Statement in the registry's own code system, if the BFDR guide has no code. */
const registry = (field: string, value: JsonObject, named: Named = {}, key = field): Statement => ({
  key: key.replaceAll('_', '-'),
  about: 'mother',
  code: concept(REGISTRY_CODES, field),
  value,
  ...named,
});

const registryCode = (code: string): JsonObject => ({
  valueCodeableConcept: concept(REGISTRY_CODES, code),
});

const METHODS: Readonly<Record<DeliveryMethod, readonly [string, string]>> = {
  spontaneous: ['700000006', 'Vaginal delivery of fetus'],
  forceps: ['302383004', 'Forceps delivery'],
  vacuum: ['61586001', 'Delivery by vacuum extraction'],
  cesarean: ['11466000', 'Cesarean section'],
};

const TRIAL_OF_LABOR =
  'If cesarean, a trial of labor was attempted [US Standard Certificate of Live Birth]';

const aboutLabor = ({ story, lane }: Report): readonly Statement[] => {
  const { labor, children, doula } = story;
  const agents = (field: string, list: readonly string[], named: Named) =>
    list.map((agent, at) => registry(field, registryCode(agent), named, `${field}_${at + 1}`));
  return [
    ofMother('delivery-method', '73762-7', 'Final route and method of delivery', {
      ...snomed(...METHODS[labor.method]),
    }),
    ...(labor.method === 'cesarean'
      ? [
          ofMother('trial-of-labor', '73760-1', TRIAL_OF_LABOR, boolean(labor.labored), {
            profile: `${BFDR}/Observation-labor-trial-attempted`,
            isOfBirth: true,
          }),
          registry('stat_cesarean', boolean(labor.urgentCesarean)),
        ]
      : []),
    ofMother(
      'planned-at-home',
      '73765-0',
      'Mother planned to deliver at home',
      plannedValue(labor.plannedPlace),
      {
        ...(labor.plannedPlace === 'Home'
          ? { profile: `${BFDR}/Observation-planned-to-deliver-at-home` }
          : {}),
        optional: 'plannedPlace',
        isOfBirth: true,
      },
    ),
    ...(labor.position === null
      ? []
      : [registry('birth_position', registryCode(labor.position), { optional: 'position' })]),
    ...(labor.inductionIndication === null
      ? []
      : [registry('induction_indication', registryCode(labor.inductionIndication))]),
    ...agents('induction_agents', labor.inductionAgents, {}),
    ...agents('augmentation_agents', labor.augmentationAgents, { optional: 'augmentation' }),
    registry('delayed_cord_clamping', boolean(labor.delayedClamping), { optional: 'clamping' }),
    // A partner names the doula among the participants.
    ...(lane === 'native'
      ? [registry('doula_present', boolean(doula !== null), { optional: 'doula' })]
      : []),
    ...(children.some(({ stillborn }) => stillborn)
      ? []
      : [
          ofMother('born-alive', '73773-4', 'Number live born', integer(children.length), {
            profile: `${BFDR}/Observation-number-live-births-this-delivery`,
          }),
        ]),
  ];
};

// The guide defines the question for a home only; other places are codes of the value set.
const plannedValue = (place: string): JsonObject => {
  if (place === 'Home') return boolean(true);
  return place === 'Birth center'
    ? snomed('91154008', 'Free-standing birthing center')
    : snomed('22232009', 'Hospital');
};

const aboutChild = (child: ChildFacts, report: Report): readonly Statement[] => {
  const { slip } = report.story.wording;
  const about = childKey(child.order);
  const observe = (
    key: string,
    code: string,
    display: string,
    value: JsonObject,
    named: Named = {},
  ): Statement => ({
    key: `${key}-${child.order}`,
    about,
    value,
    ...named,
    code: concept(LOINC, code, display),
  });
  const apgar = (minutes: string, code: string, score: number | null, named: Named = {}) =>
    score === null
      ? []
      : [
          observe(`apgar-${minutes}`, code, `${minutes} minute Apgar Score`, integer(score), {
            profile: `${BFDR}/Observation-apgar-score`,
            ...SURVEY,
            ...named,
          }),
        ];
  const isWrong = slip === 'Apgar score of 14' && child.order === 1;
  const { value, ...claimed } = weigh(child, report);
  return [
    observe('birth-weight', '8339-4', BIRTH_WEIGHT, value, { ...VITAL_SIGN, ...claimed }),
    observe('gestation', '11884-4', 'Gestational age Estimated', gestationValue(report), {
      profile: `${BFDR}/Observation-gestational-age-at-delivery`,
    }),
    observe(
      'presentation',
      '73761-9',
      'Fetal presentation--at birth',
      child.breech ? snomed('6096002', 'Breech') : snomed('70028003', 'Vertex'),
      { profile: `${BFDR}/Observation-fetal-presentation` },
    ),
    ...apgar('1', '9272-6', child.apgarOne, { optional: 'apgarOne' }),
    ...apgar('5', '9274-2', child.apgarFive),
    ...apgar('10', '9271-8', isWrong ? 14 : child.apgarTen),
    ...(child.stillborn
      ? []
      : [
          observe('living', '73757-7', 'Infant living at time of report', boolean(child.living), {
            profile: `${BFDR}/Observation-infant-living`,
          }),
          observe(
            'breastfed',
            '73756-9',
            'Infant is being breastfed at discharge',
            boolean(child.breastfed),
            {
              profile: `${BFDR}/Observation-infant-breastfed-at-discharge`,
              optional: 'breastfed',
            },
          ),
          observe(
            'conditions',
            '73812-0',
            'Abnormal conditions of the newborn',
            child.intensiveCare
              ? snomed('830077005', 'Admission to neonatal intensive care unit')
              : snomed('260413007', 'None'),
          ),
        ]),
  ];
};

const GRAMS_OF_OUNCE = 28.349523125;
const GRAMS_OF_STONE = 6350.29318;
const OUNCES_OF_POUND = 16;

const BIRTH_WEIGHT = 'Birth weight Measured';

/** Birth weight in the client's unit; the profile allows grams only. */
const weigh = (
  { grams, order }: ChildFacts,
  { story }: Report,
): Pick<Statement, 'value' | 'profile'> => {
  const { slip, weightUnit } = story.wording;
  if (slip === 'weight in stones' && order === 1) {
    const stones = Math.round((grams / GRAMS_OF_STONE) * 100) / 100;
    return { value: quantity(stones, '[stone_av]', 'st') };
  }
  if (weightUnit === 'grams')
    return { value: quantity(grams, 'g'), profile: `${BFDR}/Observation-birth-weight` };
  if (weightUnit === 'kilograms') return { value: quantity(grams / 1000, 'kg') };
  const ounces = Math.round(grams / GRAMS_OF_OUNCE);
  const parts = [
    quantity(Math.floor(ounces / OUNCES_OF_POUND), '[lb_av]', 'lb'),
    quantity(ounces % OUNCES_OF_POUND, '[oz_av]', 'oz'),
  ];
  const code = concept(LOINC, '8339-4', BIRTH_WEIGHT);
  return { value: { component: parts.map((part) => ({ code, ...part })) } };
};

const gestationValue = ({ story }: Report): JsonObject =>
  story.wording.ageUnit === 'days'
    ? quantity(story.pregnancy.days, 'd')
    : quantity(Math.floor(story.pregnancy.days / 7), 'wk');
