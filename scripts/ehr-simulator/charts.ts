import { type Chart, condition, encounter, observation, quantity } from './resources.ts';

const DAY_MS = 86_400_000;
const US_CORE = 'http://hl7.org/fhir/us/core/StructureDefinition';
const CDC_RACE = 'urn:oid:2.16.840.1.113883.6.238';
const V2_IDENTIFIERS = 'http://terminology.hl7.org/CodeSystem/v2-0203';

const racePart = (code: string, display: string) => ({
  url: 'ombCategory',
  valueCoding: { system: CDC_RACE, code, display },
});

const medicalRecord = (value: string) => ({
  use: 'usual',
  type: { coding: [{ system: V2_IDENTIFIERS, code: 'MR' }] },
  system: 'urn:oid:1.2.36.146.595.217.0.1',
  value,
});

/** @param now reference time for the births */
export const chartsAt = (now: Date): Readonly<Record<string, Chart>> => {
  const day = (ago: number): string =>
    new Date(now.getTime() - ago * DAY_MS).toISOString().slice(0, 10);
  return {
    'mother-1': motherOfOne(day),
    'newborn-1': newborn(day),
    'newborn-2': lateNewborn(day),
    'mother-2': motherOfTwins(day, true),
    'mother-3': motherOfTwins(day, false),
    'twin-a': twin(day),
    'mother-4': bareMother(day),
  };
};

type Day = (ago: number) => string;

const BORN = 3;

const buildChart = (patient: string) => ({
  observed: (
    id: string,
    code: string,
    display: string,
    at: string,
    value: Readonly<Record<string, unknown>>,
    category?: 'vital-signs' | 'social-history',
  ) => observation({ id, patient, code: [code, display], at, category }, value),
  diagnosed: (id: string, code: string, text: string, onset: string, verification?: string) =>
    condition({ id, patient, code, text, onset, verification }),
});

const motherOfOne = (day: Day): Chart => {
  const patient = 'mother-1';
  const { observed, diagnosed } = buildChart(patient);
  const at = (time: string, ago = BORN) => `${day(ago)}T${time}:00-05:00`;
  return {
    about: 'Mother, gave birth three days ago',
    encounterId: 'stay-1',
    patient: {
      resourceType: 'Patient',
      id: patient,
      extension: [
        {
          url: `${US_CORE}/us-core-race`,
          extension: [
            racePart('2106-3', 'White'),
            racePart('2028-9', 'Asian'),
            { url: 'text', valueString: 'White, Asian' },
          ],
        },
        {
          url: `${US_CORE}/us-core-ethnicity`,
          extension: [
            racePart('2186-5', 'Not Hispanic or Latino'),
            { url: 'text', valueString: 'Not Hispanic or Latino' },
          ],
        },
      ],
      identifier: [
        { type: { coding: [{ system: V2_IDENTIFIERS, code: 'SS' }] }, value: '999-00-0001' },
        medicalRecord('MRN-40017'),
      ],
      name: [
        { use: 'maiden', family: 'Okonkwo-Sørensen' },
        { use: 'old', family: 'Formerly', given: ['Ana'] },
        { use: 'official', family: 'Quintanilla-Brandvold', given: ['Marisol', 'Inés'] },
      ],
      telecom: [
        { system: 'email', value: 'marisol@mail.example' },
        { system: 'phone', use: 'mobile', value: '503-555-0117' },
      ],
      gender: 'female',
      birthDate: '1994-06-17',
      address: [
        { use: 'old', line: ['1 Former Road'], city: 'Elsewhere', state: 'WA' },
        {
          use: 'home',
          line: ['2048 Alder Creek Rd', 'Apt 6'],
          city: 'Portland',
          district: 'Multnomah',
          state: 'OR',
          postalCode: '97205',
          country: 'US',
        },
      ],
    },
    observations: [
      observed('lmp', '8665-2', 'Last menstrual period start date', day(250), {
        valueDateTime: day(BORN + 277),
      }),
      observed('edd', '11778-8', 'Delivery date Estimated', day(200), {
        valueDateTime: day(BORN - 3),
      }),
      observed('ga-prenatal', '18185-9', 'Gestational age', day(60), quantity(31, 'wk')),
      observed('visits', '68493-6', 'Prenatal visits for this pregnancy', day(4), {
        valueInteger: 11,
      }),
      observed('living', '11638-4', '[#] Births.living', day(200), { valueInteger: 1 }),
      observed('parity', '11977-6', '[#] Parity', day(200), { valueInteger: 1 }),
      observed('height', '8302-2', 'Body height', day(900), quantity(65, '[in_i]'), 'vital-signs'),
      observed(
        'weight-before',
        '56077-1',
        'Body weight --pre pregnancy',
        day(255),
        quantity(141, '[lb_av]'),
        'vital-signs',
      ),
      observed(
        'weight-delivery',
        '69461-2',
        'Mother weight --at delivery',
        at('02:00'),
        quantity(76.4, 'kg'),
        'vital-signs',
      ),
      observed(
        'smoking',
        '72166-2',
        'Tobacco smoking status',
        day(250),
        { valueCodeableConcept: { text: 'Never smoker' } },
        'social-history',
      ),
      observed('bw', '8339-4', 'Birth weight Measured', at('09:31'), quantity(3410, 'g')),
      observed('apgar-1', '9272-6', '1 minute Apgar Score', at('09:12'), quantity(8, '{score}')),
      observed('apgar-5', '9274-2', '5 minute Apgar Score', at('09:16'), quantity(9, '{score}')),
      observed('apgar-5-wrong', '9274-2', '5 minute Apgar Score', at('09:15'), {
        ...quantity(2, '{score}'),
        status: 'entered-in-error',
      }),
    ],
    conditions: [
      diagnosed('gdm', 'O24.410', 'Gestational diabetes, diet controlled', day(90)),
      diagnosed('outcome', 'Z37.0', 'Single live birth', day(BORN)),
      diagnosed('delivery', 'O80', 'Full-term uncomplicated delivery', day(BORN)),
      diagnosed('no', 'O15.0', 'Eclampsia', day(BORN), 'refuted'),
    ],
    encounters: [
      encounter(
        { id: 'stay-1', patient, kind: 'IMP', start: at('01:40'), end: at('11:00', 1) },
        {
          location: [{ location: { display: 'Riverbend Women’s Hospital, Birthing Unit' } }],
          participant: [
            {
              type: [{ coding: [{ code: 'ATND' }] }],
              individual: { display: 'Tove Halvorsen, CNM' },
            },
          ],
        },
      ),
      encounter({ id: 'visit-1', patient, kind: 'AMB', start: day(60) }),
      encounter({ id: 'visit-2', patient, kind: 'AMB', start: day(30) }),
      encounter({ id: 'visit-3', patient, kind: 'AMB', start: day(20), status: 'cancelled' }),
    ],
  };
};

