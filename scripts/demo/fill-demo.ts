import { writeFile } from 'node:fs/promises';
import type { OperatorCommands } from '../../api/operator/operator-commands.ts';
import { buildBundle } from '../synthesis/written-submissions.ts';
import { type DemoBirths, makeDemoBirths } from './demo-births.ts';
import type { DemoDirectory, FilledDemo } from './demo-directory.ts';
import { letPeopleWork } from './people-at-work.ts';
import { type CompletedReceipt, pushBirths, type Sender } from './push-births.ts';
import { type LivePractice, SANDBOX_BIRTHS, setUpPractices } from './sample-practices.ts';

export interface FillOrder {
  readonly url: string;
  readonly commands: OperatorCommands;
  readonly directory: Pick<DemoDirectory, 'bundleFile'>;
  /** `YYYY-MM-DD` */
  readonly today: string;
  readonly say: (line: string) => void;
}

const TENTHS = 10;

export const fillDemo = async (order: FillOrder): Promise<FilledDemo> => {
  const { url, commands, directory, today, say } = order;
  say('Setting up six practices, a seat for every role, partners and keys');
  const all = makeDemoBirths(SANDBOX_BIRTHS, today);
  const [toTry, ...byPeople] = [...all.by.person].reverse();
  if (toTry === undefined) throw new TypeError('No birth is left to be tried.');
  const { sandbox, live, signIns } = await setUpPractices(commands, all.practice.region.timeZone);
  const bundle = buildBundle(toTry, all.practice, 'native');
  await writeFile(directory.bundleFile, `${JSON.stringify(bundle, null, 2)}\n`);
  const births: DemoBirths = { ...all, by: { ...all.by, person: byPeople } };
  const receipts = await pushAll(order, sandbox, births, live);
  const work = await letPeopleWork(
    { url, practiceId: sandbox.practiceId, commands, births, receipts },
    say,
  );
  return { filledOn: today, practice: sandbox, signIns, ...work };
};

/** @returns receipts of the sandbox practice's own system */
const pushAll = async (
  { url, today, say }: FillOrder,
  sandbox: { readonly nativeToken: string; readonly partnerToken: string },
  births: DemoBirths,
  live: readonly LivePractice[],
): Promise<readonly CompletedReceipt[]> => {
  const beside = live.map(({ token, lane, births: order }) => ({
    sender: { url, token, lane },
    births: makeDemoBirths(order, today),
  }));
  const own: Sender = { url, token: sandbox.nativeToken, lane: 'native' };
  const partners: Sender = { url, token: sandbox.partnerToken, lane: 'partner' };
  const all = [{ sender: own, births }, { sender: partners, births }, ...beside];
  const total = all.reduce((sum, { sender, births: sent }) => sum + sent.by[sender.lane].length, 0);
  say(`Pushing what their systems sent since ${formatStart(today)}: ${total} Bundles in batches`);
  let done = 0;
  const onBatch = (submissions: number): void => {
    const before = Math.floor((TENTHS * done) / total);
    done += submissions;
    if (Math.floor((TENTHS * done) / total) > before) say(`  ${done} of ${total}`);
  };
  const [receipts] = await Promise.all(
    all.map(({ sender, births: sent }) => pushBirths(sender, sent, onBatch)),
  );
  return receipts ?? [];
};

const formatStart = (today: string): string => `January ${Number(today.slice(0, 4)) - 1}`;
