import type { CourseOfCare, FieldFlag } from './course.ts';
import { findValue, toValuePath } from './course-paths.ts';
import type { FieldPath } from './fields.ts';

const COMMON_FLAGS = 'http://hl7.org/fhir/us/vr-common-library/CodeSystem/CodeSystem-vr-edit-flags';
const BFDR_FLAGS = 'http://hl7.org/fhir/us/bfdr/CodeSystem/CodeSystem-edit-flags';

export interface EditFlagCode {
  /** Character of the state file. */
  readonly digit: string;
  readonly system: string;
  readonly code: string;
  readonly display: string;
}

const toCode = (system: string, code: string, display: string): EditFlagCode => ({
  digit: code.slice(0, 1),
  system,
  code,
  display,
});

const PASSED = toCode(COMMON_FLAGS, '0', 'Edit Passed');
const OFF = toCode(COMMON_FLAGS, '0off', 'Off');
const QUERIED_AND_VERIFIED = toCode(COMMON_FLAGS, '1', 'Edit Failed, Data Queried, and Verified');
const QUERIED_NOT_VERIFIED = toCode(
  COMMON_FLAGS,
  '2',
  'Edit Failed, Data Queried, but not Verified',
);
const OUT_OF_RANGE = toCode(BFDR_FLAGS, '1correctOutOfRange', 'Queried data correct, out of range');

/** @see ValueSet-date-of-birth-edit-flags-vr */
const DATE_OF_BIRTH = [PASSED, toCode(COMMON_FLAGS, '1dataQueried', 'Data queried')];
/** @see ValueSet edit-bypass-01234-vr */
const EDUCATION = [
  PASSED,
  QUERIED_AND_VERIFIED,
  QUERIED_NOT_VERIFIED,
  toCode(COMMON_FLAGS, '3', 'Edit Failed, Review Needed'),
  toCode(COMMON_FLAGS, '4', 'Edit Failed, Query Needed'),
];
/** @see ValueSet-pregnancy-report-edit-flags */
const PREGNANCY_REPORT = [PASSED, QUERIED_AND_VERIFIED, QUERIED_NOT_VERIFIED];
/** @see ValueSet-number-previous-cesareans-edit-flags */
const PREVIOUS_CESAREANS = [PASSED, toCode(BFDR_FLAGS, '1failedVerified', 'Edit Failed, Verified')];
/** @see ValueSet-estimate-of-gestation-edit-flags */
const GESTATION = [OFF, OUT_OF_RANGE];
/** @see ValueSet-birth-weight-edit-flags */
const BIRTH_WEIGHT = [
  OFF,
  OUT_OF_RANGE,
  toCode(
    BFDR_FLAGS,
    '2failedBirthWeightGestationEdit',
    'Queried, failed birthweight/gestation edit',
  ),
];
/** @see ValueSet-plurality-edit-flags-vr */
const PLURALITY = [
  OFF,
  toCode(COMMON_FLAGS, '1queriedCorrect', 'Queried, and Correct'),
  toCode(
    COMMON_FLAGS,
    '2pluralityQueriedInconsistent',
    'Plurality/Set Order Queried, Inconsistent',
  ),
];

/** Column of the state file that says whether the value before it was asked about. */
export interface EditFlag {
  readonly column: string;
  /** Position in the state file, counted from 1. */
  readonly begin: number;
  readonly field: FieldPath;
  /** Other fields whose edits set the flag. */
  readonly others?: readonly FieldPath[];
  readonly codes: readonly EditFlagCode[];
  /** Of an edit that was asked about and could not be verified; absent if the layout has no code for it. */
  readonly unverified?: string;
  /** Of an edit that is still to be asked about; absent if the layout has no code for it. */
  readonly open?: string;
}

export const MOTHER_BORN_FLAG: EditFlag = {
  column: 'MAGE_BYPASS',
  begin: 63,
  field: 'mother.birth_date',
  codes: DATE_OF_BIRTH,
};

export const PLURALITY_FLAG: EditFlag = {
  column: 'PLUR_BYPASS',
  begin: 889,
  field: 'plurality',
  others: ['children.birth_order'],
  codes: PLURALITY,
};

/** Of the fields that records have; the flags of the father's items stay blank. */
export const EDIT_FLAGS: readonly EditFlag[] = [
  MOTHER_BORN_FLAG,
  {
    column: 'MEDUC_BYPASS',
    begin: 94,
    field: 'mother.education',
    codes: EDUCATION,
    unverified: '2',
    open: '4',
  },
  {
    column: 'NPREV_BYPASS',
    begin: 771,
    field: 'prenatal_visits',
    codes: PREGNANCY_REPORT,
    unverified: '2',
  },
  {
    column: 'HGT_BYPASS',
    begin: 775,
    field: 'mother.height_cm',
    codes: PREGNANCY_REPORT,
    unverified: '2',
  },
  {
    column: 'PWGT_BYPASS',
    begin: 779,
    field: 'mother.prepregnancy_weight_kg',
    codes: PREGNANCY_REPORT,
    unverified: '2',
  },
  {
    column: 'DWGT_BYPASS',
    begin: 783,
    field: 'mother.delivery_weight_kg',
    codes: PREGNANCY_REPORT,
    unverified: '2',
  },
  { column: 'NPCES_BYPASS', begin: 831, field: 'previous_cesareans', codes: PREVIOUS_CESAREANS },
  { column: 'BW_BYPASS', begin: 869, field: 'children.birth_weight_grams', codes: BIRTH_WEIGHT },
  {
    column: 'OWGEST_BYPASS',
    begin: 872,
    field: 'children.gestational_age_weeks',
    codes: GESTATION,
  },
  PLURALITY_FLAG,
];

const FLAG_OF_FIELD: ReadonlyMap<string, EditFlag> = new Map(
  EDIT_FLAGS.map((flag) => [flag.field, flag]),
);

export const findEditFlag = (field: string): EditFlag | undefined => FLAG_OF_FIELD.get(field);

/** Flag that the sender stated, while the record has a value for it. @param child null for fields of the course */
export const findSentFlag = (
  course: CourseOfCare,
  field: FieldPath,
  child: number | null,
): EditFlagCode | null => {
  const { edit_flags } = course;
  if (edit_flags.length === 0) return null;
  const mark = edit_flags.find((one) => one.field === field && one.child === child);
  const isKnown = (findValue(course, toValuePath(field, child)) ?? null) !== null;
  return mark === undefined || !isKnown ? null : findFlagCode(mark);
};

const findFlagCode = ({ field, flag }: FieldFlag): EditFlagCode | null =>
  findEditFlag(field)?.codes.find(({ digit }) => digit === flag) ?? null;

const ORDER: ReadonlyMap<string, number> = new Map(
  EDIT_FLAGS.map(({ field }, place) => [field, place]),
);

/** The first of each value, in the order of the state file, whatever the order in which they were sent. */
export const sortFlags = (flags: readonly FieldFlag[]): readonly FieldFlag[] =>
  flags
    .filter(
      ({ field, child }, place) =>
        flags.findIndex((one) => one.field === field && one.child === child) === place,
    )
    .sort(
      (one, other) =>
        (ORDER.get(one.field) ?? 0) - (ORDER.get(other.field) ?? 0) ||
        (one.child ?? 0) - (other.child ?? 0),
    );
