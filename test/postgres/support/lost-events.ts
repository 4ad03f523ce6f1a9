import { type RawBuilder, sql } from 'kysely';
import * as assert from 'uvu/assert';
import { startService } from '../../../api/app/service.ts';
import { type OperatorCommands, openCommands } from '../../../api/operator/operator-commands.ts';
import { openServiceLog } from '../../../api/process/logging.ts';
import type { Settings } from '../../../api/settings/settings.ts';
import { openStores, type Stores } from '../../../api/stores/stores.ts';
import { eventually } from '../../harness/eventually.ts';
import {
  poll,
  pushAddress,
  receiptAt,
  startTestStores,
  type TestPractice,
  type TestStores,
  testSettings,
} from '../../harness/service.ts';
import { birthBundle } from '../../support/bundles.ts';

const silent = openServiceLog('silent');

/** Stores whose log loses events. Every service and command joins them. */
export interface HeldStores {
  settings: Settings;
  stores: Stores;
  reopenLog: TestStores['reopenLog'];
  stop: () => Promise<void>;
}

/** Opens those of a suite. */
export const holdStores = async (
  held: HeldStores,
  changes: Readonly<Record<string, string>> = {},
): Promise<void> => {
  const { environment, reopenLog, stop } = await startTestStores('registry');
  const settings = testSettings('', { ...environment, ...changes });
  Object.assign(held, {
    settings,
    stores: await openStores(settings, 'service', silent),
    reopenLog,
    async stop() {
      await held.stores.close();
      await stop();
    },
  } satisfies HeldStores);
};

/** Deletes events from the database of the log, and from its node. */
export const loseEvents = async (
  held: HeldStores,
  condition: RawBuilder<unknown>,
): Promise<void> => {
  const { db } = held.stores;
  await sql`alter table eventstore.event disable trigger event_append_only`.execute(db);
  await sql`delete from eventstore.event where ${condition}`.execute(db);
  await sql`alter table eventstore.event enable trigger event_append_only`.execute(db);
  await held.stores.close();
  await held.reopenLog();
  held.stores = await openStores(held.settings, 'service', silent);
};

/** As after the restore of an older log. */
export const loseLastEvents = (held: HeldStores, count: number): Promise<void> =>
  loseEvents(
    held,
    sql`position in (select position from eventstore.event order by position desc limit ${count})`,
  );

/** A service on these settings, for as long as it is used. */
export const whileServing = async (
  settings: Settings,
  work: (url: string) => Promise<void>,
): Promise<void> => {
  const service = await startService(settings, silent);
  try {
    await work(service.url);
  } finally {
    await service.stop();
  }
};

/** Commands on these settings, for as long as they are used. */
export const withCommands = async <T>(
  settings: Settings,
  work: (commands: OperatorCommands) => Promise<T>,
): Promise<T> => {
  const commands = await openCommands(settings, silent);
  try {
    return await work(commands);
  } finally {
    await commands.close();
  }
};

/** Codes of what `/health/ready` says. */
export const codesAt = async (url: string): Promise<readonly string[]> => {
  const { reasons, warnings } = (await (await fetch(`${url}/health/ready`)).json()) as Record<
    'reasons' | 'warnings',
    readonly { readonly code: string }[]
  >;
  return [...reasons, ...warnings].map(({ code }) => code);
};

/** Much sooner than the end of a push that nobody processes. */
const SOON_MS = 60_000;

/** Pushes a birth and waits for its proof. */
export const provedPush = async (url: string, { token }: TestPractice, chartNumber: string) => {
  const address = await pushAddress(url, token, birthBundle({ chartNumber }));
  assert.is((await receiptAt(address, token, SOON_MS)).status, 'completed');
  let proof: unknown;
  await eventually('proved', async () => {
    const answer = await poll(`${address}/proof`, token);
    if (answer.status === 200) proof = await answer.json();
    return answer.status === 200;
  });
  return { address, proof };
};
