import {
  BIRTH_POSITIONS,
  INDUCTION_INDICATIONS,
  LABOR_AGENTS,
} from '../../domain/course-of-care/codes.ts';
import type { CodeTable } from '../../domain/fhir/coded-values.ts';

/** One Observation of the registry's own code system. */
export interface RegistryCode {
  /** Code of the Observation, and name of the field it fills. */
  readonly code: string;
  readonly means: string;
  /** How its value is written. */
  readonly value: 'code' | 'yes or no' | 'text';
  /** Codes that the registry recognises; null where there is no list. */
  readonly recognised: CodeTable | null;
  readonly repeats: boolean;
}

/** Ways to say yes and no. @see http://terminology.hl7.org/CodeSystem/v2-0136 */
export const YES_AND_NO: readonly {
  readonly way: string;
  readonly yes: string;
  readonly no: string;
}[] = [
  { way: 'valueBoolean', yes: 'true', no: 'false' },
  { way: 'v2-0136', yes: 'Y', no: 'N' },
  { way: 'LOINC answers', yes: 'LA33-6', no: 'LA32-8' },
  { way: 'SNOMED CT', yes: '373066001', no: '373067005' },
  { way: 'words, in text or valueString', yes: 'yes', no: 'no' },
];

/** The Observations that no published code exists for. @see spec "FHIR resources read from a submitted course of care" */
export const REGISTRY_CODE_LIST: readonly RegistryCode[] = [
  {
    code: 'birth_position',
    means: 'Position of the mother at birth',
    ...{ value: 'code', recognised: BIRTH_POSITIONS, repeats: false },
  },
  {
    code: 'induction_indication',
    means: 'Why labor was induced',
    ...{ value: 'code', recognised: INDUCTION_INDICATIONS, repeats: false },
  },
  {
    code: 'induction_agents',
    means: 'What labor was induced with; one Observation each',
    ...{ value: 'code', recognised: LABOR_AGENTS, repeats: true },
  },
  {
    code: 'augmentation_agents',
    means: 'What labor was augmented with; one Observation each',
    ...{ value: 'code', recognised: LABOR_AGENTS, repeats: true },
  },
  {
    code: 'stat_cesarean',
    means: 'Whether the cesarean was an emergency',
    ...{ value: 'yes or no', recognised: null, repeats: false },
  },
  {
    code: 'doula_present',
    means: 'Whether a doula was present',
    ...{ value: 'yes or no', recognised: null, repeats: false },
  },
  {
    code: 'delayed_cord_clamping',
    means: 'Whether clamping of the cord was delayed',
    ...{ value: 'yes or no', recognised: null, repeats: false },
  },
  {
    code: 'prenatal_care_site',
    means: 'Where prenatal care was given',
    ...{ value: 'text', recognised: null, repeats: false },
  },
];