const newborn = (day: Day): Chart => {
  const patient = 'newborn-1';
  const { observed, diagnosed } = buildChart(patient);
  const at = (time: string) => `${day(BORN)}T${time}:00-05:00`;
  return {
    about: 'Newborn, three days old',
    encounterId: null,
    patient: {
      resourceType: 'Patient',
      id: patient,
      extension: [
        { url: `${US_CORE}/us-core-birthsex`, valueCode: 'F' },
        {
          url: 'http://hl7.org/fhir/StructureDefinition/patient-mothersMaidenName',
          valueString: 'Okonkwo-Sørensen',
        },
      ],
      identifier: [medicalRecord('MRN-40018')],
      name: [{ use: 'official', family: 'Quintanilla-Brandvold', given: ['Babygirl'] }],
      gender: 'female',
      birthDate: day(BORN),
      _birthDate: {
        extension: [
          {
            url: 'http://hl7.org/fhir/StructureDefinition/patient-birthTime',
            valueDateTime: `${day(BORN)}T09:11:00-05:00`,
          },
        ],
      },
      multipleBirthBoolean: false,
      contact: [
        {
          relationship: [{ coding: [{ code: 'MTH' }] }],
          name: { family: 'Quintanilla-Brandvold', given: ['Marisol', 'Inés'] },
        },
      ],
    },
    observations: [
      observed(
        'w-0',
        '29463-7',
        'Body weight',
        at('09:40'),
        quantity(7.5, '[lb_av]'),
        'vital-signs',
      ),
      observed(
        'w-2',
        '29463-7',
        'Body weight',
        `${day(1)}T08:00:00-05:00`,
        quantity(3.2, 'kg'),
        'vital-signs',
      ),
      observed('ga', '76516-4', 'Gestational age --at birth', at('09:30'), quantity(277, 'd')),
      observed('n-apgar-1', '9272-6', '1 minute Apgar Score', at('09:12'), { valueInteger: 8 }),
      observed('n-apgar-5', '9274-2', '5 minute Apgar Score', at('09:16'), { valueInteger: 9 }),
      observed('n-apgar-5b', '9274-2', '5 minute Apgar Score', at('09:17'), { valueInteger: 10 }),
      observed(
        'n-apgar-10',
        '9271-8',
        '10 minute Apgar Score',
        at('09:21'),
        quantity(14, '{score}'),
      ),
    ],
    conditions: [diagnosed('liveborn', 'Z38.00', 'Single liveborn, vaginally', day(BORN))],
    encounters: [
      encounter(
        { id: 'n-stay', patient, kind: 'IMP', start: at('09:11') },
        { serviceProvider: { display: 'Riverbend Women’s Hospital' }, status: 'in-progress' },
      ),
    ],
  };
};

