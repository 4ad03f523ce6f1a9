import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { WriteStream } from 'node:tty';

/** What a command has printed, and its exit status. */
export interface CapturedRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs all of a command but its process, which takes half a second to start. */
export const captureRun = async (
  run: (streams: { readonly stdout: PassThrough; readonly stderr: WriteStream }) => Promise<number>,
): Promise<CapturedRun> => {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const printed = Promise.all([text(stdout), text(stderr)]);
  const code = await run({ stdout, stderr: stderr as unknown as WriteStream });
  stdout.end();
  stderr.end();
  const [result, messages] = await printed;
  return { code, stdout: result, stderr: messages };
};
