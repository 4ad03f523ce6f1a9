import { sized } from './sizes.ts';
import { startYardstick } from './start-yardstick.ts';

const APPENDS = sized(4_000, 60);
const WARM_UP = sized(200, 20);

/** Appends of emmett in a second, measured now. @param run name of this run, another each time */
export const emmettAppends = async (yardstickUrl: string, run: string): Promise<number> => {
  const yardstick = await startYardstick('emmett.mjs', [
    yardstickUrl,
    String(APPENDS),
    String(WARM_UP),
    `${run}-${process.pid}`,
  ]);
  await yardstick.stop();
  return Number(yardstick.line);
};
