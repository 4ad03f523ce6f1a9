import type { Request, RequestHandler, Response } from 'express';
import type { StoredRecordEvent } from '../../../domain/birth-record/replay.ts';
import { isUuid } from '../../../domain/text-input.ts';
import type { App } from '../../ports/app-ports.ts';
import type { RecordToChange } from '../../record-commands/record-under-lease.ts';
import { pageNotFound } from '../../web/page-problem.ts';
import { seatOf } from '../../web/seats.ts';

/** Other addresses below the records, such as that of the entry form, are other pages. */
export const onlyRecords: RequestHandler<{ record: string }> = (req, _res, next) => {
  if (isUuid(req.params.record)) next();
  else next('route');
};

/** Address of a record's page. */
export const hrefOf = (submissionUuid: string): string => `/registry/records/${submissionUuid}`;

/** Address of the page that brings a voided record back. */
export const bringBackPath = (submissionUuid: string): string =>
  `${hrefOf(submissionUuid)}/bring-back`;

/** Address of the page that restores an earlier version of a record. */
export const restorePath = (submissionUuid: string): string => `${hrefOf(submissionUuid)}/restore`;

/** The id of the record that an address names. */
export const recordIdOf = (req: Request): string => String(req.params['record']);

/** The record's events. @throws PageProblem 404: the practice has none of this id */
export const storedOf = async (
  registry: App,
  req: Request,
  res: Response,
): Promise<readonly StoredRecordEvent[]> => {
  const stream = await registry.reads.findRecordStream(seatOf(res).practiceId, recordIdOf(req));
  if (stream === null) throw pageNotFound();
  return (await registry.log.readStream(stream)) as readonly StoredRecordEvent[];
};

/** A record that the member who sent a request wants to change. */
export const recordToChange = (res: Response, submissionUuid: string): RecordToChange => {
  const { practiceId, memberId } = seatOf(res);
  return {
    practiceId,
    submissionUuid,
    actor: { kind: 'member', id: memberId },
    correlationId: String(res.locals['correlationId']),
  };
};
