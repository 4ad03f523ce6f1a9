import { countInWords, numberInWords } from '../../../../domain/format-measures.ts';
import type { Rebuild } from '../../../../domain/progress.ts';
import type { StreamKind } from '../../../../domain/stream-names.ts';
import type {
  HealthSnapshot,
  Lag,
  ProjectionSnapshot,
  QueueStats,
} from '../../../health/health-snapshot.ts';
import {
  countDeadLetterStreams,
  findDatabaseTrouble,
  findLogTrouble,
  getValue,
  lacksProjector,
} from '../../../health/health-snapshot.ts';
import {
  clockWarning,
  findAppendTrouble,
  findStreamWarnings,
  LONG_WAIT_SECONDS,
  SAYS,
  STALLED_SECONDS,
} from '../../../health/readiness.ts';
import {
  buildRebuildProgress,
  countSeconds,
  createProgressMessages,
  formatSpan,
} from '../../../process/progress-messages.ts';

export type FindingState = 'well' | 'look' | 'act';

export interface Finding {
  readonly id: string;
  readonly heading: string;
  readonly state: FindingState;
  readonly says: string;
  /** Operator command for the action; `null` if none. */
  readonly command: string | null;
  readonly facts: readonly Fact[];
}

interface Fact {
  readonly name: string;
  readonly value: string | Date;
}

/** Access log entries are not urgent. */
const LONG_NOTE_WAIT_SECONDS = 300;
/** Under load, read tables normally lag up to this long. */
const USUAL_LAG_SECONDS = 60;

/** Rates the parts that all processes share. */
export const buildFindings = (look: HealthSnapshot): readonly Finding[] => {
  const tables = getValue(look.tables);
  return [
    buildDatabaseFinding(look),
    buildLogFinding(look),
    buildQueueFinding(getValue(look.queue)),
    buildTablesFinding(tables, look),
    ...buildRebuildFindings(tables, look.at),
    buildParkedFinding(tables),
    buildAccessLogFinding(getValue(look.queue)),
  ];
};

const NOTHING = 'Nothing needs to be done.';
const DATABASE_FIRST = 'Unknown while the database cannot be used. Fix the database first.';

const buildDatabaseFinding = (look: HealthSnapshot): Finding => {
  const about = { id: 'database', heading: 'Database', command: null, facts: [] };
  const trouble = findDatabaseTrouble(look);
  if (trouble !== null && trouble !== 'database-away')
    return { ...about, state: 'act', says: SAYS[trouble] };
  return trouble !== null
    ? {
        ...about,
        state: 'act',
        says: 'It does not answer. Nothing is accepted, and most pages cannot be shown. Start Postgres again; the service then recovers by itself.',
      }
    : { ...about, state: 'well', says: `It answers. ${NOTHING}` };
};

const buildLogFinding = (look: HealthSnapshot): Finding => {
  const { log } = look;
  const about = { id: 'log', heading: 'Event log', command: null };
  const trouble = findLogTrouble(look);
  if (trouble !== null && trouble !== 'log-away')
    return { ...about, state: 'act', says: SAYS[trouble], facts: [] };
  if ('fault' in log)
    return {
      ...about,
      state: 'act',
      says: 'It does not answer, or has no leader. Submissions wait in the queue, and nothing can be changed. Start EventStoreDB again, or enough nodes of its cluster; the service then recovers by itself.',
      facts: [],
    };
  const { position, newestAt } = log.value;
  const clock = clockWarning(look.appends.clock);
  const facts = [
    { name: 'Ends at position', value: numberInWords(Number(position)) },
    ...(newestAt === null ? [] : [{ name: 'Last entry', value: newestAt }]),
  ];
  const appendTrouble = findAppendTrouble(look);
  if (appendTrouble !== null) return { ...about, state: 'act', facts, says: SAYS[appendTrouble] };
  const tables = getValue(look.tables);
  const [found] = tables === null ? [] : findStreamWarnings(tables);
  if (found !== undefined) return { ...about, state: 'look', facts, says: found.says };
  if (clock !== null) return { ...about, state: 'look', facts, says: clock.says };
  return { ...about, state: 'well', facts, says: `It answers. ${NOTHING}` };
};

