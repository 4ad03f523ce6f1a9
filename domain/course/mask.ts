import { isDateTime } from '../fhir/dates.ts';
import { asObjects, isObject, type JsonObject } from '../fhir/json.ts';
import { isVersion } from '../fhir/resources.ts';
import { USPS_STATES } from './codes.ts';
import {
  type Child,
  type ConsentDecision,
  type CourseOfCare,
  emptyAddress,
  emptyChild,
  emptyCourseOfCare,
  emptyMother,
  emptyTransfer,
  type FieldFlag,
  type Mother,
  noConsent,
  type Transfer,
  WARNING_REASONS,
  type Warning,
} from './course.ts';
import { findEditFlag, findSentFlag } from './edit-flags.ts';
import { FIELDS, type Field } from './fields.ts';
import { completeOrigins } from './origins.ts';
import { normalizeInstant } from './stamps.ts';

/**
 * De-identifies a course of care by allow-list: keeps what `MaskRule` in the field table permits
 * and drops everything else.
 * @see spec "Push lane", key kinds, Stored
 */
export const maskForPartner = (course: CourseOfCare): CourseOfCare => {
  const source: JsonObject = isObject(course) ? course : {};
  const masked: CourseOfCare = {
    ...maskValue<CourseOfCare>('', source, emptyCourseOfCare()),
    mother: maskMother(source['mother']),
    children: asObjects(source['children']).map((child) =>
      maskValue<Child>('children', child, emptyChild()),
    ),
    transfers: asObjects(source['transfers']).map((transfer) =>
      maskValue<Transfer>('transfers', transfer, emptyTransfer()),
    ),
    consent: maskValue<ConsentDecision>('consent', source['consent'], noConsent()),
    warnings: dropRepeated(asObjects(source['warnings']).flatMap(maskWarning)),
  };
  return {
    ...masked,
    edit_flags: asObjects(source['edit_flags']).flatMap((mark) => maskFlag(mark, masked)),
  };
};

// A code of an origin says that she is Hispanic, even if her ethnicity was a text.
const maskMother = (mother: unknown): Mother => ({
  ...completeOrigins(maskValue<Mother>('mother', mother, emptyMother())),
  address: maskValue('mother.address', isObject(mother) ? mother['address'] : null, emptyAddress()),
});

const listFields = (parent: Field['parent']): readonly Field[] =>
  FIELDS.filter((field) => field.parent === parent && field.type !== 'marks');

const FIELDS_BY_PARENT: ReadonlyMap<Field['parent'], readonly Field[]> = new Map(
  (['', 'mother', 'mother.address', 'children', 'transfers', 'consent'] as const).map((parent) => [
    parent,
    listFields(parent),
  ]),
);

const maskValue = <T extends object>(parent: Field['parent'], source: unknown, empty: T): T => {
  const from: JsonObject = isObject(source) ? source : {};
  const masked: Record<string, unknown> = Object.fromEntries(Object.entries(empty));
  for (const field of FIELDS_BY_PARENT.get(parent) ?? []) {
    const value = maskFieldValue(field, from[field.name]);
    if (value !== null) masked[field.name] = value;
  }
  return masked as T;
};

/** Applies the mask to one value; null if nothing remains. */
export const maskFieldValue = (field: Field, value: unknown): unknown => {
  switch (field.mask) {
    case 'kept':
      return isOfType(field, value) ? value : null;
    case 'year':
      return typeof value === 'string' && YEAR_OR_DATE.test(value) ? value.slice(0, 4) : null;
    case 'state':
      return toStateCode(value);
    case 'recognized':
      return keepRecognized(field, value);
    case 'without_raw':
    case 'dropped':
      return null;
  }
};

// A bare year is accepted because a masked course can be masked again.
const YEAR_OR_DATE = /^\d{4}(?:-\d{2}(?:-\d{2})?)?$/;

const toStateCode = (value: unknown): string | null => {
  const code = typeof value === 'string' ? value.toUpperCase() : '';
  return USPS_STATES.has(code) ? code : null;
};

