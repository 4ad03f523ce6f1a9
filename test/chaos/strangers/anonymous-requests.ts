import { randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';

// A client in a process of its own, so that sending does not slow the callers who are measured.

/** What strangers ask for. */
export interface AnonymousRequestsTask {
  readonly url: string;
  /** Address of a launch that the service would take. */
  readonly launch: string;
  readonly requests: number;
}

/** How often each status was answered. */
export interface AnonymousAnswers {
  readonly statuses: Readonly<Record<string, number>>;
}

const AT_ONCE = 64;
const TOKEN_BYTES = 32;

/** The next thing that a stranger does: each with a token, or a browser, that nobody has seen before. */
const questionOf = (
  task: AnonymousRequestsTask,
  n: number,
): readonly [string, Record<string, string>] => {
  switch (n % 4) {
    case 0:
      return [`${task.url}/sign-in`, {}];
    case 1:
      return [task.launch, {}];
    default:
      return [
        `${task.url}/api/registry/fhir/ingestions/none`,
        { Authorization: `Bearer rgk_${randomBytes(TOKEN_BYTES).toString('base64url')}` },
      ];
  }
};

const sendRequests = async (task: AnonymousRequestsTask): Promise<AnonymousAnswers> => {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const statuses: Record<string, number> = {};
  const note = (status: string): void => {
    statuses[status] = (statuses[status] ?? 0) + 1;
  };
  const ask = (n: number): Promise<void> =>
    new Promise((resolve) => {
      const [address, headers] = questionOf(task, n);
      const asked = request(address, { agent, headers }, (answer) => {
        answer.resume();
        answer.once('close', () => {
          note(String(answer.statusCode));
          resolve();
        });
      });
      asked.once('error', () => {
        note('none');
        resolve();
      });
      asked.end();
    });
  let next = 0;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (next < task.requests) {
        next += 1;
        await ask(next);
      }
    }),
  );
  agent.destroy();
  return { statuses };
};

process.once('message', (task) => {
  void sendRequests(task as AnonymousRequestsTask).then((answers) => process.send?.(answers));
});
