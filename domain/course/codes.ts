import type { CodeTable } from '../fhir/coded-values.ts';

/** A URN, so that it contains no host name. */
export const REGISTRY_CODES = 'urn:birth-registry:codes';

/** @see spec "Place of birth" */
export const PLACES_OF_BIRTH = [
  'Hospital',
  'Birth center',
  'Home',
  'Clinic',
  'Other',
  'En route',
] as const;

export type PlaceOfBirth = (typeof PLACES_OF_BIRTH)[number];

/**
 * NCHS birth-delivery-occurred as the specification maps it: 67190003 is Home here, although the
 * current IG defines it as a free-standing clinic.
 * @see spec "Place of birth" (SNOMED CT)
 */
export const PLACE_CODES: ReadonlyMap<string, PlaceOfBirth> = new Map([
  ['22232009', 'Hospital'],
  ['91154008', 'Birth center'],
  ['408839006', 'Home'],
  ['67190003', 'Home'],
  ['39350007', 'Clinic'],
  ['OTH', 'Other'],
]);

export const HOME_PLANS = ['yes', 'no', 'unknown'] as const;

export type HomePlan = (typeof HOME_PLANS)[number];

interface GuidePlace {
  readonly place: PlaceOfBirth;
  readonly plan: HomePlan | null;
}

/**
 * `Encounter.location.physicalType`: distinguishes home births by their plan, and 67190003 is a clinic.
 * @see ValueSet-birth-delivery-occurred
 */
export const GUIDE_PLACE_CODES: ReadonlyMap<string, GuidePlace> = new Map<string, GuidePlace>([
  ...[...PLACE_CODES].map(([code, place]) => [code, { place, plan: null }] as const),
  ['408839006', { place: 'Home', plan: 'yes' }],
  ['408838003', { place: 'Home', plan: 'no' }],
  ['unknownplannedhomebirth', { place: 'Home', plan: 'unknown' }],
  ['67190003', { place: 'Clinic', plan: null }],
]);

/** Answer of the birth certificate worksheet, for which CDC has no code: 2028-9 is any Asian race. */
export const OTHER_ASIAN = 'other-asian';

/** @see urn:oid:2.16.840.1.113883.6.238 */
export const RACES: CodeTable = new Map([
  ['1002-5', 'American Indian or Alaska Native'],
  ['2028-9', 'Asian'],
  ['2054-5', 'Black or African American'],
  ['2076-8', 'Native Hawaiian or Other Pacific Islander'],
  ['2106-3', 'White'],
  ['2131-1', 'Other Race'],
  ['2029-7', 'Asian Indian'],
  ['2034-7', 'Chinese'],
  ['2036-2', 'Filipino'],
  ['2039-6', 'Japanese'],
  ['2040-4', 'Korean'],
  ['2047-9', 'Vietnamese'],
  [OTHER_ASIAN, 'Other Asian'],
  ['2079-2', 'Native Hawaiian'],
  ['2080-0', 'Samoan'],
  ['2086-7', 'Guamanian or Chamorro'],
  ['2500-7', 'Other Pacific Islander'],
]);

/** Reasons that no race or ethnicity is stated, the most specific first. @see ValueSet-race-missing-value-reason-vr */
export const RACE_ABSENT_REASONS = ['declined', 'asked but unknown', 'unknown'] as const;

export type RaceAbsentReason = (typeof RACE_ABSENT_REASONS)[number];

/** Places that a person came from or went to. Only `home` is no facility. */
export const TRANSFER_PLACES = ['home', 'birth center', 'hospital', 'other facility'] as const;

export const TRANSFER_TIMINGS = ['before labor', 'during labor', 'after birth'] as const;

export const TRANSFER_URGENCIES = ['emergency', 'urgent', 'not urgent'] as const;

/** OMB categories for which the certificate has only more specific answers, in its order. */
export const RACES_OF_CATEGORY: ReadonlyMap<string, readonly string[]> = new Map([
  ['2028-9', ['2029-7', '2034-7', '2036-2', '2039-6', '2040-4', '2047-9', OTHER_ASIAN]],
  ['2076-8', ['2079-2', '2086-7', '2080-0', '2500-7']],
]);

