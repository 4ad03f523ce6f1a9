import { setTimeout as sleep } from 'node:timers/promises';
import {
  openFingerprintKeys,
  openRegistryIdentity,
  registryExists,
} from '../../adapters/event-log/registry-identity.ts';
import type { Db } from '../../adapters/postgres/connection/database.ts';
import { holdsRegistry } from '../../adapters/postgres/migrations/holds-registry.ts';
import { NothingToCompare, rehearseReadTables } from '../../adapters/postgres/rebuild/rebuild.ts';
import {
  createReport,
  MAX_EXAMPLES,
  type RehearsalReport,
} from '../../adapters/postgres/rebuild/rehearsal-report.ts';
import {
  isComparable,
  RULES,
  type Rules,
  readAgain,
} from '../../adapters/postgres/rebuild/rehearsal-rules.ts';
import { openPairs } from '../../adapters/postgres/rebuild/rehearsed-pairs.ts';
import {
  compareRehearsedRecords,
  countRefused,
  countRehearsed,
  type RehearsedRecord,
} from '../../adapters/postgres/rebuild/rehearsed-records.ts';
import type { OffsetAt } from '../../domain/course/local-times.ts';
import { statisticsFact } from '../../projections/tables/statistics-facts.ts';
import { buildFingerprints } from '../admission/course-content.ts';
import { CommandRefused } from '../commands/command-refused.ts';
import { NO_REPORTER, type Reporter } from '../commands/reporter.ts';
import { findPracticeOffsets } from '../practice-time/practice-offsets.ts';
import type { ServiceLog } from '../process/logging.ts';
import type { Settings } from '../settings/settings.ts';
import { type OpenStores, openLogAndDatabase } from '../stores/stores.ts';

/**
 * Builds its own read tables from the log, next to a running service of any build, and repeats
 * every decision for which the data is stored. Writes nothing that the service uses.
 * @param rules changed by tests
 * @param signal aborts it and leaves nothing behind
 * @throws CommandRefused, WrongRegistrySecret
 */
export const rehearse = async (
  settings: Settings,
  serviceLog: ServiceLog,
  reporter: Reporter = NO_REPORTER,
  rules: Rules = RULES,
  signal?: AbortSignal,
): Promise<RehearsalReport> => {
  const stores = await openLogAndDatabase(settings, 'onlooker', serviceLog);
  try {
    const { db, log, databaseUrl } = stores;
    const isInDatabase = () => holdsRegistry(db);
    if (!(await registryExists(log.readStream, isInDatabase)))
      throw new CommandRefused(
        'no-registry-in-log',
        'The log holds no registry yet. Start the service first.',
      );
    const secret = await stores.secret();
    const { registryId } = await openRegistryIdentity(log, secret, isInDatabase);
    const computeFingerprints = await createComputeFingerprints(log, secret, rules);
    const report = createReport();
    const throttle = createThrottle();
    const parts = {
      databaseUrl,
      registryId,
      throttle,
      follow: log.follow,
      head: log.head,
      ...(signal && { signal }),
      ...reporter,
    };
    const { differences, decided } = await rehearseReadTables(parts, MAX_EXAMPLES, (db, schema) =>
      decideAgain({ db, schema, throttle, computeFingerprints, rules, reporter, signal }, report),
    );
    for (const { table, rows, firstKeys, first } of differences)
      report.table(
        table,
        rows,
        table === statisticsFact.name ? firstKeys : 0,
        first.map(({ key, kind, columns }) => ({
          kind: 'table',
          table,
          row: key,
          would: WOULD[kind],
          columns,
        })),
      );
    return report.report(decided.flags, decided);
  } catch (error) {
    if (error instanceof NothingToCompare)
      throw new CommandRefused('nothing-to-compare', error.message);
    throw error;
  } finally {
    await stores.close();
  }
};

const WOULD = { different: 'change', missing: 'come', extra: 'go' } as const;

const MAX_REST_MS = 1_000;

/** Requests on this machine have priority. */
const createThrottle = (): (() => Promise<void>) => {
  let since = performance.now();
  return async () => {
    await sleep(Math.min(performance.now() - since, MAX_REST_MS));
    since = performance.now();
  };
};

type ComputeFingerprints = (record: RehearsedRecord) => Promise<readonly string[]>;

/** Each record has the fingerprints of only some keys. */
const createComputeFingerprints = async (
  log: OpenStores['log'],
  secret: string,
  rules: Rules,
): Promise<ComputeFingerprints> => {
  const keys = { current: await openFingerprintKeys(log.readStream, secret), older: [] };
  const known = new Map<string, Promise<OffsetAt | null>>();
  const loadOffsets = (practiceId: string) => {
    const found = known.get(practiceId) ?? findPracticeOffsets({ log }, practiceId);
    known.set(practiceId, found);
    return found;
  };
  return async ({ course, practiceId }) => {
    const offsetAt = await loadOffsets(practiceId);
    return buildFingerprints(course, practiceId, keys, offsetAt, rules.fingerprintTexts)
      .fingerprints;
  };
};

interface Deciding {
  readonly db: Db;
  readonly schema: string;
  readonly throttle: () => Promise<void>;
  readonly computeFingerprints: ComputeFingerprints;
  readonly rules: Rules;
  readonly reporter: Reporter;
  readonly signal: AbortSignal | undefined;
}

const decideAgain = async (
  { db, schema, throttle, computeFingerprints, rules, reporter, signal }: Deciding,
  report: ReturnType<typeof createReport>,
) => {
  const total = await countRehearsed(db, schema);
  const pairs = await openPairs(db);
  let done = 0;
  for await (const page of compareRehearsedRecords(db, schema)) {
    await throttle();
    signal?.throwIfAborted();
    const compared = [];
    for (const record of page) {
      const { submissionUuid, practiceId, fingerprints: current } = record;
      const isCompared = isComparable(record);
      report.looked(isCompared);
      const again = readAgain({ ...record, changedAt: record.changedAt.toISOString() }, rules);
      if (again.kind === 'refused') report.refusal(submissionUuid, again.codes);
      else if (again.paths.length > 0) report.mapping(submissionUuid, again.paths);
      if (record.status === 'voided') continue;
      const made = isCompared ? await computeFingerprints(record) : current;
      compared.push({ practiceId, submissionUuid, current, made });
    }
    await pairs.add(compared);
    done += page.length;
    reporter.progress({
      work: 'Deciding again',
      done,
      total,
      unit: 'records',
      isEstimate: false,
    });
  }
  const { found, lost, examples, tooCommon } = await pairs.differences(schema, MAX_EXAMPLES);
  for (const { kind, one, other } of examples)
    report.show({ kind: `flag-${kind}`, records: [one, other] });
  return { flags: { found, lost }, refused: await countRefused(db, schema), tooCommon };
};
