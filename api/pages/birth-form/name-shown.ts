import type { Response } from 'express';
import type { NamedRecord } from '../../../domain/course-of-care/finding/named-record.ts';
import { seatOf } from '../../web/seats.ts';
import type { BirthFormParts } from './birth-form-parts.ts';

/** Names records to whoever reads records, and notes that they saw them; null for a Scribe. */
export const nameShownWith =
  ({ accessNotes, nameRecords }: Pick<BirthFormParts, 'nameRecords' | 'accessNotes'>) =>
  async (
    res: Response,
    place: 'entry' | 'correction',
    recordIds: readonly string[],
  ): Promise<readonly NamedRecord[] | null> => {
    const { role, practiceId } = seatOf(res);
    if (role === 'Scribe') return null;
    await accessNotes.recordsShown(res, { place, recordIds });
    return nameRecords(practiceId, recordIds);
  };
