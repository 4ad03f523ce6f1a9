import { setTimeout as sleep } from 'node:timers/promises';
import { nanoid } from 'nanoid';
import { MAX_FILE_BYTES } from '../../domain/intake/csv/file-limits.ts';
import { refuseFile } from '../../domain/intake/csv/header.ts';
import type { App } from '../ports/app-ports.ts';
import { ReaderBusy } from '../reading/reader.ts';
import { estimateMemory } from '../reading/shares.ts';
import type { Staging, StagingOptions } from './stage-import.ts';

/** A check that ends within this time is answered with its result, and a longer one with its page. */
const ANSWERED_AFTER_MS = 800;
const NOTED_EVERY_MS = 1_000;

export const CHECK_FAILED_MESSAGE =
  'The check stopped because of a fault in the registry. Upload the file again.';

/** Result of a check, or its id if it takes longer. */
export type CheckedFile = Staging | { readonly kind: 'checking'; readonly importId: string };

/** Member who checks a file. */
interface Checker {
  readonly practiceId: string;
  readonly memberId: string;
}

type CheckPorts = Pick<App, 'memory' | 'uploadTurns' | 'fileChecks' | 'onFault'>;

/**
 * Receives a file and checks it. The check outlives its request: files before it
 * and many rows take longer than a member waits for a page.
 * @param receive reads the file within the practice's share of the memory for long inputs; a result
 * needs no check
 * @returns `null` if there is no memory to receive it
 */
export const checkFile = <Result>(
  registry: CheckPorts,
  who: Checker,
  receive: () => Promise<
    | { readonly kind: 'answered'; readonly result: Result }
    | { readonly kind: 'received'; readonly stage: (options: StagingOptions) => Promise<Staging> }
  >,
): Promise<{ readonly kind: 'answered'; readonly result: Result } | CheckedFile | null> =>
  new Promise((resolve, reject) => {
    void registry.memory
      .run(who.practiceId, async (claim) => {
        if (!(await claim(estimateMemory(MAX_FILE_BYTES)))) return resolve(null);
        const received = await receive();
        if (received.kind === 'answered') return resolve(received);
        const importId = nanoid();
        await registry.fileChecks.begin(importId, who.practiceId, who.memberId);
        const checking = runCheck(registry, who, importId, received.stage);
        resolve(
          await Promise.race([
            checking,
            sleep(ANSWERED_AFTER_MS, { kind: 'checking', importId } as const),
          ]),
        );
        await checking;
      })
      .catch(reject);
  });

/** Takes the account's turn, and checks the file. Never fails. */
const runCheck = async (
  { uploadTurns, fileChecks, onFault }: CheckPorts,
  { practiceId, memberId }: Checker,
  importId: string,
  stage: (options: StagingOptions) => Promise<Staging>,
): Promise<Staging> => {
  let progress: readonly [number, number] = [0, 0];
  const report = onFault('An uploaded file could not be checked.');
  const noteProgress = () => fileChecks.noteProgress(importId, ...progress).catch(report);
  const noting = setInterval(noteProgress, NOTED_EVERY_MS);
  const onProgress = (done: number, total: number): void => {
    progress = [done, total];
  };
  try {
    const staging = await uploadTurns.run(memberId, async (takeTurn) => {
      let isOurs = false;
      while (!isOurs) isOurs = await takeTurn(1);
      return whileReaderIsBusy(() => stage({ importId, onProgress }));
    });
    if (staging.kind === 'refused') await fileChecks.refuse(importId, practiceId, staging);
    else await fileChecks.end(importId);
    return staging;
  } catch (error) {
    report(error);
    const refusal = refuseFile('check-failed', CHECK_FAILED_MESSAGE);
    await fileChecks.refuse(importId, practiceId, refusal).catch(report);
    return refusal;
  } finally {
    clearInterval(noting);
  }
};

const whileReaderIsBusy = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  for (;;)
    try {
      return await work();
    } catch (error) {
      // Its reader waits for some seconds before it says so.
      if (!(error instanceof ReaderBusy)) throw error;
    }
};
