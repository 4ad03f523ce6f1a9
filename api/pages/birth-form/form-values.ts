import type { Request } from 'express';
import type { ComponentChildren } from 'preact';
import type { CourseOfCare } from '../../../domain/course/course.ts';
import { mapChildIndex } from '../../../domain/course/course-paths.ts';
import type { FieldMessage } from '../../../domain/course/field-messages.ts';
import type { Field } from '../../../domain/course/fields.ts';
import type { OffsetAt } from '../../../domain/course/practice-clock.ts';
import type { CustomField } from '../../../domain/custom-field/state.ts';
import type { DateOrder } from '../../../domain/intake/form/date-order.ts';
import type { FormValues } from '../../../domain/intake/form/form-fields.ts';
import { formatForm } from '../../../domain/intake/form/format-course.ts';
import type { ParsedCourse } from '../../../domain/intake/form/parse-course.ts';
import type { DateReading } from '../../../domain/intake/form/parse-dates.ts';
import type { PracticeClock } from '../../practice-time/practice-clock.ts';
import { formTexts } from '../../web/form-body.ts';
import { echoesOf } from './echoes.ts';
import { FORM_FIELDS, indexesOf, keyOf, type Listed } from './form-layout.ts';
import {
  type TimeShownTwice,
  timesShownTwice,
  whichName,
  withAnsweredMoments,
} from './times-shown-twice.ts';

const fieldsOf = (list: Listed | null): readonly Field[] =>
  FORM_FIELDS.filter(({ holder }) =>
    list === null ? holder !== 'children' && holder !== 'transfers' : holder === list,
  );

/**
 * The values of a posted form. What a browser leaves out, such as a box without its tick, is blank.
 * @param shown texts that stood in the form: the same answers in another order change nothing
 * @param clock of the practice, for times that it shows twice
 */
export const postedValues = (
  req: Request,
  customFields: readonly CustomField[],
  shown: FormValues,
  clock: PracticeClock,
): FormValues => {
  const body = (req.body ?? {}) as Readonly<Record<string, unknown>>;
  const keys = [
    ...fieldsOf(null).map((field) => [field, keyOf(field, null)] as const),
    ...(['children', 'transfers'] as const).flatMap((list) =>
      indexesOf(list, body).flatMap((index) =>
        fieldsOf(list).map((field) => [field, keyOf(field, index)] as const),
      ),
    ),
  ];
  const own = customFields.filter(({ retired }) => !retired);
  // A key that is missing keeps what is held: that the last transfer went has to be said by a blank one.
  const hasLostAll =
    indexesOf('transfers', shown).length > 0 && indexesOf('transfers', body).length === 0;
  const values = Object.fromEntries([
    ...(hasLostAll ? Object.entries(blankOf('transfers', 0)) : []),
    ...keys.map(([field, key]) => [key, postedText(req, field, key, shown[key] ?? '')] as const),
    ...own.map(({ fieldId }) => {
      const key = `custom.${fieldId}`;
      return [key, formTexts(req, key).at(-1) ?? ''] as const;
    }),
  ]);
  return withAnsweredMoments(values, (key) => formTexts(req, whichName(key)).at(-1) ?? '', clock);
};

const postedText = (req: Request, { type }: Field, key: string, shown: string): string => {
  const texts = formTexts(req, key);
  if (type !== 'codes') return texts.at(-1) ?? '';
  const isSame = new Set([...texts, ...listed(shown)]).size === texts.length;
  return isSame && listed(shown).length === texts.length ? shown : texts.join('; ');
};

/** The answers of a list as its text holds them. */
export const listed = (text: string): readonly string[] =>
  text.split(';').flatMap((one) => one.trim() || []);

/**
 * The texts of a course in its form: as typed, weeks and days in one, names as people write them.
 * @param offsetAt of the practice's zone
 */
export const shownValues = (course: CourseOfCare, offsetAt: OffsetAt): FormValues => {
  const { mother, children } = course;
  const texts: Record<string, string> = { ...formatForm(course, offsetAt) };
  const nameIn = (key: string, names: readonly string[]) => {
    // Between spaces each is read as a name of its own again; a name with a space in it would not be.
    if (names.length > 1 && names.every((name) => !/[\s;,]/u.test(name)))
      texts[key] = names.join(' ');
  };
  nameIn('mother.given_names', mother.given_names);
  for (const [index, child] of children.entries()) {
    const { gestational_age_weeks: weeks, gestational_age_days: days } = child;
    nameIn(`children.${index}.given_names`, child.given_names);
    delete texts[`children.${index}.gestational_age_days`];
    if (weeks !== null && days !== null)
      texts[`children.${index}.gestational_age_weeks`] = `${weeks}w${days}d`;
  }
  return texts;
};

/** The form with one more, blank. */
export const withOneMore = (list: Listed, values: FormValues): FormValues => {
  const index = Math.max(-1, ...indexesOf(list, values)) + 1;
  return { ...values, ...blankOf(list, index) };
};

/** The form without one of them. */
export const withoutOne = (list: Listed, index: number, values: FormValues): FormValues =>
  Object.fromEntries(
    Object.entries(values).filter(([key]) => !key.startsWith(`${list}.${index}.`)),
  );

/** The form with one child at least. */
export const withFirstChild = (values: FormValues): FormValues =>
  indexesOf('children', values).length === 0 ? withOneMore('children', values) : values;

const blankOf = (list: Listed, index: number): FormValues =>
  Object.fromEntries(fieldsOf(list).map((field) => [keyOf(field, index), '']));

/** Whether nothing was typed at all. */
export const isBlank = (values: FormValues): boolean =>
  Object.values(values).every((text) => text.trim() === '');

/** What stands in the form, and what is wrong or hard to believe about it. */
export interface FormContent {
  readonly values: FormValues;
  /** What has to be corrected before it can be saved. */
  readonly errors: readonly FieldMessage[];
  /** What is hard to believe; it does not stand in the way. */
  readonly notices: readonly FieldMessage[];
}

/** The same with the values in other words, by their keys. */
export interface FormLook extends FormContent {
  readonly echoes: Readonly<Record<string, string>>;
  /** Times that the practice's clock shows twice, by their keys. */
  readonly shownTwice: Readonly<Record<string, TimeShownTwice>>;
  /** How the practice writes dates; absent: the month first. */
  readonly dateOrder?: DateOrder | undefined;
  /** What stands below a field, by its key: where its value came from. */
  readonly beside?: (key: string) => ComponentChildren;
}

/** A form with these values, and one child at least. */
export const formContent = (
  values: FormValues,
  errors: readonly FieldMessage[] = [],
  notices: readonly FieldMessage[] = [],
): FormContent => ({ values: withFirstChild(values), errors, notices });

/** A form as it is shown. @param timeZone IANA name of the practice's zone */
export const formLook = (
  content: FormContent,
  timeZone: string,
  reading: DateReading = {},
): FormLook => ({
  ...content,
  echoes: echoesOf(content.values, timeZone, reading),
  shownTwice: timesShownTwice(content.values, timeZone, reading),
  dateOrder: reading.dateOrder,
});

/** What is hard to believe, by the keys of the form: a form numbers its children as they came. */
export const noticesInForm = ({ notices, childIndexes }: ParsedCourse): readonly FieldMessage[] =>
  notices.map(({ path, id, message }) => ({
    path: mapChildIndex(path, (position) => childIndexes[position]),
    id,
    message,
  }));

/** What is said about one value; undefined if nothing is. */
export const saidAbout = (messages: readonly FieldMessage[], key: string): string | undefined =>
  messages.find(({ path }) => path === key)?.message;
