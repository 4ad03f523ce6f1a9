import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type CourseOfCare, emptyMother } from '../../../domain/course/course.ts';
import { completeOrigins, type Origins } from '../../../domain/course/origins.ts';
import type { JsonObject } from '../../../domain/fhir/json.ts';
import { birthBundle, courseOf } from '../../support/bundles.ts';
import { mapped, motherChart, offered } from '../../support/charts.ts';

const FIELDS = [
  ...(['race', 'race_absent_reason', 'tribes', 'other_asian_races'] as const),
  ...(['other_pacific_races', 'other_races', 'ethnicity', 'ethnicity_absent_reason'] as const),
  ...(['hispanic_origins', 'other_hispanic_origin'] as const),
] as const satisfies readonly (keyof Origins)[];

const pickOrigins = (mother: Origins): Partial<Origins> =>
  Object.fromEntries(FIELDS.map((field) => [field, mother[field]]));

const withNothing = (known: Partial<Origins>) => pickOrigins({ ...emptyMother(), ...known });

const CDC = 'urn:oid:2.16.840.1.113883.6.238';
const US_CORE = 'http://hl7.org/fhir/us/core/StructureDefinition';

type Coded = string | readonly [code: string, display: string];

interface Said {
  readonly categories?: readonly Coded[];
  readonly details?: readonly Coded[];
  readonly text?: string;
}

/** An extension of US Core. */
const say = (name: 'race' | 'ethnicity', { categories = [], details = [], text }: Said) => {
  const part = (url: string) => (coded: Coded) => {
    const [code, display] = typeof coded === 'string' ? [coded] : coded;
    return { url, valueCoding: { system: CDC, code, ...(display ? { display } : {}) } };
  };
  return {
    url: `${US_CORE}/us-core-${name}`,
    extension: [
      ...categories.map(part('ombCategory')),
      ...details.map(part('detailed')),
      ...(text === undefined ? [] : [{ url: 'text', valueString: text }]),
    ],
  };
};

const patientOf = (extension: readonly JsonObject[]): JsonObject => ({
  resourceType: 'Patient',
  id: 'm',
  gender: 'female',
  birthDate: '1994-06-02',
  extension,
});

const push = (extension: readonly JsonObject[], ...more: readonly JsonObject[]): CourseOfCare =>
  courseOf(
    birthBundle({
      mother: null,
      more: [
        { ...patientOf(extension), meta: { profile: ['urn:any/Patient-mother-vr'] } },
        ...more,
      ],
    }),
  );

const launch = (extension: readonly JsonObject[]): Partial<Origins> => {
  const { asMother } = mapped(motherChart({ patient: patientOf(extension) }));
  return withNothing(
    Object.fromEntries(
      FIELDS.flatMap((field) => {
        const [value] = offered(asMother, `mother.${field}`);
        return value === undefined ? [] : [[field, value]];
      }),
    ),
  );
};

const HISPANIC = { ethnicity: '2135-2' };
const OTHER = { ...HISPANIC, hispanic_origins: ['other-hispanic'] };

const extensions = suite('an extension of a Patient, pushed or in a chart,');