const buildQueueFinding = (queue: QueueStats | null): Finding => {
  const about = { id: 'queue', heading: 'Queue', command: null };
  if (queue === null) return { ...about, state: 'act', says: DATABASE_FIRST, facts: [] };
  const { ingestions, courses, oldestSeconds } = queue;
  if (ingestions === 0)
    return { ...about, state: 'well', says: `It is empty. ${NOTHING}`, facts: [] };
  const facts = [
    { name: 'Submissions', value: numberInWords(ingestions) },
    { name: 'Courses of care', value: numberInWords(courses) },
    { name: 'Oldest has waited', value: formatSpan(oldestSeconds) },
  ];
  return oldestSeconds > LONG_WAIT_SECONDS
    ? {
        ...about,
        state: 'look',
        facts,
        says: 'The oldest submission has waited for more than a minute. If fewer are waiting when you look again, the registry is catching up and nothing needs to be done. If not, check that a process with the role all or worker is running, and what its log says.',
      }
    : { ...about, state: 'well', facts, says: `Work is under way. ${NOTHING}` };
};

const buildTablesFinding = (tables: ProjectionSnapshot | null, look: HealthSnapshot): Finding => {
  const { lag, isAheadOfLog } = look;
  const about = { id: 'tables', heading: 'Read tables', command: null };
  if (tables === null) return { ...about, state: 'act', says: DATABASE_FIRST, facts: [] };
  const facts: readonly Fact[] = [
    { name: 'Built up to position', value: numberInWords(Number(tables.position)) },
    ...(lag === null ? [] : [{ name: 'Behind the log', value: formatLag(lag) }]),
    { name: 'Last progress', value: tables.progressAt },
  ];
  if (isAheadOfLog)
    return {
      ...about,
      state: 'act',
      facts,
      command: 'rebuild',
      says: 'They contain events that are not in the event log, as after the restore of an older log: pages and receipts do not show what comes in. Connect or restore the log that has these events. If this log is the right one, the missing events are lost, and integrators have to push them again; rebuild the tables from this log:',
    };
  if (tables.version === 'newer')
    return { ...about, state: 'look', facts, says: SAYS['tables-of-newer-version'] };
  if (tables.version === 'other' && tables.rebuild?.purpose === 'swap')
    return {
      ...about,
      state: 'look',
      facts,
      says: 'They were built by another version of the service, and are being rebuilt. Nothing needs to be done unless the rebuild fails: look again when it is over.',
    };
  if (tables.version === 'other')
    return {
      ...about,
      state: 'act',
      facts,
      command: 'rebuild',
      says: 'They were built by another version of the service. A process with the role all or projector rebuilds them when it starts; to do it now, run:',
    };
  if (lag !== null && lag.stalledSeconds >= STALLED_SECONDS)
    return {
      ...about,
      state: 'act',
      facts,
      command: 'rebuild --check',
      says: `They have made no progress for ${formatSpan(lag.stalledSeconds)} although the log has more: pages and receipts do not show what came in since. Restart the process with the role all or projector; its log says what stops it. When they make progress again, compare them with the log:`,
    };
  if (lacksProjector(look))
    return {
      ...about,
      state: 'act',
      facts,
      says: 'No process keeps them current: pages and receipts do not show what comes in. Start a process with the role all or projector.',
    };
  if (lag === null)
    return {
      ...about,
      state: 'look',
      facts,
      says: 'The delay is unknown while the log cannot be read. Fix the log first.',
    };
  return lag.seconds > USUAL_LAG_SECONDS
    ? {
        ...about,
        state: 'look',
        facts,
        says: 'They are behind but catching up. Nothing needs to be done unless the delay grows: refresh in a minute.',
      }
    : {
        ...about,
        state: 'well',
        facts,
        says: `Pages and receipts show what has come in. ${NOTHING}`,
      };
};

const PHASES: Readonly<Record<Rebuild['phase'], string>> = {
  events: 'applying the events of the log',
  indexes: 'making the indexes',
  comparing: 'comparing with the tables in use',
};

