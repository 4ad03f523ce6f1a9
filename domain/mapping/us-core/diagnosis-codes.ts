import { CESAREAN, VAGINAL_SPONTANEOUS } from '../../course/codes.ts';
import { readCodes, readCodings, SNOMED } from '../../fhir/coded-values.ts';

export interface DeliveryDiagnosis {
  readonly plurality: number | null;
  /** Code of `delivery_method` (SNOMED CT). */
  readonly deliveryMethod: string | null;
  readonly isInHospital: boolean;
}

const row = (
  plurality: number | null,
  deliveryMethod: string | null = null,
  isInHospital = false,
): DeliveryDiagnosis => ({ plurality, deliveryMethod, isInHospital });

/**
 * ICD-10-CM by prefix, without dots; the first match is used. Codes for "vaginal" do not state the use
 * of forceps or vacuum.
 */
export const DELIVERY_DIAGNOSES: readonly (readonly [string, DeliveryDiagnosis])[] = [
  ['O80', row(null, VAGINAL_SPONTANEOUS)],
  ['O82', row(null, CESAREAN)],
  ['Z370', row(1)],
  ['Z371', row(1)],
  ['Z372', row(2)],
  ['Z373', row(2)],
  ['Z374', row(2)],
  ['Z3751', row(3)],
  ['Z3761', row(3)],
  ['Z3752', row(4)],
  ['Z3762', row(4)],
  ['Z3753', row(5)],
  ['Z3763', row(5)],
  ['Z3754', row(6)],
  ['Z3764', row(6)],
  ['Z3800', row(1, null, true)],
  ['Z3801', row(1, CESAREAN, true)],
  ['Z381', row(1)],
  ['Z382', row(1)],
  ['Z3830', row(2, null, true)],
  ['Z3831', row(2, CESAREAN, true)],
  ['Z384', row(2)],
  ['Z385', row(2)],
  ['Z3861', row(3, null, true)],
  ['Z3862', row(3, CESAREAN, true)],
  ['Z3863', row(4, null, true)],
  ['Z3864', row(4, CESAREAN, true)],
  ['Z3865', row(5, null, true)],
  ['Z3866', row(5, CESAREAN, true)],
  ['Z3868', row(null, null, true)],
  ['Z3869', row(null, CESAREAN, true)],
  ['Z37', row(null)],
  ['Z38', row(null)],
];

/** `isOfPregnancy`: only a diagnosis from this pregnancy is relevant. */
interface Family {
  readonly label: string;
  readonly isOfPregnancy: boolean;
  readonly snomed: readonly string[];
  readonly icd: readonly string[];
}

export const DIAGNOSIS_FAMILIES: readonly Family[] = [
  {
    label: 'Gestational diabetes',
    isOfPregnancy: true,
    snomed: ['11687002'],
    icd: ['O244'],
  },
  {
    label: 'Diabetes before pregnancy',
    isOfPregnancy: false,
    snomed: ['73211009'],
    icd: ['E10', 'E11', 'O240', 'O241', 'O243'],
  },
  { label: 'Eclampsia', isOfPregnancy: true, snomed: ['15938005'], icd: ['O15'] },
  {
    label: 'Gestational hypertension',
    isOfPregnancy: true,
    snomed: ['48194001'],
    icd: ['O13', 'O14'],
  },
  {
    label: 'Hypertension before pregnancy',
    isOfPregnancy: false,
    snomed: ['38341003'],
    icd: ['I10', 'I11', 'I12', 'I13', 'I14', 'I15', 'O10', 'O11'],
  },
];

/** ICD-10-CM prefixes of multiple gestation, and of its complications. */
export const MULTIPLE_GESTATION: readonly string[] = ['O30', 'O31'];

const ICD_SYSTEM = /icd-?10|2\.16\.840\.1\.113883\.6\.(?:3|90)$/i;

const readIcdCodes = (concept: unknown): readonly string[] =>
  readCodings(concept).flatMap(({ system, code }) =>
    code !== null && ICD_SYSTEM.test(system ?? '') ? [code.toUpperCase().replaceAll('.', '')] : [],
  );

const readSnomedCodes = (concept: unknown): readonly string[] =>
  readCodings(concept).flatMap(({ system, code }) =>
    code !== null && system === SNOMED ? [code] : [],
  );

export const hasKnownSystem = (concept: unknown): boolean =>
  readIcdCodes(concept).length > 0 || readSnomedCodes(concept).length > 0;

export const findDiagnosisCode = (concept: unknown): string | null =>
  readCodings(concept).find(({ code }) => code !== null)?.code ?? null;

/** Returns the facts about the delivery; null if the diagnosis has none. ICD-10-CM, by prefix. */
export const findDeliveryDiagnosis = (concept: unknown): DeliveryDiagnosis | null => {
  for (const code of readIcdCodes(concept)) {
    const [, found] = DELIVERY_DIAGNOSES.find(([prefix]) => code.startsWith(prefix)) ?? [];
    if (found !== undefined) return found;
  }
  return null;
};

/** ICD-10-CM prefixes that mean a stay was for a delivery. */
export const DELIVERIES: readonly string[] = ['O80', 'O82', 'Z37'];

export const isDeliveryDiagnosis = (concept: unknown): boolean =>
  readIcdCodes(concept).some((code) => DELIVERIES.some((prefix) => code.startsWith(prefix)));

export const isMultipleDiagnosis = (concept: unknown): boolean =>
  readIcdCodes(concept).some((code) =>
    MULTIPLE_GESTATION.some((prefix) => code.startsWith(prefix)),
  );

const SNOMED_CODES: ReadonlySet<string> = new Set(
  DIAGNOSIS_FAMILIES.flatMap(({ snomed }) => snomed),
);
const ICD_PREFIXES: readonly string[] = [
  ...DELIVERY_DIAGNOSES.map(([prefix]) => prefix),
  ...MULTIPLE_GESTATION,
  ...DIAGNOSIS_FAMILIES.flatMap(({ icd }) => icd),
];

export const isDiagnosisOfOtherSystem = (concept: unknown): boolean => {
  if (readIcdCodes(concept).length + readSnomedCodes(concept).length > 0) return false;
  return readCodes(concept).some((code) => {
    const icd = code?.toUpperCase().replaceAll('.', '') ?? '';
    return SNOMED_CODES.has(icd) || ICD_PREFIXES.some((prefix) => icd.startsWith(prefix));
  });
};

/** Finds the family of a diagnosis: ICD-10-CM by prefix, SNOMED CT by code, which misses subtypes. */
export const findDiagnosisFamily = (
  concept: unknown,
): { readonly label: string; readonly isOfPregnancy: boolean } | null => {
  const [icd, snomed] = [readIcdCodes(concept), readSnomedCodes(concept)];
  return (
    DIAGNOSIS_FAMILIES.find(
      (family) =>
        snomed.some((code) => family.snomed.includes(code)) ||
        icd.some((code) => family.icd.some((prefix) => code.startsWith(prefix))),
    ) ?? null
  );
};
