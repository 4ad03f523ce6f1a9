import { measurePages, type PageName } from '../page-times.ts';
import type { MeasuredFigure } from '../report.ts';
import { sized } from '../sizes.ts';

const RECORDS = sized(100_000, 300);

/** The questions of each figure, and how long the slowest of them may take, milliseconds. */
const FIGURES: Readonly<
  Record<string, { pages: readonly PageName[]; wanted: number; aim: number }>
> = {
  'Records search': {
    pages: [
      'Records, first page',
      'Records, three letters',
      'Records, end of a chart number',
      'Records, a date of birth',
      'Records, a record number',
    ],
    wanted: 90,
    aim: 40,
  },
  'record page': { pages: ['A record'], wanted: 60, aim: 40 },
  'statistics page': {
    pages: [
      'Statistics, nothing changed',
      'Statistics, all years, a new question',
      'Statistics, a month, a new question',
    ],
    wanted: 120,
    aim: 80,
  },
};

/** How long people wait for pages in a practice of many records; the slowest question counts. */
export const measurePagesFigures = async (): Promise<readonly MeasuredFigure[]> => {
  const times = await measurePages(RECORDS);
  return Object.entries(FIGURES).map(([name, { pages, wanted, aim }]) => {
    const asked = times.filter(({ page }) => pages.includes(page));
    return {
      name: `${name} with ${RECORDS.toLocaleString('en')} records, p99`,
      value: Math.max(...asked.map(({ p99 }) => p99)),
      unit: 'ms',
      wanted: { atMost: wanted },
      aim: { atMost: aim },
      parts: Object.fromEntries(asked.map(({ page, p99 }) => [page, p99])),
    };
  });
};
