import { accept, type Decision, refuse } from '../decision.ts';
import { findColumn, type ImportColumn, normalizeHeader } from '../mapping/csv/column-names.ts';
import { hasUnusableCharacters } from '../text-input.ts';
import type { PracticeEvent } from './events.ts';
import { mergeColumns, type Practice } from './state.ts';

export const MAX_IMPORT_COLUMNS = 500;

export const MAX_HEADING_LENGTH = 100;

export interface HeadingMeaning {
  readonly label: string;
  readonly path: string | null;
}

export const mapImportColumns = (
  mappings: readonly HeadingMeaning[],
  practice: Practice,
): Decision<PracticeEvent<'ImportColumnsMapped'>> => {
  if (practice.status === 'unknown') return refuse({ code: 'no-practice' });
  const { practiceId, importColumns, customFields } = practice;
  const columns = mappings.map(
    ({ label, path }): ImportColumn => ({
      heading: normalizeHeader(label),
      label: label.trim(),
      path,
    }),
  );
  if (columns.some(isRefused))
    return refuse({ code: 'heading-not-kept', most: MAX_HEADING_LENGTH });
  if (columns.some(({ path }) => path !== null && findColumn(path, customFields) === null))
    return refuse({ code: 'no-such-column' });
  const paths = columns.flatMap(({ path }) => path ?? []);
  if (new Set(paths).size < paths.length) return refuse({ code: 'two-headings-for-one-field' });
  const changed = columns.filter(
    ({ heading, path }) =>
      !importColumns.some((column) => column.heading === heading && column.path === path),
  );
  if (mergeColumns(importColumns, changed).length > MAX_IMPORT_COLUMNS)
    return refuse({ code: 'too-many-headings', most: MAX_IMPORT_COLUMNS });
  return changed.length === 0
    ? accept()
    : accept({ type: 'ImportColumnsMapped', data: { practiceId, columns: changed } });
};

const isRefused = ({ heading, label }: ImportColumn): boolean =>
  heading === '' || label.length > MAX_HEADING_LENGTH || hasUnusableCharacters(label);

/** @param headings normalized */
export const forgetImportColumns = (
  headings: readonly string[],
  practice: Practice,
): Decision<PracticeEvent<'ImportColumnsForgotten'>> => {
  if (practice.status === 'unknown') return refuse({ code: 'no-practice' });
  const { practiceId, importColumns } = practice;
  const existingHeadings = importColumns
    .map(({ heading }) => heading)
    .filter((heading) => headings.includes(heading));
  return existingHeadings.length === 0
    ? accept()
    : accept({ type: 'ImportColumnsForgotten', data: { practiceId, headings: existingHeadings } });
};
