import type { Response } from 'express';
import type { FieldMessage } from '../../../../../domain/course/field-messages.ts';
import type { FormValues } from '../../../../../domain/mapping/form/form-fields.ts';
import type { ParsedCourse } from '../../../../../domain/mapping/form/parse-course.ts';
import type { DateReading } from '../../../../../domain/mapping/form/parse-dates.ts';
import { formatTime, type TimeFormat } from '../../../text/format-times.ts';
import { buildEchoes } from './echoes.ts';
import type { DraftSaveResult } from './entry.ts';

interface CheckedForm {
  readonly values: FormValues;
  readonly parsed: ParsedCourse;
  readonly notices: readonly FieldMessage[];
  /** Result of storing it; `null` if it needs no draft. */
  readonly saved: DraftSaveResult | null;
  readonly times: TimeFormat;
  readonly reading: DateReading;
}

export const sendFormCheck = (
  res: Response,
  { values, parsed, notices, saved, times, reading }: CheckedForm,
): void => {
  res.json({
    errors: parsed.kind === 'refused' ? parsed.errors : [],
    notices,
    echoes: buildEchoes(values, times, reading),
    savedAt: saved?.kind === 'saved' ? formatTime(saved.at, times) : null,
    isChangedElsewhere: saved?.kind === 'changed',
  });
};
