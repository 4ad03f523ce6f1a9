import type {
  AppendContext,
  AppendToStream,
  ExpectedRevision,
  Fact,
  NewEvent,
  ReadStream,
  StreamEvent,
} from '../../domain/event-log.ts';

export interface DecidedLog {
  readonly append: AppendToStream;
  readonly readStream: ReadStream;
}

/** Empty if nothing changes. */
interface WithEvents {
  readonly events: readonly NewEvent<Fact>[];
}

export interface CommandResult<Decided> {
  readonly decided: Decided;
  readonly end: ExpectedRevision;
}

/**
 * Appends at the exact revision; repeats all after a concurrent append.
 * @param first decision to try before the stream is read, with the revision it expects
 */
export const decideAndAppend = async <Decided extends WithEvents>(
  log: DecidedLog,
  stream: string,
  context: AppendContext,
  decide: (stored: readonly StreamEvent[]) => Decided | Promise<Decided>,
  first: CommandResult<Decided> | null = null,
): Promise<CommandResult<Decided>> => {
  let next = first;
  for (;;) {
    next ??= await decideOnStream(log, stream, decide);
    const { decided, end } = next;
    if (decided.events.length === 0) return next;
    const appended = await log.append(stream, end, decided.events, context);
    if (appended.kind === 'appended') return { decided, end: appended.revision };
    next = null;
  }
};

const decideOnStream = async <Decided>(
  { readStream }: DecidedLog,
  stream: string,
  decide: (stored: readonly StreamEvent[]) => Decided | Promise<Decided>,
): Promise<CommandResult<Decided>> => {
  const stored = await readStream(stream);
  return { decided: await decide(stored), end: stored.at(-1)?.revision ?? 'no-stream' };
};
