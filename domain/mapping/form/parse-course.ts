import { isAbroad } from '../../course/addresses.ts';
import { recomputeAge } from '../../course/age-at-delivery.ts';
import { isAfter, isLaterDay } from '../../course/birth-times.ts';
import { NOT_HISPANIC } from '../../course/codes.ts';
import {
  type Child,
  type CourseOfCare,
  type CustomValues,
  emptyCourseOfCare,
  emptyTransfer,
  type FieldFlag,
  type Mother,
  type Transfer,
  type ValueSource,
  WARNING_REASONS,
  type Warning,
} from '../../course/course.ts';
import { findValue, mapChildIndex, toValuePath } from '../../course/course-paths.ts';
import { sortFlags } from '../../course/edit-flags.ts';
import { findFormWarnings } from '../../course/edits/edits.ts';
import type { FieldMessage } from '../../course/field-messages.ts';
import { statesNotHispanic } from '../../course/hispanic-origins.ts';
import { MAX_CHILDREN, MAX_TRANSFERS } from '../../course/limits.ts';
import { completeOrigins } from '../../course/origins.ts';
import { findRaceAbsentReason } from '../../course/race-absent-reason.ts';
import type { CustomField } from '../../custom-field/state.ts';
import { listInvisible, removeInvisible, removeStrayInvisible } from '../../text-input.ts';
import { EDITABLE_FIELDS, FIELDS_BY_HOLDER, type FormValues } from './form-fields.ts';
import { createFormParser, type FormParser, moveTypedSuffix, parseFields } from './form-parser.ts';
import { formatEntries, formatForm } from './format-course.ts';
import { parseChild } from './parse-children.ts';
import { parseCustomValue } from './parse-custom-value.ts';
import type { ValueContext } from './parse-values.ts';
import { invalid } from './parsed.ts';
import { checkPostalCode, POSTAL_CODE, restoreFirstZeros } from './postal-codes.ts';

const getValueAt = (course: CourseOfCare, field: string, child: number | null): unknown =>
  findValue(course, toValuePath(field, child ?? 0));

/** Kept until the value changes. */
const retainMark = <Mark extends ValueSource | FieldFlag>(
  mark: Mark,
  base: CourseOfCare,
  next: CourseOfCare,
  origins: readonly number[],
): readonly Mark[] => {
  const child = mark.child === null ? null : origins.indexOf(mark.child);
  if (child === -1) return [];
  const before = JSON.stringify(getValueAt(base, mark.field, mark.child));
  return JSON.stringify(getValueAt(next, mark.field, child)) === before ? [{ ...mark, child }] : [];
};

/** Kept until the field has a value, or a different one. */
const retainWarnings = (
  warning: Warning,
  base: CourseOfCare,
  next: CourseOfCare,
  origins: readonly number[],
): readonly Warning[] => {
  // Each version has its own stamp.
  if (warning.field === 'stamp') return [];
  const child = warning.child === null ? null : origins.indexOf(warning.child);
  if (child === -1) return [];
  const value = getValueAt(next, warning.field, child);
  const before = getValueAt(base, warning.field, warning.child);
  const isUnchanged = JSON.stringify(value) === JSON.stringify(before);
  const isOpen = isUnchanged || value === null || value === undefined || Array.isArray(value);
  return isOpen ? [{ ...warning, child }] : [];
};

export interface ParseContext extends ValueContext {
  /** `YYYY-MM-DD` in the practice's time zone. */
  readonly today: string;
  readonly customFields: readonly CustomField[];
  readonly existing: CourseOfCare | null;
  /** True if the existing version came from a partner, which may omit the place of birth. */
  readonly isPartnerRecord?: boolean;
  /** True for a form, which requires an explicit answer about consent. */
  readonly asksConsent?: boolean;
}

interface ReadForm {
  /** Paths use the position of a child in the course. */
  readonly notices: readonly FieldMessage[];
  readonly childIndexes: readonly number[];
}

export const PLACE_OF_BIRTH_OPEN = 'Enter the place of birth, such as Hospital or Home.';

export type ParsedCourse =
  | (ReadForm & { readonly kind: 'course'; readonly course: CourseOfCare })
  | (ReadForm & { readonly kind: 'refused'; readonly errors: readonly FieldMessage[] });

/**
 * Never throws. An absent or unchanged key keeps the existing value exactly as sent; blank means
 * unknown. Our choice: a child and the place of birth are required, unless the existing record has none
 * or is a partner's.
 */
