import { setTimeout as sleep } from 'node:timers/promises';
import { intakeOf, type SingleService, withSingle } from '../../harness/measured-service.ts';
import { fullBatchOf } from '../../harness/push-bodies.ts';
import { newPractice, receiptAddress } from '../../harness/service.ts';
import { ACCEPTED } from '../../harness/units.ts';
import { singlesOf } from '../beside.ts';
import { warmUp } from '../idle.ts';
import { median } from '../quantile.ts';
import type { MeasuredFigure } from '../report.ts';
import { ROUNDS, sized } from '../sizes.ts';

const PUSHES = sized(20, 3);
const ASK_EVERY_MS = 100;

/** How long another practice waits for its single pushes while one key sends 20 MiB batches. */
export const measureFairness = (): Promise<readonly MeasuredFigure[]> =>
  withSingle(async (single) => {
    const other = await newPractice(single.service.commands, undefined, false);
    await warmUp(single);
    const singles = async (prefix: string): Promise<number> =>
      median(await singlesOf(single.service, other, prefix, PUSHES));
    const rounds: { idle: number; beside: number }[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const idle = await singles(`I${round}-`);
      const batches = await sendBatches(single, `A${round}-`);
      try {
        rounds.push({ idle, beside: await singles(`L${round}-`) });
      } finally {
        await batches.stop();
      }
      await single.tables.allDone();
    }
    return [
      {
        name: "another practice's pushes beside 20 MiB batches ÷ idle",
        value: median(rounds.map(({ idle, beside }) => beside / idle)),
        unit: '',
        wanted: { atMost: 3 },
        parts: {
          'idle ms': median(rounds.map(({ idle }) => idle)),
          'beside batches ms': median(rounds.map(({ beside }) => beside)),
        },
      },
    ];
  });

/**
 * Sends one batch after the other, each while the one before is worked off: there is always work of
 * this key, and no queue that outlives the measurement. Begins when the first one is taken.
 */
const sendBatches = async (
  single: SingleService,
  prefix: string,
): Promise<{ stop(): Promise<void> }> => {
  const { url, token } = intakeOf(single);
  const headers = { Authorization: `Bearer ${token}` };
  const send = async (n: number): Promise<string> => {
    const body = fullBatchOf(prefix, n);
    const response = await fetch(url, { method: 'POST', headers, body });
    if (response.status !== ACCEPTED)
      throw new Error(`A batch was answered with ${response.status}.`);
    return receiptAddress(response);
  };
  const completed = async (receipt: string): Promise<void> => {
    for (;;) {
      const polled = (await (await fetch(receipt, { headers })).json()) as { status: string };
      if (polled.status === 'completed') return;
      await sleep(ASK_EVERY_MS);
    }
  };
  let isStopped = false;
  let before = await send(0);
  const sending = (async () => {
    for (let n = 1; !isStopped; n += 1) {
      const next = await send(n);
      await completed(before);
      before = next;
    }
  })();
  // `stop` waits for it: until then a failure must not end the process.
  sending.catch(() => undefined);
  return {
    async stop() {
      isStopped = true;
      await sending;
    },
  };
};
