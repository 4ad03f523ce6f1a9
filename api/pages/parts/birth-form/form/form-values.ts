import type { Request } from 'express';
import type { ComponentChildren } from 'preact';
import type { CourseOfCare } from '../../../../../domain/course/course.ts';
import { mapChildIndex } from '../../../../../domain/course/course-paths.ts';
import type { FieldMessage } from '../../../../../domain/course/field-messages.ts';
import type { Field } from '../../../../../domain/course/fields.ts';
import type { OffsetAt } from '../../../../../domain/course/local-times.ts';
import type { CustomField } from '../../../../../domain/custom-field/state.ts';
import type { TextSettings } from '../../../../../domain/mapping/form/convert-texts.ts';
import type { DateOrder } from '../../../../../domain/mapping/form/date-order.ts';
import type { FormValues } from '../../../../../domain/mapping/form/form-fields.ts';
import { formatForm } from '../../../../../domain/mapping/form/format-course.ts';
import type { ParsedCourse } from '../../../../../domain/mapping/form/parse-course.ts';
import type { DateReading } from '../../../../../domain/mapping/form/parse-dates.ts';
import type { PracticeClock } from '../../../../practice-time/practice-clock.ts';
import { readFormTexts } from '../../../../web/form-body.ts';
import type { TimeFormat } from '../../../text/format-times.ts';
import { buildEchoes } from './echoes.ts';
import { buildKey, FORM_FIELDS, type FormList, listIndexes, MAX_LISTED } from './form-layout.ts';
import { toTextSettings } from './text-settings.ts';
import {
  type AmbiguousTime,
  applyAnsweredTimes,
  buildWhichKey,
  findAmbiguousTimes,
} from './times-shown-twice.ts';

const listFields = (list: FormList | null): readonly Field[] =>
  FORM_FIELDS.filter(({ parent }) =>
    list === null ? parent !== 'children' && parent !== 'transfers' : parent === list,
  );

/**
 * Fields that a browser omits, such as unchecked boxes, are blank.
 * @param initialValues of the form: the same answers in another order are no change
 */
export const readPostedValues = (
  req: Request,
  customFields: readonly CustomField[],
  initialValues: FormValues,
  clock: PracticeClock,
): FormValues => {
  const body = (req.body ?? {}) as Readonly<Record<string, unknown>>;
  const keys = [
    ...listFields(null).map((field) => [field, buildKey(field, null)] as const),
    ...(['children', 'transfers'] as const).flatMap((list) =>
      listIndexes(list, body).flatMap((index) =>
        listFields(list).map((field) => [field, buildKey(field, index)] as const),
      ),
    ),
  ];
  const own = customFields.filter(({ isRetired }) => !isRetired);
  // A missing key keeps the stored value, so removing the last transfer must be a blank key.
  const hasLostAll =
    listIndexes('transfers', initialValues).length > 0 &&
    listIndexes('transfers', body).length === 0;
  const values = Object.fromEntries([
    ...(hasLostAll ? Object.entries(buildBlankItem('transfers', 0)) : []),
    ...keys.map(
      ([field, key]) => [key, readPostedText(req, field, key, initialValues[key] ?? '')] as const,
    ),
    ...own.map(({ fieldId }) => {
      const key = `custom.${fieldId}`;
      return [key, readFormTexts(req, key).at(-1) ?? ''] as const;
    }),
  ]);
  return applyAnsweredTimes(
    values,
    (key) => readFormTexts(req, buildWhichKey(key)).at(-1) ?? '',
    clock,
  );
};

const readPostedText = (
  req: Request,
  { type }: Field,
  key: string,
  initialText: string,
): string => {
  const texts = readFormTexts(req, key);
  if (type !== 'codes') return texts.at(-1) ?? '';
  const isSame = new Set([...texts, ...splitList(initialText)]).size === texts.length;
  return isSame && splitList(initialText).length === texts.length ? initialText : texts.join('; ');
};

export const splitList = (text: string): readonly string[] =>
  text.split(';').flatMap((one) => one.trim() || []);

/**
 * Texts of a course in its form: gestation combines weeks and days, names are separated by spaces.
 * @param offsetAt of the practice's zone
 */
