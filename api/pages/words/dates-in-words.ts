import { isDate, parseDateAndTime, toUtcSecond } from '../../../domain/fhir/dates.ts';
import { momentText } from '../frame/time.tsx';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const MONTHS_IN_FULL = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

const YEAR_AND_MONTH = /^(\d{4})-(\d{2})$/;

/** A date as people write it, "May 12, 2026"; a month or year alone too; any other text as it is. */
export const dateInWords = (date: string): string => {
  if (isDate(date)) {
    const [year, month, day] = date.split('-');
    return `${MONTHS[Number(month) - 1]} ${Number(day)}, ${year}`;
  }
  const [, year, month] = YEAR_AND_MONTH.exec(date) ?? [];
  const name = MONTHS[Number(month) - 1];
  return name === undefined ? date : `${name} ${year}`;
};

/** A month as a heading: "May 2026" for `2026-05`; any other text as it is. */
export const monthInWords = (month: string): string => {
  const [, year, number] = YEAR_AND_MONTH.exec(month) ?? [];
  const name = MONTHS_IN_FULL[Number(number) - 1];
  return name === undefined ? month : `${name} ${year}`;
};

/**
 * A date and time as people write it: "May 12, 2026, 14:03". As the clock on the wall showed it: with
 * an offset of its own, or local; one in UTC is of no wall, and told in the practice's zone.
 * @param timeZone IANA name
 */
export const dateAndTimeInWords = (text: string, timeZone: string): string => {
  const time = parseDateAndTime(text);
  if (time === null) return dateInWords(text);
  if (time.offsetMinutes === 0) return momentText(new Date(`${toUtcSecond(time)}Z`), timeZone);
  return `${dateInWords(time.date)}, ${two(time.hour)}:${two(time.minute)}`;
};

const two = (value: number): string => String(value).padStart(2, '0');
