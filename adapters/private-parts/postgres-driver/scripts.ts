import type { Writable } from 'node:stream';
import { CompiledQuery, type PostgresPool, type PostgresPoolClient } from 'kysely';
import pg from 'pg';

/** A statement without parameters, and the rows that it copies `from stdin` if it does. */
export interface ScriptStatement {
  readonly text: string;
  /** In COPY's text format. */
  readonly rows?: readonly Buffer[];
}

/**
 * Statements that are sent in one go and answered once. Kysely's driver knows neither COPY nor more
 * than one statement under way, and a round trip costs more than most of these statements do.
 */
class Script {
  readonly statements: readonly ScriptStatement[];

  constructor(statements: readonly ScriptStatement[]) {
    this.statements = statements;
  }

  send(client: pg.PoolClient): Promise<pg.QueryResult> {
    return new Promise((resolve, reject) => {
      const text = this.statements.map((one) => one.text).join(';\n');
      const query = new pg.Query(text, (error, result) =>
        error ? reject(error) : resolve(result as unknown as pg.QueryResult),
      );
      // The rows leave behind the statements without waiting to be asked for, in the order in which
      // they will be: a server that has refused a statement passes over what is left of them.
      query.submit = (connection) => {
        const copying = connection as unknown as CopyConnection;
        // In one system call: those of each statement and each piece were 6 % of a projector's time.
        copying.stream.cork();
        copying.query(text);
        for (const { rows } of this.statements) {
          if (rows === undefined) continue;
          for (const chunk of rows) copying.sendCopyFromChunk(chunk);
          copying.endCopyFrom();
        }
        copying.stream.uncork();
      };
      Object.assign(query, { handleCopyInResponse: () => undefined });
      client.query(query);
    });
  }
}

/** What the client's connection can do besides what its types tell. */
interface CopyConnection {
  readonly stream: Writable;
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

/** Statements as one query of a transaction: the first that fails ends them. */
export const buildScript = (statements: readonly ScriptStatement[]): CompiledQuery =>
  CompiledQuery.raw('', [new Script(statements)]);

/** Asks one statement of a connection. */
export type AskStatement = (
  client: pg.PoolClient,
  text: string,
  parameters: readonly unknown[],
) => Promise<pg.QueryResult>;

/**
 * The pool for kysely, whose connections also take scripts. A connection on which anything failed
 * but by the word of the server is not used again: a statement whose answer did not come in time may
 * still begin a transaction, in which all that follows on this connection would be lost.
 */
export const addScripts = (pool: pg.Pool, ask: AskStatement): PostgresPool => {
  const known = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  const inDoubt = new WeakSet<pg.PoolClient>();
  const clientOf = (client: pg.PoolClient): PostgresPoolClient => {
    const held = known.get(client);
    if (held !== undefined) return held;
    const made = {
      query: (text: string, parameters: readonly unknown[]) => {
        const [only] = parameters;
        const asked = only instanceof Script ? only.send(client) : ask(client, text, parameters);
        asked.catch((error: unknown) => {
          if (!(error instanceof pg.DatabaseError)) inDoubt.add(client);
        });
        return asked;
      },
      release: () => client.release(inDoubt.has(client)),
    } as unknown as PostgresPoolClient;
    known.set(client, made);
    return made;
  };
  return { connect: async () => clientOf(await pool.connect()), end: () => pool.end() };
};
