import type { BirthRecordEvent } from '../../domain/birth-record/events.ts';
import type { ForeignEvent, LogEntry, StoredEvent } from '../../domain/event-log.ts';
import { countInWords } from '../../domain/format-measures.ts';
import { eventsAt } from '../../domain/progress.ts';
import type { LostEvents } from '../../domain/registry/events.ts';
import {
  isStorableName,
  kindOfStream,
  type StreamKind,
  shortenStreamName,
} from '../../domain/stream-names.ts';
import { TYPES_OF_KIND } from '../../projections/lists/access.ts';
import { formatLeafName } from '../../transparency-log/log-tree.ts';
import type { TreeHead } from '../../transparency-log/merkle-tree.ts';
import type { Reporter } from '../commands/reporter.ts';
import { evolveDigest } from './record-digest.ts';
import { createStreamHeads, type StreamHead, type StreamStore } from './stream-heads.ts';
import { type ReadTablesToVerify, verifyTables } from './verify-tables.ts';
import { createTreeCheck, type NoteProblem, type TreeToVerify } from './verify-tree.ts';

export interface Verification {
  readonly streams: number;
  readonly events: number;
  readonly tree: TreeHead;
  readonly problems: readonly Problem[];
  /** No problem: types that only a newer version knows. */
  readonly newerTypes: readonly { readonly type: string; readonly events: number }[];
  /** No problem: events of other programs. */
  readonly acknowledgedEvents: number;
  /** No problem: an operator accepted these losses. */
  readonly acceptedLosses: readonly LostEvents[];
  /** If false, the reason was reported. */
  readonly tablesCompared: boolean;
}

export interface Problem {
  /** `$all` for the log as a whole. */
  readonly stream: string;
  /** Missing if the problem concerns several events. */
  readonly revision?: number;
  readonly problem: string;
}

export interface LogToVerify {
  readonly entries: AsyncIterable<LogEntry>;
  /** When reading begins; progress is measured by it. */
  readonly head: bigint;
  /** Revisions by stream. */
  readonly acknowledged: ReadonlyMap<string, bigint>;
  readonly isLossAccepted: (lost: LostEvents) => boolean;
}

const MAX_PROBLEMS = 1_000;
const EVENTS_BETWEEN = 500;

const FIRST_EVENTS: Readonly<Record<StreamKind, readonly string[]>> = {
  registry: ['RegistryInitialised'],
  record: ['BirthRecorded'],
  ingestion: [
    'SubmissionIngested',
    'PushesIngested',
    'PushesTakenUp',
    'IngestionStarted',
    'IngestionFailed',
    'IngestionQueued',
  ],
  practice: ['PracticeCreated'],
  key: ['ApiKeyMinted'],
  partner: ['PartnerCreated'],
  partnerkeys: ['PartnerKeyIssued'],
  member: ['MemberAdded', 'MemberInvited'],
  staff: ['StaffAdded'],
  provider: ['ProviderIdentified'],
  merges: ['ProvidersMerged'],
  // The stream of an hour begins with its first access, of any type.
  access: Object.values(TYPES_OF_KIND).flat(),
  work: ['WorkTaken', 'WorkDismissed'],
};

/** Events about an existing version; they create no other. */
const ABOUT_A_VERSION: ReadonlySet<string> = new Set([
  'QuestionsConfirmed',
  'QuestionsUnverified',
  'RevivalKept',
  'ItemUnobtainable',
  'ItemAwaited',
  'ItemReasonTakenBack',
] satisfies BirthRecordEvent['type'][]);

/**
 * Checks all that the service relies on: schemas, first events, gaps, positions, versions,
 * retentions, the log's tree, and every signed checkpoint. Then compares the records of the read
 * tables with their events. Keeps hashes of some streams in memory; the other streams are in the
 * store.
 * @param tree before the log is read
 * @param lastRevision looks up the end of a stream if the tables are ahead of the events read
 * @param reporter receives the progress, and the reason if the tables were not compared
 */
