import { randomUUID } from 'node:crypto';
import type { RequestHandler, Response } from 'express';
import {
  buildDataExported,
  buildRecordsPrinted,
  buildRecordsShown,
} from '../../domain/access-log/decide.ts';
import {
  type AccessEvent,
  type AccountSignedIn,
  type Export,
  type FilterKind,
  type LogShown,
  type PasswordTriedAt,
  type PlaceShown,
  type RecordsPrinted,
  type SecondFactorChanged,
  SINGLE_SIGN_ON,
  type SingleSignOnRefusal,
} from '../../domain/access-log/events.ts';
import { buildReceiptsRead } from '../../domain/access-log/receipts.ts';
import type { Actor } from '../../domain/event-log.ts';
import { toPerson } from '../access/person.ts';
import type { SignedIn } from '../access/signed-in.ts';
import type { AppPorts } from '../ports/app-ports.ts';
import { seatOf } from '../web/seats.ts';
import { signedInOf } from '../web/signed-in-session.ts';

/** Records that a page shows. */
export interface RecordsOnPage {
  readonly place: PlaceShown;
  /** Submission uuids. */
  readonly recordIds: readonly string[];
}

/** Records that an answer is about to show to the member who asked. */
interface ShownRecords extends RecordsOnPage {
  readonly filters?: readonly FilterKind[];
}

/** A file that an answer is about to hand to the member who asked. */
interface ExportedFile {
  readonly what: Export;
  /** Lines without the header. */
  readonly rows: number;
  readonly filters?: readonly FilterKind[];
  /** Submission uuids of all records whose data are in the file: each finds it in its own access log. */
  readonly recordIds: readonly string[];
}

const SHOWN = 'recordsShown';

/** The records that a page shows: its script says so when it is printed. Null: none. */
export const getShownRecords = (res: Response): RecordsOnPage | null =>
  (res.locals[SHOWN] as RecordsOnPage | undefined) ?? null;

const rememberShown = (res: Response, { place, recordIds }: RecordsOnPage): void => {
  const before = getShownRecords(res);
  res.locals[SHOWN] = {
    place: before?.place ?? place,
    recordIds: [...new Set([...(before?.recordIds ?? []), ...recordIds])],
  } satisfies RecordsOnPage;
};

/*
 * What pages note in the access log. Each is awaited before the answer is sent: what cannot be noted
 * is not shown.
 */

type Noting = Pick<AppPorts, 'noteAccess' | 'reads' | 'now'>;

/** Before sign-in the service itself answers for the note. */
const SIGN_IN: Actor = { kind: 'service', id: 'sign-in' };

const keep = (
  { noteAccess }: Noting,
  res: Response,
  actor: Actor,
  events: readonly AccessEvent[],
): Promise<void> => {
  // The answer to a HEAD request shows nothing, and hands out nothing.
  if (events.length === 0 || res.req.method === 'HEAD') return Promise.resolve();
  const correlationId = String(res.locals['correlationId']);
  return noteAccess(events.map((event) => ({ noteId: randomUUID(), event, actor, correlationId })));
};

/** The same, of the member who asked. */
const keepOfMember = (
  registry: Noting,
  res: Response,
  events: readonly AccessEvent[],
): Promise<void> => keep(registry, res, toPerson(seatOf(res)), events);

const at = ({ now }: Noting): string => now().toISOString();

/** The same query for every email, so that the time it takes does not tell who has an account. */
const aboutAccount = async ({ reads }: Noting, accountId: string) => {
  const owner = await reads.findAccountOwner(accountId);
  return {
    accountId: owner === null ? null : accountId,
    practiceId: owner?.kind === 'member' ? owner.practiceId : null,
  };
};

/** Notes records that an answer is about to show to the member who asked. */
export const noteRecordsShown = (
  registry: Noting,
  res: Response,
  { place, recordIds, filters = [] }: ShownRecords,
): Promise<void> => {
  const { practiceId } = seatOf(res);
  const events = buildRecordsShown({ practiceId, at: registry.now(), place, recordIds, filters });
  if (events.length > 0) rememberShown(res, { place, recordIds });
  return keepOfMember(registry, res, events);
};

/** What stands for a page whose route names no place. */
export const ELSEWHERE: PlaceShown = 'elsewhere';

const NOTING = 'noting';

