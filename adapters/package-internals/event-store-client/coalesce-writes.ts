import type { MessageContext } from '@grpc/grpc-js/build/src/call-interface.js';
import subchannelCall from '@grpc/grpc-js/build/src/subchannel-call.js';

/** Maximum number of unsent bytes of a call. Beyond it, the next message waits. */
const MAX_WAITING_BYTES = 128 * 1024;

/** One system call per tick: a burst of appends would wake the log for each. @see docs/design/event-log.md */
export const coalesceWrites = (): void => {
  const calls = subchannelCall.Http2SubchannelCall.prototype as unknown as SubchannelCall;
  const send = calls.sendMessageWithContext;
  calls.sendMessageWithContext = function (context, message) {
    const waiting = this.http2Stream.writableLength + message.length;
    if (waiting > MAX_WAITING_BYTES) return send.call(this, context, message);
    // A write error still ends the call.
    send.call(this, { ...context, callback: () => undefined }, message);
    process.nextTick(() => context.callback?.());
  };
};

interface SubchannelCall {
  readonly http2Stream: { readonly writableLength: number };
  sendMessageWithContext(this: SubchannelCall, context: MessageContext, message: Buffer): void;
}
