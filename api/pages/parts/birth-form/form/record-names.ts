import type { Response } from 'express';
import type { NamedRecord } from '../../../../../projections/lists/records.ts';
import { noteRecordsShown } from '../../../../access-log/access-notes.ts';
import type { App } from '../../../../ports/app-ports.ts';
import { getSeat } from '../../../../web/guards/seats.ts';

/** Names records to a member who may read them and logs the access; `null` for a Scribe. */
export const loadRecordNames = async (
  app: App,
  res: Response,
  place: 'entry' | 'correction' | 'restore-form',
  recordIds: readonly string[],
): Promise<readonly NamedRecord[] | null> => {
  const { role, practiceId } = getSeat(res);
  if (role === 'Scribe') return null;
  await noteRecordsShown(app, res, { place, recordIds });
  return app.reads.nameRecords(practiceId, recordIds);
};
