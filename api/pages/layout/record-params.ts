import type { Request, RequestHandler, Response } from 'express';
import type { StoredRecordEvent } from '../../../domain/birth-record/replay.ts';
import type { KnownBirthRecord } from '../../../domain/birth-record/state.ts';
import { isKnown } from '../../../domain/event-log.ts';
import { isUuid } from '../../../domain/text-input.ts';
import type { App } from '../../ports/app-ports.ts';
import { loadRecent, type RecordToChange } from '../../record-commands/record-under-lease.ts';
import { getSeat, requireSeatAgain } from '../../web/guards/seats.ts';
import { pageNotFound } from '../../web/page-problem.ts';

export const RECORD_PAGE = '/registry/records/:record';

/** Other paths below the records, such as the entry form, are not records. */
export const requireRecordId: RequestHandler = (req, _res, next) => {
  if (isUuid(readRecordId(req))) next();
  else next('route');
};

export const buildRecordPath = (submissionUuid: string): string =>
  `/registry/records/${submissionUuid}`;

export const buildBringBackPath = (submissionUuid: string): string =>
  `${buildRecordPath(submissionUuid)}/bring-back`;

export const buildRestorePath = (submissionUuid: string): string =>
  `${buildRecordPath(submissionUuid)}/restore`;

export const readRecordId = (req: Request): string => String(req.params['record']);

/** @throws PageProblem 404 if the practice has no record with this id */
export const loadEvents = async (
  app: App,
  req: Request,
  res: Response,
): Promise<readonly StoredRecordEvent[]> => {
  const stream = await app.reads.findRecordStream(getSeat(res).practiceId, readRecordId(req));
  if (stream === null) throw pageNotFound();
  return (await app.log.readStream(stream)).filter(isKnown) as readonly StoredRecordEvent[];
};

/** @throws PageProblem 404 if the practice has no record with this id */
export const loadCurrent = async (
  app: App,
  req: Request,
  res: Response,
): Promise<KnownBirthRecord> => {
  const stream = await app.reads.findRecordStream(getSeat(res).practiceId, readRecordId(req));
  if (stream === null) throw pageNotFound();
  const { state } = await loadRecent(app, stream);
  if (state.status === 'none') throw pageNotFound();
  return state;
};

/** Record to change, on behalf of the member who sent the request. */
export const buildRecordToChange = (res: Response, submissionUuid: string): RecordToChange => {
  const { practiceId, memberId } = getSeat(res);
  return {
    practiceId,
    submissionUuid,
    actor: { kind: 'member', id: memberId },
    correlationId: String(res.locals['correlationId']),
    requirePermission: () => requireSeatAgain(res),
  };
};
