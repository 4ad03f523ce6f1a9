import shared from '@eventstore/db-client/generated/shared_pb.js';
import type {
  AppendReq,
  AppendResp,
  BatchAppendResp,
  DeleteReq,
  DeleteResp,
  TombstoneReq,
  TombstoneResp,
} from '@eventstore/db-client/generated/streams_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type {
  ServerDuplexStream,
  ServerReadableStream,
  ServerUnaryCall,
  sendUnaryData,
} from '@grpc/grpc-js';
import emptyPb from 'google-protobuf/google/protobuf/empty_pb.js';
import { type BatchPart, proposedInBatch, writtenAnswer } from './batch-append-wire.ts';
import { ANY, NO_STREAM, STREAM_EXISTS } from './decide.ts';
import {
  InvalidRequest,
  MAX_APPEND_BYTES,
  type Outcome,
  refusalFailure,
  thrownFailure,
  unavailable,
} from './errors.ts';
import { eventBytes, isMetastream, type ProposedEvent } from './event.ts';
import type { Appender } from './faults.ts';
import { batchWrites, type Failure, type OpenCalls, writeBatched } from './flow.ts';
import {
  expectationOf,
  proposedEvent,
  refusalMessage,
  streamIdentifier,
  streamNameFrom,
  streamNameOf,
} from './wire.ts';
import type { Writer } from './writer.ts';

// A client that sends faster than the log commits, or does not read its answers, is paused.
const PAUSE_REQUESTS = 1_024;
const PAUSE_BYTES = 16 * 1024 * 1024;
const OPEN_REQUESTS = 1_024;
// Events without data count few bytes against the limit but take a row each.
const MAX_APPEND_EVENTS = 65_536;

type ProposalRefusal = Extract<Outcome, { kind: 'too-large' | 'invalid' | 'timeout' }>;

/** The events of one append while they arrive; nothing is kept beyond the limit or a fault. */
class Proposal {
  readonly events: ProposedEvent[] = [];
  bytes = 0;
  refusal: ProposalRefusal | null = null;
  readonly #deadline: number;

  /** @param deadline wall-clock milliseconds; what comes too late is refused as such, whatever its size */
  constructor(deadline: number) {
    this.#deadline = deadline;
  }

