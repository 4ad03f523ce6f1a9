import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { ServerDuplexStream } from '@grpc/grpc-js';
import emptyPb from 'google-protobuf/google/protobuf/empty_pb.js';
import { batchWrites } from '../../package-internals/node/batch-writes.ts';
import { ANY, NO_STREAM, STREAM_EXISTS } from '../store/decide.ts';
import {
  InvalidRequest,
  MAX_APPEND_BYTES,
  type Outcome,
  thrownFailure,
  unavailable,
} from '../store/errors.ts';
import { countEventBytes, type ProposedEvent } from '../store/event.ts';
import { type AppendRequestPart, decodeProposedEvent, encodeWritten } from './append-messages.ts';
import type { Appender } from './fault-injection.ts';
import { type Failure, type OpenCalls, writeBatched } from './flow.ts';
import { buildRefusalStatus, buildStreamIdentifier, decodeStreamName } from './messages.ts';

// Backpressure for a client that sends faster than the log commits, or does not read its responses.
const PAUSE_REQUESTS = 1_024;
const PAUSE_BYTES = 16 * 1024 * 1024;
const OPEN_REQUESTS = 1_024;
// Events without data add few bytes to the limit, but each needs a row.
const MAX_APPEND_EVENTS = 65_536;

type ProposalRefusal = Extract<Outcome, { kind: 'too-large' | 'invalid' | 'timeout' }>;

/** Events of one append while they arrive. After a limit or fault, keeps no events. */
export class Proposal {
  readonly events: ProposedEvent[] = [];
  bytes = 0;
  refusal: ProposalRefusal | null = null;
  readonly #deadline: number;

  /** @param deadline wall-clock milliseconds; takes precedence if an append is also too large */
  constructor(deadline: number) {
    this.#deadline = deadline;
  }