/** Lets the one exit of all pages note what they show. */
export const createAccessNotes =
  (registry: Noting): RequestHandler =>
  (_req, res, next) => {
    res.locals[NOTING] = registry;
    next();
  };

/** The registry's clock, for what a page says of now; before the registry is there, that of the process. */
export const getNow = (res: Response): Date =>
  (res.locals[NOTING] as Noting | undefined)?.now() ?? new Date();

/** Notes the records that a page names beyond those that its route has noted. @returns null if there are none */
export const noteRendered = (
  res: Response,
  rendered: ReadonlySet<string>,
): Promise<void> | null => {
  const noted = getShownRecords(res);
  const recordIds = [...rendered].filter((id) => !(noted?.recordIds.includes(id) ?? false));
  if (recordIds.length === 0) return null;
  return noteRecordsShown(res.locals[NOTING] as Noting, res, {
    place: noted?.place ?? ELSEWHERE,
    recordIds,
  });
};

/** Notes records that the member who asked is about to print, or whose browser says that it prints them. */
export const noteRecordsPrinted = (
  registry: Noting,
  res: Response,
  { place, recordIds }: RecordsOnPage,
  by: RecordsPrinted['data']['by'],
): Promise<void> => {
  const { practiceId } = seatOf(res);
  const events = buildRecordsPrinted({ practiceId, at: registry.now(), place, recordIds, by });
  if (events.length > 0) rememberShown(res, { place, recordIds });
  return keepOfMember(registry, res, events);
};

/** Notes what an EHR said of patients: shown to a member, to the staff, or before sign-in. */
export const noteChartsShown = async (
  registry: Noting,
  res: Response,
  shown: readonly string[],
): Promise<void> => {
  const prefillIds = [...new Set(shown)];
  if (prefillIds.length === 0) return;
  const who = signedInOf(res);
  await keep(registry, res, who === null ? SIGN_IN : toPerson(who), [
    { type: 'ChartsShown', data: { at: at(registry), practiceId: getPracticeId(who), prefillIds } },
  ]);
};

/** Notes that a member is about to be shown rows of a file that another one had checked or imported. */
export const noteImportShown = (
  registry: Noting,
  res: Response,
  importId: string,
  stagedBy: string,
): Promise<void> => {
  const { practiceId, memberId } = seatOf(res);
  if (stagedBy === memberId) return Promise.resolve();
  return keepOfMember(registry, res, [
    { type: 'ImportShown', data: { at: at(registry), practiceId, importId, stagedBy } },
  ]);
};

/** Notes that a member is about to be shown what was typed of births that were handed over. */
export const noteHandedOverShown = (
  registry: Noting,
  res: Response,
  handedOverIds: readonly string[],
): Promise<void> => {
  const { practiceId } = seatOf(res);
  if (handedOverIds.length === 0) return Promise.resolve();
  return keepOfMember(registry, res, [
    { type: 'HandedOverShown', data: { at: at(registry), practiceId, handedOverIds } },
  ]);
};

/** Notes that a member is about to discard a birth that was handed over: what cannot be noted stays. */
export const noteHandedOverDiscarded = (
  registry: Noting,
  res: Response,
  handedOverId: string,
): Promise<void> => {
  const { practiceId } = seatOf(res);
  return keepOfMember(registry, res, [
    { type: 'HandedOverDiscarded', data: { at: at(registry), practiceId, handedOverId } },
  ]);
};

/** Notes that a member is about to be shown a page of a log that names no record. */
export const noteLogShown = (
  registry: Noting,
  res: Response,
  log: LogShown['data']['log'],
): Promise<void> => {
  const { practiceId } = seatOf(res);
  return keepOfMember(registry, res, [
    { type: 'LogShown', data: { at: at(registry), practiceId, log } },
  ]);
};

/** Notes that a member is about to be shown what was refused, with its chart numbers: no record says them. */
export const noteRefusalsShown = (
  registry: Noting,
  res: Response,
  ingestionIds: readonly string[],
): Promise<void> => {
  const { practiceId } = seatOf(res);
  const receipts = [...new Set(ingestionIds)].map((ingestionId) => ({
    ingestionId,
    recordIds: [],
  }));
  const events = buildReceiptsRead(practiceId, registry.now(), receipts);
  return keepOfMember(registry, res, events);
};

