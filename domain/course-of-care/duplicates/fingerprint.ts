import { isDate, parseDateAndTime, toUtcSecond } from '../../fhir/dates.ts';
import type { Child, CourseOfCare, Mother } from '../canonical-record.ts';

// Neither survives in a normalised name.
const BETWEEN_NAMES = '\u001f';
const BEFORE_TIME = '\u001e';

/**
 * The texts by which a course of care is compared with others of its practice: the mother's
 * normalised name with each distinct newborn date/time. None when either is missing. The caller
 * stores keyed hashes of them, never the texts.
 * @see spec "Duplicate fingerprint"
 */
export const fingerprintTexts = (course: CourseOfCare): readonly string[] => {
  const name = normalisedName(course.mother);
  if (name === null) return [];
  const times = course.children.map(birthMoment).filter((moment) => moment !== null);
  return [...new Set(times)].map((time) => `${name}${BEFORE_TIME}${time}`);
};

/** The mother's name folded for comparison: family and given names, null when there is neither. */
export const normalisedName = (mother: Mother): string | null => {
  const family = known(folded(mother.family_name ?? ''));
  const given = mother.given_names.map(folded).map(known).join('');
  return family === '' && given === '' ? null : `${family}${BETWEEN_NAMES}${given}`;
};

const known = (name: string): string => (name === 'unk' || name === 'unknown' ? '' : name);

// Upper case first makes ß equal to SS; the final sigma is the only letter that lower case writes
// in two ways.
const folded = (name: string): string =>
  // Of ASCII nothing else is left to do: 1 µs for a course of care instead of 2.5.
  ASCII.test(name)
    ? name.replaceAll(' ', '').toLowerCase()
    : withoutSpaces(name.normalize('NFKC'))
        .toUpperCase()
        .toLowerCase()
        .replaceAll('ς', 'σ')
        .normalize('NFKC');

const ASCII = /^[ -~]*$/;

const withoutSpaces = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, '');

// To the second, in UTC where the offset is known, else as the local time; else the date alone.
const birthMoment = (child: Child): string | null => {
  const time = child.birth_time === null ? null : parseDateAndTime(child.birth_time);
  const second = time === null ? null : toUtcSecond(time);
  if (time !== null && second !== null) return time.offsetMinutes === null ? second : `${second}Z`;
  return child.birth_date !== null && isDate(child.birth_date) ? child.birth_date : null;
};
