import type { Unparked } from '../../adapters/postgres/projector/unpark-streams.ts';
import { CommandRefused } from '../commands/command-refused.ts';

export interface UnparkPorts {
  parkedStreams(): Promise<readonly string[]>;
  unparkStreams(streams: readonly string[]): Promise<Unparked>;
}

/** @param stream the one to apply; all if `null` @throws CommandRefused if it is not parked */
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
