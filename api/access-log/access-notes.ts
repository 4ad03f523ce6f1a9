import { randomUUID } from 'node:crypto';
import type { RequestHandler, Response } from 'express';
import {
  buildDataExported,
  buildRecordsPrinted,
  buildRecordsShown,
} from '../../domain/access-log/decide.ts';
import {
  type AccessEvent,
  type AccessPlace,
  type Export,
  type FilterKind,
  type PasswordTriedAt,
  SINGLE_SIGN_ON,
  type SingleSignOnRefusal,
} from '../../domain/access-log/events.ts';
import { buildReceiptsRead } from '../../domain/access-log/receipts.ts';
import type { Actor } from '../../domain/event-log.ts';
import { toPerson } from '../access/person.ts';
import type { SignedIn } from '../access/signed-in.ts';
import type { AppPorts } from '../ports/app-ports.ts';
import { getSeat } from '../web/guards/seats.ts';
import { getSignedIn } from '../web/session/signed-in-session.ts';

export interface RecordsOnPage {
  readonly place: AccessPlace;
  readonly recordIds: readonly string[];
}

interface FilteredRecords extends RecordsOnPage {
  readonly filters?: readonly FilterKind[];
}

interface ExportedFile {
  readonly what: Export;
  readonly rows: number;
  readonly filters?: readonly FilterKind[];
  readonly recordIds: readonly string[];
}

const PAGE_RECORDS = 'recordsShown';

/** Records on a page, reported by its script when it is printed; `null` if there are none. */
export const getRecordsOnPage = (res: Response): RecordsOnPage | null =>
  (res.locals[PAGE_RECORDS] as RecordsOnPage | undefined) ?? null;

const rememberRecordsOnPage = (res: Response, { place, recordIds }: RecordsOnPage): void => {
  const before = getRecordsOnPage(res);
  res.locals[PAGE_RECORDS] = {
    place: before?.place ?? place,
    recordIds: [...new Set([...(before?.recordIds ?? []), ...recordIds])],
  } satisfies RecordsOnPage;
};

/* Each entry is awaited before the response is sent: what cannot be recorded is not shown. */

type NotePorts = Pick<AppPorts, 'noteAccess' | 'reads' | 'now'>;

/** Before sign-in, the service itself is the actor. */
const SIGN_IN: Actor = { kind: 'service', id: 'sign-in' };

const appendEntries = (
  { noteAccess }: NotePorts,
  res: Response,
  actor: Actor,
  events: readonly AccessEvent[],
): Promise<void> => {
  // The response to a HEAD request shows and sends nothing.
  if (events.length === 0 || res.req.method === 'HEAD') return Promise.resolve();
  const correlationId = String(res.locals['correlationId']);
  return noteAccess(events.map((event) => ({ noteId: randomUUID(), event, actor, correlationId })));
};

const appendMemberEntries = (
  ports: NotePorts,
  res: Response,
  events: readonly AccessEvent[],
): Promise<void> => appendEntries(ports, res, toPerson(getSeat(res)), events);

const formatNow = ({ now }: NotePorts): string => now().toISOString();

/** Runs the same query for every email, so that its duration does not reveal accounts. */
const describeAccount = async ({ reads }: NotePorts, accountId: string) => {
  const owner = await reads.findAccountOwner(accountId);
  return {
    accountId: owner === null ? null : accountId,
    practiceId: owner?.kind === 'member' ? owner.practiceId : null,
  };
};

export const noteRecordsShown = (
  ports: NotePorts,
  res: Response,
  { place, recordIds, filters = [] }: FilteredRecords,
): Promise<void> => {
  const { practiceId } = getSeat(res);
  const events = buildRecordsShown({ practiceId, at: ports.now(), place, recordIds, filters });
  if (events.length > 0) rememberRecordsOnPage(res, { place, recordIds });
  return appendMemberEntries(ports, res, events);
};

export const ELSEWHERE: AccessPlace = 'elsewhere';

const NOTE_PORTS = 'noting';

