import { setTimeout as sleep } from 'node:timers/promises';
import { forkWith } from '../../harness/built-service.ts';
import { type SingleService, withSingle } from '../../harness/measured-service.ts';
import { BYTES_IN_MIB } from '../../harness/units.ts';
import type { ChaosGroup } from '../chaos.ts';
import { type Findings, newFindings } from '../hostile-input/findings.ts';
import type { Flooded, FloodTask } from './flood.ts';
import {
  BY_MEDIAN,
  BY_TAIL,
  type Comparison,
  compareWaits,
  type OtherCallers,
  othersBeside,
} from './other-callers.ts';

const FLOOD = new URL('./flood.ts', import.meta.url);

interface Size extends Comparison {
  /** How long others are asked before and after a flood, and how long each flood lasts. */
  readonly calmMs: number;
  readonly floodMs: number;
}

const FULL: Size = { calmMs: 15_000, floodMs: 60_000, ...BY_TAIL };
const QUICK: Size = { calmMs: 2_000, floodMs: 4_000, ...BY_MEDIAN };

/** What a flooding client sends on one connection unless it is stopped. */
const MAX_SENT_MIB = 60;
/** More is taken from the client than the service reads: both systems keep some of what is on its way. */
const MAX_TAKEN_MIB = 16;
const MAX_GROWTH_MIB = 60;
const CLOSED_WITHIN_MS = 20_000;
const REST_MS = 2_000;
const WARM_UP_MS = 3_000;

/**
 * Sends requests on a connection without waiting for the answers, as many as go: on one connection
 * until it is closed, and again and again for a minute, of a page, and of the API with a key that
 * there is not. The service has to close such a connection, keep its memory, and answer others as
 * before.
 */
export const runPipelining: ChaosGroup = ({ isQuick, report }) =>
  withSingle(async (single) => {
    const size = isQuick ? QUICK : FULL;
    const findings = newFindings();
    const callers = await othersBeside(single);
    // Compiles what is asked, and opens the pools.
    await callers.askFor(WARM_UP_MS);
    for (const [what, request] of requestsOf(single.service.settings.port)) {
      report(`pipelining: ${what}`);
      await floodOnce(single, what, request, findings);
      await floodAgainAndAgain(single, callers, { what, request, size }, findings);
    }
    callers.close();
    return { counts: findings.counts(), faults: findings.faults() };
  });

const requestsOf = (port: number): readonly (readonly [string, string])[] => [
  ['pages', `GET /sign-in HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`],
  [
    'API',
    `GET /api/registry/fhir/ingestions/none HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer rgk_${'x'.repeat(43)}\r\n\r\n`,
  ],
];

const startFlood = (task: FloodTask): Promise<Flooded> => forkWith<Flooded>(FLOOD, task).answer;

const mibOf = (bytes: number): number => Math.round(bytes / BYTES_IN_MIB);

const floodOnce = async (
  { service }: SingleService,
  what: string,
  request: string,
  findings: Findings,
): Promise<void> => {
  const before = service.rss();
  const { closed, bytes } = await startFlood({
    port: service.settings.port,
    request,
    connectsAgain: false,
    mostBytes: MAX_SENT_MIB * BYTES_IN_MIB,
    withinMs: CLOSED_WITHIN_MS,
  });
  await sleep(REST_MS);
  const growth = mibOf(service.rss() - before);
  findings.count(`${what}: MiB sent on one connection`, mibOf(bytes));
  findings.count(`${what}: MiB more after it`, growth);
  if (closed === 0) findings.fault('a connection is kept', what);
  if (mibOf(bytes) > MAX_TAKEN_MIB)
    findings.fault('a connection is closed late', `${what}, after ${mibOf(bytes)} MiB`);
  if (growth > MAX_GROWTH_MIB) findings.fault('memory', `${what}, ${growth} MiB more`);
};

interface Attack {
  readonly what: string;
  readonly request: string;
  readonly size: Size;
}

const floodAgainAndAgain = async (
  { service }: SingleService,
  callers: OtherCallers,
  { what, request, size }: Attack,
  findings: Findings,
): Promise<void> => {
  const calmBefore = await callers.askFor(size.calmMs);
  const before = service.rss();
  const flooding = startFlood({
    port: service.settings.port,
    request,
    connectsAgain: true,
    mostBytes: MAX_SENT_MIB * BYTES_IN_MIB,
    withinMs: size.floodMs,
  });
  const during = await callers.askFor(size.floodMs);
  const { connections, bytes } = await flooding;
  await sleep(REST_MS);
  const growth = mibOf(service.rss() - before);
  const calm = [...calmBefore, ...(await callers.askFor(size.calmMs))].sort((a, b) => a - b);
  findings.count(`${what}: connections`, connections);
  findings.count(`${what}: MiB sent`, mibOf(bytes));
  findings.count(`${what}: MiB more after all`, growth);
  findings.count(`${what}: answers to others`, during.length);
  compareWaits(what, size, calm, during, findings);
  if (growth > MAX_GROWTH_MIB) findings.fault('memory', `${what}, ${growth} MiB more at the end`);
};
