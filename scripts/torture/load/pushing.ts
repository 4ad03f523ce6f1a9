import { ACCEPTED } from '../../throw-away/units.ts';
import { attendantOf, type Birth, batchOf, bundleOf, retractionOf } from './births.ts';
import { type Load, type LoadParts, newFamilies } from './load-parts.ts';
import { DOOR, ingestionOf, receiptIn, requestOf } from './push-request.ts';

const FEWEST_IN_BATCH = 20;
const MOST_IN_BATCH = 140;
const SENT_TWICE = 0.1;
/** Connections that break on the way, with the request or before its answer. */
const CUT = 0.05;
const CUT_WITHIN_MS = 25;
const LONGEST_PAUSE_MS = 30;
/** Families of one part of the load; the next one's begin behind them. */
const FAMILIES = 1_000_000;

const ACTIONS = [
  ['record', 45],
  ['amend', 25],
  ['retract', 8],
  ['batch', 4],
  ['without a key', 18],
] as const;

/**
 * An integrator: sends births, amendments, retractions and batches one after the other, each under
 * an Idempotency-Key of its own until it is taken. Sometimes one without a key, and only once.
 * @param place among the integrators
 */
export const pushing =
  (place: number): Load =>
  async (parts) => {
    const { random, expected, count, isOver, pause } = parts;
    const nextFamily = newFamilies(place * FAMILIES);
    const births: Birth[] = [];
    const newBirth = (): Birth => {
      const n = nextFamily();
      return { chart: `${parts.name}-${n}`, n, version: 1, npi: attendantOf(random) };
    };
    const later = (): Birth => {
      const at = random.whole(0, births.length - 1);
      const held = births[at] ?? newBirth();
      const next = { ...held, version: held.version + 1 };
      births[at] = next;
      return next;
    };

    while (!isOver()) {
      const action = births.length === 0 ? 'record' : random.weighted(ACTIONS);
      count(action);
      switch (action) {
        case 'record': {
          const birth = newBirth();
          await taken(parts, bundleOf(birth));
          births.push(birth);
          expected.told(birth.chart);
          break;
        }
        case 'amend': {
          const birth = later();
          await taken(parts, bundleOf(birth));
          expected.told(birth.chart);
          break;
        }
        case 'retract': {
          const birth = later();
          await taken(parts, retractionOf(birth));
          expected.retracted(birth.chart);
          break;
        }
        case 'batch': {
          const some = Array.from(
            { length: random.whole(FEWEST_IN_BATCH, MOST_IN_BATCH) },
            newBirth,
          );
          await taken(parts, batchOf(some.map(bundleOf)));
          births.push(...some);
          for (const { chart } of some) expected.told(chart);
          break;
        }
        case 'without a key': {
          const birth = newBirth();
          await sentOnce(parts, birth);
          break;
        }
      }
      await pause(LONGEST_PAUSE_MS);
    }
  };

/** Sends under one key until it is taken. */
const taken = async (parts: LoadParts, body: object): Promise<void> => {
  const { insistent, random, receipts, onFault, count } = parts;
  const request = requestOf(parts, body, random.uuid());
  if (random.chance(CUT)) {
    count('cut');
    await parts.insistent.cut(DOOR, request, random.whole(0, CUT_WITHIN_MS));
  }
  const answer = await insistent.send(DOOR, request);
  const receipt = receiptIn(answer);
  if (answer.status !== ACCEPTED) onFault(`A push was answered with ${answer.status}.`);
  receipts.push(receipt);
  if (!random.chance(SENT_TWICE)) return;
  count('sent twice');
  const again = await insistent.send(DOOR, request);
  if (ingestionOf(receiptIn(again)) !== ingestionOf(receipt))
    onFault('A key that was used before led to another ingestion.');
};

/** Sends once, without a key: it counts if it was acknowledged, else it may. */
const sentOnce = async (parts: LoadParts, birth: Birth): Promise<void> => {
  const answer = await parts.insistent.sendOnce(DOOR, requestOf(parts, bundleOf(birth), null));
  if (answer?.status !== ACCEPTED) {
    parts.expected.maybe(birth.chart);
    return;
  }
  parts.receipts.push(receiptIn(answer));
  parts.expected.told(birth.chart);
};
