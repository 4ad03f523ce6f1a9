import { randomUUID } from 'node:crypto';
import { findAccountOwnerIn } from '../../adapters/postgres/access/account-owner.ts';
import type { Db } from '../../adapters/postgres/connection/database.ts';
import { type AccessNotes, accessNotesWith } from '../access-log/access-notes.ts';
import { noteAccessIn } from './access-log.ts';

/** What pages tell the access log, kept in the database until it is in the log. */
export const accessNotesOf = (db: Db, now: () => Date): AccessNotes =>
  accessNotesWith({
    note: noteAccessIn(db),
    findAccountOwner: findAccountOwnerIn(db),
    newId: randomUUID,
    now,
  });
