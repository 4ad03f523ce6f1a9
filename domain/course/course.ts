import { type RawValue, READING_REASONS } from '../fhir/readings.ts';
import { type FIELD_TABLE, FIELDS, type FieldPath, type Holder } from './fields.ts';

type Table = typeof FIELD_TABLE;

/** The values of the fields under a path, by their names. */
type ValuesUnder<Prefix extends string> = {
  readonly [Path in FieldPath as Path extends `${Prefix}${infer Name}`
    ? Name extends `${string}.${string}`
      ? never
      : Name
    : never]: Table[Path]['empty'];
};

/** The mother's address; `line` joins the street lines with a comma, `county` is FHIR's district. */
export type Address = ValuesUnder<'mother.address.'>;

/** The mother. Dates are `YYYY-MM-DD`; an empty list says that nothing was stated. */
export type Mother = ValuesUnder<'mother.'> & { readonly address: Address };

/**
 * One child. `birth_date` is `YYYY-MM-DD` (`YYYY` once masked); `birth_time` is a date and time,
 * with an offset if the sender knew one, local otherwise.
 */
export type Child = ValuesUnder<'children.'>;

/** Sex as the record states it. */
export type Sex = NonNullable<Child['sex']>;

/** A transfer of care: who was moved, into or out of the place of birth, and the other facility. */
export type Transfer = ValuesUnder<'transfers.'>;

/** The consent decision; recorded, never enforced. @see spec "Consent" */
export type ConsentDecision = ValuesUnder<'consent.'>;

/** Why a submitted value was left out, or is hard to believe, by ids that are stored in the log: add, never rename. */
export const WARNING_REASONS = {
  ...READING_REASONS,
  'subject-unknown': 'The subject is none of the several children',
  'subject-unrelated': 'The subject is neither the mother nor one of the children',
  'not-at-birth': 'The value is not of the time of the birth',
  'modifier-unknown': 'A modifier extension that the registry does not know changes the meaning',
  'deletion-ignored': 'The entry with DELETE does not name this record',
  'facility-unknown': 'The other facility is said to be unknown',
  'mother-age-impossible': 'The age of the mother at delivery is not possible',
  'place-of-birth-unknown': 'The code names no known place of birth',
  'born-in-future': 'The date of birth is after the day on which the registry got it',
  'time-on-another-day': 'The time of birth is on another day than the date of birth',
  'below-birth-order': 'Fewer were born together than a child of the birth comes in their order',
  'plurality-incomplete': 'Live births alone, or fetal deaths alone, are not all of a birth',
  'element-not-read': 'The registry does not read this element',
  'stamp-ahead': 'The time is more than 24 hours ahead of its receipt',
  'invisible-characters': 'Characters that show nothing were dropped from the text',
} as const;

/** One of the reasons for leaving a value out. */
export type WarningId = keyof typeof WARNING_REASONS;

/**
 * A submitted value that was left out: the field, or the path of an element that fills none, the
 * child's position (zero-based, null where no child is meant), the raw value (native lane only), and
 * the reason with its words.
 */
export type Warning = {
  readonly field: string;
  readonly child: number | null;
  readonly raw: RawValue;
  readonly id: WarningId;
  readonly reason: (typeof WARNING_REASONS)[WarningId];
};

/** Where in an EHR a value stood, so that it can be looked up there. */
export type EhrSource = {
  /** `Observation/123`, `Patient/456`. */
  readonly resource: string;
  /** The code that named the value, such as a LOINC code; null for what a Patient says. */
  readonly code: string | null;
  /** FHIR dateTime as it was sent: when it was measured, or began. */
  readonly date: string | null;
};

/** The mark of a value that came from an EHR: field, and the mother or child it describes. */
export type ValueSource = {
  readonly field: string;
  readonly subject: 'mother' | 'child';
  readonly child: number | null;
  readonly source: 'ehr_pull';
  /** Absent in records from before it was kept. */
  readonly from?: EhrSource;
};

/** Values of practice-defined fields, by the id of the field; app only, never from a Bundle. */
export type CustomValues = Readonly<Record<string, string | number | boolean | null>>;

/**
 * The canonical course of care: one mother, her children and this delivery, under the same names
 * in events, tables, CSV, forms and JSON.
 */
export type CourseOfCare = Omit<ValuesUnder<''>, 'sources' | 'warnings' | 'custom'> & {
  readonly mother: Mother;
  readonly children: readonly Child[];
  readonly transfers: readonly Transfer[];
  readonly consent: ConsentDecision;
  readonly sources: readonly ValueSource[];
  readonly warnings: readonly Warning[];
  readonly custom: CustomValues;
};

/** The object of a path as it is when nothing is known; what it holds stands where its first field does. */
const emptyAt = (prefix: string): Readonly<Record<string, unknown>> => {
  const empty: Record<string, unknown> = {};
  for (const { path, empty: value } of FIELDS) {
    if (!path.startsWith(prefix)) continue;
    const [name = '', inner] = path.slice(prefix.length).split('.');
    if (inner === undefined) empty[name] = value;
    else if (!(name in empty))
      empty[name] = LISTS.has(name) ? NOTHING : Object.freeze(emptyAt(`${prefix}${name}.`));
  }
  // Parsed, it has one shape for V8, which copies it fast. Named one by one, so many fields would make
  // it a dictionary.
  return Object.assign(JSON.parse(JSON.stringify(empty)), empty);
};

const LISTS: ReadonlySet<string> = new Set(['children', 'transfers'] satisfies Holder[]);
const NOTHING: readonly never[] = Object.freeze([]);

const EMPTY_CHILD = emptyAt('children.') as Child;
const EMPTY_ADDRESS = emptyAt('mother.address.') as Address;
const EMPTY_MOTHER = emptyAt('mother.') as Mother;
const EMPTY_TRANSFER = emptyAt('transfers.') as Transfer;
const NO_CONSENT = emptyAt('consent.') as ConsentDecision;
const EMPTY_COURSE = emptyAt('') as CourseOfCare;

/** A child without any known value. */
export const emptyChild = (): Child => ({ ...EMPTY_CHILD });

/** An address of which nothing is known. */
export const emptyAddress = (): Address => ({ ...EMPTY_ADDRESS });

/** A mother without any known value. */
export const emptyMother = (): Mother => ({ ...EMPTY_MOTHER });

/** A transfer of which nothing is known. */
export const emptyTransfer = (): Transfer => ({ ...EMPTY_TRANSFER });

/** Consent as it stands without any Consent: not granted. @see spec "Consent" */
export const noConsent = (): ConsentDecision => ({ ...NO_CONSENT });

/** A course of care of which nothing is known, without children and without consent. */
export const emptyCourseOfCare = (): CourseOfCare => ({ ...EMPTY_COURSE });
