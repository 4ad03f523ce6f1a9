import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listOwnFrames } from '../../api/process/own-frames.ts';

/**
 * What failing tests printed, with sources in the place of what they are bundled to.
 * @param built the folder of the bundles
 */
export const withSources = (printed: string, built: string): string => {
  const lines = JSON.parse(readFileSync(join(built, 'lines.json'), 'utf8'));
  const named = (line: string): string => {
    const [frame] = line.includes(built) ? listOwnFrames(line, lines) : [];
    return frame === undefined ? line : `    at ${frame}`;
  };
  return printed.split('\n').map(named).join('\n');
};
