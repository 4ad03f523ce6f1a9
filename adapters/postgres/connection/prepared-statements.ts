import type pg from 'pg';
import type { AskStatement } from '../../private-parts/postgres-driver/scripts.ts';

/** What a connection may keep at most: where texts differ from call to call, the rest goes as it is. */
const MAX_NAMES = 200;
const HAS_PLAN = /^\s*(?:with|select|insert|update|delete)\b/i;
/** SQLSTATE `feature_not_supported`: the columns are of other types than when it was prepared. */
const PLAN_IS_OF_OTHER_COLUMNS = '0A000';

/** Texts of statements, and the names under which every connection of this thread keeps them. */
const names = new Map<string, string>();

const nameOf = (text: string): string | undefined => {
  const known = names.get(text);
  if (known !== undefined || names.size === MAX_NAMES || !HAS_PLAN.test(text)) return known;
  const name = `s${names.size}`;
  names.set(text, name);
  return name;
};

/** Asks a statement as it is: Postgres parses and plans it anew each time. */
export const runPlain: AskStatement = (client, text, parameters) =>
  client.query(text, [...parameters]);

/** Asks a statement that the connection parses and plans the first times only. */
export const runPrepared: AskStatement = async (client, text, parameters) => {
  const name = nameOf(text);
  if (name === undefined) return runPlain(client, text, parameters);
  try {
    return await client.query({ name, text, values: [...parameters] } satisfies pg.QueryConfig);
  } catch (error) {
    // Read tables of another version were put there: asked anew, it is planned for them.
    if ((error as { code?: unknown }).code !== PLAN_IS_OF_OTHER_COLUMNS) throw error;
    return runPlain(client, text, parameters);
  }
};