  /** @param read throws {@link InvalidRequest} for what cannot be stored */
  add(read: () => ProposedEvent): void {
    if (this.refusal !== null) return;
    try {
      const event = read();
      this.bytes += eventBytes(event);
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
  /** Wall-clock milliseconds; infinite without a deadline. */
  readonly deadline: number;
  readonly proposal: Proposal;
}

const openBatch = ({ options }: BatchPart): OpenAppend => {
  if (options === null) throw new InvalidRequest('The first part must carry options');
  const proposal = new Proposal(options.deadline);
  let stream = '';
  try {
    stream = streamNameFrom(options.stream);
  } catch (thrown) {
    if (!(thrown instanceof InvalidRequest)) throw thrown;
    proposal.refuse({ kind: 'invalid', message: thrown.message });
  }
  return { stream, expected: options.expected, deadline: options.deadline, proposal };
};

const correlationKey = ({ correlation }: BatchPart): string =>
  Buffer.from(correlation ?? []).toString('latin1');

/** What the answer repeats of the request: the client reads it with a refusal only. */
const echo = (answer: BatchAppendResp, { stream, expected }: OpenAppend): BatchAppendResp => {
  answer.setStreamIdentifier(streamIdentifier(stream));
  if (expected === NO_STREAM) return answer.setNoStream(new emptyPb.Empty());
  if (expected === ANY) return answer.setAny(new emptyPb.Empty());
  if (expected === STREAM_EXISTS) return answer.setStreamExists(new emptyPb.Empty());
  return answer.setStreamPosition(String(expected));
};

/** An answer to a part of a batch: what was written is serialized already. */
export type BatchAnswer = BatchAppendResp | Buffer;

const batchAnswer = (part: BatchPart, append: OpenAppend, outcome: Outcome): BatchAnswer => {
  if (outcome.kind === 'written') return writtenAnswer(part.correlation, outcome);
  const answer = new streams.BatchAppendResp();
  if (part.correlation !== null) answer.setCorrelationId(uuidMessage(part.correlation));
  if (outcome.kind === 'nothing-written') {
    return answer.setSuccess(
      new streams.BatchAppendResp.Success()
        .setNoStream(new emptyPb.Empty())
        .setNoPosition(new emptyPb.Empty()),
    );
  }
  return echo(answer, append).setError(refusalMessage(outcome, append.stream, append.expected));
};

const uuidMessage = (bytes: Uint8Array): shared.UUID => {
  try {
    return shared.UUID.deserializeBinary(bytes);
  } catch {
    throw new InvalidRequest('A correlation id is no UUID');
  }
};

/** Serves `Streams.BatchAppend`: many appends over one long stream, each answered once. */
export const handleBatchAppend =
  (writer: Appender, calls: OpenCalls) =>
  (call: ServerDuplexStream<BatchPart, BatchAnswer>): void => {
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
    const answer = (part: BatchPart, append: OpenAppend, outcome: Outcome) => {
      if (isOver) return;
      if (outcome.kind === 'unavailable') fail(unavailable());
      else writeBatched(call, batchAnswer(part, append, outcome));
    };
    const finish = async (part: BatchPart, append: OpenAppend) => {
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
    const take = (part: BatchPart) => {
      // Most appends come in one part, and then there is nothing to look for.
      const isWhole = open.size === 0 && part.isFinal;
      const key = isWhole ? '' : correlationKey(part);
      const append = open.get(key) ?? openBatch(part);
      const before = append.proposal.bytes;
      for (const message of part.proposed) append.proposal.add(() => proposedInBatch(message));
      bytes += append.proposal.bytes - before;
      if (part.isFinal) {
        open.delete(key);
        void finish(part, append).then(updateFlow, (thrown) => fail(thrownFailure(thrown)));
      } else if (open.size < OPEN_REQUESTS) open.set(key, append);
      else throw new InvalidRequest('Too many appends are open on one stream');
    };

    call.on('data', (part: BatchPart) => {
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

const appendAnswer = (outcome: Outcome, expected: bigint): AppendResp | null => {
  const answer = new streams.AppendResp();
  switch (outcome.kind) {
    case 'written':
      return answer.setSuccess(
        new streams.AppendResp.Success()
          .setCurrentRevision(String(outcome.revision))
          .setPosition(
            new streams.AppendResp.Position()
              .setCommitPosition(String(outcome.position))
              .setPreparePosition(String(outcome.position)),
          ),
      );
    case 'nothing-written':
      return answer.setSuccess(
        new streams.AppendResp.Success()
          .setNoStream(new shared.Empty())
          .setNoPosition(new shared.Empty()),
      );
    case 'wrong-version': {
      const wrong = new streams.AppendResp.WrongExpectedVersion();
      if (outcome.current < 0n) wrong.setCurrentNoStream(new shared.Empty());
      else wrong.setCurrentRevision(String(outcome.current));
      if (expected === NO_STREAM) wrong.setExpectedNoStream(new shared.Empty());
      else if (expected === ANY) wrong.setExpectedAny(new shared.Empty());
      else if (expected === STREAM_EXISTS) wrong.setExpectedStreamExists(new shared.Empty());
      else wrong.setExpectedRevision(String(expected));
      return answer.setWrongExpectedVersion(wrong);
    }
    default:
      return null;
  }
};

const callDeadline = (deadline: Date | number): number =>
  deadline instanceof Date ? deadline.getTime() : deadline;

/** Serves `Streams.Append`: one append per call, which the client uses with credentials. */
export const handleAppend =
  (writer: Appender) =>
  (call: ServerReadableStream<AppendReq, AppendResp>, done: sendUnaryData<AppendResp>): void => {
    const deadline = callDeadline(call.getDeadline());
    const proposal = new Proposal(deadline);
    let target: { stream: string; expected: bigint } | null = null;
    let isOver = false;
    const fail = (failure: Failure) => {
      if (isOver) return;
      isOver = true;
      done(failure);
    };
    const take = (request: AppendReq) => {
      const options = request.getOptions();
      const message = request.getProposedMessage();
      if (options !== undefined) {
        const exact = options.hasRevision() ? options.getRevision() : null;
        const stream = streamNameOf(options.getStreamIdentifier());
        target = { stream, expected: expectationOf(options, exact) };
      } else if (message !== undefined) proposal.add(() => proposedEvent(message));
    };
    const finish = async () => {
      if (target === null) throw new InvalidRequest('The first part must carry options');
      const { stream, expected } = target;
      const outcome =
        proposal.refusal ??
        (await writer.submit(
          { stream, expected, intent: 'append', events: proposal.events },
          deadline,
        ));
      if (isOver) return;
      isOver = true;
      const answer = appendAnswer(outcome, expected);
      if (answer !== null) done(null, answer);
      else if (outcome.kind !== 'written' && outcome.kind !== 'nothing-written') {
        done(refusalFailure(outcome, stream, expected));
      }
    };
    call.on('data', (request: AppendReq) => {
      if (isOver) return;
      try {
        take(request);
      } catch (thrown) {
        fail(thrownFailure(thrown));
      }
    });
    call.on('end', () => {
      if (!isOver) finish().catch((thrown: unknown) => fail(thrownFailure(thrown)));
    });
    call.on('error', () => {
      isOver = true;
    });
  };

type EndRequest = DeleteReq | TombstoneReq;

type Ended = { readonly position: bigint } | { readonly failure: Failure };

const endStream = async (
  writer: Writer,
  call: ServerUnaryCall<EndRequest, unknown>,
  intent: 'delete' | 'tombstone',
): Promise<Ended> => {
  try {
    const options = call.request.getOptions();
    if (options === undefined) throw new InvalidRequest('Options are required');
    const stream = streamNameOf(options.getStreamIdentifier());
    if (isMetastream(stream)) throw new InvalidRequest('A metastream cannot be deleted');
    const expected = expectationOf(options, options.hasRevision() ? options.getRevision() : null);
    const deadline = callDeadline(call.getDeadline());
    const outcome = await writer.submit({ stream, expected, intent, events: [] }, deadline);
    if (outcome.kind === 'written') return { position: outcome.position };
    const refusal = outcome.kind === 'nothing-written' ? ({ kind: 'failed' } as const) : outcome;
    return { failure: refusalFailure(refusal, stream, expected) };
  } catch (thrown) {
    return { failure: thrownFailure(thrown) };
  }
};

/** Serves `Streams.Delete`: the stream is hidden and may be written again. */
export const handleDelete =
  (writer: Writer) =>
  async (
    call: ServerUnaryCall<DeleteReq, DeleteResp>,
    done: sendUnaryData<DeleteResp>,
  ): Promise<void> => {
    const ended = await endStream(writer, call, 'delete');
    if ('failure' in ended) return done(ended.failure);
    const position = new streams.DeleteResp.Position()
      .setCommitPosition(String(ended.position))
      .setPreparePosition(String(ended.position));
    return done(null, new streams.DeleteResp().setPosition(position));
  };

/** Serves `Streams.Tombstone`: the stream is ended for ever. */
export const handleTombstone =
  (writer: Writer) =>
  async (
    call: ServerUnaryCall<TombstoneReq, TombstoneResp>,
    done: sendUnaryData<TombstoneResp>,
  ): Promise<void> => {
    const ended = await endStream(writer, call, 'tombstone');
    if ('failure' in ended) return done(ended.failure);
    const position = new streams.TombstoneResp.Position()
      .setCommitPosition(String(ended.position))
      .setPreparePosition(String(ended.position));
    return done(null, new streams.TombstoneResp().setPosition(position));
  };