export const verifyLog = async (
  log: LogToVerify,
  tree: TreeToVerify,
  tables: ReadTablesToVerify,
  lastRevision: (stream: string) => Promise<bigint>,
  store: StreamStore,
  reporter: Reporter,
): Promise<Verification> => {
  const streams = createStreamHeads(store);
  const problems: Problem[] = [];
  const note: NoteProblem = (stream, problem, revision) => {
    const of = revision === undefined ? { stream } : { stream, revision: Number(revision) };
    if (problems.length < MAX_PROBLEMS) problems.push({ ...of, problem });
  };
  const check = createTreeCheck(tree, note);
  const newer = new Map<string, number>();
  const foreign = createForeignCheck(log.acknowledged);
  const retentions = new Set<string>();
  const acceptedLosses: LostEvents[] = [];
  let events = 0;
  let position = -1n;

  for await (const entry of log.entries) {
    if (entry.kind === 'retention') {
      // Only the last settings of a stream count.
      if (entry.isSet) retentions.add(entry.stream);
      else retentions.delete(entry.stream);
      continue;
    }
    events += 1;
    const at = entry.kind === 'unreadable' ? entry : entry.stored;
    if (at.position <= position)
      note(
        at.stream,
        'The event stands no later in the log than the one before it. Restore the log from a backup.',
      );
    position = at.position;
    await check.add({ event: formatLeafName(at), hash: entry.leaf });

    // Such a stream has no events of ours, and its name might not fit into the store.
    if (entry.kind === 'foreign' && !isStorableName(at.stream)) {
      foreign.add(entry.stored);
      continue;
    }
    const seen = await streams.at(at.stream, at.revision);
    if (at.revision !== seen.revision + 1n) {
      const [from, to] = [seen.revision + 1n, at.revision - 1n].map(String) as [string, string];
      const lost = { stream: at.stream, from, to };
      if (at.revision > seen.revision && log.isLossAccepted(lost)) {
        acceptedLosses.push(lost);
        seen.version = null;
      } else
        note(
          at.stream,
          `Events are missing: revision ${at.revision} follows ${seen.revision}. Restore the log from a backup. If there is none, run \`rebuild --accept-loss\`.`,
        );
    }
    seen.revision = at.revision;

    if (events % EVENTS_BETWEEN === 0)
      reporter.progress({ work: 'Reading the log', ...eventsAt(position, events, log.head) });

    if (entry.kind === 'unreadable') {
      note(at.stream, `${entry.type}: ${entry.problem}`);
      seen.isUnreadable = true;
    } else if (entry.kind === 'event')
      for (const problem of findProblems(entry.stored, seen)) note(at.stream, problem);
    else if (entry.kind === 'foreign') foreign.add(entry.stored);
    else {
      const { type } = entry.stored.written;
      newer.set(type, (newer.get(type) ?? 0) + 1);
    }
  }
  for (const stream of retentions)
    note(
      stream,
      'The stream has a retention setting, by which it loses events. Remove the setting.',
    );
  const head = await check.end();
  const read = { streams, head: position, lastRevision };
  const tablesCompared = await verifyTables(tables, read, note, reporter);
  // Last, because there may be many of them.
  foreign.noteProblems(note);
  return {
    streams: streams.count(),
    events,
    tree: head,
    problems,
    newerTypes: [...newer].map(([type, events]) => ({ type, events })),
    acknowledgedEvents: foreign.acknowledged(),
    acceptedLosses,
    tablesCompared,
  };
};

/** Covers as many streams as problems are listed. */
const createForeignCheck = (acknowledged: LogToVerify['acknowledged']) => {
  const found = new Map<string, { readonly first: ForeignEvent; events: number }>();
  let known = 0;
  return {
    add(event: ForeignEvent): void {
      const { stream, revision } = event;
      const entry = found.get(stream);
      if (revision <= (acknowledged.get(shortenStreamName(stream)) ?? -1n)) known += 1;
      else if (entry !== undefined) entry.events += 1;
      else if (found.size < MAX_PROBLEMS) found.set(stream, { first: event, events: 1 });
    },
    acknowledged: () => known,
    noteProblems(note: NoteProblem): void {
      for (const [stream, { first, events }] of found)
        note(
          stream,
          `${countInWords(events, 'event')} of another program, or damaged: the first is ${first.foreign.type} at revision ${first.revision}. ${first.foreign.problem} They are passed over. Stop the program that writes to the stream, then run \`acknowledge\`.`,
          first.revision,
        );
    },
  };
};

const findProblems = ({ stream, revision, event }: StoredEvent, seen: StreamHead): string[] => {
  const problems: string[] = [];
  const kind = kindOfStream(stream);
  if (revision === 0n) {
    if (kind === null || !FIRST_EVENTS[kind].includes(event.type))
      problems.push(
        `Events are missing: the stream begins with ${event.type}. Restore the log from a backup.`,
      );
  }
  if (kind !== 'record') return problems;
  // The read tables have no record either, until it is recorded again.
  const isWithoutRecord = seen.version === null && seen.record === null;
  if (isWithoutRecord && event.type !== 'BirthRecorded') return problems;
  seen.record = evolveDigest(seen.record, event as BirthRecordEvent) ?? seen.record;
  const { version } = event.data as { readonly version?: unknown };
  if (typeof version !== 'number') return problems;
  seen.version ??= ABOUT_A_VERSION.has(event.type) ? version : version - 1;
  if (ABOUT_A_VERSION.has(event.type)) {
    if (version > seen.version)
      problems.push(
        `Events are missing: the stream is about version ${version} of the record, which is at version ${seen.version}. Restore the log from a backup.`,
      );
    return problems;
  }
  if (version !== seen.version + 1)
    problems.push(
      `Events are missing: version ${version} of the record follows version ${seen.version}. Restore the log from a backup.`,
    );
  seen.version = version;
  return problems;
};
