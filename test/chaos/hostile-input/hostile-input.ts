import { setTimeout as sleep } from 'node:timers/promises';
import { ACCEPTED, BYTES_IN_MIB, MS_IN_SECOND } from '../../harness/units.ts';
import type { Torture } from '../chaos.ts';
import type { Answer } from './answers.ts';
import { MARKER } from './attempt.ts';
import { newBarrage } from './barrage.ts';
import { bombBodies, changedBundles, packedBundles, spoiltBundles } from './bundles.ts';
import { type Findings, newFindings } from './findings.ts';
import { changedForms, confirmedFiles, strangeFiles, strangeSignIns } from './forms.ts';
import { tryFraming } from './framing.ts';
import { spoiltHeads, strangeHeads } from './heads.ts';
import { type ServiceUnderFire, startUnderFire } from './service-under-fire.ts';
import { trySlowSenders } from './slow-senders.ts';

const GENERATORS = [
  [['changed Bundles', changedBundles], 40],
  [['spoilt Bundles', spoiltBundles], 14],
  [['packed Bundles', packedBundles], 5],
  [['bombs', bombBodies], 0.2],
  [['strange heads', strangeHeads], 24],
  [['spoilt heads', spoiltHeads], 8],
  [['changed forms', changedForms], 10],
  [['sign-ins', strangeSignIns], 1],
  [['files', strangeFiles], 3],
  [['confirmed files', confirmedFiles], 1],
] as const;

interface Size {
  readonly attempts: number;
  readonly framingRounds: number;
  readonly slowEach: number;
  readonly headersSeconds: number;
  readonly requestSeconds: number;
}

const FULL: Size = {
  attempts: 97_000,
  framingRounds: 100,
  slowEach: 40,
  // The ones that the service has by itself.
  headersSeconds: 30,
  requestSeconds: 120,
};
const QUICK: Size = {
  attempts: 1_500,
  framingRounds: 2,
  slowEach: 3,
  headersSeconds: 1,
  requestSeconds: 4,
};

/** Where the answer to a file that could be read leads. */
const CHECKED_FILE = /^location: *(\/registry\/import\/[\w-]+)\r?$/im;
const PARTS = 20;
/** By then its code is compiled and its pools are open. */
const WARM_AFTER = 2;
const LOOK_EVERY_MS = 250;
const MOST_PEAK_MIB = 768;
const MOST_REST_MIB = 384;
const REST_MS = 2_000;
/** What every route with every status of its own would take. */
const MOST_METRICS_BYTES = 1_048_576;

/**
 * Sends what no friendly client would: changed and spoilt Bundles, packed ones and bombs, strange
 * heads, forms and files, requests whose end is in doubt, and slow ones. The service has to answer
 * each within a second, with nothing of it in the answer or the log, and to stay sound.
 */
export const hostileInput: Torture = async ({ seed, isQuick, report }) => {
  const size = isQuick ? QUICK : FULL;
  const findings = newFindings();
  const fire = await startUnderFire({
    HEADERS_WITHIN_SECONDS: String(size.headersSeconds),
    REQUEST_WITHIN_SECONDS: String(size.requestSeconds),
  });
  const { single, port, target } = fire;
  try {
    const receipts = newReceiptSample();
    const barrage = newBarrage({
      seed,
      port,
      target,
      generators: GENERATORS,
      findings,
      onAnswer(answer) {
        receipts.take(answer);
        const [, checked] = CHECKED_FILE.exec(answer.head) ?? [];
        if (checked !== undefined) target.checkedFiles.push(checked);
      },
    });
    const memory = watchMemory(() => single.service.rss());
    const patience = {
      headersMs: size.headersSeconds * MS_IN_SECOND,
      requestMs: size.requestSeconds * MS_IN_SECOND,
    };
    const slow = trySlowSenders(port, target, patience, size.slowEach, findings);
    for (let part = 0; part < PARTS; part += 1) {
      const at = (of: number) => Math.round((size.attempts * of) / PARTS);
      await barrage.send(at(part), at(part + 1));
      if (part === WARM_AFTER) memory.isWarm();
      report(`hostile-input: ${at(part + 1)} of ${size.attempts} requests`);
    }
    await tryFraming(seed, port, target, findings, size.framingRounds);
    await slow;
    await single.tables.allDone().catch((error: Error) => findings.fault('worker', error.message));
    await barrage.lookAgain();
    await sleep(REST_MS);
    memory.end(findings);
    await checkReceipts(single.service.url, target.nativeToken, receipts.taken(), findings);
    await checkService(fire, findings);
  } finally {
    await single.stop();
  }
  return { counts: findings.counts(), faults: findings.faults() };
};

