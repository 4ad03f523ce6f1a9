import { findFirstBirthDate } from '../../../domain/course/birth-times.ts';
import type { CourseOfCare } from '../../../domain/course/course.ts';
import { isDate } from '../../../domain/fhir/dates.ts';
import type { RecordLine } from '../../../projections/lists/records.ts';
import { formatDate } from './format-dates.ts';
import { formatFullName } from './full-name.ts';

export const formatMother = ({
  motherName,
  keyKind,
}: Pick<RecordLine, 'motherName' | 'keyKind'>): string =>
  motherName ?? (keyKind === 'partner' ? 'De-identified' : 'Name not recorded');

export type FetalDeaths = Pick<RecordLine, 'children' | 'fetalDeaths'>;

export const countFetalDeaths = ({ children }: CourseOfCare): FetalDeaths => ({
  children: children.length,
  fetalDeaths: children.filter(({ fetal_death: isFetalDeath }) => isFetalDeath === true).length,
});

/** Capitalized {@link getBornText}, to begin a date. */
export const BORN = 'Born';
export const DELIVERED = 'Delivered';

/** Verb for the date of a record; "delivered" if all children were fetal deaths. */
export const getBornText = ({ children, fetalDeaths }: FetalDeaths): 'born' | 'delivered' =>
  fetalDeaths > 0 && fetalDeaths === children ? 'delivered' : 'born';

/** Fetal deaths in words: "Fetal death", "Fetal death, 1 of 2"; `null` if there are none. */
export const formatFetalDeath = ({ children, fetalDeaths }: FetalDeaths): string | null => {
  if (fetalDeaths === 0) return null;
  return children === 1 ? 'Fetal death' : `Fetal death, ${fetalDeaths} of ${children}`;
};

/**
 * "birth on May 12, 2026", because "born" after the mother's name would be about her.
 * @param born date, or a month or year alone
 */
export const formatBirthOn = (born: string, noun: 'birth' | 'delivery' = 'birth'): string =>
  `${noun} ${isDate(born) ? 'on' : 'in'} ${formatDate(born)}`;

/** Record in words: "Rosa Marin, chart number MRN-1, birth on May 12, 2026". */
export const formatRecord = (
  line: Pick<RecordLine, 'motherName' | 'keyKind' | 'chartNumber' | 'born'> & FetalDeaths,
): string =>
  [
    formatMother(line),
    line.chartNumber === null ? 'no chart number' : `chart number ${line.chartNumber}`,
    ...(line.born === null
      ? []
      : [formatBirthOn(line.born, getBornText(line) === 'delivered' ? 'delivery' : 'birth')]),
  ].join(', ');

/** True if the heading is the chart number, because the mother's name is unknown. */
export const isHeadedByChartNumber = (course: CourseOfCare): boolean =>
  course.chart_number !== null && formatFullName(course.mother) === '';

export const buildRecordHeading = (course: CourseOfCare): string => {
  const name = formatFullName(course.mother);
  if (name !== '') return name;
  if (course.chart_number !== null) return `Chart number ${course.chart_number}`;
  const born = findFirstBirthDate(course.children);
  const isDelivery = getBornText(countFetalDeaths(course)) === 'delivered';
  if (born === null) return isDelivery ? 'Delivery without a date' : 'Birth without a date';
  return `${isDelivery ? 'Delivery' : 'Birth'} of ${formatDate(born)}`;
};
