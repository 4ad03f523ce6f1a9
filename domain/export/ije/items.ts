import { hasEarlierBirths } from '../../course/certificate-items.ts';
import { HISPANIC_ORIGINS } from '../../course/codes.ts';
import { wasAugmented, wasInduced } from '../../course/labor.ts';
import { listOtherRaces, WRITE_INS } from '../../course/origins.ts';
import { encodeCountry, encodeState, formatCountry, formatState } from '../../course/places.ts';
import { RACE_BOXES } from '../../course/race-answers.ts';
import {
  listChildOutInDay,
  listMotherIn,
  wasMotherMoved,
  wasMovedWithinDay,
} from '../../course/transfers.ts';
import { toPounds } from '../../format-measures.ts';
import { BOUND_ITEMS } from './bound-items.ts';
import { EDUCATION, findCode, PRESENTATIONS, ROUTES, SEXES } from './codes.ts';
import {
  createAnswerItem,
  createCodedItem,
  createCountItem,
  createDateItems,
  createIdentifierItem,
  createLastOutcomeItems,
  createTextItem,
  formatDateDigits,
  formatDigits,
  formatFlag,
  type IjeItem,
  NO_SUCH_DATE,
} from './columns.ts';
import {
  countAge,
  countLiveBorn,
  findFacility,
  findNamedProvider,
  findOtherTitle,
  formatBirthClock,
  formatHispanicAnswer,
  formatRaceBox,
  formatTenMinuteScore,
  formatTrialOfLabor,
  roundNumber,
  toAttendantCode,
  toFeetAndInches,
  toPlaceCode,
} from './derived-values.ts';
import { EDIT_FLAG_ITEMS } from './edit-flags.ts';

const DATE_RULE = 'digits; nines for what is not known';
const NAME_RULE = 'as it is held';
const TWO_DIGITS = 'two digits, 99 unknown';

const CHILD: readonly IjeItem[] = [
  ...createDateItems(
    [
      ['IDOB_YR', 1],
      ['IDOB_MO', 31],
      ['IDOB_DY', 33],
    ],
    ['children.birth_date'],
    DATE_RULE,
    ({ child }) => formatDateDigits(child.birth_date),
  ),
  createCodedItem(
    'TB',
    26,
    4,
    ['children.birth_time', 'children.birth_date'],
    'hours and minutes as the clock showed them; a time in UTC on the clock of the practice; 9999 unknown, also where ' +
      'the practice has set no time zone for a time in UTC, or the day is not the date of birth',
    formatBirthClock,
  ),
  createCodedItem(
    'ISEX',
    30,
    1,
    ['children.sex'],
    'M male, F female, N for all else',
    ({ child }) => SEXES.get(child.sex) ?? 'N',
  ),
  createTextItem(
    'KIDFNAME',
    1001,
    50,
    ['children.given_names'],
    'the first given name',
    ({ child }) => child.given_names[0] ?? null,
  ),
  createTextItem(
    'KIDMNAME',
    1051,
    50,
    ['children.given_names'],
    'all other given names',
    ({ child }) => child.given_names.slice(1).join(' '),
  ),
  createTextItem(
    'KIDLNAME',
    1101,
    50,
    ['children.family_name'],
    NAME_RULE,
    ({ child }) => child.family_name,
  ),
  createTextItem('KIDSUFFX', 1151, 7, ['children.suffix'], NAME_RULE, ({ child }) => child.suffix),
  createIdentifierItem(
    'INF_MED_REC_NUM',
    2922,
    15,
    ['children.medical_record_number'],
    'as it is held; blank if it is longer',
    ({ child }) => child.medical_record_number,
  ),
  createCodedItem(
    'BWG',
    865,
    4,
    ['children.birth_weight_grams'],
    'whole grams, 9999 unknown',
    ({ child }) => formatDigits(roundNumber(child.birth_weight_grams), 4),
  ),
  createCodedItem(
    'OWGEST',
    870,
    2,
    ['children.gestational_age_weeks'],
    'completed weeks, 99 unknown',
    ({ child }) => formatDigits(child.gestational_age_weeks, 2),
  ),
  createCodedItem('APGAR5', 873, 2, ['children.apgar_five_minute'], TWO_DIGITS, ({ child }) =>
    formatDigits(child.apgar_five_minute, 2),
  ),
  createCodedItem(
    'APGAR10',
    875,
    2,
    ['children.apgar_ten_minute', 'children.apgar_five_minute'],
    'two digits; 88 not taken, where the score at 5 minutes was 6 or more; 99 unknown',
    ({ child }) => formatTenMinuteScore(child),
  ),
  createCodedItem(
    'PRES',
    856,
    1,
    ['children.presentation'],
    '1 vertex, 2 breech, 3 other, 9 unknown',
    ({ child }) => findCode(PRESENTATIONS, child.presentation),
  ),
  createAnswerItem('NICU', 892, 'children.nicu_admission', ({ child }) => child.nicu_admission),
  createAnswerItem('ILIV', 910, 'children.living', ({ child }) => child.living),
  createAnswerItem(
    'BFED',
    911,
    'children.breastfed_at_discharge',
    ({ child }) => child.breastfed_at_discharge,
  ),
];

