import type { Writable } from 'node:stream';

/** By default gRPC flushes each message before it accepts the next. */
export const batchWrites = (call: Writable): void => {
  call._writev = (chunks, done) => {
    let waiting = chunks.length;
    let failure: Error | null = null;
    for (const { chunk, encoding } of chunks) {
      call._write(chunk, encoding, (error) => {
        failure ??= error ?? null;
        waiting -= 1;
        if (waiting === 0) done(failure);
      });
    }
  };
};
