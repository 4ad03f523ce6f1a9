import { setTimeout as sleep } from 'node:timers/promises';
import { nanoid } from 'nanoid';
import { refuseFile } from '../../domain/mapping/csv/header.ts';
import type { App } from '../ports/app-ports.ts';
import { ReaderBusy } from '../reading/reader.ts';
import type { Claim, Receive } from '../reading/receiving.ts';
import type { Staging, StagingOptions } from './stage-import.ts';

/** A check that takes longer is answered with its page. */
const ANSWERED_AFTER_MS = 800;
const NOTED_EVERY_MS = 1_000;

export const CHECK_FAILED_MESSAGE =
  'The check stopped because of a fault in the registry. Upload the file again.';

/** The id if the check takes longer. */
export type CheckedFile = Staging | { readonly kind: 'checking'; readonly importId: string };

interface Checker {
  readonly practiceId: string;
  readonly memberId: string;
}

type Received<Result> =
  | { readonly kind: 'answered'; readonly result: Result }
  | { readonly kind: 'received'; readonly stage: (options: StagingOptions) => Promise<Staging> };

type CheckPorts = Pick<App, 'memory' | 'uploadTurns' | 'fileChecks' | 'onFault'>;

/** The check outlives its request. @param receive claims memory until the check ends */
export const checkFile = <Result>(
  ports: CheckPorts,
  who: Checker,
  receive: (claim: Claim, receiveInput: Receive) => Promise<Received<Result>>,
): Promise<Extract<Received<Result>, { kind: 'answered' }> | CheckedFile> =>
  new Promise((resolve, reject) => {
    const { memory, fileChecks, onFault } = ports;
    const report = onFault('An uploaded file could not be checked.');
    void memory
      .run(who.practiceId, async (claim, receiveInput) => {
        const received = await receive(claim, receiveInput);
        if (received.kind === 'answered') return resolve(received);
        const importId = nanoid();
        await fileChecks.begin(importId, who.practiceId, who.memberId);
        const checking = runCheck(ports, who.memberId, importId, received.stage, report);
        // The answer says why, so that no page has to.
        const endCheck = () => fileChecks.end(importId).catch(report);
        const checked = await Promise.race([
          checking,
          sleep(ANSWERED_AFTER_MS, { kind: 'checking', importId } as const),
        ]).catch(async (error) => {
          await endCheck();
          throw error;
        });
        if (checked.kind === 'refused') await endCheck();
        resolve(checked);
        const staging = await checking.catch((error) => {
          report(error);
          return refuseFile('check-failed', CHECK_FAILED_MESSAGE);
        });
        if (checked.kind === 'checking' && staging.kind === 'refused')
          await fileChecks.refuse(importId, who.practiceId, staging).catch(report);
      })
      .catch(reject);
  });

const runCheck = async (
  { uploadTurns, fileChecks }: CheckPorts,
  memberId: string,
  importId: string,
  stage: (options: StagingOptions) => Promise<Staging>,
  report: (error: unknown) => void,
): Promise<Staging> => {
  let progress: readonly [number, number] = [0, 0];
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
    if (staging.kind === 'staged') await fileChecks.end(importId);
    return staging;
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