const MOTHER: readonly IjeItem[] = [
  ...createDateItems(
    [
      ['MDOB_YR', 55],
      ['MDOB_MO', 59],
      ['MDOB_DY', 61],
    ],
    ['mother.birth_date'],
    DATE_RULE,
    ({ course }) => formatDateDigits(course.mother.birth_date),
  ),
  createCodedItem('MAGER', 920, 2, ['mother.age_at_delivery'], TWO_DIGITS, ({ course }) =>
    formatDigits(course.mother.age_at_delivery, 2),
  ),
  createCodedItem(
    'MAGE_CALC',
    2018,
    2,
    ['mother.birth_date', 'children.birth_date'],
    'two digits, where both dates are known to the day; 99 unknown',
    (birth) => formatDigits(countAge(birth), 2),
  ),
  createTextItem(
    'MOMFNAME',
    1283,
    50,
    ['mother.given_names'],
    'the first given name',
    ({ course }) => course.mother.given_names[0] ?? null,
  ),
  createTextItem(
    'MOMMIDDL',
    1333,
    50,
    ['mother.given_names'],
    'all other given names',
    ({ course }) => course.mother.given_names.slice(1).join(' '),
  ),
  createTextItem(
    'MOMLNAME',
    1383,
    50,
    ['mother.family_name'],
    NAME_RULE,
    ({ course }) => course.mother.family_name,
  ),
  createTextItem(
    'MOMSUFFX',
    1433,
    7,
    ['mother.suffix'],
    NAME_RULE,
    ({ course }) => course.mother.suffix,
  ),
  createTextItem(
    'MOMMAIDN',
    1540,
    50,
    ['mother.birth_surname'],
    NAME_RULE,
    ({ course }) => course.mother.birth_surname,
  ),
  createIdentifierItem(
    'MOM_MED_REC_NUM',
    2937,
    15,
    ['mother.medical_record_number'],
    'as it is held; blank if it is longer',
    ({ course }) => course.mother.medical_record_number,
  ),
  createCodedItem(
    'STATEC',
    76,
    2,
    ['mother.address.state', 'mother.address.country'],
    'postal code of the state, territory or province; XX another country, or an unknown province; ZZ unknown',
    ({ course }) => encodeState(course.mother.address),
  ),
  createCodedItem(
    'COUNTRYC',
    78,
    2,
    ['mother.address.country'],
    'code of vital records for the country, US also for a territory; ZZ unknown',
    ({ course }) => encodeCountry(course.mother.address),
  ),
  createTextItem(
    'ADDRESS',
    1672,
    50,
    ['mother.address.line'],
    NAME_RULE,
    ({ course }) => course.mother.address.line,
  ),
  createIdentifierItem(
    'ZIPCODE',
    1722,
    9,
    ['mother.address.postal_code'],
    'without its hyphen; blank if it is longer',
    ({ course }) => course.mother.address.postal_code?.replaceAll('-', '') ?? null,
  ),
  createTextItem(
    'COUNTYTXT',
    1731,
    28,
    ['mother.address.county'],
    NAME_RULE,
    ({ course }) => course.mother.address.county,
  ),
  createTextItem(
    'CITYTEXT',
    1759,
    28,
    ['mother.address.city'],
    NAME_RULE,
    ({ course }) => course.mother.address.city,
  ),
  createTextItem(
    'STATETXT',
    1787,
    28,
    ['mother.address.state', 'mother.address.country'],
    'the name of the state or province; what is held where it has no code',
    ({ course }) => formatState(course.mother.address),
  ),
  createTextItem(
    'CNTRYTXT',
    1815,
    28,
    ['mother.address.country'],
    'the name of the country; what is held where it has no code',
    ({ course }) => formatCountry(course.mother.address),
  ),
  createCodedItem(
    'MEDUC',
    93,
    1,
    ['mother.education'],
    '1 ELEM, 2 SEC, 3 HS, 4 SCOL, 5 AA or ASSOC, 6 BA, BD or PB, 7 MA or GD, 8 POSTG, and PHC1448 to PHC1455 in this ' +
      'order; 9 unknown',
    ({ course }) => findCode(EDUCATION, course.mother.education),
  ),
  ...[...HISPANIC_ORIGINS].map(([origin, name], index, all) =>
    createCodedItem(
      `METHNIC${index + 1}`,
      95 + index,
      1,
      ['mother.hispanic_origins', 'mother.ethnicity'],
      `H ${name}${index === all.length - 1 ? ', or Hispanic where no origin is held' : ''}; ` +
        'N another origin, or not Hispanic; U unknown',
      ({ course }) => formatHispanicAnswer(course.mother, origin),
    ),
  ),
  createTextItem(
    'METHNIC5',
    99,
    20,
    ['mother.other_hispanic_origin'],
    NAME_RULE,
    ({ course }) => course.mother.other_hispanic_origin,
  ),
  ...RACE_BOXES.map(({ code, rule }, index) =>
    createCodedItem(`MRACE${index + 1}`, 119 + index, 1, ['mother.race'], rule, ({ course }) =>
      formatRaceBox(course.mother, code),
    ),
  ),
  ...WRITE_INS.filter(({ field }) => field !== 'other_races').flatMap(({ field }, row) =>
    [0, 1].map((index) =>
      createTextItem(
        `MRACE${16 + 2 * row + index}`,
        134 + 30 * (2 * row + index),
        30,
        [`mother.${field}`],
        NAME_RULE,
        ({ course }) => course.mother[field][index] ?? null,
      ),
    ),
  ),
  ...[0, 1].map((index) =>
    createTextItem(
      `MRACE${22 + index}`,
      314 + 30 * index,
      30,
      ['mother.other_races', 'mother.race'],
      `the ${index === 0 ? 'first' : 'second'} race that is in no box, as it is held; “Asian” or “Pacific Islander” for the category alone`,
      ({ course }) => listOtherRaces(course.mother)[index] ?? null,
    ),
  ),
  createCodedItem(
    'HFT',
    772,
    1,
    ['mother.height_cm'],
    'whole feet of the height to the nearest inch, 9 unknown',
    ({ course }) => formatDigits(toFeetAndInches(course).feet, 1),
  ),
  createCodedItem(
    'HIN',
    773,
    2,
    ['mother.height_cm'],
    'the inches beyond the feet, 99 unknown',
    ({ course }) => formatDigits(toFeetAndInches(course).inches, 2),
  ),
  ...(
    [
      ['PWGT', 776, 'prepregnancy_weight_kg'],
      ['DWGT', 780, 'delivery_weight_kg'],
    ] as const
  ).map(([name, begin, field]) =>
    createCodedItem(
      name,
      begin,
      3,
      [`mother.${field}`],
      'to the nearest pound, 999 unknown',
      ({ course: { mother } }) => {
        const kg = mother[field];
        return formatDigits(kg === null ? null : toPounds(kg), 3);
      },
    ),
  ),
];

