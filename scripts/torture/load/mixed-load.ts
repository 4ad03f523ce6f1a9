import { setTimeout as sleep } from 'node:timers/promises';
import { randomFrom } from '../../synthesis/random.ts';
import type { LivingService } from '../living-service.ts';
import { aftermathOf } from './aftermath.ts';
import { startBalancer } from './balancer.ts';
import { entering } from './entering.ts';
import { newExpectedRecords } from './expected-records.ts';
import { importing } from './importing.ts';
import { newInsistent, type Trouble } from './insistent.ts';
import type { Load, LoadParts } from './load-parts.ts';
import { operating } from './operating.ts';
import { pushing } from './pushing.ts';
import { racing } from './racing.ts';
import { signIn } from './session.ts';

/** Everybody who uses a practice, at once, and what must come of it. */
export interface MixedLoad {
  /** Counts something that was done to the service. */
  readonly count: (what: string) => void;
  readonly onFault: (fault: string) => void;
  /** How often 503 came. */
  readonly refusals: () => number;
  /** Ends the load, and waits until what was taken is worked off. @returns what came of it */
  end(): Promise<{
    readonly counts: Readonly<Record<string, number>>;
    readonly faults: readonly string[];
  }>;
}

const INTEGRATORS = { full: 4, quick: 2 };
/** A quick run leaves the machine to others: the same load with pauses that many times as long. */
const STRETCH = { full: 1, quick: 30 };
const EMAIL = 'admin@cedar.example';

/** What the load is put on. */
interface LoadedService {
  /** Its processes that take requests; the first also runs the operator's commands. */
  readonly apis: readonly LivingService[];
  readonly dataDir: string;
  readonly seed: string;
  readonly trouble: Trouble;
  readonly isQuick: boolean;
}

/** Starts the load on a new practice. */
export const startMixedLoad = async ({
  apis,
  dataDir,
  seed,
  trouble,
  isQuick,
}: LoadedService): Promise<MixedLoad> => {
  const [first] = apis;
  if (first === undefined) throw new RangeError('Nobody takes requests.');
  const faults: string[] = [];
  const onFault = (fault: string) => void faults.push(fault);
  const counts: Record<string, number> = {};
  const count = (what: string) => {
    counts[what] = (counts[what] ?? 0) + 1;
  };
  const balancer = startBalancer(apis, randomFrom(`${seed} places`));
  const insistent = newInsistent({ origin: balancer.origin, trouble, onFault });
  const expected = newExpectedRecords();
  const receipts: string[] = [];
  const { practiceId, token, partnerToken, password } = await newPractice(first, seed);
  const session = () => signIn(insistent, EMAIL, password);
  const [atForm, atImport] = [await session(), await session()];

  const size = isQuick ? 'quick' : 'full';
  const [stretch, integrators] = [STRETCH[size], INTEGRATORS[size]];
  let isOver = false;
  const partsOf = (name: string, key: string): LoadParts => {
    const random = randomFrom(`${seed} ${name}`);
    return {
      practiceId,
      insistent,
      expected,
      receipts,
      name,
      random,
      onFault,
      count,
      token: key,
      operator: first.operator,
      isOver: () => isOver,
      pause: (longestMs) => sleep(random.whole(0, longestMs) * stretch),
    };
  };
  const begin = (load: Load, name: string, key = token): Promise<void> =>
    load(partsOf(name, key)).catch((error: unknown) => onFault(`${name} ended: ${String(error)}`));
  const loads = [
    ...Array.from({ length: integrators }, (_, place) => begin(pushing(place), `P${place}`)),
    // Only a partner's births tell who attended: without them there is nobody to merge.
    begin(pushing(integrators), 'F', partnerToken),
    begin(entering(atForm), 'E'),
    begin(importing(atImport), 'I'),
    begin(operating, 'O'),
    begin(racing, 'R'),
  ];

  return {
    count,
    onFault,
    refusals: insistent.refusals,
    async end() {
      isOver = true;
      await Promise.all(loads);
      await balancer.stop();
      await first.ready();
      const unsound = await aftermathOf({
        service: first,
        dataDir,
        practiceId,
        token,
        secrets: { 'a key': token, "a partner's key": partnerToken, 'a password': password },
        receipts,
        expected,
      });
      return {
        counts: {
          ...counts,
          receipts: receipts.length,
          ...expected.counts(),
          ...insistent.counts(),
        },
        faults: [...faults, ...unsound],
      };
    },
  };
};

const newPractice = async (service: LivingService, seed: string) => {
  const password = randomFrom(`${seed} password`).uuid();
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
