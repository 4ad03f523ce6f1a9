import { writeCsv } from '../../adapters/csv/write-csv.ts';
import { mapCourse } from '../../domain/bfdr/course-mapper.ts';
import { typedValues } from '../../domain/course-of-care/entering/typed-course.ts';
import { templateColumns } from '../../domain/csv/column-names.ts';
import type { Practice } from '../synthesis/practice.ts';
import type { Submission } from '../synthesis/submissions.ts';
import { bundleOf } from '../synthesis/written-submissions.ts';
import { OWN_FIELD } from './sample-practices.ts';

/** The texts that somebody types for a birth, by the paths of the canonical record. */
export type TypedBirth = Readonly<Record<string, string>>;

/** A birth as somebody types it who has its paper before them. */
export const typedBirth = (submission: Submission, practice: Practice): TypedBirth => {
  const bundle = bundleOf(submission, practice, 'native');
  const mapped = mapCourse({ bundle, position: 0, retractedByEntry: false }, 'native', []);
  if (mapped.kind !== 'course') throw new TypeError('This is no birth that can be typed.');
  return typedValues(mapped.course);
};

/** Births as the practice's template has them, one a row, with a cell for the practice's own field. */
export const spreadsheetOf = async (births: readonly TypedBirth[]): Promise<string> => {
  const columns = templateColumns([]);
  const headers = [...columns.map(({ name }) => name), OWN_FIELD.label];
  const rows = births.map((birth, index) => [
    ...columns.map(({ path }) => birth[path] ?? ''),
    OWN_FIELD.choices[index % OWN_FIELD.choices.length] ?? '',
  ]);
  let text = '';
  for await (const piece of writeCsv(headers, rows)) text += piece;
  return text;
};
