import { forkWith } from '../harness/fork-with.ts';
import type { MeasuredService } from '../harness/measured-service.ts';
import type { PushedPractice } from '../harness/pushed-practice.ts';
import type { ClientTask, Watched } from './second-client.ts';

const SECOND_CLIENT = new URL('./second-client.ts', import.meta.url);

/** Watches a service from another process while the work goes on. */
export const watchedWhile = async (
  { url, pid }: MeasuredService,
  work: () => Promise<unknown>,
): Promise<Watched> => {
  const task: ClientTask = { kind: 'watch', url, pid };
  const { child, answer } = forkWith<Watched>(SECOND_CLIENT, task);
  try {
    await work();
  } finally {
    child.send('stop');
  }
  return answer;
};

/** Single pushes of another client, each until its receipt is completed. @returns ms of each */
export const singlesOf = (
  { url }: MeasuredService,
  { token }: PushedPractice,
  prefix: string,
  pushes: number,
): Promise<readonly number[]> => {
  const task: ClientTask = { kind: 'push', url, token, prefix, pushes };
  return forkWith<readonly number[]>(SECOND_CLIENT, task).answer;
};
