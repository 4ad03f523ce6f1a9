import type { Rejection } from '../../course/rejections.ts';

/** A row of a file with the chart number of another woman's record; never what is pushed. */
export const ANOTHER_WOMANS_RECORD: Rejection = {
  id: 'another-womans-record',
  code: 'conflict',
  diagnostics:
    'This chart number belongs to another woman. Correct the chart number, or have the two records compared.',
  expression: ['chart_number'],
};
