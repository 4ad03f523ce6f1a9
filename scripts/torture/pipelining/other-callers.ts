import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { cookieIn } from '../../throw-away/signed-in.ts';

/** @see otherCallersOf */
export type OtherCallers = Awaited<ReturnType<typeof otherCallersOf>>;

const ASK_EVERY_MS = 4;
const LEAST_STATUS_OF_FAILURE = 400;

/**
 * Callers apart from an attack: an integrator that polls, and a person at the sign-in page.
 * @param receipt address of a receipt
 * @param token of a key that may read it
 */
export const otherCallersOf = async (url: string, receipt: string, token: string) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const form = await fetch(`${url}/sign-in`);
  await form.arrayBuffer();
  const questions = [
    { address: receipt, headers: { Authorization: `Bearer ${token}` } },
    { address: `${url}/sign-in`, headers: { Cookie: cookieIn(form.headers) } },
  ];

  const ask = (question: (typeof questions)[number], began = performance.now()): Promise<number> =>
    new Promise((resolve, reject) => {
      const { address, headers } = question;
      const asked = request(address, { agent, headers }, (response) => {
        response.on('data', () => undefined);
        response.on('error', reject);
        response.on('end', () => {
          const { statusCode = 0 } = response;
          if (statusCode < LEAST_STATUS_OF_FAILURE) resolve(performance.now() - began);
          else reject(new Error(`Another caller was answered with ${statusCode}.`));
        });
      });
      asked.on('error', (error) => {
        // The service has just ended a connection that was idle, as every server may.
        if (asked.reusedSocket) ask(question, began).then(resolve, reject);
        else reject(error);
      });
      asked.end();
    });

  return {
    /** Asks again and again, one question after the other. @returns milliseconds of each, ascending */
    async askFor(durationMs: number): Promise<readonly number[]> {
      const until = performance.now() + durationMs;
      const took: number[] = [];
      while (performance.now() < until) {
        for (const question of questions) took.push(await ask(question));
        await sleep(ASK_EVERY_MS);
      }
      return took.sort((a, b) => a - b);
    },
    close: (): void => agent.destroy(),
  };
};
