import type { Writable } from 'node:stream';

/**
 * Waits for the flush: a pipe buffers only part of it, and the process would lose the rest at exit.
 * @throws errors of the stream, such as a closed pipe
 */
export const writeOut = (stream: Writable, text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    stream.once('error', reject);
    stream.write(text, (error) => {
      if (error != null) {
        reject(error);
        return;
      }
      stream.off('error', reject);
      resolve();
    });
  });
