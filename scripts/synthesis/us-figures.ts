import { HISPANIC, NOT_HISPANIC, OTHER_ASIAN, OTHER_HISPANIC } from '../../domain/course/codes.ts';
import type { Mother } from '../../domain/course/course.ts';
import { parseNumbers, parseWords, type Weights } from './weights.ts';

/**
 * Distribution of births in the United States, rounded. Unless noted otherwise, the source is the
 * National Center for Health Statistics for 2022 and 2023: Osterman et al., "Births: Final Data for
 * 2022", National Vital Statistics Reports 73(2), 2024, and "Births: Final Data for 2023", NVSR
 * 74(1), 2025. "Approximate" numbers are interpolated or combined from several tables to be
 * plausible; do not quote them.
 */

/** Live births, with shares that a large run must approximate. */
export const US_SHARES = {
  /** 32.3 % in 2023. */
  cesarean: 0.323,
  /** Before 37 completed weeks: 10.4 % in both years. */
  preterm: 0.104,
  /** Under 2,500 g: 8.6 % in both years. */
  lowBirthWeight: 0.086,
  /** 30.7 to 31.2 twins per 1,000 births. */
  twins: 0.031,
  /** 74 to 79 triplets or higher multiples per 100,000 births. */
  triplets: 0.00075,
  /** 1,047 or 1,048 boys per 1,000 girls. */
  boys: 0.5115,
  /**
   * About 98 % of births are in a hospital; approximate, see also Gregory et al., NVSR 70(15),
   * 2021.
   */
  hospital: 0.98,
  /** Approximate: 1.4 to 1.5 %. */
  home: 0.0145,
  /** Approximate: 0.5 to 0.6 %. */
  birthCenter: 0.005,
  /** Inductions: 31 to 32 %. */
  induced: 0.32,
  /** Vaginal with forceps or vacuum: about 3 %. */
  assisted: 0.03,
  /** Smoking during pregnancy: 3.7 % in 2022, 3.0 % in 2023. */
  smoked: 0.033,
  /** Intensive care: 9.8 % in 2023, from the NCHS Data Brief on these admissions of 2025. */
  intensiveCare: 0.098,
  /** Five-minute Apgar score under 7; approximate. */
  lowApgar: 0.021,
} as const;

/** A pair of twins is one delivery: 31 twins in 1,000 babies are 15.7 pairs in 984 deliveries. */
export const PLURALITY: Weights<1 | 2 | 3> = [
  [1, 0.98395],
  [2, 0.0158],
  [3, 0.00025],
];

/**
 * Stillbirths of 20 weeks or more per delivery: 5.5 per 1,000; Gregory et al., "Fetal Mortality:
 * United States, 2022".
 */
export const STILLBIRTH = 0.0055;

export type Setting =
  | 'hospital'
  | 'planned home'
  | 'birth center'
  | 'unplanned home'
  | 'clinic'
  | 'en route'
  | 'other';

/** Settings of single births; approximate. */
export const SETTINGS: Weights<Setting> = [
  ['hospital', 0.9772],
  ['planned home', 0.0145],
  ['birth center', 0.0056],
  ['unplanned home', 0.0019],
  ['clinic', 0.0003],
  ['en route', 0.0003],
  ['other', 0.0002],
];

/** One in nine; approximate (MANA Stats, Cheyney et al. 2014). */
export const INTRAPARTUM_TRANSFER = 0.11;

/**
 * Completed weeks of gestation by number of babies, in percent. Groups add up to the published
 * shares (under 28, 28–31, 32–33, 34–36, 37–38, 39–40, 41, 42 weeks); weeks within a group are
 * approximate.
 */
export const GESTATION_WEEKS: Readonly<Record<1 | 2 | 3, Weights<number>>> = {
  1: parseNumbers(
    '22 0.03, 23 0.06, 24 0.08, 25 0.1, 26 0.11, 27 0.13, 28 0.15, 29 0.18, 30 0.22, ' +
      '31 0.28, 32 0.38, 33 0.55, 34 1, 35 1.75, 36 3.75, 37 9.6, 38 20, 39 38, ' +
      '40 18.25, 41 5.1, 42 0.28',
  ),
  2: parseNumbers(
    '22 0.2, 23 0.4, 24 0.6, 25 0.6, 26 0.7, 27 0.8, 28 1, 29 1.2, 30 1.6, 31 2.1, ' +
      '32 3.6, 33 5.5, 34 9.5, 35 13, 36 21, 37 27, 38 9.3, 39 1.6, 40 0.3',
  ),
  3: parseNumbers('24 2, 26 4, 28 6, 29 6, 30 9, 31 13, 32 18, 33 18, 34 14, 35 8, 36 1.5, 37 0.5'),
};

