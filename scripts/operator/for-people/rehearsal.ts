import {
  changesNothing,
  type Example,
  type RehearsalReport,
} from '../../../adapters/postgres/rebuild/rehearsal-report.ts';
import { countInWords, numberInWords } from '../../../domain/format-measures.ts';
import type { Style } from './style.ts';
import { alignColumns, toSafeText } from './tables.ts';

const INDENT = '  ';

export const rehearsalInWords = (report: RehearsalReport, style: Style): string => {
  const { records, changes, notDecided, examples } = report;
  const { mapping, flags, figures, tables } = changes;
  const rows = [
    ['Records that would be read otherwise', numberInWords(mapping.records)],
    ['Records that would be refused', numberInWords(mapping.refused)],
    ['Pairs that would be flagged as duplicates', numberInWords(flags.found)],
    ['Pairs that would no longer be flagged', numberInWords(flags.lost)],
    ['Records that would count otherwise in a figure', numberInWords(figures.records)],
    ...Object.entries(tables).map(([table, count]) => [
      `Rows of the table ${table} that would differ`,
      numberInWords(count),
    ]),
  ].map(([what = '', count = '']) => [`${INDENT}${what}`, count]);
  return [
    `${countInWords(records, 'record was', 'records were')} decided again by the rules of this build.`,
    ...(changesNothing(report)
      ? [style.good('Nothing of the past would change.')]
      : [style.bad('This would change:'), alignColumns(rows)]),
    ...(examples.length === 0
      ? []
      : ['', style.strong('Examples'), ...examples.map((one) => `${INDENT}${formatExample(one)}`)]),
    '',
    style.quiet(
      `What was sent is not kept, so some of it could not be decided again: ${countInWords(notDecided.refused, 'refused submission')}, and for duplicates ${countInWords(notDecided.notCompared, 'record')} without name or time${
        notDecided.tooCommon === 0
          ? ''
          : `, and ${countInWords(notDecided.tooCommon, 'fingerprint')} that more records share than are compared`
      }. Fields of a practice’s own and codes that were passed over are outside of it, too.`,
    ),
  ].join('\n');
};

const formatExample = (example: Example): string => {
  switch (example.kind) {
    case 'mapping':
      return `${example.record} would be read otherwise: ${example.fields.join(', ')}`;
    case 'refused':
      return `${example.record} would be refused: ${example.codes.join(', ')}`;
    case 'flag-found':
      return `${example.records.join(' and ')} would be flagged`;
    case 'flag-lost':
      return `${example.records.join(' and ')} would not be flagged`;
    case 'table': {
      const row = Object.values(example.row).map((value) => toSafeText(String(value)));
      const columns = example.columns.length === 0 ? '' : `: ${example.columns.join(', ')}`;
      return `${example.table} ${row.join(' ')} would ${example.would}${columns}`;
    }
  }
};