/**
 * Records a file that is about to be sent to the member who asked: the file itself, and each record in it. All
 * code that exports data of people calls this before it sends the first byte.
 */
export const noteExport = (
  registry: Noting,
  res: Response,
  { what, rows, filters = [], recordIds }: ExportedFile,
): Promise<void> => {
  const { practiceId } = seatOf(res);
  const events = buildDataExported({
    practiceId,
    at: registry.now(),
    what,
    rows,
    filters,
    recordIds,
  });
  return keepOfMember(registry, res, events);
};

/** Notes that a person is about to be signed in. @param by how, if not by a password */
export const noteSignIn = (
  registry: Noting,
  res: Response,
  who: SignedIn,
  how: Pick<AccountSignedIn['data'], 'by' | 'factor'> = {},
): Promise<void> =>
  keep(registry, res, toPerson(who), [
    {
      type: 'AccountSignedIn',
      data: { at: at(registry), practiceId: getPracticeId(who), ...how },
    },
  ]);

/**
 * Records that a person came back from an identity provider and was refused.
 * @param accountId the one of the email that the provider vouches for, whether there is such an account or
 *   not; null: it vouches for none
 * @param providerOf the practice whose provider it is; null: it is the one of the service
 */
export const noteSingleSignOnRefused = async (
  registry: Noting,
  res: Response,
  accountId: string | null,
  why: SingleSignOnRefusal,
  providerOf: string | null,
): Promise<void> => {
  const about =
    accountId === null
      ? { accountId: null, practiceId: null }
      : await aboutAccount(registry, accountId);
  // A practice does not learn about another practice's account, and the other does not learn what this
  // practice's provider says.
  const isTheirs = providerOf === null || about.practiceId === providerOf;
  const shownAccount = isTheirs ? about : { accountId: null, practiceId: providerOf };
  await keep(registry, res, SIGN_IN, [
    { type: 'SingleSignOnRefused', data: { at: at(registry), ...shownAccount, why } },
  ]);
};

/** Notes that an identity provider has ended the sessions of an account. */
export const noteSignedOutByProvider = async (
  registry: Noting,
  res: Response,
  accountId: string,
): Promise<void> => {
  const { practiceId } = await aboutAccount(registry, accountId);
  await keep(registry, res, { kind: 'service', id: SINGLE_SIGN_ON }, [
    { type: 'SessionsEnded', data: { at: at(registry), practiceId, accountId } },
  ]);
};

/** Notes that a person changes what they sign in with beside their password. */
export const noteSecondFactor = (
  registry: Noting,
  res: Response,
  who: SignedIn,
  change: SecondFactorChanged['data']['change'],
): Promise<void> =>
  keep(registry, res, toPerson(who), [
    {
      type: 'SecondFactorChanged',
      data: { at: at(registry), practiceId: getPracticeId(who), change },
    },
  ]);

/** Notes that a person has signed out. */
export const noteSignOut = (registry: Noting, res: Response, who: SignedIn): Promise<void> =>
  keep(registry, res, toPerson(who), [
    { type: 'AccountSignedOut', data: { at: at(registry), practiceId: getPracticeId(who) } },
  ]);

/**
 * Notes a wrong password.
 * @param accountId the one that an email names, whether there is such an account or not
 */
export const noteRefusedPassword = async (
  registry: Noting,
  res: Response,
  accountId: string,
  where: PasswordTriedAt,
): Promise<void> => {
  const about = await aboutAccount(registry, accountId);
  // The other account's practice does not learn which member tried it while signed in.
  const isOwn = where === 'change-of-password' || where === 'confirmation';
  const who = isOwn ? signedInOf(res) : null;
  await keep(registry, res, who === null ? SIGN_IN : toPerson(who), [
    { type: 'PasswordRefused', data: { at: at(registry), ...about, where } },
  ]);
};

/** Notes that tries at an account, or from an address, have reached a limit. */
export const noteHeldBack = async (
  registry: Noting,
  res: Response,
  accountId: string,
  by: 'account' | 'address',
): Promise<void> => {
  const about = await aboutAccount(registry, accountId);
  await keep(registry, res, SIGN_IN, [
    { type: 'SignInHeldBack', data: { at: at(registry), ...about, by } },
  ]);
};

const getPracticeId = (who: SignedIn | null): string | null =>
  who?.kind === 'member' ? who.practiceId : null;
