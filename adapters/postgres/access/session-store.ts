import connectPgSimple from 'connect-pg-simple';
import session, { type SessionData } from 'express-session';
import { CompiledQuery, sql } from 'kysely';
import { MAX_CLOCK_DIFFERENCE_MS } from '../../../domain/stated-time.ts';
import type { Db } from '../connection/database.ts';
import { deleteInSlices } from '../connection/delete-in-slices.ts';

/** Deletes expired ones periodically. @param onFault called if a cleanup fails; the next one retries */
export const createSessionStore = (db: Db, onFault: (error: unknown) => void): session.Store => {
  const Store = createSessionStoreClass(db);
  // The library only calls this method, but its type requires a whole pool.
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
 * The library upserts sessions, so a session ended during a request would come back with the
 * response. This store inserts only a session that the request itself created, and only once. All
 * others are updated if they still exist.
 *
 * A session is valid only with the password generation it started with: a password change also ends
 * sessions of sign-ins in progress. A session from an identity provider is invalid once the
 * provider has reported a logout.
 */
const createSessionStoreClass = (db: Db) =>
  class extends connectPgSimple(session) {
    readonly #existing = new WeakSet<SessionData>();

    override createSession(...[req, data]: Parameters<session.Store['createSession']>) {
      const existing = super.createSession(req, data);
      this.#existing.add(existing);
      return existing;
    }

    override get(sid: string, done: (error: unknown, data?: SessionData | null) => void): void {
      findSession(db, sid).then(
        (data) => done(null, data),
        (error: unknown) => done(error),
      );
    }

    override set(sid: string, data: SessionData, done?: (error?: unknown) => void): void {
      if (this.#existing.has(data)) {
        updateSession(db, sid, data).then(
          () => done?.(),
          (error: unknown) => done?.(error),
        );
        return;
      }
      super.set(sid, data, (error: unknown) => {
        if (!error) this.#existing.add(data);
        done?.(error);
      });
    }

    /** The library would delete all expired sessions in one statement. */
    override pruneSessions(done?: (error: Error) => void): void {
      deleteInSlices(db, 'app.session', sql`expire < now()`).then(
        () => (done as ((error?: Error) => void) | undefined)?.(),
        (error: Error) => done?.(error),
      );
    }

    /** Otherwise a slow touch would delay the response. The next request touches the session again. */
    override touch(sid: string, data: SessionData, done?: () => void): void {
      let isDone = false;
      const finish = () => {
        if (isDone) return;
        isDone = true;
        clearTimeout(late);
        done?.();
      };
      const late = setTimeout(finish, TOUCHED_WITHIN_MS);
      super.touch(sid, data, finish);
    }
  };

/** Longest delay of a response if the database does not answer. */
const TOUCHED_WITHIN_MS = 2_000;

const findSession = async (db: Db, sid: string): Promise<SessionData | null> => {
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
          and extract(epoch from issued_at) * 1000 >= (
            -- sessions of 0.2 may have no time of issue, or one that cannot be
            select case when issued <= started + ${MAX_CLOCK_DIFFERENCE_MS} then issued
              else started - ${MAX_CLOCK_DIFFERENCE_MS} end
            from (select
              (held.sess #>> '{provider,issuedAt}')::double precision as issued,
              (held.sess ->> 'startedAt')::double precision as started
            ) as times
          )
      )
    )`.execute(db);
  return rows[0]?.sess ?? null;
};

const updateSession = (db: Db, sid: string, data: SessionData) =>
  db
    .updateTable('app.session')
    .set({
      sess: JSON.stringify(data),
      expire: data.cookie.expires ?? sql`now() + interval '1 day'`,
    })
    .where('sid', '=', sid)
    .execute();