for (const [what, said, expected, warned = []] of [
  ['Mexican', { categories: ['2135-2'], details: ['2148-5'] }, { hispanic_origins: ['2148-5'] }],
  [
    'a specific origin without the category',
    { details: ['2182-4'] },
    { hispanic_origins: ['2182-4'] },
  ],
  [
    'an origin in the place of the category',
    { categories: ['2180-8'] },
    { hispanic_origins: ['2180-8'] },
  ],
  [
    'three origins, in the order of the certificate',
    { categories: ['2135-2'], details: ['2182-4', '2180-8', '2148-5'], text: 'Hispanic' },
    { hispanic_origins: ['2148-5', '2180-8', '2182-4'] },
  ],
  ['a detail of Mexican', { details: ['2151-9'] }, { hispanic_origins: ['2148-5'] }],
  [
    'another origin of CDC',
    { categories: ['2135-2'], details: ['2184-0'], text: 'Dominican' },
    { ...OTHER, other_hispanic_origin: 'Dominican' },
  ],
  [
    'a Mexican and two other origins',
    { categories: ['2135-2'], details: ['2161-8', '2148-5', '2184-0'] },
    {
      hispanic_origins: ['2148-5', 'other-hispanic'],
      other_hispanic_origin: 'Salvadoran, Dominican',
    },
  ],
  [
    'a local detail',
    { categories: ['2135-2'], details: [['GAR', 'Garifuna']] },
    { ...OTHER, other_hispanic_origin: 'Garifuna' },
  ],
  [
    'a local detail without a name, but with a text',
    { categories: ['2135-2'], details: ['GAR'], text: 'Garifuna' },
    { ...OTHER, other_hispanic_origin: 'Garifuna' },
  ],
  [
    'a local detail without a name',
    { categories: ['2135-2'], details: ['GAR'] },
    {},
    ['ethnicity'],
  ],
  [
    'a text',
    { categories: ['2135-2'], text: 'Garifuna' },
    { ...OTHER, other_hispanic_origin: 'Garifuna' },
  ],
  [
    'origins in words',
    { categories: ['2135-2'], text: 'Hispanic or Latino, Puerto Rican; Cuban' },
    { hispanic_origins: ['2180-8', '2182-4'] },
  ],
  ['an origin as text alone', { text: 'Mexican American' }, { hispanic_origins: ['2148-5'] }],
  ['the general term', { categories: ['2135-2'], text: 'Hispanic or Latino/a' }, {}],
  ['a text that decides nothing', { text: 'Ashkenazi' }, { ethnicity: 'Ashkenazi' }],
  [
    'not Hispanic',
    { categories: ['2186-5'], text: 'Not Hispanic or Latino' },
    { ethnicity: '2186-5' },
  ],
  [
    'not Hispanic, and Cuban: both stay',
    { categories: ['2186-5'], details: ['2182-4'] },
    { ethnicity: '2186-5', hispanic_origins: ['2182-4'] },
  ],
  [
    'not Hispanic, with a local detail',
    { categories: ['2186-5'], details: [['ASH', 'Ashkenazi']] },
    { ethnicity: '2186-5' },
    ['ethnicity'],
  ],
  ['a refusal', { text: 'Declined' }, { ethnicity: null, ethnicity_absent_reason: 'declined' }],
  [
    'asked, but unknown',
    { categories: ['ASKU'], text: 'Unknown' },
    { ethnicity: null, ethnicity_absent_reason: 'asked but unknown' },
  ],
] as readonly (readonly [string, Said, Partial<Origins>, (readonly string[])?])[])
  extensions(`of ethnicity: ${what}`, () => {
    const extension = [say('ethnicity', said)];
    const { mother, warnings } = push(extension);
    assert.equal(pickOrigins(mother), withNothing({ ...HISPANIC, ...expected }));
    assert.equal(
      warnings.map(({ field }) => field),
      warned.map((name) => `mother.${name}`),
    );
    assert.equal(launch(extension), pickOrigins(mother));
  });