export const parseCourse = (values: FormValues, context: ParseContext): ParsedCourse => {
  const { existing } = context;
  const form = createFormParser(
    values,
    existing === null ? [{}] : [formatForm(existing, context.offsetAt), formatEntries(existing)],
  );
  checkUnknownKeys(values, context, form);
  const base = existing ?? emptyCourseOfCare();
  const children = parseChildren(values, existing, form, context);
  const mother = parseMother(base.mother, form, context);
  const own = parseFields('', FIELDS_BY_HOLDER.course, base, form, context) as CourseOfCare;
  const next: CourseOfCare = {
    ...base,
    ...own,
    stamp: null,
    ig_version: null,
    mother: { ...mother, age_at_delivery: recomputeAge(mother, children.list, base) },
    children: children.list,
    transfers: parseTransfers(values, existing, form, context),
    consent: parseConsent(base, form, context),
    custom: parseCustomValues(base.custom, form, context, values),
  };
  checkRequired(next, values, context, form);
  checkDates(next, children.origins, context, form);
  const course: CourseOfCare = {
    ...next,
    sources: base.sources.flatMap((mark) => retainMark(mark, base, next, children.origins)),
    edit_flags: sortFlags(
      base.edit_flags.flatMap((mark) => retainMark(mark, base, next, children.origins)),
    ),
    warnings: [
      ...base.warnings.flatMap((warning) => retainWarnings(warning, base, next, children.origins)),
      ...findNewWarnings(form.leftOut, base),
    ],
  };
  // A value with an error needs no warning.
  const postalCode = form.isUnchanged(POSTAL_CODE) ? '' : form.text(POSTAL_CODE);
  const toCoursePath = (notice: FieldMessage): FieldMessage => ({
    ...notice,
    path: mapChildIndex(notice.path, (index) => {
      const place = children.origins.indexOf(index);
      return place === -1 ? undefined : place;
    }),
  });
  const doubts = [
    ...findFormWarnings(course, context.today, existing === null),
    ...[...warnOfInvisible(values, form), ...form.moved].map(toCoursePath),
    ...checkPostalCode(course.mother.address, postalCode),
  ].filter(({ path }) => !hasMessage(path, form));
  const notices = [...form.leftOut.map(toNotice), ...doubts];
  const result = { notices, childIndexes: children.origins };
  return form.errors.length > 0
    ? { kind: 'refused', errors: form.errors, ...result }
    : { kind: 'course', course, ...result };
};

const findNewWarnings = (
  leftOut: FormParser['leftOut'],
  { warnings }: CourseOfCare,
): readonly Warning[] =>
  leftOut
    .filter(({ path, id }) => !warnings.some((one) => one.field === path && one.id === id))
    .map(({ path, raw, id }) => ({
      field: path,
      child: null,
      raw,
      id,
      reason: WARNING_REASONS[id],
    }));

const toNotice = ({ path }: FormParser['leftOut'][number]): FieldMessage => ({
  path,
  id: 'count-unknown',
  message:
    'The number 99 stands for one that is not known: nothing is saved. Correct it if it was counted.',
});

const LISTED = /^(children|transfers)\.(0|[1-9]\d{0,3})\.([a-z_]+)$/;
const CUSTOM = 'custom.';

const KNOWN_KEYS: ReadonlySet<string> = new Set(EDITABLE_FIELDS.map(({ path }) => path));

const checkUnknownKeys = (
  values: FormValues,
  { customFields }: ParseContext,
  form: FormParser,
): void => {
  const customKeys = new Set(customFields.map(({ fieldId }) => `${CUSTOM}${fieldId}`));
  for (const key of Object.keys(values)) {
    const [, list, , name] = LISTED.exec(key) ?? [];
    const isListed = key.startsWith('children.') || key.startsWith('transfers.');
    const isKnown = key.startsWith(CUSTOM)
      ? customKeys.has(key)
      : isListed
        ? KNOWN_KEYS.has(`${list}.${name}`)
        : KNOWN_KEYS.has(key);
    if (!isKnown && !form.isUnchanged(key))
      form.read(
        key,
        invalid(
          'field-unknown',
          'The form sent a field that a record does not have. Load the page again.',
        ),
      );
  }
};

const warnOfInvisible = (values: FormValues, form: FormParser): readonly FieldMessage[] =>
  Object.entries(values).flatMap(([key, text]) => {
    const dropped = key === 'chart_number' ? removeInvisible : removeStrayInvisible;
    const names = listInvisible(text, dropped);
    if (names === null || form.isUnchanged(key)) return [];
    const message = `Characters that show nothing (${names}) were dropped or replaced. Check that the rest is right.`;
    return [{ path: key, id: 'invisible-characters', message }];
  });

