import { isPossibleAgeAtDelivery } from '../../course/age-at-delivery.ts';
import { hasEarlierBirths, isTenMinuteScoreNotNeeded } from '../../course/certificate-items.ts';
import {
  CESAREAN,
  HISPANIC,
  type HomePlan,
  NOT_HISPANIC,
  OTHER_HISPANIC,
} from '../../course/codes.ts';
import type { Child, CourseOfCare, Mother, Transfer } from '../../course/course.ts';
import { findHomePlan } from '../../course/home-plan.ts';
import { isVaginal } from '../../course/labor.ts';
import { readClockAt } from '../../course/local-times.ts';
import { listRaceAnswers } from '../../course/race-answers.ts';
import {
  countWholeYears,
  type DateAndTime,
  isDate,
  parseDateAndTime,
  toLocalSecond,
} from '../../fhir/dates.ts';
import { toInches } from '../../format-measures.ts';
import type { NamedProvider } from '../../provider/details.ts';
import { findProviderTitle } from '../bfdr/build-practitioners.ts';
import { isBornAlive } from '../earlier-siblings.ts';
import { ATTENDANTS, UNKNOWN_CODE } from './codes.ts';
import { type FiledBirth, formatDigits, formatFlag } from './columns.ts';

/** Rounds the same way as pages. */
export const roundNumber = (value: number | null): number | null =>
  value === null ? null : Math.round(value);

const INCHES_PER_FOOT = 12;

export const toFeetAndInches = ({
  mother: { height_cm },
}: CourseOfCare): { readonly feet: number | null; readonly inches: number | null } => {
  if (height_cm === null) return { feet: null, inches: null };
  const inches = toInches(height_cm);
  return { feet: Math.floor(inches / INCHES_PER_FOOT), inches: inches % INCHES_PER_FOOT };
};

const UNKNOWN_TIME = '9999';
const TWO_DIGITS = 2;

/** HHMM. Unknown if there is no time zone, or the local day differs from the date of birth. */
export const formatBirthClock = ({ child, offsetAt }: FiledBirth): string => {
  const time = toLocalTime(child.birth_time, offsetAt);
  if (time === null) return UNKNOWN_TIME;
  const { birth_date } = child;
  const isOtherDay = birth_date !== null && isDate(birth_date) && birth_date !== time.date;
  if (isOtherDay) return UNKNOWN_TIME;
  return formatDigits(time.hour, TWO_DIGITS) + formatDigits(time.minute, TWO_DIGITS);
};

const toLocalTime = (text: string | null, offsetAt: FiledBirth['offsetAt']): DateAndTime | null => {
  const time = text === null ? null : parseDateAndTime(text);
  if (time === null || time.offsetMinutes !== 0) return time;
  const localTime = offsetAt === null ? null : readClockAt(toLocalSecond(time), offsetAt);
  return localTime === null ? null : parseDateAndTime(localTime);
};

export const countAge = ({ course: { mother }, child }: FiledBirth): number | null => {
  const [from, to] = [mother.birth_date ?? '', child.birth_date ?? ''];
  if (!isDate(from) || !isDate(to)) return null;
  const age = countWholeYears(from, to);
  return isPossibleAgeAtDelivery(age) ? age : null;
};

const NOT_TAKEN = '88';

export const formatTenMinuteScore = (child: Child): string =>
  child.apgar_ten_minute === null && isTenMinuteScoreNotNeeded(child)
    ? NOT_TAKEN
    : formatDigits(child.apgar_ten_minute, TWO_DIGITS);

/** Blank if no race is known. @param box race code */
export const formatRaceBox = ({ race }: Mother, box: string): string =>
  race.length === 0 ? ' ' : formatFlag(listRaceAnswers(race).some(({ code }) => code === box));

/** A specific origin answers all four questions, even if the ethnicity contradicts it. */
export const formatHispanicAnswer = (
  { ethnicity, hispanic_origins: origins }: Mother,
  origin: string,
): string => {
  if (origins.length > 0) return origins.includes(origin) ? 'H' : 'N';
  if (ethnicity === NOT_HISPANIC) return 'N';
  return ethnicity === HISPANIC && origin === OTHER_HISPANIC ? 'H' : 'U';
};

/** Children of the delivery who were born alive; `null` if the outcome of any child is unknown. */
export const countLiveBorn = ({ plurality, children }: CourseOfCare): number | null => {
  const outcomes = children.map(isBornAlive);
  const isWhole = outcomes.length === plurality && !outcomes.includes(null);
  return isWhole ? outcomes.filter((isAlive) => isAlive).length : null;
};

/** A mother without an earlier birth had no cesarean. */
export const countPreviousCesareans = (course: CourseOfCare): number | null => {
  const isFirstPregnancy = !hasEarlierBirths(course) && course.other_outcomes === 0;
  return course.previous_cesareans ?? (isFirstPregnancy ? 0 : null);
};

/** Only a cesarean has a trial of labor to ask about. */
export const formatTrialOfLabor = (course: CourseOfCare): string => {
  if (isVaginal(course)) return 'X';
  return formatFlag(course.delivery_method === CESAREAN ? course.trial_of_labor : null);
};

const PLACES: ReadonlyMap<CourseOfCare['place_of_birth'], string> = new Map([
  ['Hospital', '1'],
  ['Birth center', '2'],
  ['Clinic', '6'],
  ['Other', '7'],
  ['En route', '7'],
]);

const HOMES: Readonly<Record<HomePlan, string>> = { yes: '3', no: '4', unknown: '5' };

/** A home birth has separate codes for planned, unplanned, and unknown. */
export const toPlaceCode = (course: CourseOfCare): string =>
  course.place_of_birth === 'Home'
    ? HOMES[findHomePlan(course)]
    : (PLACES.get(course.place_of_birth) ?? UNKNOWN_CODE);

const OTHER_ATTENDANT = '5';

const findAttendantTitle = (birth: FiledBirth): string | null => {
  const provider = findNamedProvider(birth, 'attendant');
  const { title, words } =
    provider === undefined ? { title: null, words: null } : findProviderTitle(provider);
  return birth.course.attendant_title ?? title ?? words;
};

/** A free-text title is coded as "other". */
export const toAttendantCode = (birth: FiledBirth): string => {
  const title = findAttendantTitle(birth);
  return title === null ? UNKNOWN_CODE : (ATTENDANTS.get(title) ?? OTHER_ATTENDANT);
};

export const findOtherTitle = (birth: FiledBirth): string | null => {
  const title = findAttendantTitle(birth);
  return title !== null && ATTENDANTS.has(title) ? null : title;
};

export const findNamedProvider = (
  { course, providers }: FiledBirth,
  part: 'attendant' | 'certifier',
): NamedProvider | undefined => providers.find(({ providerId }) => providerId === course[part]);

/** Infant transfers of a single birth; for a multiple birth the record does not identify the child. */
export const findFacility = (transfers: readonly Transfer[]): string | null =>
  transfers.find(({ facility }) => facility !== null)?.facility ?? null;