/** Looks at the memory of the service again and again. */
const watchMemory = (rss: () => number) => {
  let [warm, peak] = [0, 0];
  const timer = setInterval(() => {
    // It may have ended meanwhile, which other checks will report.
    try {
      peak = Math.max(peak, rss());
    } catch {
      clearInterval(timer);
    }
  }, LOOK_EVERY_MS);
  return {
    isWarm() {
      warm = rss();
    },
    end(findings: Findings) {
      clearInterval(timer);
      const mib = (bytes: number) => Math.round(bytes / BYTES_IN_MIB);
      const [before, most, now] = [mib(warm), mib(peak), mib(rss())];
      findings.count('MiB when warm', before);
      findings.count('MiB at most', most);
      findings.count('MiB at the end', now);
      if (most - before > MOST_PEAK_MIB) findings.fault('memory', `${before} MiB, then ${most}`);
      if (now - before > MOST_REST_MIB) findings.fault('memory at rest', `${before}, then ${now}`);
    },
  };
};

/** Asks the service, and looks at what it has stored, as its operator would. */
const checkService = async (fire: ServiceUnderFire, findings: Findings): Promise<void> => {
  const { service, tables } = fire.single;
  const ready = await fetch(`${service.url}/health/ready`).then(
    async (answer) => `${answer.status} ${await answer.text()}`,
    () => 'no answer',
  );
  if (!ready.startsWith('200 ')) findings.fault('not ready at the end', ready);
  const metrics = await (await fetch(`${service.url}/metrics`)).text();
  findings.count('bytes of metrics', metrics.length);
  if (metrics.length > MOST_METRICS_BYTES)
    findings.fault('the metrics have grown', `${metrics.length} bytes`);
  for (const session of fire.target.sessions) {
    const headers = { Cookie: session.cookie };
    const { status } = await fetch(`${service.url}/`, { headers, redirect: 'manual' });
    const home = await fetch(`${service.url}/account/password`, { headers, redirect: 'manual' });
    if (home.status !== 200) findings.fault('a session was lost', `${status}, ${home.status}`);
  }
  const [row] = await tables.query('select count(*) as count from read.birth_record');
  findings.count('records', Number(row?.['count']));
  const { problems, events } = await service.operator('verify');
  findings.count('events verified', Number(events));
  for (const problem of problems as readonly unknown[])
    findings.fault('verify', JSON.stringify(problem));
  for (const line of fire.logFaults()) findings.fault('log', line);
};

const EVERY = 10;
const OK = 200;

/** Addresses of some of the receipts that the service has promised. */
const newReceiptSample = () => {
  const addresses: string[] = [];
  let accepted = 0;
  return {
    take({ status, head }: Answer): void {
      if (status !== ACCEPTED) return;
      const address = /^content-location: *(\S+)/im.exec(head)?.[1];
      if (accepted % EVERY === 0 && address !== undefined) addresses.push(address);
      accepted += 1;
    },
    taken: (): readonly string[] => addresses,
  };
};

interface Receipt {
  readonly status?: string;
  readonly outcome?: {
    readonly rejected?: readonly { readonly outcome?: unknown }[];
  };
}

/** Reads receipts: each has come to an end, and no diagnostics repeat what was submitted. */
const checkReceipts = async (
  url: string,
  token: string,
  addresses: readonly string[],
  findings: Findings,
): Promise<void> => {
  for (const address of addresses) {
    const { pathname } = new URL(address, url);
    const answer = await fetch(`${url}${pathname}`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    const receipt = (await answer.json()) as Receipt;
    findings.count('receipts read');
    if (answer.status !== OK || receipt.status !== 'completed')
      findings.fault('a receipt', `${answer.status}, ${receipt.status}`);
    // The reference of an entry is a chart number, which its sender knows.
    const outcomes = (receipt.outcome?.rejected ?? []).map(({ outcome }) => outcome);
    if (JSON.stringify(outcomes).includes(MARKER))
      findings.fault('a submitted value in a receipt', String(answer.status));
  }
};