const parseMother = (base: Mother, form: FormParser, context: ParseContext): Mother => {
  const country = form.isUnchanged(COUNTRY) ? (base.address.country ?? '') : form.text(COUNTRY);
  const ofAddress = { ...context, isForeign: isAbroad(country) };
  const address = {
    ...base.address,
    ...(parseFields(
      'mother.address.',
      FIELDS_BY_HOLDER.address,
      base.address,
      form,
      ofAddress,
    ) as Mother['address']),
  };
  const own = parseFields('mother.', FIELDS_BY_HOLDER.mother, base, form, context) as Mother;
  return {
    ...base,
    ...completeOrigins({
      ...moveTypedSuffix('mother.', own, form),
      ...parseReasons(own, form),
      ethnicity: own.ethnicity ?? parseNotHispanic(form),
    }),
    address: form.isUnchanged(POSTAL_CODE)
      ? address
      : { ...address, postal_code: restoreFirstZeros(address) },
  };
};

type AbsentReasons = Pick<Mother, 'race_absent_reason' | 'ethnicity_absent_reason'>;

/** A column of races or of origins may contain the reason that there are none. */
const parseReasons = (own: Mother, form: FormParser): AbsentReasons => {
  const findReason = (key: string) =>
    form.isUnchanged(key) ? null : findRaceAbsentReason(form.text(key));
  const isAnswered = own.ethnicity !== null || own.hispanic_origins.length > 0;
  return {
    race_absent_reason: own.race_absent_reason ?? (own.race.length > 0 ? null : findReason(RACE)),
    ethnicity_absent_reason:
      own.ethnicity_absent_reason ??
      (isAnswered ? null : (findReason(ETHNICITY) ?? findReason(HISPANIC_ORIGINS))),
  };
};

/** “No” in a column of origins. */
const parseNotHispanic = (form: FormParser): string | null => {
  const isChanged = !form.isUnchanged(HISPANIC_ORIGINS);
  return isChanged && statesNotHispanic(form.text(HISPANIC_ORIGINS)) ? NOT_HISPANIC : null;
};

const COUNTRY = 'mother.address.country';
const RACE = 'mother.race';
const ETHNICITY = 'mother.ethnicity';
const HISPANIC_ORIGINS = 'mother.hispanic_origins';

/**
 * `null` without such keys. An index without any known value may belong to an existing child, which is
 * kept while its blanks are unchanged.
 */
const listIndexes = (
  list: 'children' | 'transfers',
  values: FormValues,
  form: FormParser,
  { existing, isPrefill = false }: ParseContext,
): readonly number[] | null => {
  const filled = new Set<number>();
  const touched = new Set<number>();
  const found = new Set<number>();
  for (const key of Object.keys(values)) {
    const [, of, digits = ''] = LISTED.exec(key) ?? [];
    if (of !== list) continue;
    const index = Number(digits);
    found.add(index);
    if (form.text(key) !== '') filled.add(index);
    if (!form.isUnchanged(key)) touched.add(index);
  }
  if (found.size === 0) return null;
  const existingCount = isPrefill ? 0 : (existing?.[list].length ?? 0);
  return [...found]
    .filter((index) => filled.has(index) || (index < existingCount && !touched.has(index)))
    .sort((a, b) => a - b);
};

interface ParsedChildren {
  readonly list: readonly Child[];
  readonly origins: readonly number[];
}

const parseChildren = (
  values: FormValues,
  existing: CourseOfCare | null,
  form: FormParser,
  context: ParseContext,
): ParsedChildren => {
  const indexes = listIndexes('children', values, form, context);
  if (indexes === null && existing !== null)
    return { list: existing.children, origins: existing.children.map((_, index) => index) };
  const origins = indexes ?? [];
  if (origins.length > MAX_CHILDREN)
    form.read(
      'children',
      invalid(
        'more-children-than-kept',
        `A record holds up to ${MAX_CHILDREN} children. Remove those that are too many.`,
      ),
    );
  return {
    list: origins
      .slice(0, MAX_CHILDREN)
      .map((index) => parseChild(index, existing?.children[index] ?? null, form, context)),
    origins,
  };
};