const lateNewborn = (day: Day): Chart => {
  const patient = 'newborn-2';
  const { observed } = buildChart(patient);
  // An hour before midnight in Los Angeles, or two.
  const weighedAt = `${day(BORN - 1)}T05:30:00Z`;
  return {
    about: 'Newborn of an evening in the west, in an EHR that sends times in UTC',
    encounterId: null,
    patient: {
      resourceType: 'Patient',
      id: patient,
      identifier: [medicalRecord('MRN-40027')],
      name: [{ use: 'official', family: 'Halvorsen-Ibarra', given: ['Babyboy'] }],
      gender: 'male',
      birthDate: day(BORN),
    },
    observations: [
      observed('w', '29463-7', 'Body weight', weighedAt, quantity(3.1, 'kg'), 'vital-signs'),
    ],
    conditions: [],
    encounters: [],
  };
};

const motherOfTwins = (day: Day, isKnown: boolean): Chart => {
  const patient = isKnown ? 'mother-2' : 'mother-3';
  const { observed, diagnosed } = buildChart(patient);
  const at = (time: string) => `${day(BORN)}T${time}:00-05:00`;
  const of = (child: string) => (isKnown ? { focus: [{ reference: `Patient/${child}` }] } : {});
  return {
    about: isKnown ? 'Mother of twins' : 'Mother of twins, values without a child',
    encounterId: null,
    patient: {
      resourceType: 'Patient',
      id: patient,
      identifier: [medicalRecord(isKnown ? 'MRN-52001' : 'MRN-52002')],
      name: [{ family: isKnown ? 'Ashgrove' : 'Vandermolen', given: ['Temperance'] }],
      gender: 'female',
      birthDate: '1990-11-02',
    },
    observations: [
      observed('bw-a', '8339-4', 'Birth weight Measured', at('04:20'), {
        ...quantity(2480, 'g'),
        ...of('twin-a'),
      }),
      observed('bw-b', '8339-4', 'Birth weight Measured', at('04:41'), {
        ...quantity(2.35, 'kg'),
        ...of('twin-b'),
      }),
      observed('ga-t', '11884-4', 'Gestational age Estimated', at('04:00'), quantity(36.5, 'wk')),
    ],
    conditions: [
      diagnosed('two', 'Z37.2', 'Twins, both liveborn', day(BORN)),
      diagnosed('section', 'O82', 'Cesarean delivery', day(BORN)),
    ],
    encounters: [],
  };
};

const twin = (day: Day): Chart => {
  const patient = 'twin-a';
  const { observed } = buildChart(patient);
  return {
    about: 'Newborn, second of twins',
    encounterId: null,
    patient: {
      resourceType: 'Patient',
      id: patient,
      identifier: [medicalRecord('MRN-52003')],
      name: [{ family: 'Ashgrove', given: ['Linnea'] }],
      gender: 'female',
      birthDate: day(BORN),
      multipleBirthInteger: 2,
    },
    observations: [
      observed('ta-bw', '8339-4', 'Birth weight Measured', day(BORN), quantity(2480, 'g')),
    ],
    conditions: [],
    encounters: [],
  };
};

const bareMother = (day: Day): Chart => ({
  about: 'Mother, hardly anything known',
  encounterId: null,
  patient: {
    resourceType: 'Patient',
    id: 'mother-4',
    name: [{ text: 'Ottilie Fairweather' }],
    gender: 'female',
    birthDate: '1988-04',
  },
  observations: [],
  conditions: [],
  encounters: [encounter({ id: 'v', patient: 'mother-4', kind: 'AMB', start: day(40) })],
});
