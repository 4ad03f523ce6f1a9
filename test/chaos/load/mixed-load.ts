import { setTimeout as sleep } from 'node:timers/promises';
import { createRandom } from '../../../scripts/synthesis/random.ts';
import type { RestartableService } from '../restartable-service.ts';
import { startBalancer } from './balancer.ts';
import { findInvariantViolations } from './check-invariants.ts';
import { newExpectedRecords } from './expected-records.ts';
import { leaks } from './leaks.ts';
import type { Load, LoadContext } from './load.ts';
import { operating } from './operating.ts';
import { entering, importing, signIn } from './people.ts';
import { polling } from './polling.ts';
import { pushing, racing } from './pushing.ts';
import { type AllowedFailures, newRetryingClient } from './retrying-client.ts';

const INTEGRATORS = { full: 4, quick: 2 };
/** A quick run leaves the machine to others: the same load with pauses that many times as long. */
const STRETCH = { full: 1, quick: 30 };
const EMAIL = 'admin@cedar.example';

/** The services that the load is put on. */
interface LoadedService {
  /** The processes that take requests. */
  readonly apis: readonly RestartableService[];
  /** The one whose operator commands are used. */
  readonly service: RestartableService;
  readonly dataDir: string;
  readonly seed: string;
  readonly allowedFailures: AllowedFailures;
  readonly isQuick: boolean;
}

/** @see startMixedLoad */
export type MixedLoad = Awaited<ReturnType<typeof startMixedLoad>>;

/** Starts everything that a practice does at once, on a new practice. */
export const startMixedLoad = async ({
  apis,
  service,
  dataDir,
  seed,
  allowedFailures,
  isQuick,
}: LoadedService) => {
  const faults: string[] = [];
  const onFault = (fault: string) => void faults.push(fault);
  const counts: Record<string, number> = {};
  /** Counts something that was done to the service. */
  const count = (what: string): void => {
    counts[what] = (counts[what] ?? 0) + 1;
  };
  const balancer = startBalancer(apis, createRandom(`${seed} places`));
  const client = newRetryingClient(balancer.origin, allowedFailures, onFault);
  const { practiceId, token, partnerToken, password } = await newPractice(service, seed);
  const session = () => signIn(client, EMAIL, password);
  const [atForm, atImport] = [await session(), await session()];

  const size = isQuick ? 'quick' : 'full';
  const [stretch, integrators] = [STRETCH[size], INTEGRATORS[size]];
  let isOver = false;
  const shared = {
    practiceId,
    client,
    expected: newExpectedRecords(),
    receipts: [] as string[],
    onFault,
    count,
    operator: service.operator,
    isOver: () => isOver,
  };
  const contextOf = (name: string, key = token): LoadContext => {
    const random = createRandom(`${seed} ${name}`);
    const pause = (longestMs: number) => sleep(random.whole(0, longestMs) * stretch);
    return { ...shared, name, random, token: key, pause };
  };
  const begin = (load: Load, name: string, key = token): Promise<void> =>
    load(contextOf(name, key)).catch((error: unknown) =>
      onFault(`${name} ended: ${String(error)}`),
    );
  const loads = [
    ...Array.from({ length: integrators }, (_, place) => begin(pushing(place), `P${place}`)),
    // Only a partner's births name who attended: without them there are no providers to merge.
    begin(pushing(integrators), 'F', partnerToken),
    begin(entering(atForm), 'E'),
    begin(importing(atImport), 'I'),
    begin(operating, 'O'),
    begin(racing, 'R'),
    begin(polling, 'Q'),
  ];

  return {
    count,
    onFault,
    /** How often 503 came. */
    refusals: client.refusals,
    /** Ends the load, and waits until what was taken is worked off. @returns what came of it */
    async end() {
      isOver = true;
      await Promise.all(loads);
      await balancer.stop();
      await service.ready();
      const { receipts, expected } = shared;
      const secrets = { 'a key': token, "a partner's key": partnerToken, 'a password': password };
      const unsound = [
        ...(await findInvariantViolations({ ...shared, token }, service, dataDir)),
        ...(await leaks(dataDir, `${service.url}/metrics`, secrets)),
      ];
      return {
        counts: {
          ...counts,
          receipts: receipts.length,
          ...expected.counts(),
          ...client.counts(),
        },
        faults: [...faults, ...unsound],
      };
    },
  };
};

const newPractice = async (service: RestartableService, seed: string) => {
  const password = createRandom(`${seed} password`).uuid();
  const { practiceId } = await service.operator('practice', 'create', '--name', 'Cedar', '--beta');
  const practice = ['--practice', String(practiceId)];
  const scopes = ['--scopes', 'ingest:write,ingest:read'];
  const { token } = await service.operator('key', 'mint', ...practice, ...scopes);
  const created = ['--name', 'Obstetrics Cloud', '--beta', '--status', 'Active'];
  const { partnerId } = await service.operator('partner', 'create', ...created);
  const ofPartner = ['--partner', String(partnerId), ...practice, ...scopes];
  const { token: partnerToken } = await service.operator('partner', 'mint-key', ...ofPartner);
  const account = ['--email', EMAIL, '--password', password, '--role', 'Admin'];
  await service.operator('member', 'add', ...practice, ...account);
  return {
    practiceId: String(practiceId),
    password,
    token: String(token),
    partnerToken: String(partnerToken),
  };
};
