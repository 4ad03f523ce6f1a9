import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { AppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { ServerReadableStream, ServerUnaryCall, sendUnaryData } from '@grpc/grpc-js';
import {
  decodeProposedEvent,
  encodeAppended,
  encodeDeleted,
  type WriteRequest,
} from '../protocol/append-messages.ts';
import { Proposal } from '../protocol/batch-append.ts';
import type { Appender } from '../protocol/fault-injection.ts';
import type { Failure } from '../protocol/flow.ts';
import { decodeStreamName } from '../protocol/messages.ts';
import { ANY, NO_STREAM, STREAM_EXISTS } from '../store/decide.ts';
import {
  buildRefusalFailure,
  InvalidRequest,
  type Outcome,
  thrownFailure,
} from '../store/errors.ts';
import { isMetastream } from '../store/event.ts';
import type { Writer } from '../store/writer.ts';

type AppendAnswer = AppendResp | Buffer;

const appendAnswer = (outcome: Outcome, expected: bigint): AppendAnswer | null => {
  const answer = new streams.AppendResp();
  switch (outcome.kind) {
    case 'written':
      return encodeAppended(outcome);
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

/** The registry does not use it; other clients do when they send credentials. */
export const handleAppend =
  (writer: Appender) =>
  (
    call: ServerReadableStream<WriteRequest, AppendAnswer>,
    done: sendUnaryData<AppendAnswer>,
  ): void => {
    const deadline = callDeadline(call.getDeadline());
    const proposal = new Proposal(deadline);
    let target: { stream: string; expected: bigint } | null = null;
    let isOver = false;
    const fail = (failure: Failure) => {
      if (isOver) return;
      isOver = true;
      done(failure);
    };
    const take = ({ options, proposed }: WriteRequest) => {
      if (options !== null) {
        target = { stream: decodeStreamName(options.stream), expected: options.expected };
      } else if (proposed !== null) proposal.add(() => decodeProposedEvent(proposed));
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
        done(buildRefusalFailure(outcome, stream, expected));
      }
    };
    call.on('data', (request: WriteRequest) => {
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

/** Serves `Streams.Delete`, which hides the stream until it is written again, or `Tombstone`, which ends it. */
export const handleDelete =
  (writer: Writer, intent: 'delete' | 'tombstone') =>
  async (
    call: ServerUnaryCall<WriteRequest, Buffer>,
    done: sendUnaryData<Buffer>,
  ): Promise<void> => {
    try {
      const { options } = call.request;
      if (options === null) throw new InvalidRequest('Options are required');
      const { expected } = options;
      const stream = decodeStreamName(options.stream);
      if (isMetastream(stream)) throw new InvalidRequest('A metastream cannot be deleted');
      const deadline = callDeadline(call.getDeadline());
      const outcome = await writer.submit({ stream, expected, intent, events: [] }, deadline);
      if (outcome.kind === 'written') return done(null, encodeDeleted(outcome));
      const refusal = outcome.kind === 'nothing-written' ? ({ kind: 'failed' } as const) : outcome;
      done(buildRefusalFailure(refusal, stream, expected));
    } catch (thrown) {
      done(thrownFailure(thrown));
    }
  };
