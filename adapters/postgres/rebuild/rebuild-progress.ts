import { sql } from 'kysely';
import type { Rebuild } from '../../../domain/progress.ts';
import type { Db } from '../connection/database.ts';

type RebuildStage = Omit<Rebuild, 'startedAt'>;

// Name of the connection with the second lock: Postgres removes it if the rebuild dies. At most 63 bytes.
const NAME = /^registry rebuild (swap|compare) (events|indexes|comparing) (\d+) (\d+)$/;
const formatName = ({ purpose, phase, events, total }: RebuildStage): string =>
  `registry rebuild ${purpose} ${phase} ${events} ${total}`;

const UPDATE_INTERVAL_MS = 500;

/** At most twice a second within a phase. @param db the connection that has the second lock */
export const createRebuildProgress = (db: Db): ((stage: RebuildStage) => void) => {
  let lastUpdate: { readonly phase: Rebuild['phase']; readonly at: number } | null = null;
  return (stage) => {
    const now = performance.now();
    if (lastUpdate?.phase === stage.phase && now - lastUpdate.at < UPDATE_INTERVAL_MS) return;
    lastUpdate = { phase: stage.phase, at: now };
    // Informational only: a rebuild continues if this fails.
    sql`select set_config('application_name', ${formatName(stage)}, false)`
      .execute(db)
      .catch(() => undefined);
  };
};

export const createFindRebuild = (db: Db) => async (): Promise<Rebuild | null> => {
  const { rows } = await sql<{ name: string; started_at: Date }>`
    select application_name as name, backend_start as started_at from pg_stat_activity
    where datname = current_database() and application_name like 'registry rebuild %'`.execute(db);
  for (const { name, started_at: startedAt } of rows) {
    const [, purpose, phase, events, total] = NAME.exec(name) ?? [];
    if (purpose === undefined || phase === undefined) continue;
    return {
      purpose: purpose as RebuildStage['purpose'],
      phase: phase as Rebuild['phase'],
      events: Number(events),
      total: Number(total),
      startedAt,
    };
  }
  return null;
};
