import type pg from 'pg';
import type { AskStatement } from '../../private-parts/postgres-driver/scripts.ts';

/** Further texts run unprepared, which matters if they vary per call. */
const MAX_NAMES = 200;
const HAS_PLAN = /^\s*(?:with|select|insert|update|delete)\b/i;
/** SQLSTATE `feature_not_supported`: column types have changed since the statement was prepared. */
const PLAN_IS_OF_OTHER_COLUMNS = '0A000';

/** Statement names by text, shared by all connections of this thread. */
const names = new Map<string, string>();

const nameOf = (text: string): string | undefined => {
  const known = names.get(text);
  if (known !== undefined || names.size === MAX_NAMES || !HAS_PLAN.test(text)) return known;
  const name = `s${names.size}`;
  names.set(text, name);
  return name;
};

export const runPlain: AskStatement = (client, text, parameters) =>
  client.query(text, [...parameters]);

/** Runs a statement that each connection parses and plans only the first few times. */
export const runPrepared: AskStatement = async (client, text, parameters) => {
  const name = nameOf(text);
  if (name === undefined) return runPlain(client, text, parameters);
  try {
    return await client.query({ name, text, values: [...parameters] } satisfies pg.QueryConfig);
  } catch (error) {
    // Read tables of another version replaced the ones it was planned for.
    if ((error as { code?: unknown }).code !== PLAN_IS_OF_OTHER_COLUMNS) throw error;
    return runPlain(client, text, parameters);
  }
};