  /** @param read throws {@link InvalidRequest} for an event that cannot be stored */
  add(read: () => ProposedEvent): void {
    if (this.refusal !== null) return;
    try {
      const event = read();
      this.bytes += countEventBytes(event);
      this.events.push(event);
      const isTooLarge = this.bytes > MAX_APPEND_BYTES || this.events.length > MAX_APPEND_EVENTS;
      if (isTooLarge) this.refuse({ kind: this.#deadline <= Date.now() ? 'timeout' : 'too-large' });
    } catch (thrown) {
      if (!(thrown instanceof InvalidRequest)) throw thrown;
      this.refuse({ kind: 'invalid', message: thrown.message });
    }
  }

  refuse(refusal: ProposalRefusal): void {
    this.refusal ??= refusal;
    this.events.length = 0;
    this.bytes = 0;
  }
}

interface OpenAppend {
  readonly stream: string;
  readonly expected: bigint;
  readonly deadline: number;
  readonly proposal: Proposal;
}

const openBatch = ({ options }: AppendRequestPart): OpenAppend => {
  if (options === null) throw new InvalidRequest('The first part must carry options');
  const proposal = new Proposal(options.deadline);
  let stream = '';
  try {
    stream = decodeStreamName(options.stream);
  } catch (thrown) {
    if (!(thrown instanceof InvalidRequest)) throw thrown;
    proposal.refuse({ kind: 'invalid', message: thrown.message });
  }
  return { stream, expected: options.expected, deadline: options.deadline, proposal };
};

const correlationKey = ({ correlation }: AppendRequestPart): string =>
  Buffer.from(correlation ?? []).toString('latin1');

/** Repeats the request in the response. The client reads this only in a refusal. */
const echo = (answer: BatchAppendResp, { stream, expected }: OpenAppend): BatchAppendResp => {
  answer.setStreamIdentifier(buildStreamIdentifier(stream));
  if (expected === NO_STREAM) return answer.setNoStream(new emptyPb.Empty());
  if (expected === ANY) return answer.setAny(new emptyPb.Empty());
  if (expected === STREAM_EXISTS) return answer.setStreamExists(new emptyPb.Empty());
  return answer.setStreamPosition(String(expected));
};

/** Response to a part of a batch. A success is already serialized. */
type BatchResponse = BatchAppendResp | Buffer;

const batchAnswer = (
  part: AppendRequestPart,
  append: OpenAppend,
  outcome: Outcome,
): BatchResponse => {
  if (outcome.kind === 'written') return encodeWritten(part.correlation, outcome);
  const answer = new streams.BatchAppendResp();
  if (part.correlation !== null) answer.setCorrelationId(uuidMessage(part.correlation));
  if (outcome.kind === 'nothing-written') {
    return answer.setSuccess(
      new streams.BatchAppendResp.Success()
        .setNoStream(new emptyPb.Empty())
        .setNoPosition(new emptyPb.Empty()),
    );
  }
  return echo(answer, append).setError(buildRefusalStatus(outcome, append.stream, append.expected));
};

const uuidMessage = (bytes: Uint8Array): shared.UUID => {
  try {
    return shared.UUID.deserializeBinary(bytes);
  } catch {
    throw new InvalidRequest('A correlation id is not a UUID');
  }
};

/** Serves `Streams.BatchAppend`: many appends over one long-lived stream, each answered once. */
export const handleBatchAppend =
  (writer: Appender, calls: OpenCalls) =>
  (call: ServerDuplexStream<AppendRequestPart, BatchResponse>): void => {
    const open = new Map<string, OpenAppend>();
    let pending = 0;
    let bytes = 0;
    let hasEnded = false;
    let isOver = false;

    const fail = (failure: Failure) => {
      if (isOver) return;
      isOver = true;
      call.emit('error', failure);
    };
    const strikeOff = calls.add(fail);
    batchWrites(call);
    const updateFlow = () => {
      if (isOver) return;
      const unread = call.writableLength;
      const isBusy = pending + unread >= PAUSE_REQUESTS || bytes >= PAUSE_BYTES;
      if (isBusy && !call.isPaused()) call.pause();
      if (!isBusy && call.isPaused()) call.resume();
      if (!hasEnded || pending > 0) return;
      isOver = true;
      call.end();
    };
    const answer = (part: AppendRequestPart, append: OpenAppend, outcome: Outcome) => {
      if (isOver) return;
      if (outcome.kind === 'unavailable') fail(unavailable());
      else writeBatched(call, batchAnswer(part, append, outcome));
    };
    const finish = async (part: AppendRequestPart, append: OpenAppend) => {
      const { proposal, stream, expected, deadline } = append;
      if (proposal.refusal !== null) return answer(part, append, proposal.refusal);
      const size = proposal.bytes;
      pending += 1;
      const write = { stream, expected, intent: 'append', events: proposal.events } as const;
      const outcome = await writer.submit(write, deadline);
      pending -= 1;
      bytes -= size;
      answer(part, append, outcome);
    };
    const take = (part: AppendRequestPart) => {
      // Most appends come in one part and need no lookup.
      const isWhole = open.size === 0 && part.isFinal;
      const key = isWhole ? '' : correlationKey(part);
      const append = open.get(key) ?? openBatch(part);
      const before = append.proposal.bytes;
      for (const message of part.proposed) append.proposal.add(() => decodeProposedEvent(message));
      bytes += append.proposal.bytes - before;
      if (part.isFinal) {
        open.delete(key);
        void finish(part, append).then(updateFlow, (thrown) => fail(thrownFailure(thrown)));
      } else if (open.size < OPEN_REQUESTS) open.set(key, append);
      else throw new InvalidRequest('Too many appends are open on one stream');
    };

    call.on('data', (part: AppendRequestPart) => {
      if (isOver) return;
      try {
        take(part);
      } catch (thrown) {
        fail(thrownFailure(thrown));
      }
      updateFlow();
    });
    call.on('drain', updateFlow);
    call.on('end', () => {
      hasEnded = true;
      updateFlow();
    });
    const close = () => {
      isOver = true;
      strikeOff();
      open.clear();
    };
    call.once('cancelled', close);
    call.once('close', close);
  };