export const formatFormValues = (course: CourseOfCare, offsetAt: OffsetAt): FormValues => {
  const { mother, children } = course;
  const texts: Record<string, string> = { ...formatForm(course, offsetAt) };
  const setNames = (key: string, names: readonly string[]) => {
    // Space-separated names are parsed back as several, so a name must not itself contain a space.
    if (names.length > 1 && names.every((name) => !/[\s;,]/u.test(name)))
      texts[key] = names.join(' ');
  };
  setNames('mother.given_names', mother.given_names);
  for (const [index, child] of children.entries()) {
    const { gestational_age_weeks: weeks, gestational_age_days: days } = child;
    setNames(`children.${index}.given_names`, child.given_names);
    delete texts[`children.${index}.gestational_age_days`];
    if (weeks !== null && days !== null)
      texts[`children.${index}.gestational_age_weeks`] = `${weeks}w${days}d`;
  }
  return texts;
};

/** Adds a blank child or transfer, up to the number that a record can hold. */
export const addListItem = (list: FormList, values: FormValues): FormValues => {
  const indexes = listIndexes(list, values);
  if (indexes.length >= MAX_LISTED[list]) return values;
  const index = Math.max(-1, ...indexes) + 1;
  return { ...values, ...buildBlankItem(list, index) };
};

export const removeListItem = (list: FormList, index: number, values: FormValues): FormValues =>
  Object.fromEntries(
    Object.entries(values).filter(([key]) => !key.startsWith(`${list}.${index}.`)),
  );

export const addFirstChild = (values: FormValues): FormValues =>
  listIndexes('children', values).length === 0 ? addListItem('children', values) : values;

const buildBlankItem = (list: FormList, index: number): FormValues =>
  Object.fromEntries(listFields(list).map((field) => [buildKey(field, index), '']));

export const isBlank = (values: FormValues): boolean =>
  Object.values(values).every((text) => text.trim() === '');

export interface FormContent {
  readonly values: FormValues;
  /** Errors that prevent saving. */
  readonly errors: readonly FieldMessage[];
  /** Implausible values, which do not prevent saving. */
  readonly notices: readonly FieldMessage[];
}

/** Echoes are by key. */
export interface FormViewModel extends FormContent {
  readonly echoes: Readonly<Record<string, string>>;
  /** Times that occur twice on the practice's clock, by key. */
  readonly ambiguousTimes: Readonly<Record<string, AmbiguousTime>>;
  /** Date order of the practice; month first if missing. */
  readonly dateOrder?: DateOrder | undefined;
  readonly typedUnder: TextSettings;
  /** Origin of a value, shown below its field. */
  readonly beside?: (key: string) => ComponentChildren;
}

/** Content of a form, with at least one child. */
export const buildFormContent = (
  values: FormValues,
  errors: readonly FieldMessage[] = [],
  notices: readonly FieldMessage[] = [],
): FormContent => ({ values: addFirstChild(values), errors, notices });

export const buildFormViewModel = (
  content: FormContent,
  times: TimeFormat,
  reading: DateReading = {},
): FormViewModel => ({
  ...content,
  echoes: buildEchoes(content.values, times, reading),
  ambiguousTimes: findAmbiguousTimes(content.values, times.timeZone, reading),
  dateOrder: reading.dateOrder,
  typedUnder: toTextSettings({ timeZone: times.timeZone, dateOrder: reading.dateOrder }),
});

/** Notices by form key: a form may number its children with gaps. */
export const locateNotices = ({ notices, childIndexes }: ParsedCourse): readonly FieldMessage[] =>
  notices.map(({ path, id, message }) => ({
    path: mapChildIndex(path, (position) => childIndexes[position]),
    id,
    message,
  }));

/** First message about a value; `undefined` if none. */
export const messageFor = (messages: readonly FieldMessage[], key: string): string | undefined =>
  messages.find(({ path }) => path === key)?.message;

/** All of a field, unlike errors, of which the first has to be corrected first. */
export const joinMessages = (messages: readonly FieldMessage[], key: string): string =>
  messages.flatMap(({ path, message }) => (path === key ? [message] : [])).join(' ');