const PREGNANCY: readonly IjeItem[] = [
  ...createDateItems(
    [
      ['DOFP_YR', 757],
      ['DOFP_MO', 753],
      ['DOFP_DY', 755],
    ],
    ['first_prenatal_visit', 'prenatal_visits'],
    'digits; eights for no prenatal care, where no date and no visits are held; nines unknown',
    ({ course: { first_prenatal_visit, prenatal_visits } }) =>
      first_prenatal_visit === null && prenatal_visits === 0
        ? NO_SUCH_DATE
        : formatDateDigits(first_prenatal_visit),
  ),
  ...createDateItems(
    [
      ['DLMP_YR', 812],
      ['DLMP_MO', 816],
      ['DLMP_DY', 818],
    ],
    ['last_menstrual_period'],
    DATE_RULE,
    ({ course }) => formatDateDigits(course.last_menstrual_period),
  ),
  createCountItem('NPREV', 769, 'prenatal_visits', ({ course }) => course.prenatal_visits),
  createAnswerItem('WIC', 784, 'wic', ({ course }) => course.wic),
  createCountItem(
    'PLBL',
    785,
    'previous_births_living',
    ({ course }) => course.previous_births_living,
  ),
  createCountItem('PLBD', 787, 'previous_births_dead', ({ course }) => course.previous_births_dead),
  createCountItem('POPO', 789, 'other_outcomes', ({ course }) => course.other_outcomes),
  ...createLastOutcomeItems(
    ['MLLB', 'YLLB', 791],
    'last_live_birth',
    ['previous_births_living', 'previous_births_dead'],
    (course) => !hasEarlierBirths(course),
  ),
  ...createLastOutcomeItems(
    ['MOPO', 'YOPO', 797],
    'last_other_outcome',
    ['other_outcomes'],
    ({ other_outcomes }) => other_outcomes === 0,
  ),
  createCountItem('CIGPN', 803, 'cigarettes_before', ({ course }) => course.cigarettes_before),
  createCountItem(
    'CIGFN',
    805,
    'cigarettes_first_trimester',
    ({ course }) => course.cigarettes_first_trimester,
  ),
  createCountItem(
    'CIGSN',
    807,
    'cigarettes_second_trimester',
    ({ course }) => course.cigarettes_second_trimester,
  ),
  createCountItem(
    'CIGLN',
    809,
    'cigarettes_third_trimester',
    ({ course }) => course.cigarettes_third_trimester,
  ),
  createCodedItem(
    'PCES',
    828,
    1,
    ['previous_cesareans', 'previous_births_living', 'previous_births_dead', 'other_outcomes'],
    'Y for one or more, N for none, also for a mother without an earlier pregnancy, U unknown',
    ({ course: { previous_cesareans } }) =>
      formatFlag(previous_cesareans === null ? null : previous_cesareans > 0),
  ),
  createCountItem('NPCES', 829, 'previous_cesareans', ({ course }) => course.previous_cesareans),
  createCodedItem('PLUR', 877, 2, ['plurality'], TWO_DIGITS, ({ course }) =>
    formatDigits(course.plurality, 2),
  ),
  createCodedItem(
    'SORD',
    879,
    2,
    ['children.birth_order', 'plurality'],
    'two digits; 01 for a single birth; 99 unknown',
    ({ course, child }) =>
      formatDigits(child.birth_order ?? (course.plurality === 1 ? 1 : null), 2),
  ),
  createCodedItem(
    'LIVEB',
    881,
    2,
    ['plurality', 'children.fetal_death'],
    'two digits, where all children of the birth are held and it is known of each; 99 unknown',
    ({ course }) => formatDigits(countLiveBorn(course), 2),
  ),
];