export const createAccessNotes =
  (ports: NotePorts): RequestHandler =>
  (_req, res, next) => {
    res.locals[NOTE_PORTS] = ports;
    next();
  };

/** Current time by the registry's clock, or the process's until the registry is available. */
export const getNow = (res: Response): Date =>
  (res.locals[NOTE_PORTS] as NotePorts | undefined)?.now() ?? new Date();

/** `null` if the route has already recorded all records that the page names. */
export const noteRendered = (
  res: Response,
  rendered: ReadonlySet<string>,
): Promise<void> | null => {
  const noted = getRecordsOnPage(res);
  const recordIds = [...rendered].filter((id) => !(noted?.recordIds.includes(id) ?? false));
  if (recordIds.length === 0) return null;
  return noteRecordsShown(res.locals[NOTE_PORTS] as NotePorts, res, {
    place: noted?.place ?? ELSEWHERE,
    recordIds,
  });
};

export const noteRecordsPrinted = (
  ports: NotePorts,
  res: Response,
  { place, recordIds }: RecordsOnPage,
  by: AccessEvent<'RecordsPrinted'>['data']['by'],
): Promise<void> => {
  const { practiceId } = getSeat(res);
  const events = buildRecordsPrinted({ practiceId, at: ports.now(), place, recordIds, by });
  if (events.length > 0) rememberRecordsOnPage(res, { place, recordIds });
  return appendMemberEntries(ports, res, events);
};

export const noteChartsShown = async (
  ports: NotePorts,
  res: Response,
  ids: readonly string[],
): Promise<void> => {
  const prefillIds = [...new Set(ids)];
  if (prefillIds.length === 0) return;
  const who = getSignedIn(res);
  await appendEntries(ports, res, who === null ? SIGN_IN : toPerson(who), [
    {
      type: 'ChartsShown',
      data: { at: formatNow(ports), practiceId: getPracticeId(who), prefillIds },
    },
  ]);
};

export const noteImportShown = (
  ports: NotePorts,
  res: Response,
  importId: string,
  stagedBy: string,
): Promise<void> => {
  const { practiceId, memberId } = getSeat(res);
  if (stagedBy === memberId) return Promise.resolve();
  return appendMemberEntries(ports, res, [
    { type: 'ImportShown', data: { at: formatNow(ports), practiceId, importId, stagedBy } },
  ]);
};

export const noteHandedOverShown = (
  ports: NotePorts,
  res: Response,
  handedOverIds: readonly string[],
): Promise<void> => {
  const { practiceId } = getSeat(res);
  if (handedOverIds.length === 0) return Promise.resolve();
  return appendMemberEntries(ports, res, [
    { type: 'HandedOverShown', data: { at: formatNow(ports), practiceId, handedOverIds } },
  ]);
};

/** If recording fails, the birth is not discarded. */
export const noteHandedOverDiscarded = (
  ports: NotePorts,
  res: Response,
  handedOverId: string,
): Promise<void> => {
  const { practiceId } = getSeat(res);
  return appendMemberEntries(ports, res, [
    { type: 'HandedOverDiscarded', data: { at: formatNow(ports), practiceId, handedOverId } },
  ]);
};

export const noteLogShown = (
  ports: NotePorts,
  res: Response,
  log: AccessEvent<'LogShown'>['data']['log'],
): Promise<void> => {
  const { practiceId } = getSeat(res);
  return appendMemberEntries(ports, res, [
    { type: 'LogShown', data: { at: formatNow(ports), practiceId, log } },
  ]);
};

export const noteRefusalsShown = (
  ports: NotePorts,
  res: Response,
  ingestionIds: readonly string[],
): Promise<void> => {
  const { practiceId } = getSeat(res);
  const receipts = [...new Set(ingestionIds)].map((ingestionId) => ({
    ingestionId,
    recordIds: [],
  }));
  const events = buildReceiptsRead(practiceId, ports.now(), receipts);
  return appendMemberEntries(ports, res, events);
};

