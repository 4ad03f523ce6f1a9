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

/**
 * Synthetic charts, by patient id, around births of the last days.
 * @param now the births are counted back from it
 */
export const chartsAt = (now: Date): Readonly<Record<string, Chart>> => {
  const day = (ago: number): string =>
    new Date(now.getTime() - ago * DAY_MS).toISOString().slice(0, 10);
  return {
    'mother-1': motherOfOne(day),
    'newborn-1': newborn(day),
    'mother-2': motherOfTwins(day, true),
    'mother-3': motherOfTwins(day, false),
    'twin-a': twin(day),
    'mother-4': bareMother(day),
  };
};

type Day = (ago: number) => string;

const BORN = 3;

const motherOfOne = (day: Day): Chart => {
  const patient = 'mother-1';
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
          extension: [racePart('2106-3', 'White'), racePart('2028-9', 'Asian')],
        },
        {
          url: `${US_CORE}/us-core-ethnicity`,
          extension: [racePart('2186-5', 'Not Hispanic or Latino')],
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
      observation(
        { id: 'lmp', patient, code: ['8665-2', 'Last menstrual period start date'], at: day(250) },
        { valueDateTime: day(BORN + 277) },
      ),
      observation(
        { id: 'edd', patient, code: ['11778-8', 'Delivery date Estimated'], at: day(200) },
        { valueDateTime: day(BORN - 3) },
      ),
      observation(
        { id: 'ga-prenatal', patient, code: ['18185-9', 'Gestational age'], at: day(60) },
        quantity(31, 'wk'),
      ),
      observation(
        {
          id: 'visits',
          patient,
          code: ['68493-6', 'Prenatal visits for this pregnancy'],
          at: day(4),
        },
        { valueInteger: 11 },
      ),
      observation(
        { id: 'living', patient, code: ['11638-4', '[#] Births.living'], at: day(200) },
        { valueInteger: 1 },
      ),
      observation(
        { id: 'parity', patient, code: ['11977-6', '[#] Parity'], at: day(200) },
        { valueInteger: 1 },
      ),
      observation(
        {
          id: 'height',
          patient,
          at: day(900),
          category: 'vital-signs',
          code: ['8302-2', 'Body height'],
        },
        quantity(65, '[in_i]'),
      ),
      observation(
        {
          id: 'weight-before',
          patient,
          at: day(255),
          category: 'vital-signs',
          code: ['56077-1', 'Body weight --pre pregnancy'],
        },
        quantity(141, '[lb_av]'),
      ),
      observation(
        {
          id: 'weight-delivery',
          patient,
          at: at('02:00'),
          category: 'vital-signs',
          code: ['69461-2', 'Mother weight --at delivery'],
        },
        quantity(76.4, 'kg'),
      ),
      observation(
        {
          id: 'smoking',
          patient,
          at: day(250),
          category: 'social-history',
          code: ['72166-2', 'Tobacco smoking status'],
        },
        { valueCodeableConcept: { text: 'Never smoker' } },
      ),
      observation(
        { id: 'bw', patient, code: ['8339-4', 'Birth weight Measured'], at: at('09:31') },
        quantity(3410, 'g'),
      ),
      observation(
        { id: 'apgar-1', patient, code: ['9272-6', '1 minute Apgar Score'], at: at('09:12') },
        quantity(8, '{score}'),
      ),
      observation(
        { id: 'apgar-5', patient, code: ['9274-2', '5 minute Apgar Score'], at: at('09:16') },
        quantity(9, '{score}'),
      ),
      observation(
        { id: 'apgar-5-wrong', patient, code: ['9274-2', '5 minute Apgar Score'], at: at('09:15') },
        { ...quantity(2, '{score}'), status: 'entered-in-error' },
      ),
    ],
    conditions: [
      condition({
        id: 'gdm',
        patient,
        code: 'O24.410',
        text: 'Gestational diabetes, diet controlled',
        onset: day(90),
      }),
      condition({
        id: 'outcome',
        patient,
        code: 'Z37.0',
        text: 'Single live birth',
        onset: day(BORN),
      }),
      condition({
        id: 'delivery',
        patient,
        code: 'O80',
        text: 'Full-term uncomplicated delivery',
        onset: day(BORN),
      }),
      condition({
        id: 'no',
        patient,
        code: 'O15.0',
        text: 'Eclampsia',
        onset: day(BORN),
        verification: 'refuted',
      }),
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
      observation(
        {
          id: 'w-0',
          patient,
          at: at('09:40'),
          category: 'vital-signs',
          code: ['29463-7', 'Body weight'],
        },
        quantity(7.5, '[lb_av]'),
      ),
      observation(
        {
          id: 'w-2',
          patient,
          at: `${day(1)}T08:00:00-05:00`,
          category: 'vital-signs',
          code: ['29463-7', 'Body weight'],
        },
        quantity(3.2, 'kg'),
      ),
      observation(
        { id: 'ga', patient, code: ['76516-4', 'Gestational age --at birth'], at: at('09:30') },
        quantity(277, 'd'),
      ),
      observation(
        { id: 'n-apgar-1', patient, code: ['9272-6', '1 minute Apgar Score'], at: at('09:12') },
        { valueInteger: 8 },
      ),
      observation(
        { id: 'n-apgar-5', patient, code: ['9274-2', '5 minute Apgar Score'], at: at('09:16') },
        { valueInteger: 9 },
      ),
      observation(
        { id: 'n-apgar-5b', patient, code: ['9274-2', '5 minute Apgar Score'], at: at('09:17') },
        { valueInteger: 10 },
      ),
      observation(
        { id: 'n-apgar-10', patient, code: ['9271-8', '10 minute Apgar Score'], at: at('09:21') },
        quantity(14, '{score}'),
      ),
    ],
    conditions: [
      condition({
        id: 'liveborn',
        patient,
        code: 'Z38.00',
        text: 'Single liveborn, vaginally',
        onset: day(BORN),
      }),
    ],
    encounters: [
      encounter(
        { id: 'n-stay', patient, kind: 'IMP', start: at('09:11') },
        { serviceProvider: { display: 'Riverbend Women’s Hospital' }, status: 'in-progress' },
      ),
    ],
  };
};