for (const [what, said, expected, warned = []] of [
  [
    'a tribe',
    { categories: ['1002-5'], details: [['1586-7', 'Shoshone']] },
    { race: ['1002-5'], tribes: ['Shoshone'] },
  ],
  [
    'a tribe without its category',
    { details: [['1586-7', 'Shoshone']] },
    { race: ['1002-5'], tribes: ['Shoshone'] },
  ],
  [
    'a tribe whose name is the text',
    { categories: ['1002-5'], details: ['1586-7'], text: 'Shoshone' },
    { race: ['1002-5'], tribes: ['Shoshone'] },
  ],
  [
    'two tribes in the text, beside White',
    { categories: ['2106-3', '1002-5'], text: 'White, Navajo, Hopi' },
    { race: ['2106-3', '1002-5'], tribes: ['Navajo', 'Hopi'] },
  ],
  [
    'a tribe with commas',
    { categories: ['1002-5'], text: 'Confederated Tribes of Coos, Lower Umpqua, and Siuslaw' },
    { race: ['1002-5'], tribes: ['Confederated Tribes of Coos, Lower Umpqua, and Siuslaw'] },
  ],
  [
    'three tribes',
    {
      categories: ['1002-5'],
      details: [
        ['1586-7', 'Shoshone'],
        ['1481-1', 'Navajo'],
        ['1309-4', 'Hopi'],
      ],
    },
    { race: ['1002-5'], tribes: ['Shoshone', 'Navajo'] },
    ['race'],
  ],
  [
    'another Asian race',
    { categories: ['2028-9'], details: ['2034-7', ['2037-0', 'Hmong']] },
    { race: ['2028-9', '2034-7', 'other-asian'], other_asian_races: ['Hmong'] },
  ],
  [
    'another Pacific race',
    { categories: ['2076-8'], details: [['2101-4', 'Fijian']] },
    { race: ['2076-8', '2500-7'], other_pacific_races: ['Fijian'] },
  ],
  [
    'another race',
    { categories: ['2131-1'], text: 'Garifuna' },
    { race: ['2131-1'], other_races: ['Garifuna'] },
  ],
  [
    'a text that repeats the categories',
    { categories: ['1002-5'], text: 'American Indian/Alaska Native' },
    { race: ['1002-5'] },
  ],
  [
    'a text of two categories with lines',
    { categories: ['1002-5', '2131-1'], text: 'Navajo' },
    { race: ['1002-5', '2131-1'] },
  ],
  ['another race as text alone', { text: 'Garifuna' }, { race: ['Garifuna'] }],
] as readonly (readonly [string, Said, Partial<Origins>, (readonly string[])?])[])
  extensions(`of race: ${what}`, () => {
    const extension = [say('race', said)];
    const { mother, warnings } = push(extension);
    assert.equal(pickOrigins(mother), withNothing(expected));
    assert.equal(
      warnings.map(({ field }) => field),
      warned.map((name) => `mother.${name}`),
    );
    assert.equal(launch(extension), pickOrigins(mother));
  });

extensions.run();

const worksheetOf = (answers: Readonly<Record<string, boolean | string>>): JsonObject => ({
  resourceType: 'Observation',
  status: 'final',
  code: { coding: [{ code: 'inputraceandethnicityMother' }] },
  component: Object.entries(answers).map(([code, answer]) => ({
    code: { coding: [{ code }] },
    ...(typeof answer === 'boolean'
      ? { valueBoolean: answer }
      : code.endsWith('Literal')
        ? { valueString: answer }
        : { valueCodeableConcept: { coding: [{ code: answer }] } }),
  })),
});

const NONE = {
  HispanicMexican: 'N',
  HispanicPuertoRican: 'N',
  HispanicCuban: 'N',
  HispanicOther: 'N',
};

const worksheet = suite('the worksheet');