const keepRecognized = (field: Field, value: unknown): unknown => {
  const isKnown = (code: unknown): boolean =>
    typeof code === 'string' && field.codes?.has(code) === true;
  if (field.type === 'codes') return Array.isArray(value) ? value.filter(isKnown) : null;
  return isKnown(value) ? value : null;
};

// Checks the type at runtime, so that text cannot pass for a number.
const isOfType = (field: Field, value: unknown): boolean => {
  switch (field.type) {
    case 'integer':
      return Number.isInteger(value);
    case 'number':
      return typeof value === 'number' && Number.isFinite(value);
    case 'boolean':
      return typeof value === 'boolean';
    case 'choice':
      return typeof value === 'string' && field.values?.includes(value) === true;
    case 'instant':
      return typeof value === 'string' && normalizeInstant(value) === value;
    case 'date_time':
      return typeof value === 'string' && isDateTime(value);
    case 'text':
      return typeof value === 'string' && (field.path !== 'ig_version' || isVersion(value));
    default:
      return false;
  }
};

const PATHS: ReadonlySet<unknown> = new Set(FIELDS.map(({ path }) => path));
const REASONS: ReadonlyMap<unknown, Warning['reason']> = new Map(Object.entries(WARNING_REASONS));

/** Ids of warnings whose paths consist of names of FHIR that the registry knows, never of those of a sender. */
const OF_ELEMENTS: ReadonlySet<unknown> = new Set(['other-type', 'repeated']);

const ELEMENT_PATH = /^[A-Z][A-Za-z]{1,30}(?:\.[A-Za-z]{1,30}){1,24}(?:\([A-Za-z-]{1,40}\))?$/;

const isElementOfFhir = (path: string, id: unknown): boolean =>
  OF_ELEMENTS.has(id) && typeof path === 'string' && ELEMENT_PATH.test(path);

const UNREAD = 'element-not-read';
const RESOURCE = /^[A-Z][A-Za-z]{1,30}$/;

// Senders choose the names of these elements and extensions, so only the type of the resource is
// kept, and whether it was an extension.
const maskPath = (path: string): string => {
  const [type = ''] = path.split('.');
  if (path === 'Observation.code') return path;
  return path.includes('.extension') ? `${type}.extension` : type;
};

// Of several unknown elements of one resource, the mask makes equal warnings.
const dropRepeated = (warnings: readonly Warning[]): readonly Warning[] => {
  const unread = new Set<string>();
  return warnings.filter(({ field, child, id }) => {
    if (id !== UNREAD) return true;
    const key = `${field} ${child}`;
    const isNew = !unread.has(key);
    unread.add(key);
    return isNew;
  });
};

const shouldKeep = (path: string, id: unknown): boolean =>
  PATHS.has(path) ||
  isElementOfFhir(path, id) ||
  (id === UNREAD && RESOURCE.test(path.split('.')[0] ?? ''));

/** Kept beside values that the mask keeps. */
const maskFlag = (mark: JsonObject, masked: CourseOfCare): readonly FieldFlag[] => {
  const { field: path, child: sent, flag } = mark as Partial<FieldFlag>;
  const field = findEditFlag(path ?? '')?.field;
  if (field === undefined) return [];
  const child = Number.isInteger(sent) ? (sent ?? null) : null;
  const course = { ...masked, edit_flags: [{ field, child, flag: flag ?? '' }] };
  const known = findSentFlag(course, field, child);
  return known === null ? [] : [{ field, child, flag: known.digit }];
};

const maskWarning = (warning: JsonObject): readonly Warning[] => {
  const { field: sent, child, id } = warning as Partial<Warning>;
  const reason = REASONS.get(id);
  if (typeof sent !== 'string' || !shouldKeep(sent, id)) return [];
  if (id === undefined || reason === undefined) return [];
  const field = id === UNREAD ? maskPath(sent) : sent;
  return [
    { field, child: Number.isInteger(child) ? (child ?? null) : null, raw: null, id, reason },
  ];
};