/** @param isTold whether the values say of which child they are */
const motherOfTwins = (day: Day, isTold: boolean): Chart => {
  const patient = isTold ? 'mother-2' : 'mother-3';
  const at = (time: string) => `${day(BORN)}T${time}:00-05:00`;
  const of = (child: string) => (isTold ? { focus: [{ reference: `Patient/${child}` }] } : {});
  return {
    about: isTold ? 'Mother of twins' : 'Mother of twins, values without a child',
    encounterId: null,
    patient: {
      resourceType: 'Patient',
      id: patient,
      identifier: [medicalRecord(isTold ? 'MRN-52001' : 'MRN-52002')],
      name: [{ family: isTold ? 'Ashgrove' : 'Vandermolen', given: ['Temperance'] }],
      gender: 'female',
      birthDate: '1990-11-02',
    },
    observations: [
      observation(
        { id: 'bw-a', patient, code: ['8339-4', 'Birth weight Measured'], at: at('04:20') },
        { ...quantity(2480, 'g'), ...of('twin-a') },
      ),
      observation(
        { id: 'bw-b', patient, code: ['8339-4', 'Birth weight Measured'], at: at('04:41') },
        { ...quantity(2.35, 'kg'), ...of('twin-b') },
      ),
      observation(
        { id: 'ga-t', patient, code: ['11884-4', 'Gestational age Estimated'], at: at('04:00') },
        quantity(36.5, 'wk'),
      ),
    ],
    conditions: [
      condition({
        id: 'two',
        patient,
        code: 'Z37.2',
        text: 'Twins, both liveborn',
        onset: day(BORN),
      }),
      condition({
        id: 'section',
        patient,
        code: 'O82',
        text: 'Cesarean delivery',
        onset: day(BORN),
      }),
    ],
    encounters: [],
  };
};

const twin = (day: Day): Chart => {
  const patient = 'twin-a';
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
      observation(
        { id: 'ta-bw', patient, code: ['8339-4', 'Birth weight Measured'], at: day(BORN) },
        quantity(2480, 'g'),
      ),
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