/** Completed weeks of births planned outside a hospital; approximate. */
export const COMMUNITY_WEEKS: Weights<number> = parseNumbers(
  '36 1, 37 5, 38 13, 39 29, 40 33, 41 16, 42 3',
);

/** Completed weeks of stillbirths: half of them before 28; approximate. */
export const STILLBIRTH_WEEKS: Weights<number> = parseNumbers(
  '20 10, 21 9, 22 8, 23 7, 24 6, 26 6, 28 5, 30 5, ' + '32 6, 34 7, 36 10, 37 7, 38 6, 39 5, 40 3',
);

/**
 * Median weight of single babies at the middle of each completed week, in grams, both sexes;
 * approximate, after Duryea et al., "A revised birth weight reference for the United States", 2014.
 */
export const MEDIAN_GRAMS: ReadonlyMap<number, number> = new Map(
  parseNumbers(
    '20 340, 21 410, 22 490, 23 575, 24 660, 25 765, 26 880, 27 1010, 28 1150, ' +
      '29 1310, 30 1480, 31 1670, 32 1870, 33 2080, 34 2300, 35 2530, 36 2760, ' +
      '37 3010, 38 3240, 39 3420, 40 3550, 41 3660, 42 3710, 43 3730',
  ),
);

/** Factors of the median for boys and girls, about 110 g apart at term. */
export const WEIGHT_BY_SEX = { male: 1.017, female: 0.983 } as const;

/** Weight of twins and triplets relative to a single baby of the same week; approximate. */
export const WEIGHT_BY_PLURALITY: Readonly<Record<1 | 2 | 3, number>> = { 1: 1, 2: 0.895, 3: 0.86 };

/** Standard deviation of the weight as a fraction of the median; approximate. */
export const WEIGHT_DEVIATION = 0.12;

/** From the given completed week; approximate except for the totals above. */
export const OUTLOOK: readonly {
  readonly from: number;
  readonly lowApgar: number;
  readonly intensiveCare: number;
  readonly death: number;
}[] = [
  { from: 37, lowApgar: 0.0125, intensiveCare: 0.04, death: 0.001 },
  { from: 35, lowApgar: 0.03, intensiveCare: 0.28, death: 0.003 },
  { from: 32, lowApgar: 0.07, intensiveCare: 0.75, death: 0.008 },
  { from: 28, lowApgar: 0.2, intensiveCare: 0.95, death: 0.04 },
  { from: 24, lowApgar: 0.42, intensiveCare: 0.95, death: 0.18 },
  { from: 0, lowApgar: 0.75, intensiveCare: 0.7, death: 0.6 },
];

/** Scores at five minutes, 7 and above or below; approximate. */
export const APGAR_FIVE: { readonly good: Weights<number>; readonly low: Weights<number> } = {
  good: parseNumbers('7 3, 8 10, 9 84, 10 3'),
  low: parseNumbers('0 2, 1 6, 2 8, 3 12, 4 17, 5 23, 6 32'),
};

/** Breech births; approximate: 3 to 4 % at term, more before. */
export const BREECH = { term: 0.034, preterm: 0.1, laterTwin: 0.3 } as const;

/** Total of 32 %: primary rate 22 to 23 %, and vaginal birth after cesarean 15 %. */
export const CESAREAN_SHARES = {
  afterCesarean: 0.865,
  breech: 0.93,
  twins: 0.72,
  triplets: 0.97,
  first: 0.285,
  later: 0.115,
} as const;

/** Mothers with earlier births who had a cesarean: about a quarter; approximate. */
export const EARLIER_CESAREAN = 0.245;

/** Cesareans without labor, after an earlier one or otherwise; approximate. */
export const WITHOUT_LABOR = { afterCesarean: 0.85, else: 0.3 } as const;

/** Inductions among labors in a hospital, for a total of 32 % of all births; approximate. */
export const INDUCED_OF_LABORS = 0.4;

/** Forceps and vacuum among vaginal births in a hospital: 0.5 and 2.5 % of all births. */
export const FORCEPS_OF_VAGINAL = 0.008;
export const VACUUM_OF_VAGINAL = 0.038;

/** Mother's age in bands of whole years, with the share of first births; approximate. */
export const AGES: Weights<{ readonly from: number; readonly to: number; readonly first: number }> =
  [
    [{ from: 15, to: 17, first: 0.93 }, 0.009],
    [{ from: 18, to: 19, first: 0.83 }, 0.03],
    [{ from: 20, to: 24, first: 0.57 }, 0.172],
    [{ from: 25, to: 29, first: 0.42 }, 0.272],
    [{ from: 30, to: 34, first: 0.34 }, 0.308],
    [{ from: 35, to: 39, first: 0.245 }, 0.166],
    [{ from: 40, to: 44, first: 0.22 }, 0.039],
    [{ from: 45, to: 49, first: 0.28 }, 0.004],
  ];

