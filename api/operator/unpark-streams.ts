import { CommandRefused } from '../commands/command-refused.ts';

/** What became of parked streams. */
export interface Unparked {
  readonly unparked: readonly string[];
  /** Those that still cannot be applied; what is wrong, without any submitted value. */
  readonly stillParked: readonly { readonly stream: string; readonly problem: string }[];
}

/** What the command works with. */
export interface UnparkPorts {
  parkedStreams(): Promise<readonly string[]>;
  unparkStreams(streams: readonly string[]): Promise<Unparked>;
}

/**
 * Applies what was parked, after its cause is mended.
 * @param stream the one to try; null: all of them
 * @throws CommandRefused when that one is not parked
 */
export const unparkStreams = async (
  { parkedStreams, unparkStreams }: UnparkPorts,
  stream: string | null,
  report: (line: string) => void,
): Promise<Unparked> => {
  const parked = await parkedStreams();
  if (stream !== null && !parked.includes(stream))
    throw new CommandRefused(
      'stream-not-parked',
      'This stream is not parked. `verify` names those that are; `unpark` without `--stream` tries them all.',
    );
  const done = await unparkStreams(stream === null ? parked : [stream]);
  for (const still of done.stillParked) report(`${still.stream} stays parked. ${still.problem}`);
  return done;
};
