import { setTimeout as sleep } from 'node:timers/promises';
import type { ListedProvider } from '../../../domain/provider/ports.ts';
import type { Load, LoadContext } from './load.ts';

const MIN_PAUSE_MS = 500;
const MAX_PAUSE_MS = 4_000;
/** As long as a log that stands still for a minute needs, each try waiting for it. */
const TRIES = 40;
const BETWEEN_TRIES_MS = 500;

/** An operator who rebuilds the read tables and merges providers while all of it goes on. */
export const operating: Load = async (context) => {
  const { random, isOver, count } = context;
  for (let turn = 0; !isOver(); turn += 1) {
    await sleep(random.whole(MIN_PAUSE_MS, MAX_PAUSE_MS));
    if (turn % 2 === 0) {
      await untilDone(context, ['rebuild']);
      count('rebuilt');
    } else if (await merge(context)) count('merged');
  }
};

/** Merges two providers that are not merged yet, if there are any left. */
const merge = async (context: LoadContext): Promise<boolean> => {
  const { practiceId, random } = context;
  const listed = await untilDone(context, ['provider', 'list', '--practice', practiceId]);
  const open = ((listed['providers'] ?? []) as readonly ListedProvider[]).filter(
    ({ mergedInto }) => mergedInto === null,
  );
  if (open.length < 2) return false;
  const absorbed = random.pick(open).providerId;
  const survivor = random.pick(open.filter((one) => one.providerId !== absorbed)).providerId;
  const merged = ['--practice', practiceId, '--absorbed', absorbed, '--survivor', survivor];
  await untilDone(context, ['provider', 'merge', ...merged]);
  return true;
};

/** A command fails when what it works with is killed: it is then tried again, as a person would. */
const untilDone = async (
  { operator, isOver, onFault }: LoadContext,
  command: readonly string[],
): Promise<Readonly<Record<string, unknown>>> => {
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    try {
      return await operator(...command);
    } catch (error) {
      if (attempt === TRIES - 1)
        onFault(`operator ${command[0]} was not done in ${TRIES} tries: ${reasonOf(error)}`);
      if (isOver()) return {};
      await sleep(BETWEEN_TRIES_MS);
    }
  }
  return {};
};

const reasonOf = (error: unknown): string => {
  const { stderr } = error as { readonly stderr?: string };
  return stderr?.trim().split('\n').at(-1) ?? String(error);
};
