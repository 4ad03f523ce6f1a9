import type { CustomFieldType } from './events.ts';

/** Code of an answer in the state file, and its words on the certificate. */
export type ItemCode = readonly [code: string, words: string];

export interface ItemColumn {
  readonly name: string;
  /** Position of the first character, counted from 1. */
  readonly begin: number;
  readonly length: number;
}

/** Rule for reading and writing a value. */
export type ItemForm =
  | { readonly kind: 'answers'; readonly codes: readonly ItemCode[] }
  | { readonly kind: 'text' | 'date' | 'races' | 'country' }
  /** Digits of a number, in one of these lengths. */
  | { readonly kind: 'digits'; readonly lengths: readonly number[] }
  | { readonly kind: 'count'; readonly least: number; readonly most: number }
  | { readonly kind: 'state'; readonly country: string };

/** Item of the birth certificate that no field of a record holds. */
export interface BindableItem {
  /** Name in the layout of the state file; the common part if it has several columns. */
  readonly id: string;
  /** Words of the certificate. */
  readonly label: string;
  readonly group: string;
  readonly form: ItemForm;
  readonly columns: readonly ItemColumn[];
  /** Fills the columns without a value. */
  readonly unknown: 'U' | '9' | ' ';
  /** True if each child has its own answer, which one field cannot hold for a multiple birth. */
  readonly isOfChild: boolean;
}

type Rest = Partial<Pick<BindableItem, 'unknown' | 'isOfChild'>>;

const DEFAULTS = { unknown: ' ', isOfChild: false } as const;

/** @param columns such as `FDOB_YR 81 4, FDOB_MO 85 2` */
export const readColumns = (columns: string): readonly ItemColumn[] =>
  columns.split(', ').map((column) => {
    const [name = '', begin, length] = column.split(' ');
    return { name, begin: Number(begin), length: Number(length) };
  });

/** Columns in a row, by a number in their names. @param names such as `FRACE# 1` for the first */
export const numberColumns = (
  names: string,
  begin: number,
  length: number,
  count: number,
): string => {
  const [name = '', from] = names.split(' ');
  return Array.from(
    { length: count },
    (_, at) => `${name.replace('#', String(Number(from) + at))} ${begin + at * length} ${length}`,
  ).join(', ');
};

/** @param codes such as `Y Yes, N No` */
const readCodes = (codes: string): readonly ItemCode[] =>
  codes.split(', ').map((code) => {
    const at = code.indexOf(' ');
    return [code.slice(0, at), code.slice(at + 1)];
  });

const item = (
  group: string,
  id: string,
  label: string,
  columns: string,
  form: ItemForm,
  rest: Rest = {},
): BindableItem => ({
  id,
  label,
  group,
  form,
  columns: readColumns(columns),
  ...DEFAULTS,
  ...rest,
});

/** Items of one character with the same answers. @param rows such as `MTR 859 Maternal transfusion` */
const listAnswers = (
  group: string,
  codes: string,
  rows: readonly string[],
  rest: Rest = {},
): readonly BindableItem[] =>
  rows.map((row) => {
    const [id = '', begin = '', ...words] = row.split(' ');
    const form = { kind: 'answers', codes: readCodes(codes) } as const;
    return item(group, id, words.join(' '), `${id} ${begin} 1`, form, { unknown: 'U', ...rest });
  });

/** @param rows such as `DADSUFFX 1993 7 Father’s suffix` */
const listTexts = (group: string, rows: readonly string[]): readonly BindableItem[] =>
  rows.map((row) => {
    const [id = '', begin, length, ...words] = row.split(' ');
    return item(group, id, words.join(' '), `${id} ${begin} ${length}`, { kind: 'text' });
  });

/** State and country of birth, each as text and as the code for it. */
const listBirthplace = (
  group: string,
  whose: string,
  [state, stateColumns]: readonly [id: string, columns: string],
  [country, countryColumns]: readonly [id: string, columns: string],
): readonly BindableItem[] => [
  item(group, state, `${whose} state, territory, or province of birth`, stateColumns, {
    kind: 'state',
    country,
  }),
  item(group, country, `${whose} country of birth`, countryColumns, { kind: 'country' }),
];

