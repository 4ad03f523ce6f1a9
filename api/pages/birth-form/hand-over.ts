import type { Request, Response } from 'express';
import type { FormValues } from '../../../domain/intake/form/form-fields.ts';
import type { App } from '../../ports/app-ports.ts';
import { flash } from '../../web/flash.ts';
import { formText } from '../../web/form-body.ts';
import { seatOf } from '../../web/seats.ts';

/** Where births that were handed over wait for an Admin or Provider. */
export const HANDED_OVER_PATH = '/registry/records/handed-over';

/** Said after a birth was handed over. */
export const HANDED_OVER =
  'Handed to a Provider. The birth is not recorded yet: an Admin or Provider of your practice compares the two records and decides.';

/** Whether the button was pressed that hands a birth to a Provider. */
export const isHandedOver = (req: Request): boolean => formText(req, 'save') === 'hand-over';

/**
 * Keeps a birth for an Admin or Provider: its chart number belongs to another woman, and its sender does
 * not see records.
 * @param id the same for every click on one birth
 */
export const handOver = async (
  registry: App,
  req: Request,
  res: Response,
  { id, values, isFromFile }: { id: string; values: FormValues; isFromFile: boolean },
): Promise<void> => {
  const { practiceId, memberId } = seatOf(res);
  await registry.handedOver.save(practiceId, { id, memberId, isFromFile, values });
  flash(req, 'success', HANDED_OVER);
};
