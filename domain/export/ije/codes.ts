import { CESAREAN, VAGINAL_SPONTANEOUS } from '../../course/codes.ts';
import type { Child } from '../../course/course.ts';

/** ISEX, which has only these codes and one for unknown. */
export const SEXES: ReadonlyMap<Child['sex'], string> = new Map([
  ['male', 'M'],
  ['female', 'F'],
]);

/**
 * MEDUC, by every stored code. States mapped GD to a master's degree while it was in their value set.
 * Post-baccalaureate training (PB) implies a bachelor's degree.
 */
export const EDUCATION: ReadonlyMap<string, string> = new Map([
  ['ELEM', '1'],
  ['PHC1448', '1'],
  ['SEC', '2'],
  ['PHC1449', '2'],
  ['HS', '3'],
  ['PHC1450', '3'],
  ['SCOL', '4'],
  ['PHC1451', '4'],
  ['AA', '5'],
  ['ASSOC', '5'],
  ['PHC1452', '5'],
  ['BA', '6'],
  ['BD', '6'],
  ['PB', '6'],
  ['PHC1453', '6'],
  ['MA', '7'],
  ['GD', '7'],
  ['PHC1454', '7'],
  ['POSTG', '8'],
  ['PHC1455', '8'],
]);

/** ATTEND, by the titles of item 27 of the certificate. */
export const ATTENDANTS: ReadonlyMap<string, string> = new Map([
  ['md', '1'],
  ['do', '2'],
  ['cnm-cm', '3'],
  ['other-midwife', '4'],
  ['other', '5'],
]);

/** PRES. @see SNOMED CT */
export const PRESENTATIONS: ReadonlyMap<string, string> = new Map([
  ['70028003', '1'],
  ['6096002', '2'],
  ['OTH', '3'],
]);

/** ROUT. @see SNOMED CT */
export const ROUTES: ReadonlyMap<string, string> = new Map([
  [VAGINAL_SPONTANEOUS, '1'],
  ['302383004', '2'],
  ['61586001', '3'],
  [CESAREAN, '4'],
]);

export const UNKNOWN_CODE = '9';

/** 9 if there is no value, or the table does not contain it. */
export const findCode = (table: ReadonlyMap<string, string>, value: string | null): string =>
  table.get(value ?? '') ?? UNKNOWN_CODE;