const parseTransfers = (
  values: FormValues,
  existing: CourseOfCare | null,
  form: FormParser,
  context: ParseContext,
): readonly Transfer[] => {
  const indexes = listIndexes('transfers', values, form, context);
  if (indexes === null) return existing?.transfers ?? [];
  if (indexes.length > MAX_TRANSFERS)
    form.read(
      'transfers',
      invalid(
        'more-transfers-than-kept',
        `A record holds up to ${MAX_TRANSFERS} transfers. Remove those that are too many.`,
      ),
    );
  return indexes.slice(0, MAX_TRANSFERS).map((index) => {
    const base = existing?.transfers[index] ?? emptyTransfer();
    const prefix = `transfers.${index}.`;
    return parseFields(prefix, FIELDS_BY_HOLDER.transfers, base, form, context) as Transfer;
  });
};

const ACTIVE = 'active';

// spec "Consent": granted only when the status is active
const parseConsent = (
  { consent: base }: CourseOfCare,
  form: FormParser,
  context: ParseContext,
): CourseOfCare['consent'] => {
  const read = parseFields('consent.', FIELDS_BY_HOLDER.consent, base, form, context) as Omit<
    CourseOfCare['consent'],
    'granted'
  > & { readonly granted: boolean | null };
  const granted = read.granted ?? false;
  if (granted && read.status !== null && read.status !== ACTIVE)
    form.read(
      'consent.granted',
      invalid(
        'consent-not-active',
        'A consent counts as granted only while its status is active. Set the status to active, or the consent to not granted.',
      ),
    );
  return { ...read, status: granted ? ACTIVE : read.status, granted };
};

const parseCustomValues = (
  base: CustomValues,
  form: FormParser,
  context: ParseContext,
  values: FormValues,
): CustomValues => {
  const { customFields } = context;
  const changed: Record<string, string | number | null> = {};
  for (const field of customFields) {
    const key = `${CUSTOM}${field.fieldId}`;
    if (values[key] === undefined || form.isUnchanged(key)) continue;
    if (field.isRetired) {
      const message = `“${field.label}” is no longer asked for. Do not change it.`;
      form.read(key, invalid('field-retired', message));
      continue;
    }
    const value = form.read(key, parseCustomValue(field, form.text(key), context));
    // Null records the removal of a value in the version.
    if (value !== null || base[field.fieldId] !== undefined) changed[field.fieldId] = value;
  }
  return { ...base, ...changed };
};

const checkRequired = (
  { children, place_of_birth }: CourseOfCare,
  values: FormValues,
  context: ParseContext,
  form: FormParser,
): void => {
  if (children.length === 0)
    form.read(
      'children',
      invalid('child-missing', 'Enter at least one child, with the date of birth if it is known.'),
    );
  const isMistyped = form.errors.some(({ path }) => path === 'place_of_birth');
  if (place_of_birth === null && !isMistyped && !isPlaceOptional(context))
    form.read('place_of_birth', invalid('place-of-birth-open', PLACE_OF_BIRTH_OPEN));
  const isConsentOpen = context.existing === null || values['consent.granted'] !== undefined;
  if (context.asksConsent === true && isConsentOpen && form.text('consent.granted') === '')
    form.read('consent.granted', invalid('consent-open', 'Choose whether consent was given.'));
};

const hasMessage = (path: string, { errors }: FormParser): boolean =>
  errors.some((error) => error.path === path);

/** An unchanged date from a sender only causes a warning, so that other fields can be corrected. */
const checkDates = (
  { mother, children }: CourseOfCare,
  origins: readonly number[],
  { existing, today }: ParseContext,
  form: FormParser,
): void => {
  const isMothersNew = existing === null || mother.birth_date !== existing.mother.birth_date;
  if (isMothersNew && isLaterDay(mother.birth_date, today))
    form.read(
      'mother.birth_date',
      invalid(
        'mother-born-in-future',
        "The mother's date of birth is in the future. Check the year.",
      ),
    );
  for (const [index, { birth_date: born }] of children.entries()) {
    const origin = origins[index] ?? index;
    const isNew = existing === null || born !== (existing.children[origin]?.birth_date ?? null);
    const path = `children.${origin}.birth_date`;
    if (isNew && isAfter(born, today))
      form.read(
        path,
        invalid(
          'child-born-in-future',
          'The date of birth is in the future. Check the date and the year.',
        ),
      );
    if ((isNew || isMothersNew) && isAfter(mother.birth_date, born))
      form.read(
        path,
        invalid(
          'child-born-before-mother',
          "The child's date of birth is before the mother's. Check both dates of birth.",
        ),
      );
  }
};

// A version corrected by a person no longer counts as a partner's, but may still lack a place of birth.
const isPlaceOptional = ({ existing, isPrefill, isPartnerRecord }: ParseContext): boolean =>
  isPartnerRecord === true ||
  (existing !== null && isPrefill !== true && existing.place_of_birth === null);
