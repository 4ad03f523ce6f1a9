import type { Request, Response } from 'express';
import type { Rejection } from '../../../../../domain/course/rejections.ts';
import type { ParsedCourse } from '../../../../../domain/mapping/form/parse-course.ts';
import type { SavedCourse } from '../../../../record-commands/save-course.ts';
import { getSeat } from '../../../../web/guards/seats.ts';
import { addFlash, type Message } from '../../../../web/session/flash.ts';
import { type Redirect, redirect } from '../../../layout/routes.tsx';
import { formatPathNames } from './compare-births.ts';

/** Shown for a record with a match candidate. */
export const FLAGGED_DUPLICATE: Message = {
  id: 'flagged-duplicate',
  text: 'It was flagged as a possible duplicate, for someone to review.',
};

export const flashSaved = (
  req: Request,
  { change, version, suspectedDuplicate }: Extract<SavedCourse, { readonly kind: 'saved' }>,
): void => {
  const link = { href: '/registry/records/new', text: 'Enter another' };
  const message =
    change === 'recorded'
      ? { id: 'birth-recorded', text: 'Birth recorded.' }
      : { id: 'record-amended', text: `Record amended: this is version ${version}.` };
  addFlash(req, { kind: 'success', ...message, link });
  if (suspectedDuplicate) addFlash(req, { kind: 'warning', ...FLAGGED_DUPLICATE });
};

/** Lists the implausible fields of a saved record, without their values. */
export const flashUnusualValues = (
  req: Request,
  { course, notices }: Extract<ParsedCourse, { readonly kind: 'course' }>,
): void => {
  const paths = notices.map(({ path }) => path);
  const names = formatPathNames(paths, course.children.length);
  if (names !== '') addFlash(req, { kind: 'warning', text: `Double-check: ${names}.` });
};

export const formatSaveRejection = ({ id, diagnostics }: Rejection): string =>
  id === 'duplicate-amendment'
    ? 'This was not saved: the record would have the same mother and time of birth as another record at your practice. Check both.'
    : `This was not saved. ${diagnostics}`;

declare module 'express-session' {
  interface SessionData {
    /** Latest time that a seat without read access entered a birth, in milliseconds since 1970. */
    enteredAt: number;
  }
}

export const ENTERED_PATH = '/registry/records/entered';

/** Redirects to the saved record. A seat without read access only learns that it was saved. */
export const redirectToRecord = (
  req: Request,
  res: Response,
  submissionUuid: string,
  now: Date,
): Redirect => {
  if (getSeat(res).role !== 'Scribe') return redirect(`/registry/records/${submissionUuid}`);
  req.session.enteredAt = now.getTime();
  return redirect(ENTERED_PATH);
};
