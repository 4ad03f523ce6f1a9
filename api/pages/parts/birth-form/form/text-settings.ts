import type { Request } from 'express';
import type { CustomField } from '../../../../../domain/custom-field/state.ts';
import {
  convertTexts,
  type TextSettings,
} from '../../../../../domain/mapping/form/convert-texts.ts';
import {
  type DateOrder,
  getDefaultDateOrder,
} from '../../../../../domain/mapping/form/date-order.ts';
import type { FormValues } from '../../../../../domain/mapping/form/form-fields.ts';
import { createPracticeClock } from '../../../../practice-time/practice-clock.ts';
import { readFormText } from '../../../../web/form-body.ts';

const SETTINGS_FIELD = 'typed_under';

export const toTextSettings = ({
  timeZone,
  dateOrder,
}: {
  readonly timeZone: string;
  readonly dateOrder?: DateOrder | null | undefined;
}): TextSettings => ({ timeZone, dateOrder: dateOrder ?? getDefaultDateOrder(timeZone) });

export const carrySettings = ({
  timeZone,
  dateOrder,
}: TextSettings): Readonly<Record<string, string>> => ({
  [SETTINGS_FIELD]: `${timeZone} ${dateOrder}`,
});

/** Settings of a posted form; `null` for a page of 0.2. */
export const readSettings = (req: Request): TextSettings | null => {
  const [timeZone = '', dateOrder] = readFormText(req, SETTINGS_FIELD).split(' ');
  if (dateOrder !== 'month-first' && dateOrder !== 'day-first') return null;
  return isTimeZone(timeZone) ? { timeZone, dateOrder } : null;
};

const isTimeZone = (timeZone: string): boolean => {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone });
    return true;
  } catch {
    return false;
  }
};

export interface ConvertedForm {
  /** Settings under which it was typed; `undefined` for a draft of 0.2, which stays as it is. */
  readonly from: TextSettings | undefined;
  readonly to: TextSettings;
  readonly now: Date;
  readonly customFields?: readonly CustomField[];
  /** Texts that the form shows under each of them without a change, such as those of a record. */
  readonly listInitialValues?: (settings: TextSettings) => FormValues;
}

export const convertForm = (
  values: FormValues,
  { from, to, now, customFields, listInitialValues = () => ({}) }: ConvertedForm,
): FormValues => {
  if (from === undefined || isSameSettings(from, to)) return values;
  const [before, after] = [listInitialValues(from), listInitialValues(to)];
  const converted = convertTexts(
    values,
    createPracticeClock(from.timeZone, now, from.dateOrder),
    createPracticeClock(to.timeZone, now, to.dateOrder),
    customFields,
  );
  return Object.fromEntries(
    Object.entries(converted).map(([key, text]) => [
      key,
      values[key] === before[key] ? (after[key] ?? text) : text,
    ]),
  );
};

const isSameSettings = (one: TextSettings, other: TextSettings): boolean =>
  one.timeZone === other.timeZone && one.dateOrder === other.dateOrder;