/** @see urn:oid:2.16.840.1.113883.6.238 */
export const ETHNICITIES: CodeTable = new Map([
  ['2135-2', 'Hispanic or Latino'],
  ['2186-5', 'Not Hispanic or Latino'],
]);

/** OMB categories of ethnicity. @see ETHNICITIES */
export const HISPANIC = '2135-2';
export const NOT_HISPANIC = '2186-5';

/** Answer of the birth certificate worksheet, for which CDC has no code: 2135-2 is any Hispanic origin. */
export const OTHER_HISPANIC = 'other-hispanic';

/** Hispanic origins that the certificate asks for, in its order and words. @see urn:oid:2.16.840.1.113883.6.238 */
export const HISPANIC_ORIGINS: CodeTable = new Map([
  ['2148-5', 'Mexican, Mexican American, Chicana'],
  ['2180-8', 'Puerto Rican'],
  ['2182-4', 'Cuban'],
  [OTHER_HISPANIC, 'other Spanish/Hispanic/Latina'],
]);

/** Codes of v3-EducationLevel, v2-0360 degrees, and PHIN VADS as used by BFDR 1.1.0. */
export const EDUCATION_LEVELS: CodeTable = new Map([
  ['ELEM', 'Elementary school'],
  ['SEC', 'Some secondary or high school education'],
  ['HS', 'High school graduate'],
  ['SCOL', 'Some college education'],
  ['ASSOC', "Associate's or technical degree complete"],
  ['BD', 'College or baccalaureate degree complete'],
  ['GD', 'Graduate or professional degree complete'],
  ['POSTG', 'Doctoral or post graduate education'],
  ['PB', 'Some post-baccalaureate education'],
  ['AA', "Associate's degree"],
  ['BA', "Bachelor's degree"],
  ['MA', "Master's degree"],
  ['PHC1448', '8th grade or less'],
  ['PHC1449', '9th through 12th grade, no diploma'],
  ['PHC1450', 'High school graduate or GED completed'],
  ['PHC1451', 'Some college credit, but no degree'],
  ['PHC1452', "Associate's degree"],
  ['PHC1453', "Bachelor's degree"],
  ['PHC1454', "Master's degree"],
  ['PHC1455', 'Doctorate or professional degree'],
]);

/**
 * ASSOC, BD, GD, and the codes of BFDR 1.1.0 come from older value sets; the mapping is the one of
 * states.
 */
export const GUIDE_EDUCATION: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ELEM: ['ELEM', 'PHC1448'],
    SEC: ['SEC', 'PHC1449'],
    HS: ['HS', 'PHC1450'],
    SCOL: ['SCOL', 'PHC1451'],
    AA: ['AA', 'ASSOC', 'PHC1452'],
    BA: ['BA', 'BD', 'PB', 'PHC1453'],
    MA: ['MA', 'GD', 'PHC1454'],
    POSTG: ['POSTG', 'PHC1455'],
  }).flatMap(([guide, codes]) => codes.map((code) => [code, guide] as const)),
);

/** Fetal presentation at birth. @see LOINC 73761-9 (SNOMED CT) */
export const PRESENTATIONS: CodeTable = new Map([
  ['70028003', 'Vertex'],
  ['6096002', 'Breech'],
  ['OTH', 'Other'],
]);

/** Without forceps or vacuum. */
export const VAGINAL_SPONTANEOUS = '700000006';

export const CESAREAN = '11466000';

/** Final route and method of delivery. @see LOINC 73762-7 (SNOMED CT) */
export const DELIVERY_METHODS: CodeTable = new Map([
  [VAGINAL_SPONTANEOUS, 'Vaginal, spontaneous'],
  ['302383004', 'Vaginal, forceps'],
  ['61586001', 'Vaginal, vacuum'],
  [CESAREAN, 'Cesarean'],
]);

/** Position of the mother at birth. Our choice: no published value set exists. */
export const BIRTH_POSITIONS: CodeTable = new Map([
  ['supine', 'Supine'],
  ['semi-recumbent', 'Semi-recumbent'],
  ['lithotomy', 'Lithotomy'],
  ['side-lying', 'Side-lying'],
  ['sitting', 'Sitting'],
  ['birth-stool', 'Birth stool'],
  ['squatting', 'Squatting'],
  ['kneeling', 'Kneeling'],
  ['hands-and-knees', 'Hands and knees'],
  ['standing', 'Standing'],
  ['water', 'In water'],
  ['other', 'Other'],
]);

