import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import { ACCEPTED, BYTES_IN_MIB, MS_IN_SECOND } from '../../harness/units.ts';
import type { ChaosGroup } from '../chaos.ts';
import {
  changedBundles,
  compressedBundles,
  corruptBundles,
  decompressionBombs,
} from './bundles.ts';
import { type Findings, newFindings } from './findings.ts';
import { changedForms, confirmedFiles, hostileFiles, hostileSignIns } from './forms.ts';
import { framingTasks } from './framing.ts';
import { createCheck, createFuzzRun, type FuzzTask, parseReplay } from './fuzz-run.ts';
import { type FuzzTarget, startFuzzTarget } from './fuzz-target.ts';
import { malformedHeaders, unusualHeaders } from './headers.ts';
import { weighted } from './hostile-values.ts';
import { MARKER, type Target } from './request.ts';
import { trySlowSenders } from './slow-senders.ts';

/** What is tried beside the routes, and how often. */
const MIX = [
  [400, changedBundles],
  [140, corruptBundles],
  [50, compressedBundles],
  [2, decompressionBombs],
  [80, malformedHeaders],
  [100, changedForms],
  [10, hostileSignIns],
  [30, hostileFiles],
  [10, confirmedFiles],
] as const;

interface Size {
  /** Requests of the mix. */
  readonly mixed: number;
  readonly ofEachRoute: number;
  readonly framingRounds: number;
  readonly slowEach: number;
  readonly headersSeconds: number;
  readonly requestSeconds: number;
}

const FULL: Size = {
  mixed: 73_000,
  ofEachRoute: 96,
  framingRounds: 100,
  slowEach: 40,
  // The ones that the service has by itself.
  headersSeconds: 30,
  requestSeconds: 120,
};
const QUICK: Size = {
  mixed: 1_140,
  ofEachRoute: 2,
  framingRounds: 2,
  slowEach: 3,
  headersSeconds: 1,
  requestSeconds: 4,
};

/** Where the answer to a file that could be read leads. */
const CHECKED_FILE = /^location: *(\/registry\/import\/[\w-]+)\r?$/im;
const PARTS = 20;
/** Some for each part and connection. */
const MIX_TASKS = 12 * PARTS;
/** By then its code is compiled and its pools are open. */
const WARM_AFTER = 2;
const LOOK_EVERY_MS = 250;
const MAX_PEAK_MIB = 768;
const MAX_REST_MIB = 384;
const REST_MS = 2_000;
/** What every route with every status of its own would take. */
const MAX_METRICS_BYTES = 1_048_576;

/**
 * Sends what no friendly client would: changed and corrupt Bundles, compressed ones and decompression
 * bombs, every route with unusual headers, malformed ones, forms and files, requests whose end is in
 * doubt, and slow ones. The service has to answer each within a second, with nothing of it in the
 * answer or the log, and to stay sound.
 */
