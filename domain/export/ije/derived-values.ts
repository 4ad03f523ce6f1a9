import type { Child, CourseOfCare, Mother, Transfer } from '../../course/course.ts';
import { readClockAt } from '../../course/practice-clock.ts';
import { type DateAndTime, isDate, parseDateAndTime, toLocalSecond } from '../../fhir/dates.ts';
import type { NamedProvider } from '../../provider/details.ts';
import { ATTENDANTS, UNKNOWN_CODE } from './codes.ts';
import { digits, type FiledBirth } from './columns.ts';

/** To the nearest whole number, as the pages show measures. */
export const roundNumber = (value: number | null): number | null =>
  value === null ? null : Math.round(value);

const KG_PER_POUND = 0.45359237;

/** A weight to the nearest pound. */
export const toPounds = (kilograms: number | null): number | null =>
  roundNumber(kilograms === null ? null : kilograms / KG_PER_POUND);

const CM_PER_INCH = 2.54;
const INCHES_PER_FOOT = 12;

/** The mother's height to the nearest inch. */
export const toFeetAndInches = ({
  mother: { height_cm },
}: CourseOfCare): { readonly feet: number | null; readonly inches: number | null } => {
  const inches = roundNumber(height_cm === null ? null : height_cm / CM_PER_INCH);
  return inches === null
    ? { feet: null, inches: null }
    : { feet: Math.floor(inches / INCHES_PER_FOOT), inches: inches % INCHES_PER_FOOT };
};

const UNKNOWN_TIME = '9999';
const TWO_DIGITS = 2;

/**
 * The time of birth on the clock of its place, as HHMM: as it was sent, but for a time in UTC, which no practice's
 * clock shows. Unknown where that clock is not known, or shows another day than the date of birth.
 */
export const formatBirthClock = ({ child, offsetAt }: FiledBirth): string => {
  const time = toLocalTime(child.birth_time, offsetAt);
  if (time === null) return UNKNOWN_TIME;
  const { birth_date } = child;
  const isOtherDay = birth_date !== null && isDate(birth_date) && birth_date !== time.date;
  if (isOtherDay) return UNKNOWN_TIME;
  return digits(time.hour, TWO_DIGITS) + digits(time.minute, TWO_DIGITS);
};

const toLocalTime = (text: string | null, offsetAt: FiledBirth['offsetAt']): DateAndTime | null => {
  const time = text === null ? null : parseDateAndTime(text);
  if (time === null || time.offsetMinutes !== 0) return time;
  const localTime = offsetAt === null ? null : readClockAt(toLocalSecond(time), offsetAt);
  return localTime === null ? null : parseDateAndTime(localTime);
};

/** The age of the mother, where it was counted from two dates. */
export const formatAge = ({ course: { mother }, child }: FiledBirth): number | null => {
  const isCounted =
    mother.birth_date !== null && child.birth_date !== null && isDate(child.birth_date);
  return isCounted ? mother.age_at_delivery : null;
};

/** The certificate asks for the score at ten minutes only below this one at five. */
const NOT_LOW_SCORE = 6;
const NOT_TAKEN = '88';

/** The Apgar score at ten minutes. */
export const formatTenMinuteScore = ({
  apgar_ten_minute,
  apgar_five_minute,
}: Pick<Child, 'apgar_ten_minute' | 'apgar_five_minute'>): string =>
  apgar_ten_minute === null && apgar_five_minute !== null && apgar_five_minute >= NOT_LOW_SCORE
    ? NOT_TAKEN
    : digits(apgar_ten_minute, TWO_DIGITS);

const NOT_HISPANIC = '2186-5';
const HISPANIC = '2135-2';

/**
 * The answer to one of the four questions about Hispanic origin. Which origin it is, the registry does not hold.
 * @param isLast the question about any other origin
 */
export const formatHispanicAnswer = ({ ethnicity }: Mother, isLast: boolean): string => {
  if (ethnicity === NOT_HISPANIC) return 'N';
  return ethnicity === HISPANIC && isLast ? 'H' : 'U';
};

/** How many of a multiple birth were born alive; null where not all of its children are known. */
export const countLiveBorn = ({ plurality, children }: CourseOfCare): number | null => {
  const isWhole =
    plurality !== null &&
    plurality > 1 &&
    children.length === plurality &&
    children.every(({ fetal_death }) => fetal_death !== null);
  return isWhole ? children.filter(({ fetal_death }) => fetal_death === false).length : null;
};

const PLACES: ReadonlyMap<CourseOfCare['place_of_birth'], string> = new Map([
  ['Hospital', '1'],
  ['Birth center', '2'],
  ['Clinic', '6'],
  ['Other', '7'],
  ['En route', '7'],
]);

/** Where the birth was: at home, by what was planned. */
export const toPlaceCode = ({ place_of_birth, planned_place_of_birth }: CourseOfCare): string => {
  if (place_of_birth !== 'Home') return PLACES.get(place_of_birth) ?? UNKNOWN_CODE;
  if (planned_place_of_birth === null) return '5';
  return planned_place_of_birth === 'Home' ? '3' : '4';
};

const OTHER_ATTENDANT = '5';

/** What the attendant is: a title in words counts as another one. */
export const toAttendantCode = ({ attendant_title }: CourseOfCare): string =>
  attendant_title === null ? UNKNOWN_CODE : (ATTENDANTS.get(attendant_title) ?? OTHER_ATTENDANT);

/** The provider whom a partner named as attendant or certifier. */
export const findNamedProvider = (
  { course, providers }: FiledBirth,
  part: 'attendant' | 'certifier',
): NamedProvider | undefined => providers.find(({ providerId }) => providerId === course[part]);

/** Transfers of the mother into the place of birth. */
export const findTransfersIn = ({ transfers }: CourseOfCare): readonly Transfer[] =>
  transfers.filter(({ type, direction }) => type === 'mother' && direction === 'in');

/** Transfers of the only child out of it; of several children it is not held which was moved. */
export const listInfantsMovedOut = ({ transfers, children }: CourseOfCare): readonly Transfer[] =>
  children.length > 1
    ? []
    : transfers.filter(({ type, direction }) => type === 'infant' && direction === 'out');

/** The first facility that transfers name. */
export const findFacility = (transfers: readonly Transfer[]): string | null =>
  transfers.find(({ facility }) => facility !== null)?.facility ?? null;
