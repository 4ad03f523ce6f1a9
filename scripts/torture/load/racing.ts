import { bundleOf } from './births.ts';
import { type Load, newFamilies } from './load-parts.ts';
import { DOOR, ingestionOf, receiptIn, requestOf } from './push-request.ts';

const RACERS = 4;
const LONGEST_PAUSE_MS = 100;
/** Behind the families of the integrators. */
const FAMILIES = 100_000_000;

/** An integrator whose client sends the same push several times at once, to whichever process. */
export const racing: Load = async (parts) => {
  const { name, random, insistent, expected, isOver, count, onFault, pause } = parts;
  const nextFamily = newFamilies(FAMILIES);
  while (!isOver()) {
    const n = nextFamily();
    const birth = { chart: `${name}-${n}`, n, version: 1, npi: null };
    const request = requestOf(parts, bundleOf(birth), random.uuid());
    const answers = await Promise.all(
      Array.from({ length: RACERS }, () => insistent.send(DOOR, request)),
    );
    count('raced');
    const receipts = answers.map(receiptIn);
    const ingestions = new Set(receipts.map(ingestionOf));
    if (ingestions.size !== 1) onFault(`One key led to ${ingestions.size} ingestions.`);
    parts.receipts.push(...receipts);
    expected.told(birth.chart);
    await pause(LONGEST_PAUSE_MS);
  }
};