/** Earlier living children of mothers with any; approximate. */
export const EARLIER_CHILDREN: Weights<number> = parseNumbers(
  '1 52, 2 28, 3 12, 4 5, 5 2, 6 0.7, 7 0.3',
);

/** Race and Hispanic origin of the mother, in percent, by code; approximate. */
export const ORIGINS: Weights<Pick<Mother, 'race' | 'ethnicity'>> = [
  [{ race: ['2106-3'], ethnicity: NOT_HISPANIC }, 49.8],
  [{ race: ['2106-3'], ethnicity: HISPANIC }, 21],
  [{ race: ['2131-1'], ethnicity: HISPANIC }, 5],
  [{ race: ['2054-5'], ethnicity: NOT_HISPANIC }, 13.6],
  [{ race: ['2029-7'], ethnicity: NOT_HISPANIC }, 2],
  [{ race: ['2034-7'], ethnicity: NOT_HISPANIC }, 1.4],
  [{ race: ['2036-2'], ethnicity: NOT_HISPANIC }, 0.9],
  [{ race: ['2047-9'], ethnicity: NOT_HISPANIC }, 0.7],
  [{ race: ['2028-9'], ethnicity: NOT_HISPANIC }, 0.7],
  [{ race: [OTHER_ASIAN], ethnicity: NOT_HISPANIC }, 0.3],
  [{ race: ['2036-2', OTHER_ASIAN], ethnicity: NOT_HISPANIC }, 0.2],
  [{ race: ['1002-5'], ethnicity: NOT_HISPANIC }, 0.7],
  [{ race: ['2080-0'], ethnicity: NOT_HISPANIC }, 0.3],
  [{ race: ['2106-3', '2054-5'], ethnicity: NOT_HISPANIC }, 1.6],
  [{ race: ['2106-3', '1002-5'], ethnicity: NOT_HISPANIC }, 0.8],
];

/** Origins of Hispanic mothers who state one, in percent; approximate. */
export const HISPANIC_ORIGINS: Weights<Pick<Mother, 'hispanic_origins' | 'other_hispanic_origin'>> =
  [
    [{ hispanic_origins: ['2148-5'], other_hispanic_origin: null }, 56],
    [{ hispanic_origins: ['2180-8'], other_hispanic_origin: null }, 9],
    [{ hispanic_origins: ['2182-4'], other_hispanic_origin: null }, 4],
    [{ hispanic_origins: ['2148-5', '2180-8'], other_hispanic_origin: null }, 1],
    [{ hispanic_origins: [OTHER_HISPANIC], other_hispanic_origin: null }, 18],
    [{ hispanic_origins: [OTHER_HISPANIC], other_hispanic_origin: 'Dominican' }, 6],
    [{ hispanic_origins: [OTHER_HISPANIC], other_hispanic_origin: 'Salvadoran' }, 6],
  ];

/** Mothers who say more of their Hispanic origin, or their tribe; approximate. */
export const STATES_ORIGIN = 0.5;
export const NAMES_TRIBE = 0.3;
export const TRIBES: Weights<string> = [
  ['Navajo', 50],
  ['Cherokee', 30],
  ['Choctaw', 20],
];

/** Education of mothers aged 22 and over, in percent, by v3-EducationLevel; approximate. */
export const EDUCATION: Weights<string> = parseWords(
  'ELEM 3, SEC 6, HS 26, SCOL 18, ASSOC 9, BD 23, GD 12, POSTG 3',
);

/** Trimester; 0 for no care. 76 to 77 % start in the first, 2 % have none. */
export const FIRST_VISIT: Weights<0 | 1 | 2 | 3> = [
  [1, 76.5],
  [2, 16.6],
  [3, 4.7],
  [0, 2.2],
];

/** Smoking before pregnancy; most stop. Approximate. */
export const SMOKED_BEFORE = 0.052;

/** Received WIC food; approximate: a third. */
export const WIC = 0.32;

/** Breastfed at discharge: about 83 %; approximate. */
export const BREASTFED = 0.83;

/**
 * Attendants of vaginal births in a hospital, in percent, such that physicians (M.D. and D.O.)
 * attend 88 % and nurse-midwives 11 % of all births; approximate.
 */
export const VAGINAL_ATTENDANTS: Weights<'physician' | 'nurse-midwife' | 'nurse'> = [
  ['physician', 83.2],
  ['nurse-midwife', 16],
  ['nurse', 0.8],
];

/** Attendants of planned births outside a hospital, in percent; approximate. */
export const COMMUNITY_ATTENDANTS: Weights<'midwife' | 'nurse-midwife' | 'physician'> = [
  ['midwife', 64],
  ['nurse-midwife', 33],
  ['physician', 3],
];
