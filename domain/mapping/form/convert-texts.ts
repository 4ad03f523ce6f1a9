import { toFieldPath } from '../../course/course-paths.ts';
import { findOffsets, isOwnTime, type OffsetAt, toMinutes } from '../../course/local-times.ts';
import type { CustomField } from '../../custom-field/state.ts';
import { parseDateAndTime, toUtcSecond } from '../../fhir/dates.ts';
import type { DateOrder } from './date-order.ts';
import { EDITABLE_FIELDS, type FormValues } from './form-fields.ts';
import { formatBirthTime, formatDate, formatDateTime } from './format-course.ts';
import {
  addOffset,
  type DateReading,
  type ParsedLocalTime,
  parseDate,
  parseLocalTime,
  parseTypedTime,
} from './parse-dates.ts';

export interface TextSettings {
  /** IANA name. */
  readonly timeZone: string;
  readonly dateOrder: DateOrder;
}

type TextClock = DateReading & { readonly offsetAt: OffsetAt };

/**
 * Texts mean what their page said; equal ones stay as typed. A time that the earlier clock skips or
 * repeats gets an offset, so that it is asked about.
 */
export const convertTexts = (
  values: FormValues,
  from: TextClock,
  to: TextClock,
  customFields: readonly CustomField[] = [],
): FormValues => {
  const types = new Map<string, string>([
    ...EDITABLE_FIELDS.map(({ path, type }) => [path, type] as const),
    ...customFields.map(({ fieldId, type }) => [`custom.${fieldId}`, type] as const),
  ]);
  const mapTyped = (
    texts: FormValues,
    convert: (type: string | undefined, key: string, text: string) => string,
  ): FormValues =>
    Object.fromEntries(
      Object.entries(texts).map(([key, text]) => [
        key,
        convert(types.get(toFieldPath(key)), key, text),
      ]),
    );
  const dated = mapTyped(values, (type, _key, text) =>
    type === 'date' || type === 'partial_date' || type === 'date_time'
      ? convertDate(text, from, to)
      : text,
  );
  return mapTyped(dated, (type, key, text) => {
    if (type === 'time') {
      const birth_date = readDate(dated[key.replace(/_time$/, '_date')] ?? '', to);
      return convertTime(
        text,
        { local: parseTypedTime(values, key, from), offsetAt: from.offsetAt },
        { local: parseTypedTime(dated, key, to), offsetAt: to.offsetAt },
        (birth_time) => formatBirthTime({ birth_date, birth_time }, to.offsetAt),
      );
    }
    if (type !== 'date_time') return text;
    return convertTime(
      text,
      { local: readLocalTime(values[key] ?? '', from), offsetAt: from.offsetAt },
      { local: readLocalTime(text, to), offsetAt: to.offsetAt },
      (utc) => formatDateTime(utc, to.offsetAt),
    );
  });
};

const readDate = (text: string, reading: DateReading): string | null => {
  const read = parseDate(text, '', reading);
  return read.kind === 'value' ? read.value : null;
};

const readLocalTime = (text: string, reading: DateReading): ParsedLocalTime | null => {
  const read = parseLocalTime(text, '', reading);
  return read?.kind === 'value' ? read.value : null;
};

const convertDate = (text: string, from: TextClock, to: TextClock): string => {
  if (parseLocalTime(text, '', from) !== null) return text;
  const date = readDate(text, from);
  return date === null || date === readDate(text, to) ? text : formatDate(date);
};

interface ReadTime {
  /** `null` if the text is not a local time. */
  readonly local: ParsedLocalTime | null;
  readonly offsetAt: OffsetAt;
}

/** @param format formats an instant in UTC on the later clock */
const convertTime = (
  text: string,
  before: ReadTime,
  after: ReadTime,
  format: (utc: string) => string,
): string => {
  const [earlier, later] = [readInstant(before), readInstant(after)];
  if (earlier !== null) return earlier === later ? text : format(earlier);
  const { local, offsetAt } = before;
  // Refused under both settings, or with its own offset.
  if (local === null || later === null || local.stated !== null) return text;
  const at = `${local.date}T${local.timeOfDay}`;
  const offset =
    findOffsets(at, offsetAt)?.find((one) => !isOwnTime(at, toMinutes(one), after.offsetAt)) ??
    offsetAt(at);
  return `${text} ${offset}`;
};

/** Instant in UTC; `null` if the clock shows the time never, or twice without saying which. */
const readInstant = ({ local, offsetAt }: ReadTime): string | null => {
  const time = local === null ? null : addOffset(local, '', offsetAt);
  const parts = time?.kind === 'value' ? parseDateAndTime(time.value) : null;
  const utc = parts === null ? null : toUtcSecond(parts);
  return utc === null ? null : `${utc}Z`;
};
