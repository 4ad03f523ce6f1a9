import { CESAREAN } from './codes.ts';
import type { Child, CourseOfCare } from './course.ts';
import type { FieldPath } from './fields.ts';
import { wasMotherMoved, wasMovedWithinDay } from './transfers.ts';

/** In chronological order. */
export const ITEM_SECTIONS = ['mother', 'pregnancy', 'birth', 'child'] as const;

export type ItemSection = (typeof ITEM_SECTIONS)[number];

/** Certificate worksheet that asks for an item. The mother or the facility fills it in. */
export type Worksheet = 'mother' | 'facility';

export interface CertificateItem {
  /** Permanent, because the log stores it. */
  readonly id: string;
  readonly words: string;
  readonly section: ItemSection;
  readonly worksheet: Worksheet;
  /** The item is complete if all of these fields have a value, */
  readonly paths: readonly FieldPath[];
  /** or if all of these alternative fields have one. */
  readonly instead?: readonly FieldPath[];
  readonly isDefault: boolean;
  /** Absent if it applies to all births. @param child null for items of the course */
  readonly applies?: (course: CourseOfCare, child: Child | null) => boolean;
}

const isBornAlive = (_course: CourseOfCare, child: Child | null): boolean =>
  child?.fetal_death !== true;

const LOW_APGAR = 6;

/** Not needed if the score at five minutes was not low. */
export const isTenMinuteScoreNotNeeded = ({
  apgar_five_minute,
}: Pick<Child, 'apgar_five_minute'>): boolean => (apgar_five_minute ?? 0) >= LOW_APGAR;

const isMultiple = ({ plurality, children }: CourseOfCare): boolean =>
  (plurality ?? children.length) > 1 || children.length > 1;

/** Also true if it is not known. */
export const hasEarlierBirths = (course: CourseOfCare): boolean =>
  course.previous_births_living !== 0 || course.previous_births_dead !== 0;

/**
 * Each with its number on the certificate. Items for which an empty field also means "none" are omitted:
 * a user could never complete them.
 * @see U.S. Standard Certificate of Live Birth, 2003 revision, and its two worksheets
 * @see U.S. Standard Report of Fetal Death, 2003 revision, for the items that it omits
 */