/** Answers to item 27 of the US Standard Certificate of Live Birth. Our choice of codes. */
export const ATTENDANT_TITLES: CodeTable = new Map([
  ['md', 'MD'],
  ['do', 'DO'],
  ['cnm-cm', 'CNM/CM'],
  ['other-midwife', 'Other midwife'],
  ['other', 'Other'],
]);

/** Our choice: no published value set exists. */
export const INDUCTION_INDICATIONS: CodeTable = new Map([
  ['post-term', 'Post-term pregnancy'],
  ['prelabor-rupture', 'Prelabor rupture of membranes'],
  ['hypertension', 'Hypertensive disorder'],
  ['diabetes', 'Diabetes'],
  ['growth-restriction', 'Fetal growth restriction'],
  ['oligohydramnios', 'Oligohydramnios'],
  ['chorioamnionitis', 'Chorioamnionitis'],
  ['fetal-status', 'Fetal status'],
  ['fetal-death', 'Fetal death'],
  ['elective', 'Elective'],
  ['other', 'Other'],
]);

/** Methods of induction and augmentation. Our choice, plus the existing SNOMED CT procedures. */
export const LABOR_AGENTS: CodeTable = new Map([
  ['oxytocin', 'Oxytocin'],
  ['misoprostol', 'Misoprostol'],
  ['dinoprostone', 'Dinoprostone'],
  ['balloon', 'Balloon catheter'],
  ['amniotomy', 'Artificial rupture of membranes'],
  ['membrane-sweep', 'Membrane sweep'],
  ['other', 'Other'],
  ['177135005', 'Oxytocin induction of labor'],
  ['177136006', 'Prostaglandin induction of labor'],
  ['236966000', 'Prostaglandin E2 induction of labor'],
  ['425861005', 'Balloon induction of labor'],
  ['408818004', 'Induction of labor by artificial rupture of membranes'],
  ['816966004', 'Augmentation of labor using oxytocin'],
]);

/** FHIR R4 consent-state-codes. @see spec "Consent" */
export const CONSENT_STATUSES: CodeTable = new Map([
  ['draft', 'Pending'],
  ['proposed', 'Proposed'],
  ['active', 'Active'],
  ['rejected', 'Rejected'],
  ['inactive', 'Inactive'],
  ['entered-in-error', 'Entered in error'],
]);

/** USPS codes of states, the District of Columbia, territories, and military mail. */
export const USPS_STATES: ReadonlySet<string> = new Set(
  (
    'AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM ' +
    'NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY DC AS GU MP PR VI UM FM MH PW AA AE AP'
  ).split(' '),
);

/** Names by USPS code, without military mail. */
export const STATE_NAMES: ReadonlyMap<string, string> = new Map(
  (
    'AL Alabama,AK Alaska,AZ Arizona,AR Arkansas,CA California,CO Colorado,CT Connecticut,DE Delaware,' +
    'FL Florida,GA Georgia,HI Hawaii,ID Idaho,IL Illinois,IN Indiana,IA Iowa,KS Kansas,KY Kentucky,' +
    'LA Louisiana,ME Maine,MD Maryland,MA Massachusetts,MI Michigan,MN Minnesota,MS Mississippi,' +
    'MO Missouri,MT Montana,NE Nebraska,NV Nevada,NH New Hampshire,NJ New Jersey,NM New Mexico,' +
    'NY New York,NC North Carolina,ND North Dakota,OH Ohio,OK Oklahoma,OR Oregon,PA Pennsylvania,' +
    'RI Rhode Island,SC South Carolina,SD South Dakota,TN Tennessee,TX Texas,UT Utah,VT Vermont,' +
    'VA Virginia,WA Washington,WV West Virginia,WI Wisconsin,WY Wyoming,DC District of Columbia,' +
    'AS American Samoa,GU Guam,MP Northern Mariana Islands,PR Puerto Rico,VI Virgin Islands'
  )
    .split(',')
    .map((one) => [one.slice(0, 2), one.slice(3)]),
);