for (const [what, answers, expected, extension = []] of [
  ['Mexican', { ...NONE, HispanicMexican: 'Y' }, { ...HISPANIC, hispanic_origins: ['2148-5'] }],
  [
    'Puerto Rican and Cuban',
    { HispanicPuertoRican: 'Y', HispanicCuban: 'Y' },
    { ...HISPANIC, hispanic_origins: ['2180-8', '2182-4'] },
  ],
  [
    'another origin, by its name',
    { ...NONE, HispanicOther: 'Y', HispanicLiteral: 'Salvadoran' },
    { ...OTHER, other_hispanic_origin: 'Salvadoran' },
  ],
  [
    'a name alone',
    { HispanicLiteral: 'Salvadoran' },
    { ...OTHER, other_hispanic_origin: 'Salvadoran' },
  ],
  ['another origin without a name', { HispanicOther: 'Y' }, OTHER],
  ['any origin', { HispanicOther: 'Y', HispanicLiteral: 'Hispanic or Latino' }, HISPANIC],
  ['none', NONE, { ethnicity: '2186-5' }],
  [
    'any origin, where the Patient has one',
    { HispanicOther: 'Y', HispanicLiteral: 'Hispanic or Latino' },
    { ...HISPANIC, hispanic_origins: ['2182-4'] },
    [say('ethnicity', { details: ['2182-4'] })],
  ],
  [
    'a specific origin, before that of the Patient',
    { ...NONE, HispanicMexican: 'Y' },
    { ...HISPANIC, hispanic_origins: ['2148-5'] },
    [say('ethnicity', { details: ['2182-4'] })],
  ],
  [
    'every literal',
    {
      AmericanIndianOrAlaskanNative: true,
      OtherAsian: true,
      OtherPacificIslander: true,
      OtherRace: true,
      FirstAmericanIndianOrAlaskanNativeLiteral: 'Navajo',
      SecondAmericanIndianOrAlaskanNativeLiteral: 'Hopi',
      FirstOtherAsianLiteral: 'Hmong',
      SecondOtherAsianLiteral: 'Laotian',
      FirstOtherPacificIslanderLiteral: 'Tongan',
      SecondOtherPacificIslanderLiteral: 'Fijian',
      FirstOtherRaceLiteral: 'Garifuna',
      SecondOtherRaceLiteral: 'Creole',
    },
    {
      race: ['1002-5', 'other-asian', '2500-7', '2131-1'],
      tribes: ['Navajo', 'Hopi'],
      other_asian_races: ['Hmong', 'Laotian'],
      other_pacific_races: ['Tongan', 'Fijian'],
      other_races: ['Garifuna', 'Creole'],
    },
  ],
  [
    'a second literal alone, in the other spelling',
    { SecondAmericanIndianOrAlaskaNativeLiteral: 'Hopi' },
    { race: ['1002-5'], tribes: ['Hopi'] },
  ],
  ['a literal that says unknown', { FirstOtherAsianLiteral: 'UNK' }, {}],
  [
    'a yes, of which the Patient has the name',
    { AmericanIndianOrAlaskanNative: true },
    { race: ['1002-5'], tribes: ['Navajo'] },
    [say('race', { details: [['1481-1', 'Navajo']] })],
  ],
  [
    'other races than those that the Patient has a name of',
    { White: true },
    { race: ['2106-3'] },
    [say('race', { details: [['1481-1', 'Navajo']] })],
  ],
] as readonly (readonly [
  string,
  Readonly<Record<string, boolean | string>>,
  Partial<Origins>,
  (readonly JsonObject[])?,
])[])
  worksheet(`says: ${what}`, () => {
    const { mother, warnings } = push(extension, worksheetOf(answers));
    assert.equal(pickOrigins(mother), withNothing(expected));
    assert.equal(warnings, []);
  });

worksheet('has a warning for a literal that is no text', () => {
  const { component, ...rest } = worksheetOf({});
  const code = { coding: [{ code: 'FirstOtherAsianLiteral' }] };
  const { warnings } = push([], { ...rest, component: [{ code, valueInteger: 5 }] });
  assert.equal(
    warnings.map(({ field, id }) => `${field} ${id}`),
    ['mother.race not-understood'],
  );
});

worksheet.run();

const completed = suite('what follows from the names of races');
for (const [what, known, race, other_races] of [
  [
    'a name beside a category adds its answer, and another race is still one',
    { race: ['2076-8'], other_pacific_races: ['Tongan'], other_races: ['Garifuna'] },
    ['2076-8', '2500-7', '2131-1'],
    ['Garifuna'],
  ],
  [
    'another race that stands among the races is held there',
    { race: ['Garifuna'], other_races: ['Garifuna', 'Creole'] },
    ['Garifuna'],
    ['Creole'],
  ],
  ['a tribe adds its answer', { tribes: ['Hopi'] }, ['1002-5'], []],
] as const)
  completed(`${what}, also when it is done twice`, () => {
    const once = completeOrigins({ ...emptyMother(), ...known });
    assert.equal([once.race, once.other_races], [race, other_races]);
    assert.equal(completeOrigins(once), once);
  });

completed.run();
