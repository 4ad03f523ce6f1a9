import { exampleBatch } from '../../../api/openapi/example-bundles.ts';
import { ACCEPTED } from '../../harness/units.ts';
import { attendantOf, type Birth, bundleOf, retractionOf } from './births.ts';
import { type Load, type LoadContext, newFamilies } from './load.ts';
import type { Answer } from './retrying-client.ts';

const INTAKE = '/api/registry/fhir/Bundle';

const MIN_IN_BATCH = 20;
const MAX_BATCH_SIZE = 140;
const SENT_TWICE = 0.1;
/** Connections that break on the way, with the request or before its answer. */
const CUT = 0.05;
const CUT_WITHIN_MS = 25;
const MAX_PAUSE_MS = { pushing: 30, racing: 100 };
/** Families of one part of the load; the next one's begin behind them. */
const FAMILIES = 1_000_000;
const FAMILIES_OF_RACES = 100_000_000;
const RACERS = 4;

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
  async (context) => {
    const { random, expected, count, isOver, pause } = context;
    const nextFamily = newFamilies(place * FAMILIES);
    const births: Birth[] = [];
    const newBirth = (): Birth => {
      const n = nextFamily();
      return { chart: `${context.name}-${n}`, n, version: 1, npi: attendantOf(random) };
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
          await taken(context, bundleOf(birth));
          births.push(birth);
          expected.sent(birth.chart);
          break;
        }
        case 'amend': {
          const birth = later();
          await taken(context, bundleOf(birth));
          expected.sent(birth.chart);
          break;
        }
        case 'retract': {
          const birth = later();
          await taken(context, retractionOf(birth));
          expected.retracted(birth.chart);
          break;
        }
        case 'batch': {
          const some = Array.from({ length: random.whole(MIN_IN_BATCH, MAX_BATCH_SIZE) }, newBirth);
          await taken(context, exampleBatch(some.map(bundleOf)));
          births.push(...some);
          for (const { chart } of some) expected.sent(chart);
          break;
        }
        case 'without a key': {
          const birth = newBirth();
          await sentOnce(context, birth);
          break;
        }
      }
      await pause(MAX_PAUSE_MS.pushing);
    }
  };

/** Sends under one key until it is taken. */
const taken = async (context: LoadContext, body: object): Promise<void> => {
  const { client, random, receipts, onFault, count } = context;
  const request = requestOf(context.token, body, random.uuid());
  if (random.chance(CUT)) {
    count('cut');
    await client.cut(INTAKE, request, random.whole(0, CUT_WITHIN_MS));
  }
  const answer = await client.send(INTAKE, request);
  const receipt = receiptIn(answer);
  if (answer.status !== ACCEPTED) onFault(`A push was answered with ${answer.status}.`);
  receipts.push(receipt);
  if (!random.chance(SENT_TWICE)) return;
  count('sent twice');
  const again = await client.send(INTAKE, request);
  if (ingestionOf(receiptIn(again)) !== ingestionOf(receipt))
    onFault('A key that was used before led to another ingestion.');
};

/** Sends once, without a key: it counts if it was acknowledged, else it may. */
const sentOnce = async (context: LoadContext, birth: Birth): Promise<void> => {
  const { client, token, receipts, expected } = context;
  const answer = await client.sendOnce(INTAKE, requestOf(token, bundleOf(birth), null));
  if (answer?.status !== ACCEPTED) {
    expected.maybe(birth.chart);
    return;
  }
  receipts.push(receiptIn(answer));
  expected.sent(birth.chart);
};

/** An integrator whose client sends the same push several times at once, to several processes. */
export const racing: Load = async (context) => {
  const { name, token, random, client, receipts, expected, isOver, count, onFault, pause } =
    context;
  const nextFamily = newFamilies(FAMILIES_OF_RACES);
  while (!isOver()) {
    const n = nextFamily();
    const birth = { chart: `${name}-${n}`, n, version: 1, npi: null };
    const request = requestOf(token, bundleOf(birth), random.uuid());
    const answers = await Promise.all(
      Array.from({ length: RACERS }, () => client.send(INTAKE, request)),
    );
    count('raced');
    const promised = answers.map(receiptIn);
    const ingestions = new Set(promised.map(ingestionOf));
    if (ingestions.size !== 1) onFault(`One key led to ${ingestions.size} ingestions.`);
    receipts.push(...promised);
    expected.sent(birth.chart);
    await pause(MAX_PAUSE_MS.racing);
  }
};

const requestOf = (token: string, body: object, idempotencyKey: string | null): RequestInit => ({
  method: 'POST',
  headers: {
    Authorization: `Bearer ${token}`,
    'Content-Type': 'application/fhir+json',
    ...(idempotencyKey === null ? {} : { 'Idempotency-Key': idempotencyKey }),
  },
  body: JSON.stringify(body),
});

/** The address of the receipt that an answer promises. */
const receiptIn = ({ headers }: Answer): string => headers.get('content-location') ?? '';

/** The ingestion that an address means: each process names itself in it. */
const ingestionOf = (receipt: string): string => new URL(receipt).pathname;
