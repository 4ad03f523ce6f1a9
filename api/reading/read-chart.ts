import { mapChart } from '../../domain/mapping/us-core/map-chart.ts';
import type { SavedChart } from '../../domain/mapping/us-core/prefill.ts';
import type { PulledChart } from '../../domain/mapping/us-core/pulled-chart.ts';
import { createPracticeClock } from '../practice-time/practice-clock.ts';
import { createYielder } from '../process/yielder.ts';

const LISTS = ['observations', 'conditions', 'encounters'] as const;

/** Packing one piece takes little time. */
const RESOURCES_PER_PIECE = 100;

/** Pieces of JSON: moving the chart as objects would hold this thread while they are copied. */
export const packChart = async (chart: PulledChart): Promise<readonly Uint8Array[]> => {
  const yieldIfDue = createYielder();
  const pieces: Uint8Array[] = [];
  const add = async (piece: Partial<PulledChart>): Promise<void> => {
    pieces.push(new TextEncoder().encode(JSON.stringify(piece)));
    await yieldIfDue();
  };
  await add({ ...chart, observations: [], conditions: [], encounters: [] });
  for (const list of LISTS)
    for (let from = 0; from < chart[list].length; from += RESOURCES_PER_PIECE)
      await add({ [list]: chart[list].slice(from, from + RESOURCES_PER_PIECE) });
  return pieces;
};

const unpackChart = (pieces: readonly Uint8Array[]): PulledChart => {
  const [head, ...rest] = pieces.map(
    (piece) => JSON.parse(new TextDecoder().decode(piece)) as Partial<PulledChart>,
  );
  const listAll = (list: (typeof LISTS)[number]) => rest.flatMap((piece) => piece[list] ?? []);
  return {
    ...(head as PulledChart),
    observations: listAll('observations'),
    conditions: listAll('conditions'),
    encounters: listAll('encounters'),
  };
};

/**
 * @param pieces see {@link packChart} @param timeZones IANA names of practices
 * @returns `null` if the chart is too large to read
 */
export const readChart = (
  pieces: readonly Uint8Array[],
  timeZones: readonly string[],
  now: Date,
): SavedChart | null =>
  mapChart(
    unpackChart(pieces),
    createPracticeClock('UTC', now),
    new Map(timeZones.map((timeZone) => [timeZone, createPracticeClock(timeZone, now)])),
  );