/** Called by all code that exports data of people, before its first byte is sent. */
export const noteExport = (
  ports: NotePorts,
  res: Response,
  { what, rows, filters = [], recordIds }: ExportedFile,
): Promise<void> => {
  const { practiceId } = getSeat(res);
  const events = buildDataExported({
    practiceId,
    at: ports.now(),
    what,
    rows,
    filters,
    recordIds,
  });
  return appendMemberEntries(ports, res, events);
};

/** @param how sign-in method, if not only a password */
export const noteSignIn = (
  ports: NotePorts,
  res: Response,
  who: SignedIn,
  how: Pick<AccessEvent<'AccountSignedIn'>['data'], 'by' | 'factor'> = {},
): Promise<void> =>
  appendEntries(ports, res, toPerson(who), [
    {
      type: 'AccountSignedIn',
      data: { at: formatNow(ports), practiceId: getPracticeId(who), ...how },
    },
  ]);

/**
 * @param accountId `null` if the provider vouches for no email; the account need not exist
 * @param providerOf practice of the provider; `null` for that of the service
 */
export const noteSingleSignOnRefused = async (
  ports: NotePorts,
  res: Response,
  accountId: string | null,
  why: SingleSignOnRefusal,
  providerOf: string | null,
): Promise<void> => {
  const about =
    accountId === null
      ? { accountId: null, practiceId: null }
      : await describeAccount(ports, accountId);
  // A practice must not learn of another practice's account, nor the other practice of this one's
  // provider.
  const isTheirs = providerOf === null || about.practiceId === providerOf;
  const visibleAccount = isTheirs ? about : { accountId: null, practiceId: providerOf };
  await appendEntries(ports, res, SIGN_IN, [
    { type: 'SingleSignOnRefused', data: { at: formatNow(ports), ...visibleAccount, why } },
  ]);
};

export const noteSignedOutByProvider = async (
  ports: NotePorts,
  res: Response,
  accountId: string,
): Promise<void> => {
  const { practiceId } = await describeAccount(ports, accountId);
  await appendEntries(ports, res, { kind: 'service', id: SINGLE_SIGN_ON }, [
    { type: 'SessionsEnded', data: { at: formatNow(ports), practiceId, accountId } },
  ]);
};

export const noteSecondFactor = (
  ports: NotePorts,
  res: Response,
  who: SignedIn,
  change: AccessEvent<'SecondFactorChanged'>['data']['change'],
): Promise<void> =>
  appendEntries(ports, res, toPerson(who), [
    {
      type: 'SecondFactorChanged',
      data: { at: formatNow(ports), practiceId: getPracticeId(who), change },
    },
  ]);

export const noteSignOut = (ports: NotePorts, res: Response, who: SignedIn): Promise<void> =>
  appendEntries(ports, res, toPerson(who), [
    { type: 'AccountSignedOut', data: { at: formatNow(ports), practiceId: getPracticeId(who) } },
  ]);

/** @param accountId account of the email, existing or not */
export const noteRefusedCredential = async (
  ports: NotePorts,
  res: Response,
  accountId: string,
  where: PasswordTriedAt,
): Promise<void> => {
  const about = await describeAccount(ports, accountId);
  // The other account's practice must not learn which member tried it while signed in.
  const isOwn = where === 'change-of-password' || where === 'confirmation';
  const who = isOwn ? getSignedIn(res) : null;
  await appendEntries(ports, res, who === null ? SIGN_IN : toPerson(who), [
    { type: 'PasswordRefused', data: { at: formatNow(ports), ...about, where } },
  ]);
};

export const noteHeldBack = async (
  ports: NotePorts,
  res: Response,
  accountId: string,
  by: 'account' | 'address',
): Promise<void> => {
  const about = await describeAccount(ports, accountId);
  await appendEntries(ports, res, SIGN_IN, [
    { type: 'SignInHeldBack', data: { at: formatNow(ports), ...about, by } },
  ]);
};

const getPracticeId = (who: SignedIn | null): string | null =>
  who?.kind === 'member' ? who.practiceId : null;