export const CERTIFICATE_ITEMS: readonly CertificateItem[] = [
  {
    id: 'mother-name', // 8a
    words: 'Mother’s name',
    section: 'mother',
    worksheet: 'mother',
    paths: ['mother.family_name', 'mother.given_names'],
    isDefault: true,
  },
  {
    id: 'mother-birth-date', // 8b
    words: 'Mother’s date of birth',
    section: 'mother',
    worksheet: 'mother',
    paths: ['mother.birth_date'],
    isDefault: true,
  },
  {
    id: 'mother-birth-surname', // 8c
    words: 'Name prior to first marriage',
    section: 'mother',
    worksheet: 'mother',
    paths: ['mother.birth_surname'],
    isDefault: false,
  },
  {
    id: 'residence', // 9a, 9c, 9d, 9f
    words: 'Mother’s residence',
    section: 'mother',
    worksheet: 'mother',
    paths: [
      'mother.address.line',
      'mother.address.city',
      'mother.address.state',
      'mother.address.postal_code',
    ],
    isDefault: false,
  },
  {
    id: 'residence-county', // 9b
    words: 'County of residence',
    section: 'mother',
    worksheet: 'mother',
    paths: ['mother.address.county'],
    isDefault: false,
  },
  {
    id: 'education', // 20
    words: 'Mother’s education',
    section: 'mother',
    worksheet: 'mother',
    paths: ['mother.education'],
    isDefault: false,
  },
  {
    id: 'hispanic-origin', // 21
    words: 'Hispanic origin',
    section: 'mother',
    worksheet: 'mother',
    // Any origin implies one. @see completeOrigins
    paths: ['mother.ethnicity'],
    instead: ['mother.ethnicity_absent_reason'],
    isDefault: false,
  },
  {
    id: 'race', // 22
    words: 'Mother’s race',
    section: 'mother',
    worksheet: 'mother',
    paths: ['mother.race'],
    instead: ['mother.race_absent_reason'],
    isDefault: false,
  },
  {
    id: 'height', // 31
    words: 'Mother’s height',
    section: 'mother',
    worksheet: 'mother',
    paths: ['mother.height_cm'],
    isDefault: false,
  },
  {
    id: 'prepregnancy-weight', // 32
    words: 'Mother’s weight before pregnancy',
    section: 'mother',
    worksheet: 'mother',
    paths: ['mother.prepregnancy_weight_kg'],
    isDefault: false,
  },
  {
    id: 'delivery-weight', // 33
    words: 'Mother’s weight at delivery',
    section: 'mother',
    worksheet: 'facility',
    paths: ['mother.delivery_weight_kg'],
    isDefault: false,
  },
  {
    id: 'mother-record-number', // 40
    words: 'Mother’s medical record number',
    section: 'mother',
    worksheet: 'facility',
    paths: ['mother.medical_record_number'],
    isDefault: false,
  },
  {
    id: 'plurality', // 52
    words: 'Plurality',
    section: 'pregnancy',
    worksheet: 'facility',
    paths: ['plurality'],
    isDefault: true,
  },
  {
    id: 'first-prenatal-visit', // 29a
    words: 'First prenatal visit',
    section: 'pregnancy',
    worksheet: 'facility',
    paths: ['first_prenatal_visit'],
    isDefault: false,
    applies: ({ prenatal_visits }) => prenatal_visits !== 0,
  },
  {
    id: 'prenatal-visits', // 30
    words: 'Number of prenatal visits',
    section: 'pregnancy',
    worksheet: 'facility',
    paths: ['prenatal_visits'],
    isDefault: false,
  },
  {
    id: 'last-menstrual-period', // 39
    words: 'Last menstrual period',
    section: 'pregnancy',
    worksheet: 'facility',
    paths: ['last_menstrual_period'],
    isDefault: false,
  },
  {
    id: 'wic', // 34
    words: 'WIC during pregnancy',
    section: 'pregnancy',
    worksheet: 'mother',
    paths: ['wic'],
    isDefault: false,
  },
  {
    id: 'cigarettes', // 37
    words: 'Cigarettes before and during pregnancy',
    section: 'pregnancy',
    worksheet: 'mother',
    paths: [
      'cigarettes_before',
      'cigarettes_first_trimester',
      'cigarettes_second_trimester',
      'cigarettes_third_trimester',
    ],
    isDefault: false,
  },
  {
    id: 'previous-live-births', // 35a, 35b
    words: 'Previous live births',
    section: 'pregnancy',
    worksheet: 'facility',
    paths: ['previous_births_living', 'previous_births_dead'],
    isDefault: false,
  },
  {
    id: 'last-live-birth', // 35c
    words: 'Date of last live birth',
    section: 'pregnancy',
    worksheet: 'facility',
    paths: ['last_live_birth'],
    isDefault: false,
    applies: ({ previous_births_living, previous_births_dead }) =>
      (previous_births_living ?? 0) + (previous_births_dead ?? 0) > 0,
  },
  {
    id: 'other-outcomes', // 36a
    words: 'Other pregnancy outcomes',
    section: 'pregnancy',
    worksheet: 'facility',
    paths: ['other_outcomes'],
    isDefault: false,
  },
  {
    id: 'last-other-outcome', // 36b
    words: 'Date of last other pregnancy outcome',
    section: 'pregnancy',
    worksheet: 'facility',
    paths: ['last_other_outcome'],
    isDefault: false,
    applies: ({ other_outcomes }) => (other_outcomes ?? 0) > 0,
  },
  {
    id: 'previous-cesareans', // 41
    words: 'Previous cesareans',
    section: 'pregnancy',
    worksheet: 'facility',
    paths: ['previous_cesareans'],
    isDefault: false,
    applies: hasEarlierBirths,
  },
  {
    id: 'place-of-birth', // 26
    words: 'Place of birth',
    section: 'birth',
    worksheet: 'facility',
    paths: ['place_of_birth'],
    isDefault: true,
  },
  {
    id: 'planned-home-birth', // 26
    words: 'Planned place of birth',
    section: 'birth',
    worksheet: 'facility',
    paths: ['planned_place_of_birth'],
    instead: ['planned_home_birth'],
    isDefault: true,
    applies: ({ place_of_birth }) => place_of_birth === 'Home',
  },
  {
    id: 'attendant', // 27
    words: 'Attendant',
    section: 'birth',
    worksheet: 'facility',
    paths: ['attendant_name', 'attendant_title'],
    // Only partners name providers.
    instead: ['attendant'],
    isDefault: false,
  },
  {
    id: 'delivery-method', // 46D
    words: 'Delivery method',
    section: 'birth',
    worksheet: 'facility',
    paths: ['delivery_method'],
    isDefault: true,
  },
  {
    id: 'trial-of-labor', // 46D
    words: 'Trial of labor before cesarean',
    section: 'birth',
    worksheet: 'facility',
    paths: ['trial_of_labor'],
    isDefault: false,
    applies: ({ delivery_method }) => delivery_method === CESAREAN,
  },
  {
    id: 'induction', // 45
    words: 'Induction of labor',
    section: 'birth',
    worksheet: 'facility',
    paths: ['induction'],
    instead: ['induction_agents'],
    isDefault: false,
  },
  {
    id: 'augmentation', // 45
    words: 'Augmentation of labor',
    section: 'birth',
    worksheet: 'facility',
    paths: ['augmentation'],
    instead: ['augmentation_agents'],
    isDefault: false,
  },
  {
    id: 'mother-transfer', // 28
    words: 'Mother transferred from another facility',
    section: 'birth',
    worksheet: 'facility',
    paths: ['mother_transfer'],
    isDefault: false,
    // A transfer may answer it.
    applies: (course) => wasMotherMoved(course) === null,
  },
  {
    id: 'child-name', // 1
    words: 'Child’s name',
    section: 'child',
    worksheet: 'mother',
    paths: ['children.family_name', 'children.given_names'],
    isDefault: true,
    applies: isBornAlive,
  },
  {
    id: 'birth-date', // 4
    words: 'Date of birth',
    section: 'child',
    worksheet: 'facility',
    paths: ['children.birth_date'],
    isDefault: true,
  },
  {
    id: 'birth-time', // 2
    words: 'Time of birth',
    section: 'child',
    worksheet: 'facility',
    paths: ['children.birth_time'],
    isDefault: true,
  },
  {
    id: 'sex', // 3
    words: 'Sex',
    section: 'child',
    worksheet: 'facility',
    paths: ['children.sex'],
    isDefault: true,
  },
  {
    id: 'birth-order', // 53
    words: 'Birth order',
    section: 'child',
    worksheet: 'facility',
    paths: ['children.birth_order'],
    isDefault: true,
    applies: isMultiple,
  },
  {
    id: 'child-record-number', // 48
    words: 'Child’s medical record number',
    section: 'child',
    worksheet: 'facility',
    paths: ['children.medical_record_number'],
    isDefault: false,
    applies: isBornAlive,
  },
  {
    id: 'birth-weight', // 49
    words: 'Birth weight',
    section: 'child',
    worksheet: 'facility',
    paths: ['children.birth_weight_grams'],
    isDefault: true,
  },
  {
    id: 'gestational-age', // 50
    words: 'Gestational age',
    section: 'child',
    worksheet: 'facility',
    paths: ['children.gestational_age_weeks'],
    isDefault: true,
  },
  {
    id: 'apgar-five', // 51
    words: 'Apgar at 5 minutes',
    section: 'child',
    worksheet: 'facility',
    paths: ['children.apgar_five_minute'],
    isDefault: true,
    applies: isBornAlive,
  },
  {
    id: 'apgar-ten', // 51: only if the score at 5 minutes is less than 6
    words: 'Apgar at 10 minutes, if it was below 6 at 5 minutes',
    section: 'child',
    worksheet: 'facility',
    paths: ['children.apgar_ten_minute'],
    isDefault: true,
    applies: (course, child) =>
      isBornAlive(course, child) && (child?.apgar_five_minute ?? LOW_APGAR) < LOW_APGAR,
  },
  {
    id: 'presentation', // 46C
    words: 'Presentation',
    section: 'child',
    worksheet: 'facility',
    paths: ['children.presentation'],
    isDefault: false,
  },
  {
    id: 'nicu', // 54
    words: 'Admitted to the NICU',
    section: 'child',
    worksheet: 'facility',
    paths: ['children.nicu_admission'],
    isDefault: false,
    applies: isBornAlive,
  },
  {
    id: 'infant-transfer', // 56
    words: 'Infant transferred within 24 hours',
    section: 'child',
    worksheet: 'facility',
    paths: ['children.transfer_within_day'],
    isDefault: false,
    applies: (course, child) =>
      isBornAlive(course, child) && (child === null || wasMovedWithinDay(course, child) === null),
  },
  {
    id: 'living', // 57
    words: 'Living at the time of the report',
    section: 'child',
    worksheet: 'facility',
    paths: ['children.living'],
    isDefault: false,
    applies: isBornAlive,
  },
  {
    id: 'breastfed', // 58
    words: 'Breastfed at discharge',
    section: 'child',
    worksheet: 'facility',
    paths: ['children.breastfed_at_discharge'],
    isDefault: false,
    applies: (course, child) => isBornAlive(course, child) && child?.living !== false,
  },
];

export const DEFAULT_ITEMS: readonly string[] = CERTIFICATE_ITEMS.filter(
  ({ isDefault }) => isDefault,
).map(({ id }) => id);
