import { startService, throwAwayDirectory } from '../../harness/measured-service.ts';
import { median } from '../quantile.ts';
import type { MeasuredFigure } from '../report.ts';
import { sized } from '../sizes.ts';

const ROUNDS = sized(3, 1);

/** How long a person waits from the start of the built service until it is ready. */
export const measureStart = async (): Promise<readonly MeasuredFigure[]> => {
  const first: number[] = [];
  const later: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const directory = await throwAwayDirectory();
    for (const times of [first, later]) {
      const service = await startService(directory.path);
      times.push(service.readyAfter);
      await service.stop();
    }
    await directory.remove();
  }
  return [
    {
      name: 'first start to ready',
      value: median(first),
      unit: 's',
      wanted: { atMost: 10 },
      parts: {},
    },
    {
      name: 'later start to ready',
      value: median(later),
      unit: 's',
      wanted: { atMost: 5 },
      parts: {},
    },
  ];
};