export const runHostileInput: ChaosGroup = async ({ seed, path, isQuick, report }) => {
  const size = isQuick ? QUICK : FULL;
  const findings = newFindings();
  const replay = path === null ? null : parseReplay(path);
  const fuzzTarget = await startFuzzTarget({
    HEADERS_WITHIN_SECONDS: String(size.headersSeconds),
    REQUEST_WITHIN_SECONDS: String(size.requestSeconds),
  });
  const { single, port, target } = fuzzTarget;
  try {
    const patience = {
      headersMs: size.headersSeconds * MS_IN_SECOND,
      requestMs: size.requestSeconds * MS_IN_SECOND,
    };
    const receipts = new Set<string>();
    const check = createCheck(findings, patience.requestMs, ({ status, head }) => {
      const receipt = /^content-location: *(\S+)/im.exec(head)?.[1];
      if (status === ACCEPTED && receipt !== undefined) receipts.add(receipt);
      const checkedFile = CHECKED_FILE.exec(head)?.[1];
      if (checkedFile !== undefined) target.checkedFiles.push(checkedFile);
    });
    const tasks = [
      ...planTasks(target, size, check),
      ...framingTasks(port, target, findings, size.framingRounds),
    ].filter(({ name }) => replay === null || name === replay.task);
    if (tasks.length === 0) throw new RangeError(`There is no task ${replay?.task}.`);
    findings.count('routes', target.routes.length);
    const fuzzRun = createFuzzRun({ seed, port, path: replay?.path ?? '', findings });
    const memory = watchMemory(() => single.service.rss());
    const slowEach = replay === null ? size.slowEach : 0;
    const slow = trySlowSenders(port, target, patience, slowEach, findings);
    for (let part = 0; part < PARTS; part += 1) {
      await fuzzRun.send(tasks.filter((_task, at) => at % PARTS === part));
      if (part === WARM_AFTER) memory.isWarm();
      report(`hostile-input: part ${part + 1} of ${PARTS}`);
    }
    await slow;
    await single.tables.allDone().catch((error: Error) => findings.fault('worker', error.message));
    await fuzzRun.checkLate();
    await sleep(REST_MS);
    memory.end(findings);
    await checkReceipts(single.service.url, target.nativeToken, [...receipts], findings);
    await checkService(fuzzTarget, findings);
  } finally {
    await single.stop();
  }
  return { counts: findings.counts(), faults: findings.faults() };
};

/** A task for each route, and small ones of the mix between them. */
const planTasks = (
  target: Target,
  { mixed, ofEachRoute }: Size,
  check: FuzzTask['check'],
): readonly FuzzTask[] => {
  const routes = target.routes.map(
    (route): FuzzTask => ({
      name: `${route.method} ${route.path}`,
      arbitrary: unusualHeaders(target, route),
      runs: ofEachRoute,
      check,
    }),
  );
  const arbitrary = weighted(...MIX.map(([weight, build]) => [weight, build(target)] as const));
  const mix = Array.from({ length: MIX_TASKS }, (_, n): FuzzTask => {
    const runs = Math.round(mixed / MIX_TASKS);
    return { name: `mix ${n}`, arbitrary, runs, check };
  });
  return [...mix, ...routes];
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
      if (most - before > MAX_PEAK_MIB) findings.fault('memory', `${before} MiB, then ${most}`);
      if (now - before > MAX_REST_MIB) findings.fault('memory at rest', `${before}, then ${now}`);
    },
  };
};

/** Asks the service, and looks at what it has stored, as its operator would. */
const checkService = async (fuzzTarget: FuzzTarget, findings: Findings): Promise<void> => {
  const { service, tables } = fuzzTarget.single;
  const ready = await fetch(`${service.url}/health/ready`).then(
    async (answer) => `${answer.status} ${await answer.text()}`,
    () => 'no answer',
  );
  if (!ready.startsWith('200 ')) findings.fault('not ready at the end', ready);
  const metrics = await (await fetch(`${service.url}/metrics`)).text();
  findings.count('bytes of metrics', metrics.length);
  if (metrics.length > MAX_METRICS_BYTES)
    findings.fault('the metrics have grown', `${metrics.length} bytes`);
  for (const session of fuzzTarget.target.sessions) {
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
  for (const line of fuzzTarget.logFaults()) findings.fault('log', line);
};

const OK = 200;
const RECEIPTS_AT_ONCE = 8;

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
  const limit = pLimit(RECEIPTS_AT_ONCE);
  const check = async (address: string): Promise<void> => {
    const { pathname } = new URL(address, url);
    const headers = { Authorization: `Bearer ${token}` };
    const answer = await fetch(`${url}${pathname}`, { headers });
    const receipt = (await answer.json()) as Receipt;
    findings.count('receipts read');
    if (answer.status !== OK || receipt.status !== 'completed')
      findings.fault('a receipt', `${answer.status}, ${receipt.status}`);
    // The reference of an entry is a chart number, which its sender knows.
    const outcomes = (receipt.outcome?.rejected ?? []).map(({ outcome }) => outcome);
    if (JSON.stringify(outcomes).includes(MARKER))
      findings.fault('a submitted value in a receipt', String(answer.status));
  };
  await Promise.all(addresses.map((address) => limit(check, address)));
};
