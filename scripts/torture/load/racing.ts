import { setTimeout as sleep } from 'node:timers/promises';
import { bundleOf } from './births.ts';
import { type Load, newFamilies } from './load-parts.ts';

const RACERS = 4;
const LONGEST_PAUSE_MS = 100;
/** Behind the families of the integrators. */
const FAMILIES = 100_000_000;

/** An integrator whose client sends the same push several times at once, to whichever process. */
export const racing: Load = async (parts) => {
  const { name, random, insistent, expected, isOver, count, onFault } = parts;
  const nextFamily = newFamilies(FAMILIES);
  while (!isOver()) {
    const n = nextFamily();
    const birth = { chart: `${name}-${n}`, n, version: 1, npi: null };
    const request: RequestInit = {
      method: 'POST',
      headers: { Authorization: `Bearer ${parts.token}`, 'Idempotency-Key': random.uuid() },
      body: JSON.stringify(bundleOf(birth)),
    };
    const answers = await Promise.all(
      Array.from({ length: RACERS }, () =>
        insistent.send(`${parts.url()}/api/registry/fhir/Bundle`, request),
      ),
    );
    count('raced');
    const addresses = answers.map(({ headers }) => headers.get('content-location') ?? '');
    const ingestions = new Set(addresses.map((address) => new URL(address).pathname));
    if (ingestions.size !== 1) onFault(`One key led to ${ingestions.size} ingestions.`);
    parts.receipts.push(...addresses);
    expected.told(birth.chart);
    await sleep(random.whole(0, LONGEST_PAUSE_MS));
  }
};
