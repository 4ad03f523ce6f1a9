import shared from '@eventstore/db-client/generated/shared_pb.js';
import type {
  AppendReq,
  AppendResp,
  DeleteReq,
  DeleteResp,
  TombstoneReq,
  TombstoneResp,
} from '@eventstore/db-client/generated/streams_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { ServerReadableStream, ServerUnaryCall, sendUnaryData } from '@grpc/grpc-js';
import { Proposal } from '../protocol/batch-append.ts';
import type { Appender } from '../protocol/fault-injection.ts';
import type { Failure } from '../protocol/flow.ts';
import { decodeExpectedState, getStreamName, proposedEvent } from '../protocol/messages.ts';
import { ANY, NO_STREAM, STREAM_EXISTS } from '../store/decide.ts';
import { InvalidRequest, type Outcome, refusalFailure, thrownFailure } from '../store/errors.ts';
import { isMetastream } from '../store/event.ts';
import type { Writer } from '../store/writer.ts';

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

/** The registry does not use it; other clients do when they send credentials. */
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
        const stream = getStreamName(options.getStreamIdentifier());
        target = { stream, expected: decodeExpectedState(options, exact) };
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
    const stream = getStreamName(options.getStreamIdentifier());
    if (isMetastream(stream)) throw new InvalidRequest('A metastream cannot be deleted');
    const expected = decodeExpectedState(
      options,
      options.hasRevision() ? options.getRevision() : null,
    );
    const deadline = callDeadline(call.getDeadline());
    const outcome = await writer.submit({ stream, expected, intent, events: [] }, deadline);
    if (outcome.kind === 'written') return { position: outcome.position };
    const refusal = outcome.kind === 'nothing-written' ? ({ kind: 'failed' } as const) : outcome;
    return { failure: refusalFailure(refusal, stream, expected) };
  } catch (thrown) {
    return { failure: thrownFailure(thrown) };
  }
};

/** Serves `Streams.Delete`: hides the stream, which can be written again. */
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

/** Serves `Streams.Tombstone`: ends the stream permanently. */
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
