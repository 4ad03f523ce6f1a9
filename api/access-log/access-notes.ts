import type { Response } from 'express';
import { showRecords } from '../../domain/access-log/decide.ts';
import type {
  AccessEvent,
  Export,
  FilterKind,
  PasswordTriedAt,
  PlaceShown,
} from '../../domain/access-log/events.ts';
import type { FindAccountOwner, NoteAccess } from '../../domain/access-log/ports.ts';
import type { Actor } from '../../domain/event-log.ts';
import { personOf } from '../access/person.ts';
import type { SignedIn } from '../access/signed-in.ts';
import { seatOf } from '../web/seats.ts';
import { signedInOf } from '../web/signed-in-session.ts';

/** Records that an answer is about to show to the member who asked. */
export interface ShownRecords {
  readonly place: PlaceShown;
  /** Submission uuids. */
  readonly recordIds: readonly string[];
  readonly filters?: readonly FilterKind[];
}

/** A file that an answer is about to hand to the member who asked. */
export interface ExportedFile {
  readonly what: Export;
  /** Lines without the header. */
  readonly rows: number;
  readonly filters?: readonly FilterKind[];
}

/**
 * What pages tell the access log. Each is awaited before the answer is sent: what cannot be noted
 * is not shown.
 */
export interface AccessNotes {
  recordsShown(res: Response, shown: ShownRecords): Promise<void>;
  /** What an EHR said of patients: to a member, to the staff, or to nobody who is known. */
  chartsShown(res: Response, prefillIds: readonly string[]): Promise<void>;
  exported(res: Response, file: ExportedFile): Promise<void>;
  signedIn(res: Response, who: SignedIn): Promise<void>;
  signedOut(res: Response, who: SignedIn): Promise<void>;
  /** @param accountId the one that an email names, whether there is such an account or not */
  passwordRefused(res: Response, accountId: string, where: PasswordTriedAt): Promise<void>;
  heldBack(res: Response, accountId: string, by: 'account' | 'address'): Promise<void>;
}

/** What the access log's notes are made with. */
export interface AccessNoteParts {
  readonly note: NoteAccess;
  readonly findAccountOwner: FindAccountOwner;
  readonly newId: () => string;
  readonly now: () => Date;
}

/** Whoever it is has not signed in: the service itself answers for the note. */
const NOBODY_KNOWN: Actor = { kind: 'service', id: 'sign-in' };

/** @see AccessNotes */
export const accessNotesWith = (parts: AccessNoteParts): AccessNotes => {
  const { note, findAccountOwner, newId, now } = parts;

  const keep = (res: Response, actor: Actor, events: readonly AccessEvent[]): Promise<void> => {
    if (events.length === 0) return Promise.resolve();
    const correlationId = String(res.locals['correlationId']);
    return note(events.map((event) => ({ noteId: newId(), event, actor, correlationId })));
  };

  const at = () => now().toISOString();

  /** The same query for every email, so that the time it takes tells nobody who has an account. */
  const aboutAccount = async (accountId: string) => {
    const owner = await findAccountOwner(accountId);
    return {
      accountId: owner === null ? null : accountId,
      practiceId: owner?.kind === 'member' ? owner.practiceId : null,
    };
  };

  return {
    recordsShown(res, { place, recordIds, filters = [] }) {
      const { practiceId, memberId } = seatOf(res);
      const events = showRecords({ practiceId, at: now(), place, recordIds, filters });
      return keep(res, { kind: 'member', id: memberId }, events);
    },

    async chartsShown(res, shown) {
      const prefillIds = [...new Set(shown)];
      if (prefillIds.length === 0) return;
      const who = signedInOf(res);
      await keep(res, who === null ? NOBODY_KNOWN : personOf(who), [
        { type: 'ChartsShown', data: { at: at(), practiceId: practiceOf(who), prefillIds } },
      ]);
    },

    exported(res, { what, rows, filters = [] }) {
      const { practiceId, memberId } = seatOf(res);
      return keep(res, { kind: 'member', id: memberId }, [
        { type: 'DataExported', data: { at: at(), practiceId, what, rows, filters } },
      ]);
    },

    signedIn: (res, who) =>
      keep(res, personOf(who), [
        { type: 'AccountSignedIn', data: { at: at(), practiceId: practiceOf(who) } },
      ]),

    signedOut: (res, who) =>
      keep(res, personOf(who), [
        { type: 'AccountSignedOut', data: { at: at(), practiceId: practiceOf(who) } },
      ]),

    async passwordRefused(res, accountId, where) {
      const about = await aboutAccount(accountId);
      // Who tries another account while signed in to one is no business of the other's practice.
      const who = where === 'sign-in' ? null : signedInOf(res);
      await keep(res, who === null ? NOBODY_KNOWN : personOf(who), [
        { type: 'PasswordRefused', data: { at: at(), ...about, where } },
      ]);
    },

    async heldBack(res, accountId, by) {
      const about = await aboutAccount(accountId);
      await keep(res, NOBODY_KNOWN, [{ type: 'SignInHeldBack', data: { at: at(), ...about, by } }]);
    },
  };
};

const practiceOf = (who: SignedIn | null): string | null =>
  who?.kind === 'member' ? who.practiceId : null;