/** Empty unless a rebuild is running. */
const buildRebuildFindings = (tables: ProjectionSnapshot | null, now: Date): readonly Finding[] => {
  if (tables === null || tables.rebuild === null) return [];
  const { rebuild } = tables;
  const { done, share, pace, left } = createProgressMessages(
    buildRebuildProgress(rebuild),
    countSeconds(rebuild.startedAt, now),
  );
  return [
    {
      id: 'rebuild',
      heading: 'Rebuild',
      state: 'well',
      command: null,
      says:
        rebuild.purpose === 'swap'
          ? `New read tables are being built from the log. The current ones stay in use until the new ones replace them. ${NOTHING}`
          : `The read tables are being checked against the log: a second set is built and compared. ${NOTHING}`,
      facts: [
        { name: 'At the moment', value: PHASES[rebuild.phase] },
        { name: 'Done', value: `${done} (${share})` },
        ...(rebuild.phase === 'events'
          ? [{ name: 'Pace', value: left === null ? pace : `${pace}, ${left}` }]
          : []),
        { name: 'Began', value: rebuild.startedAt },
      ],
    },
  ];
};

const formatLag = ({ events, isEstimate, seconds }: Lag): string =>
  events === 0
    ? 'not at all'
    : `${isEstimate ? 'about ' : ''}${countInWords(events, 'event')}, ${formatSpan(seconds)}`;

/** Kinds of histories by the prefix of their stream names. */
const KINDS: Readonly<Record<StreamKind, string>> = {
  registry: 'The registry itself',
  record: 'Birth records',
  ingestion: 'Submissions',
  practice: 'Practices',
  access: 'Access log',
  key: 'Keys',
  partner: 'Partners',
  partnerkeys: 'Partners at practices',
  member: 'Members',
  staff: 'Service staff',
  provider: 'Providers',
  merges: 'Merges of providers',
  work: 'Work queue',
};
const OTHER_KIND = 'Others';

const buildParkedFinding = (tables: ProjectionSnapshot | null): Finding => {
  const about = { id: 'parked', heading: 'Parked' };
  if (tables === null)
    return { ...about, state: 'act', says: DATABASE_FIRST, command: null, facts: [] };
  const parked = countDeadLetterStreams(tables);
  if (parked === 0)
    return {
      ...about,
      state: 'well',
      command: null,
      facts: [],
      says: `Everything in the log could be applied. ${NOTHING}`,
    };
  return {
    ...about,
    state: 'look',
    command: 'unpark',
    says: `${countInWords(parked, 'history is', 'histories are')} parked, because an event in ${parked === 1 ? 'it' : 'them'} could not be applied. Nothing is lost, but later changes are missing from pages and receipts. Have the service’s developers fix the cause, then run:`,
    facts: listKinds(tables.parked).map(([name, streams]) => ({
      name,
      value: numberInWords(streams),
    })),
  };
};

const buildAccessLogFinding = (queue: QueueStats | null): Finding => {
  const about = { id: 'access-log', heading: 'Access log', command: null };
  if (queue === null) return { ...about, state: 'act', says: DATABASE_FIRST, facts: [] };
  const { outboxOldestSeconds, outboxDeadLetters } = queue;
  const facts = [
    ...(outboxOldestSeconds > 0
      ? [{ name: 'Oldest has waited', value: formatSpan(outboxOldestSeconds) }]
      : []),
    ...(outboxDeadLetters > 0
      ? [{ name: 'Set aside', value: numberInWords(outboxDeadLetters) }]
      : []),
  ];
  if (outboxDeadLetters > 0)
    return {
      ...about,
      state: 'act',
      facts,
      says: 'Some access notes are set aside because the log would refuse them, most likely because a newer version of the service wrote them. They are stored, but missing from the access log. Restart a process with the role all or worker in the newest version that was in use. If they stay, have the service’s developers fix the cause.',
    };
  return outboxOldestSeconds > LONG_NOTE_WAIT_SECONDS
    ? {
        ...about,
        state: 'look',
        facts,
        says: 'Access notes have waited more than five minutes to be written to the log. They are stored. Check that the log answers, that a process with the role all or worker is running, and what its log says.',
      }
    : { ...about, state: 'well', facts, says: `It shows who signed in and saw what. ${NOTHING}` };
};

/** Counts by kind in words; unknown kinds are counted as others. */
const listKinds = (
  parked: ProjectionSnapshot['parked'],
): readonly (readonly [string, number])[] => {
  const counts = new Map<string, number>();
  for (const [kind, streams] of Object.entries(parked)) {
    const name = (KINDS as Readonly<Record<string, string>>)[kind] ?? OTHER_KIND;
    counts.set(name, (counts.get(name) ?? 0) + streams);
  }
  return [...counts];
};
