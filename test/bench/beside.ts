import { forkWith } from '../harness/built-service.ts';
import type { MeasuredService } from '../harness/measured-service.ts';
import type { TestPractice } from '../harness/service.ts';
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
  { token }: TestPractice,
  prefix: string,
  pushes: number,
): Promise<readonly number[]> => {
  const task: ClientTask = { kind: 'push', url, token, prefix, pushes };
  return forkWith<readonly number[]>(SECOND_CLIENT, task).answer;
};