export const FATHER_YEARS = { least: 10, most: 98 };

const YES_NO_UNKNOWN = 'Y Yes, N No, U Unknown';
const OR_NOT_APPLICABLE = 'Y Yes, N No, X Not applicable, U Unknown';
const DIAGNOSIS = 'C Confirmed, P Pending, N No, U Unknown';

const PLACE = 'Place of birth';
const MOTHER = 'Mother';
const FATHER = 'Father';
const MARRIAGE = 'Marriage and requests';
const RISKS = 'Risk factors in this pregnancy';
const NEWBORN = 'Abnormal conditions of the newborn';
const ANOMALIES = 'Congenital anomalies of the newborn';

/** In the order of the page that offers them. */
export const BINDABLE_ITEMS: readonly BindableItem[] = [
  ...listTexts(PLACE, [
    'HOSP 1233 50 Name of the facility of birth',
    'BRTHCITY 1183 50 City, town, or place of birth',
    'BIRTH_CO 1158 25 County of birth',
  ]),
  item(PLACE, 'FNPI', 'NPI of the facility of birth', 'FNPI 39 12', {
    kind: 'digits',
    lengths: [10],
  }),
  ...listTexts(MOTHER, [
    'MOMFMNME 1440 50 Mother’s first name prior to first marriage',
    'MOMMMID 1490 50 Mother’s middle name prior to first marriage',
    'MOMMSUFX 1590 7 Mother’s suffix prior to first marriage',
  ]),
  ...listBirthplace(
    MOTHER,
    'Mother’s',
    ['MBPLACE_ST_TER_TXT', 'MBPLACE_ST_TER_TXT 2404 28, BPLACEC_ST_TER 64 2'],
    ['MBPLACE_CNTRY_TXT', 'MBPLACE_CNTRY_TXT 2432 28, BPLACEC_CNT 66 2'],
  ),
  ...listAnswers(MOTHER, YES_NO_UNKNOWN, ['LIMITS 80 Mother’s residence inside city limits']),
  ...listTexts(MOTHER, [
    'MAIL_ADDRESS 2591 50 Mother’s mailing address',
    'MAIL_CITYTEXT 2678 28 City or town of the mailing address',
    'MAIL_COUNTYTXT 2650 28 County of the mailing address',
    'MAIL_STATETXT 2706 28 State of the mailing address',
  ]),
  item(MOTHER, 'MAIL_ZIPCODE', 'ZIP code of the mailing address', 'MAIL_ZIPCODE 2641 9', {
    kind: 'digits',
    lengths: [5, 9],
  }),
  ...listTexts(MOTHER, [
    'MAIL_CNTRYTXT 2734 28 Country of the mailing address',
    'MOM_OC_T 2022 25 Mother’s usual occupation',
    'MOM_IN_T 2078 25 Mother’s kind of business or industry',
  ]),
  ...listAnswers(MARRIAGE, YES_NO_UNKNOWN, [
    'MARN 91 Mother married at birth, at conception, or at any time between',
  ]),
  ...listAnswers(MARRIAGE, OR_NOT_APPLICABLE, [
    'ACKN 92 Paternity acknowledgment signed, if the mother is not married',
  ]),
  ...listAnswers(
    MARRIAGE,
    'Y Yes, N No',
    ['SSN_REQ 2762 Social Security number requested for the child'],
    { unknown: ' ' },
  ),
  ...listTexts(FATHER, [
    'DADFNAME 1843 50 Father’s first name',
    'DADMNAME 1893 50 Father’s middle name',
    'DADLNAME 1943 50 Father’s last name',
    'DADSUFFX 1993 7 Father’s suffix',
  ]),
  // Readers refuse a date of nines, and the line with it.
  item(
    FATHER,
    'FDOB',
    'Father’s date of birth',
    'FDOB_YR 81 4, FDOB_MO 85 2, FDOB_DY 87 2, FAGE_CALC 2020 2',
    { kind: 'date' },
  ),
  item(
    FATHER,
    'FAGER',
    'Father’s age at the birth',
    'FAGER 922 2',
    { kind: 'count', ...FATHER_YEARS },
    { unknown: '9' },
  ),
  ...listBirthplace(
    FATHER,
    'Father’s',
    ['FBPLACE_ST_TER_TXT', 'FBPLACE_ST_TER_TXT 2460 28, FBPLACD_ST_TER_C 2134 2'],
    ['FBPLACE_CNTRY_TXT', 'FBPLACE_CNTRY_TXT 2488 28, FBPLACE_CNT_C 2136 2'],
  ),
  ...listAnswers(
    FATHER,
    '1 8th grade or less, 2 9th to 12th grade without a diploma, 3 High school graduate or GED, ' +
      '4 Some college credit but no degree, 5 Associate degree, 6 Bachelor’s degree, 7 Master’s degree, ' +
      '8 Doctorate or professional degree, 9 Unknown',
    ['FEDUC 422 Father’s education'],
    { unknown: '9' },
  ),
  item(
    FATHER,
    'FETHNIC',
    'Father of Hispanic origin',
    numberColumns('FETHNIC# 1', 424, 1, 4),
    {
      kind: 'answers',
      codes: readCodes(
        'NNNN No, HNNN Mexican, NHNN Puerto Rican, NNHN Cuban, NNNH Other Hispanic origin, UUUU Unknown',
      ),
    },
    { unknown: 'U' },
  ),
  ...listTexts(FATHER, ['FETHNIC5 428 20 Other Hispanic origin of the father']),
  item(
    FATHER,
    'FRACE',
    'Father’s race',
    `${numberColumns('FRACE# 1', 448, 1, 15)}, ${numberColumns('FRACE# 22', 643, 30, 2)}`,
    { kind: 'races' },
  ),
  ...listTexts(FATHER, [
    'FRACE16 463 30 Father’s enrolled or principal tribe',
    'FRACE18 523 30 Father’s other Asian race',
    'FRACE20 583 30 Father’s other Pacific Islander race',
    'DAD_OC_T 2050 25 Father’s usual occupation',
    'DAD_IN_T 2106 25 Father’s kind of business or industry',
  ]),
  ...listAnswers(
    'Payment',
    '1 Medicaid, 2 Private insurance, 3 Self-pay, 4 Indian Health Service, 5 CHAMPUS/TRICARE, ' +
      '6 Other government, 8 Other, 9 Unknown',
    ['PAY 811 Principal source of payment for this delivery'],
    { unknown: '9' },
  ),
  ...listAnswers(RISKS, YES_NO_UNKNOWN, [
    'PDIAB 820 Prepregnancy diabetes',
    'GDIAB 821 Gestational diabetes',
    'PHYPE 822 Prepregnancy (chronic) hypertension',
    'GHYPE 823 Gestational hypertension (PIH, preeclampsia)',
    'EHYPE 924 Eclampsia',
    'PPB 824 Previous preterm births',
    'INFT 827 Pregnancy resulted from infertility treatment',
  ]),
  ...listAnswers(RISKS, OR_NOT_APPLICABLE, [
    'INFT_DRG 925 Fertility-enhancing drugs, artificial insemination, or intrauterine insemination',
    'INFT_ART 926 Assisted reproductive technology (such as IVF or GIFT)',
  ]),
  ...listAnswers('Infections present or treated during this pregnancy', YES_NO_UNKNOWN, [
    'GON 832 Gonorrhea',
    'SYPH 833 Syphilis',
    'CHAM 835 Chlamydia',
    'HEPB 836 Hepatitis B',
    'HEPC 837 Hepatitis C',
  ]),
  ...listAnswers('Obstetric procedures', YES_NO_UNKNOWN, [
    'ECVS 840 Successful external cephalic version',
    'ECVF 841 Failed external cephalic version',
  ]),
  ...listAnswers('Characteristics of labor and delivery', YES_NO_UNKNOWN, [
    'STER 848 Steroids for fetal lung maturation before delivery',
    'ANTB 849 Antibiotics received by the mother during labor',
    'CHOR 850 Clinical chorioamnionitis, or maternal temperature of 38 °C (100.4 °F) or more',
    'ESAN 853 Epidural or spinal anesthesia during labor',
  ]),
  ...listAnswers('Maternal morbidity', YES_NO_UNKNOWN, [
    'MTR 859 Maternal transfusion',
    'PLAC 860 Third or fourth degree perineal laceration',
    'RUT 861 Ruptured uterus',
    'UHYS 862 Unplanned hysterectomy',
    'AINT 863 Mother’s admission to an intensive care unit',
  ]),
  ...listAnswers(
    NEWBORN,
    YES_NO_UNKNOWN,
    [
      'AVEN1 890 Assisted ventilation required immediately after delivery',
      'AVEN6 891 Assisted ventilation required for more than six hours',
      'SURF 893 Surfactant replacement therapy',
      'ANTI 894 Antibiotics for suspected neonatal sepsis',
      'SEIZ 895 Seizure or serious neurologic dysfunction',
    ],
    { isOfChild: true },
  ),
  ...listAnswers(
    ANOMALIES,
    YES_NO_UNKNOWN,
    [
      'ANEN 897 Anencephaly',
      'MNSB 898 Meningomyelocele or spina bifida',
      'CCHD 899 Cyanotic congenital heart disease',
      'CDH 900 Congenital diaphragmatic hernia',
      'OMPH 901 Omphalocele',
      'GAST 902 Gastroschisis',
      'LIMB 903 Limb reduction defect',
      'CL 904 Cleft lip with or without cleft palate',
      'CP 905 Cleft palate alone',
    ],
    { isOfChild: true },
  ),
  ...listAnswers(
    ANOMALIES,
    DIAGNOSIS,
    ['DOWT 906 Down syndrome', 'CDIT 907 Suspected chromosomal disorder'],
    { isOfChild: true },
  ),
  ...listAnswers(ANOMALIES, YES_NO_UNKNOWN, ['HYPO 908 Hypospadias'], { isOfChild: true }),
];