const LABOR_AND_BIRTH: readonly IjeItem[] = [
  createCodedItem(
    'BPLACE',
    38,
    1,
    ['place_of_birth', 'planned_home_birth', 'planned_place_of_birth'],
    '1 hospital, 2 birth center, 3 home as planned, 4 home that was not planned, 5 home where no plan is held or it is ' +
      'unknown, 6 clinic, 7 other or en route, 9 unknown; the answer about a planned home birth before the planned place',
    ({ course }) => toPlaceCode(course),
  ),
  createCodedItem(
    'ROUT',
    857,
    1,
    ['delivery_method'],
    '1 spontaneous, 2 forceps, 3 vacuum, 4 cesarean, 9 unknown',
    ({ course }) => findCode(ROUTES, course.delivery_method),
  ),
  createCodedItem(
    'TLAB',
    858,
    1,
    ['trial_of_labor', 'delivery_method'],
    'Y yes, N no, X not applicable to a vaginal delivery, U unknown, also of an unknown delivery',
    ({ course }) => formatTrialOfLabor(course),
  ),
  createCodedItem(
    'INDL',
    845,
    1,
    ['induction', 'induction_agents', 'induction_indication'],
    'Y yes, also if a method or a reason is held; N no; U unknown',
    ({ course }) => formatFlag(wasInduced(course)),
  ),
  createCodedItem(
    'AUGL',
    846,
    1,
    ['augmentation', 'augmentation_agents'],
    'Y yes, also if a method is held; N no; U unknown',
    ({ course }) => formatFlag(wasAugmented(course)),
  ),
  createCodedItem(
    'ATTEND',
    751,
    1,
    ['attendant_title', 'attendant'],
    '1 MD, 2 DO, 3 CNM/CM, 4 other midwife, 5 other, 9 unknown; the title in the record, else that of the provider',
    toAttendantCode,
  ),
  createTextItem(
    'ATTEND_OTH_TXT',
    2384,
    20,
    ['attendant_title', 'attendant'],
    'a title in words that has no code',
    findOtherTitle,
  ),
  createTextItem(
    'ATTEND_NAME',
    2777,
    50,
    ['attendant_name', 'attendant'],
    'the name as it is held, else that of the provider',
    (birth) => birth.course.attendant_name ?? findNamedProvider(birth, 'attendant')?.name ?? null,
  ),
  createIdentifierItem(
    'ATTEND_NPI',
    2827,
    12,
    ['attendant'],
    'the NPI of the provider',
    (birth) => findNamedProvider(birth, 'attendant')?.npi ?? null,
  ),
  createTextItem(
    'CERTIF_NAME',
    2839,
    50,
    ['certifier'],
    'the name of the provider',
    (birth) => findNamedProvider(birth, 'certifier')?.name ?? null,
  ),
  createIdentifierItem(
    'CERTIF_NPI',
    2889,
    12,
    ['certifier'],
    'the NPI of the provider',
    (birth) => findNamedProvider(birth, 'certifier')?.npi ?? null,
  ),
  createCodedItem(
    'TRAN',
    752,
    1,
    [
      'mother_transfer',
      'transfers.type',
      'transfers.direction',
      'transfers.place',
      'transfers.timing',
    ],
    'Y yes, N no; without an answer Y if a transfer in before the birth is held, N if only one from home, else U',
    ({ course }) => formatFlag(wasMotherMoved(course)),
  ),
  createTextItem(
    'HOSPFROM',
    2284,
    50,
    ['transfers.facility'],
    'the facility that the mother came from',
    ({ course }) => (wasMotherMoved(course) === true ? findFacility(listMotherIn(course)) : null),
  ),
  createCodedItem(
    'ITRAN',
    909,
    1,
    ['children.transfer_within_day', 'transfers.hours_after_birth', 'transfers.child_birth_order'],
    'Y yes, N no; without an answer Y if a transfer to a facility within 24 hours is held, else U',
    ({ course, child }) => formatFlag(wasMovedWithinDay(course, child)),
  ),
  createTextItem(
    'HOSPTO',
    2334,
    50,
    ['transfers.facility', 'transfers.child_birth_order'],
    'the facility that the infant went to, if ITRAN is Y; of several children only by their birth order',
    ({ course, child }) =>
      wasMovedWithinDay(course, child) === true
        ? findFacility(listChildOutInDay(course, child))
        : null,
  ),
];

const VOID: IjeItem = createCodedItem(
  'VOID',
  13,
  1,
  [],
  '0: the file has no voided records',
  () => '0',
);

/** Items in line order; all other columns are blank. */
export const IJE_ITEMS: readonly IjeItem[] = [
  ...CHILD,
  ...MOTHER,
  ...PREGNANCY,
  ...LABOR_AND_BIRTH,
  ...EDIT_FLAG_ITEMS,
  ...BOUND_ITEMS,
  VOID,
].sort((one, other) => one.begin - other.begin);
