import { findFirstBirthDate } from '../../../domain/course/birth-times.ts';
import type { CourseOfCare } from '../../../domain/course/course.ts';
import type { RecordLine } from '../../../projections/lists/records.ts';
import { dateInWords } from '../words/dates-in-words.ts';

/** What a list calls the mother of a record. */
export const motherInWords = ({
  motherName,
  keyKind,
}: Pick<RecordLine, 'motherName' | 'keyKind'>): string =>
  motherName ?? (keyKind === 'partner' ? 'De-identified' : 'Name not recorded');

/** How many children a record has, and how many of them were fetal deaths. */
export type FetalDeaths = Pick<RecordLine, 'children' | 'fetalDeaths'>;

/** The children of a course of care, and how many were fetal deaths. */
export const fetalDeathsOf = ({ children }: CourseOfCare): FetalDeaths => ({
  children: children.length,
  fetalDeaths: children.filter(({ fetal_death: isFetalDeath }) => isFetalDeath === true).length,
});

/** The same at the beginning of a date. */
export const BORN = 'Born';
export const DELIVERED = 'Delivered';

/** What happened on the date of a record: a record of fetal deaths only tells of no birth. */
export const bornWord = ({ children, fetalDeaths }: FetalDeaths): 'born' | 'delivered' =>
  fetalDeaths > 0 && fetalDeaths === children ? 'delivered' : 'born';

/** Which children of a record were fetal deaths: "Fetal death", "Fetal death, 1 of 2"; null: none. */
export const fetalDeathInWords = ({ children, fetalDeaths }: FetalDeaths): string | null => {
  if (fetalDeaths === 0) return null;
  return children === 1 ? 'Fetal death' : `Fetal death, ${fetalDeaths} of ${children}`;
};

/** A record in a sentence: "Rosa Marin, chart number MRN-1, born May 12, 2026". */
export const recordInWords = (
  line: Pick<RecordLine, 'motherName' | 'keyKind' | 'chartNumber' | 'born'> & FetalDeaths,
): string =>
  [
    motherInWords(line),
    line.chartNumber === null ? 'no chart number' : `chart number ${line.chartNumber}`,
    ...(line.born === null ? [] : [`${bornWord(line)} ${dateInWords(line.born)}`]),
  ].join(', ');

const nameOf = ({ mother }: CourseOfCare): string =>
  [...mother.given_names, mother.family_name ?? ''].join(' ').trim();

/** Whether the chart number is already the heading of a record, as the mother's name is not known. */
export const isHeadedByChartNumber = (course: CourseOfCare): boolean =>
  course.chart_number !== null && nameOf(course) === '';

/** The heading of a record: the mother's name, else what is known of the birth. */
export const recordHeading = (course: CourseOfCare): string => {
  const name = nameOf(course);
  if (name !== '') return name;
  if (course.chart_number !== null) return `Chart number ${course.chart_number}`;
  const born = findFirstBirthDate(course.children);
  const isDelivery = bornWord(fetalDeathsOf(course)) === 'delivered';
  if (born === null) return isDelivery ? 'Delivery without a date' : 'Birth without a date';
  return `${isDelivery ? 'Delivery' : 'Birth'} of ${dateInWords(born)}`;
};
