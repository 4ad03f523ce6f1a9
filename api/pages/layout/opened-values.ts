import { createHash } from 'node:crypto';
import type { Request } from 'express';
import { readFormText } from '../../web/form-body.ts';
import type { FieldError } from './field-errors.ts';

/** A form without this field, from a page of 0.2 or a script, replaces whatever is stored. */
export const OPENED_FIELD = 'opened';

export const CHANGED_SINCE_OPENED = 'changed-since-opened';

export interface StoredValue<Values> {
  readonly label: string;
  /** Value to compare; by default the one with the name of the field. */
  readonly compare?: (values: Values) => unknown;
  /** By default with the label and the value. @param typed values of the form */
  readonly describe?: (saved: Values, typed: Values) => string;
}

export type StoredValues<Values> = Readonly<Record<string, StoredValue<Values>>>;

type Compared = Readonly<Record<string, unknown>>;

/** Content of {@link OPENED_FIELD}. */
export const hashValues = (values: Compared): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}=${hashValue(value)}`)
    .join(' ');

export const hashStored = <Values>(stored: StoredValues<Values>, values: Values): string =>
  hashValues(readStored(stored, values));

/** Lists values that changed after the form was opened. */
export const listReplaced = (req: Request, typed: Compared, saved: Compared): readonly string[] => {
  const opened = new Map(
    readFormText(req, OPENED_FIELD)
      .split(' ')
      .map((word): [string, string] => {
        const [name = '', value = ''] = word.split('=');
        return [name, value];
      }),
  );
  return Object.keys(saved).filter((name) => {
    const now = hashValue(saved[name]);
    return (opened.get(name) ?? now) !== now && hashValue(typed[name]) !== now;
  });
};

/** Errors of the fields whose saved values a posted form would replace unseen. */
export const findReplaced = <Values>(
  req: Request,
  stored: StoredValues<Values>,
  typed: Values,
  saved: Values,
): readonly FieldError[] =>
  listReplaced(req, readStored(stored, typed), readStored(stored, saved)).map((name) => ({
    field: name,
    id: CHANGED_SINCE_OPENED,
    message:
      stored[name]?.describe?.(saved, typed) ??
      describeSaved(stored[name]?.label ?? name, readByName(saved, name)),
  }));

export const describeSaved = (label: string, value: unknown): string => {
  const text = String(value ?? '')
    .split('\n')
    .join(', ');
  return `${label}: ${text === '' ? 'nothing' : `“${text}”`} is saved now.`;
};

const readStored = <Values>(stored: StoredValues<Values>, values: Values): Compared =>
  Object.fromEntries(
    Object.entries(stored).map(([name, { compare }]) => [
      name,
      compare === undefined ? readByName(values, name) : compare(values),
    ]),
  );

const readByName = (values: unknown, name: string): unknown => Reflect.get(Object(values), name);

/** Long enough to distinguish values. Equal ones of different values do no harm. */
const HASH_LENGTH = 8;

const hashValue = (value: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(normalize(value)))
    .digest('base64url')
    .slice(0, HASH_LENGTH);

/** Browsers send other line ends, and lists have no order here. */
const normalize = (value: unknown): unknown => {
  if (typeof value === 'string') return value.replaceAll('\r\n', '\n').trim();
  return Array.isArray(value) ? value.map(normalize).sort() : (value ?? null);
};
