import type { Writable } from 'node:stream';
import { CompiledQuery, type PostgresPool, type PostgresPoolClient } from 'kysely';
import pg from 'pg';

export interface ScriptStatement {
  readonly text: string;
  /** In COPY's text format. */
  readonly rows?: readonly Buffer[];
}

/** Kysely's driver supports neither COPY nor pipelining, and a round trip costs more than most statements. */
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
      // Rows go right after the statements, without waiting. If a statement fails, the server skips the rest.
      query.submit = (connection) => {
        const copying = connection as unknown as CopyConnection;
        // One system call for all statements and rows.
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

interface CopyConnection {
  readonly stream: Writable;
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

/** Runs statements as one query of a transaction. The first failure stops the rest. */
export const buildScript = (statements: readonly ScriptStatement[]): CompiledQuery =>
  CompiledQuery.raw('', [new Script(statements)]);

export type AskStatement = (
  client: pg.PoolClient,
  text: string,
  parameters: readonly unknown[],
) => Promise<pg.QueryResult>;

/** Discards a connection after any failure that the server did not report: it may still start a transaction. */
export const addScripts = (pool: pg.Pool, ask: AskStatement): PostgresPool => {
  const known = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  const inDoubt = new WeakSet<pg.PoolClient>();
  const getClient = (client: pg.PoolClient): PostgresPoolClient => {
    const existing = known.get(client);
    if (existing !== undefined) return existing;
    const made = {
      query: (text: string, parameters: readonly unknown[]) => {
        const [only] = parameters;
        const result = only instanceof Script ? only.send(client) : ask(client, text, parameters);
        result.catch((error: unknown) => {
          if (!(error instanceof pg.DatabaseError)) inDoubt.add(client);
        });
        return result;
      },
      release: () => client.release(inDoubt.has(client)),
    } as unknown as PostgresPoolClient;
    known.set(client, made);
    return made;
  };
  return { connect: async () => getClient(await pool.connect()), end: () => pool.end() };
};
