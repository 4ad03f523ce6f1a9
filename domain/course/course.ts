import { type RawValue, READING_REASONS } from '../fhir/readings.ts';
import { type FIELD_TABLE, FIELDS, type FieldParent, type FieldPath } from './fields.ts';

type Table = typeof FIELD_TABLE;

type ValuesUnder<Prefix extends string> = {
  readonly [Path in FieldPath as Path extends `${Prefix}${infer Name}`
    ? Name extends `${string}.${string}`
      ? never
      : Name
    : never]: Table[Path]['empty'];
};

/** `line` joins the street lines with commas; `county` is FHIR's district. */
export type Address = ValuesUnder<'mother.address.'>;

/** Dates are `YYYY-MM-DD`; an empty list means unknown. */
export type Mother = ValuesUnder<'mother.'> & { readonly address: Address };

/**
 * `birth_date` is `YYYY-MM-DD`, or `YYYY` after masking; `birth_time` is a date and time, with an
 * offset if the sender knew it, otherwise local.
 */
export type Child = ValuesUnder<'children.'>;

export type Sex = NonNullable<Child['sex']>;

export type Transfer = ValuesUnder<'transfers.'>;

/** Recorded, never enforced. @see spec "Consent" */
export type ConsentDecision = ValuesUnder<'consent.'>;

/** Reasons for omitting or questioning a submitted value, by id. The log stores the ids: never rename one. */
export const WARNING_REASONS = {
  ...READING_REASONS,
  'subject-unknown': 'The subject is none of the several children',
  'subject-unrelated': 'The subject is neither the mother nor one of the children',
  'not-at-birth': 'The value is not of the time of the birth',
  'modifier-unknown': 'A modifier extension that the registry does not know changes the meaning',
  'person-replaced': 'A record of the person that another one replaced is not read',
  'replacement-missing': 'Another record replaced that of the person, but it is not in the Bundle',
  'deletion-ignored': 'The entry with DELETE does not name this record',
  'facility-unknown': 'The other facility is said to be unknown',
  'mother-age-impossible': 'The age of the mother at delivery is not possible',
  'country-ambiguous':
    'The code stands for another country in the list of vital records: it was read by ISO 3166',
  'place-of-birth-unknown': 'The code names no known place of birth',
  'born-in-future': 'The date of birth is after the day on which the registry got it',
  'time-of-date': 'The field holds a date: the time that was sent with it was dropped',
  'time-on-another-day': 'The time of birth is on another day than the date of birth',
  'below-birth-order': 'Fewer were born together than a child of the birth comes in their order',
  'single-among-several':
    'The child is said to be of a single birth, but several children were born together',
  'multiple-alone': 'The child is said to be of a multiple birth, but only one child was born',
  'fetal-death-contradicted':
    'The child is said to be a fetal death, and elsewhere to be born alive: it counts as a fetal death',
  'planned-home-contradicted':
    'The place and the answer differ on whether a home birth was planned: the place counts',
  'plurality-incomplete': 'Live births alone, or fetal deaths alone, are not all of a birth',
  'element-not-read': 'The registry does not read this element',
  'other-type': 'FHIR gives the element another type, so the registry may have missed it',
  'reference-missing': 'The reference leads to nothing in the Bundle',
  repeated: 'The element stands more than once, and only one of them is read',
  'stamp-ahead': 'The time is more than 24 hours ahead of its receipt',
  'other-system': 'The value is read, although its code should be of another code system',
  'other-form': 'The value is read, although FHIR has another form for it',
  'placeholder-name': 'The name looks like one that a hospital uses until the child has a name',
  'invisible-characters':
    'Characters that show nothing were dropped from the text, or replaced within it',
} as const;

export type WarningId = keyof typeof WARNING_REASONS;

/**
 * A submitted value that was omitted or questioned. `field` is a field, or the path of an element
 * that has no field; `child` is a zero-based position, or null if the value is not about a child;
 * `raw` is the submitted value (native lane only).
 */
export type Warning = {
  readonly field: string;
  readonly child: number | null;
  readonly raw: RawValue;
  readonly id: WarningId;
  readonly reason: (typeof WARNING_REASONS)[WarningId];
};

export type EhrSource = {
  /** `Observation/123`, `Patient/456`. */
  readonly resource: string;
  /** Code of the value, such as a LOINC code, or null if the value comes from a Patient. */
  readonly code: string | null;
  /** FHIR dateTime as sent, of the measurement or of its start. */
  readonly date: string | null;
};

export type ValueSource = {
  readonly field: string;
  readonly subject: 'mother' | 'child';
  readonly child: number | null;
  readonly source: 'ehr_pull';
  /** Absent in older records. */
  readonly from?: EhrSource;
};

/** Edit flag that a sender stated beside a value: the state asked about it elsewhere. */
export type FieldFlag = {
  readonly field: string;
  readonly child: number | null;
  /** Character of the state file. */
  readonly flag: string;
};

/** Entered in the app, never read from a Bundle. */
export type CustomValues = Readonly<Record<string, string | number | boolean | null>>;

export type CourseOfCare = Omit<
  ValuesUnder<''>,
  'sources' | 'warnings' | 'edit_flags' | 'custom'
> & {
  readonly mother: Mother;
  readonly children: readonly Child[];
  readonly transfers: readonly Transfer[];
  readonly consent: ConsentDecision;
  readonly sources: readonly ValueSource[];
  readonly warnings: readonly Warning[];
  readonly edit_flags: readonly FieldFlag[];
  readonly custom: CustomValues;
};

/** A nested object appears at the position of its first field. */
const emptyAt = (prefix: string): Readonly<Record<string, unknown>> => {
  const empty: Record<string, unknown> = {};
  for (const { path, empty: value } of FIELDS) {
    if (!path.startsWith(prefix)) continue;
    const [name = '', inner] = path.slice(prefix.length).split('.');
    if (inner === undefined) empty[name] = value;
    else if (!(name in empty))
      empty[name] = LISTS.has(name) ? NOTHING : Object.freeze(emptyAt(`${prefix}${name}.`));
  }
  // V8 gives a parsed object a fixed shape, which is fast to copy. Adding this many fields one at a
  // time would turn it into a dictionary.
  return Object.assign(JSON.parse(JSON.stringify(empty)), empty);
};

const LISTS: ReadonlySet<string> = new Set(['children', 'transfers'] satisfies FieldParent[]);
const NOTHING: readonly never[] = Object.freeze([]);

const EMPTY_CHILD = emptyAt('children.') as Child;
const EMPTY_ADDRESS = emptyAt('mother.address.') as Address;
const EMPTY_MOTHER = emptyAt('mother.') as Mother;
const EMPTY_TRANSFER = emptyAt('transfers.') as Transfer;
const NO_CONSENT = emptyAt('consent.') as ConsentDecision;
const EMPTY_COURSE = emptyAt('') as CourseOfCare;

export const emptyChild = (): Child => ({ ...EMPTY_CHILD });

export const emptyAddress = (): Address => ({ ...EMPTY_ADDRESS });

export const emptyMother = (): Mother => ({ ...EMPTY_MOTHER });

export const emptyTransfer = (): Transfer => ({ ...EMPTY_TRANSFER });

/** Default if the submission has no Consent: not granted. @see spec "Consent" */
export const noConsent = (): ConsentDecision => ({ ...NO_CONSENT });

export const emptyCourseOfCare = (): CourseOfCare => ({ ...EMPTY_COURSE });
