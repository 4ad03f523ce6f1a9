import type { Request, Response } from 'express';
import type { FormValues } from '../../../../../domain/mapping/form/form-fields.ts';
import type { App } from '../../../../ports/app-ports.ts';
import { readFormText } from '../../../../web/form-body.ts';
import { getSeat } from '../../../../web/guards/seats.ts';
import { addFlash } from '../../../../web/session/flash.ts';

export const SENT_FOR_REVIEW_PATH = '/registry/records/handed-over';

export const isSentForReview = (req: Request): boolean => readFormText(req, 'save') === 'hand-over';

/**
 * Called if the chart number belongs to another woman and the sender may not read records.
 * @param id same for repeated clicks
 */
export const sendForReview = async (
  app: App,
  req: Request,
  res: Response,
  { id, values, isFromFile }: { id: string; values: FormValues; isFromFile: boolean },
): Promise<void> => {
  const { practiceId, memberId } = getSeat(res);
  await app.handoffs.save(practiceId, { id, memberId, isFromFile, values });
  const text =
    'Sent for review. The birth is not recorded yet: an Admin or Provider at your practice will compare the two records and decide.';
  addFlash(req, { kind: 'success', id: 'sent-for-review', text });
};
