import { setTimeout as sleep } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { startService } from '../../api/app/service.ts';
import { openServiceLog } from '../../api/process/logging.ts';
import type { Export } from '../../domain/access-log/events.ts';
import { withCommands } from '../postgres/support/lost-events.ts';
import { birthBundle } from '../support/bundles.ts';
import {
  newPractice,
  post,
  receiptAddress,
  receiptAt,
  type TestPractice,
  type TestService,
  testSettings,
} from './service.ts';

/** What a service had taken before a backup of it began. */
export interface TakenBefore extends TestPractice {
  /** Chart number of the first birth. */
  readonly chartNumber: string;
  readonly addresses: readonly string[];
}

const ACCEPTED = 202;
const TAKEN_BEFORE = 30;
/** Some fall within a short backup, and a long one makes the log not much longer. */
const PAUSE = { firstMs: 20, growth: 1.2 } as const;

/** Makes a backup of a service that is pushed to before, meanwhile, and until it is made. */
export const backUpWhilePushing = async <T>(
  { commands, url }: TestService,
  makeBackup: () => Promise<T>,
): Promise<{ readonly made: T; readonly taken: TakenBefore }> => {
  const practice = await newPractice(commands);
  const taken: string[] = [];
  const pushOne = async (): Promise<void> => {
    const n = taken.length;
    const bundle = birthBundle({ chartNumber: `B-${n}`, mother: { family: `Family ${n}` } });
    const answer = await post(url, practice.token, bundle);
    assert.is(answer.status, ACCEPTED);
    taken.push(receiptAddress(answer));
  };
  while (taken.length < TAKEN_BEFORE) await pushOne();
  const addresses = [...taken];
  let isOver = false;
  const pushing = (async () => {
    for (let pause: number = PAUSE.firstMs; !isOver; pause *= PAUSE.growth) {
      await pushOne();
      await sleep(pause);
    }
  })();
  const made = await makeBackup().finally(() => {
    isOver = true;
  });
  await pushing;
  assert.ok(taken.length > addresses.length, 'pushes were taken meanwhile');
  return { made, taken: { ...practice, chartNumber: 'B-0', addresses } };
};

/** Starts a service on a backup: it holds everything that was taken before, and the note of the backup. */
export const requireRestored = async (
  dataDir: string,
  { practiceId, token, chartNumber, addresses }: TakenBefore,
  what: Export,
): Promise<void> => {
  const restored = await startService(testSettings(dataDir), openServiceLog('silent'));
  try {
    await restored.started;
    for (const address of addresses) {
      const receipt = await receiptAt(`${restored.url}${new URL(address).pathname}`, token);
      assert.is(receipt.status, 'completed');
    }
    await withCommands(testSettings(dataDir), async (commands) => {
      assert.equal((await commands.verify()).problems, []);
      assert.equal((await commands.rebuild('compare')).differences, []);
      const { state } = await commands.history(practiceId, chartNumber, null);
      assert.is(state?.status, 'live');
      const everything = { person: null, record: null, kind: null };
      const { entries } = await commands.accessLog(null, everything);
      assert.equal(
        entries.map(({ exported, actor }) => [exported, actor.kind]),
        [[what, 'operator']],
      );
    });
  } finally {
    await restored.stop();
  }
};
