import type { CourseOfCare } from '../../../domain/course-of-care/canonical-record.ts';
import { firstBirthDate } from '../../../domain/course-of-care/first-birth-date.ts';
import type { RecordLine } from '../../../projections/record-listing.ts';
import { dateInWords } from '../words/dates-in-words.ts';

/** What a list calls the mother of a record. */
export const motherInWords = ({
  motherName,
  keyKind,
}: Pick<RecordLine, 'motherName' | 'keyKind'>): string =>
  motherName ?? (keyKind === 'partner' ? 'Name not kept' : 'Name not stated');

/** A record in a sentence: "Rosa Marin, chart number MRN-1, born 12 May 2026". */
export const recordInWords = (
  line: Pick<RecordLine, 'motherName' | 'keyKind' | 'chartNumber' | 'born'>,
): string =>
  [
    motherInWords(line),
    line.chartNumber === null ? 'no chart number' : `chart number ${line.chartNumber}`,
    ...(line.born === null ? [] : [`born ${dateInWords(line.born)}`]),
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
  const born = firstBirthDate(course.children);
  return born === null ? 'Birth without a date' : `Birth of ${dateInWords(born)}`;
};