const ITEM_BY_ID: ReadonlyMap<string, BindableItem> = new Map(
  BINDABLE_ITEMS.map((one) => [one.id, one]),
);

/** `null` also for an item of a newer version. */
export const findBindableItem = (id: string | null): BindableItem | null =>
  ITEM_BY_ID.get(id ?? '') ?? null;

const TYPES: Readonly<Record<ItemForm['kind'], CustomFieldType>> = {
  answers: 'choice',
  text: 'text',
  date: 'date',
  races: 'text',
  country: 'text',
  state: 'text',
  digits: 'text',
  count: 'number',
};

export const getItemType = ({ form }: BindableItem): CustomFieldType => TYPES[form.kind];

/** Answers of a field that is made for the item. */
export const listItemChoices = ({ form }: BindableItem): readonly string[] =>
  form.kind === 'answers' ? form.codes.map(([, words]) => words) : [];

/** @param answer words or code, in any case; `null` if there is no such answer */
export const findItemCode = (codes: readonly ItemCode[], answer: string): string | null => {
  const folded = answer.toLowerCase();
  const found =
    codes.find(([, words]) => words.toLowerCase() === folded) ??
    codes.find(([code]) => code.toLowerCase() === folded);
  return found?.[0] ?? null;
};

/** True if each answer means another code of the item. */
const haveCodes = (choices: readonly string[], codes: readonly ItemCode[]): boolean => {
  const found = choices.map((choice) => findItemCode(codes, choice));
  return !found.includes(null) && new Set(found).size === found.length;
};

export const fitsItem = (
  { type, choices }: { readonly type: CustomFieldType; readonly choices: readonly string[] },
  item: BindableItem,
): boolean =>
  type === getItemType(item) &&
  (item.form.kind !== 'answers' || haveCodes(choices, item.form.codes));

/** Without the spaces and hyphens of a ZIP code; `null` if they are not as many digits as the item has. */
export const readItemDigits = (lengths: readonly number[], text: string): string | null => {
  const digits = text.replace(/[\s-]/g, '');
  return /^\d+$/.test(digits) && lengths.includes(digits.length) ? digits : null;
};

export const isWithin = (
  value: number,
  { least, most }: { readonly least: number; readonly most: number },
): boolean => Number.isInteger(value) && value >= least && value <= most;
