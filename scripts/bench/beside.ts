import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { PushedPractice } from '../throw-away/pushed-practice.ts';
import type { MeasuredService } from '../throw-away/service.ts';
import type { ClientTask, Watched } from './second-client-task.ts';

const SECOND_CLIENT = fileURLToPath(new URL('./second-client.ts', import.meta.url));

const start = (task: ClientTask): { readonly child: ChildProcess; answer: Promise<unknown> } => {
  const child = fork(SECOND_CLIENT, []);
  const answer = new Promise<unknown>((resolve, reject) => {
    child.once('message', (result) => {
      child.disconnect();
      resolve(result);
    });
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`The second client ended with ${code}.`)));
  });
  child.send(task);
  return { child, answer };
};

/** Watches a service from another process while the work goes on. */
export const watchedWhile = async (
  service: MeasuredService,
  work: () => Promise<unknown>,
): Promise<Watched> => {
  const { child, answer } = start({ kind: 'watch', url: service.url, pid: service.pid });
  try {
    await work();
  } finally {
    child.send('stop');
  }
  return (await answer) as Watched;
};

/** Single pushes of another client, each until its receipt is completed. @returns ms of each */
export const singlesOf = async (
  service: MeasuredService,
  practice: PushedPractice,
  prefix: string,
  pushes: number,
): Promise<readonly number[]> => {
  const { url } = service;
  const { answer } = start({ kind: 'push', url, token: practice.token, prefix, pushes });
  return (await answer) as readonly number[];
};
