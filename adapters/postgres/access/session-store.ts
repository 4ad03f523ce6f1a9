import connectPgSimple from 'connect-pg-simple';
import session, { type SessionData } from 'express-session';
import { CompiledQuery, sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { deleteInSlices } from '../connection/delete-in-slices.ts';

/**
 * Keeps the sessions of the pages in `app.session`, over the pool that everything else uses.
 * Expired ones are deleted now and then.
 * @param onFault told of a cleaning that did not go through: the next one takes what it left
 */
export const createSessionStore = (db: Db, onFault: (error: unknown) => void): session.Store => {
  const Store = lastingOnlyOnce(db);
  // All the library asks of its pool is this one method; the type wants a whole one.
  const pool = {
    query: (text: string, values: readonly unknown[]) =>
      db.executeQuery(CompiledQuery.raw(text, [...values])),
  };
  return new Store({
    pool: pool as never,
    schemaName: 'app',
    tableName: 'session',
    errorLog: (_text: unknown, error: unknown) => onFault(error),
  });
};

/**
 * The library writes a session whether its row is there or not: one that was ended while a request
 * held it would be back with the answer. Here only a session made by the request itself is put in,
 * once; whatever was read, or put in before, is changed where it still is.
 *
 * A session of an account is one of the password that it began with: after a change of it none that was
 * put in, by whatever sign-in was still under way, is read any more. The same goes for one that began at an
 * identity provider which has said since that its session there is over.
 */
const lastingOnlyOnce = (db: Db) =>
  class extends connectPgSimple(session) {
    readonly #held = new WeakSet<SessionData>();

    override createSession(...[req, data]: Parameters<session.Store['createSession']>) {
      const held = super.createSession(req, data);
      this.#held.add(held);
      return held;
    }

    override get(sid: string, done: (error: unknown, data?: SessionData | null) => void): void {
      findIn(db, sid).then(
        (data) => done(null, data),
        (error: unknown) => done(error),
      );
    }

    override set(sid: string, data: SessionData, done?: (error?: unknown) => void): void {
      if (this.#held.has(data)) {
        updateIn(db, sid, data).then(
          () => done?.(),
          (error: unknown) => done?.(error),
        );
        return;
      }
      super.set(sid, data, (error: unknown) => {
        if (!error) this.#held.add(data);
        done?.(error);
      });
    }

    /** The library would delete all that are over in one statement. */
    override pruneSessions(done?: (error: Error) => void): void {
      deleteInSlices(db, 'app.session', sql`expire < now()`).then(
        () => (done as ((error?: Error) => void) | undefined)?.(),
        (error: Error) => done?.(error),
      );
    }

    /** Every answer touches its session before its last byte: a late one is touched by the next. */
    override touch(sid: string, data: SessionData, done?: () => void): void {
      let isTold = false;
      const tell = () => {
        if (isTold) return;
        isTold = true;
        clearTimeout(late);
        done?.();
      };
      const late = setTimeout(tell, TOUCHED_WITHIN_MS);
      super.touch(sid, data, tell);
    }
  };

/** No answer waits longer to be sent because a database does not answer. */
const TOUCHED_WITHIN_MS = 2_000;

const findIn = async (db: Db, sid: string): Promise<SessionData | null> => {
  const { rows } = await sql<{ sess: SessionData }>`
    select sess from app.session held
    where sid = ${sid} and expire >= now() and (
      account_id is null or exists (
        select from app.password
        where account_id = held.account_id and generation::text = held.sess ->> 'generation'
      )
    ) and (
      held.sess -> 'provider' is null or not exists (
        select from app.sso_logout
        where issuer = held.sess #>> '{provider,issuer}' and sid = held.sess #>> '{provider,sid}'
        union all
        select from app.sso_logout
        where issuer = held.sess #>> '{provider,issuer}' and sid is null
          and subject = held.sess #>> '{provider,subject}'
          and issued_at >= to_timestamp((held.sess #>> '{provider,issuedAt}')::double precision / 1000)
      )
    )`.execute(db);
  return rows[0]?.sess ?? null;
};

const updateIn = (db: Db, sid: string, data: SessionData) =>
  db
    .updateTable('app.session')
    .set({
      sess: JSON.stringify(data),
      expire: data.cookie.expires ?? sql`now() + interval '1 day'`,
    })
    .where('sid', '=', sid)
    .execute();
