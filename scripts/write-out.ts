import type { Writable } from 'node:stream';

/**
 * Writes a text and waits until all of it has left: a pipe takes 64 KiB at once, and what is left of the
 * rest is lost when the process exits.
 * @throws the fault of the stream, as when its reader has closed it
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
