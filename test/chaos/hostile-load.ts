import { setTimeout as sleep } from 'node:timers/promises';
import { findEnd } from '../bench/hostile/find-end.ts';
import {
  ANSWER_MS,
  HOSTILE_INPUTS,
  type HostileInput,
  type HostileTarget,
  isAnswered,
  OTHERS_P99_MS,
  OTHERS_WORST_MS,
  type SentAnswer,
  startHostileTarget,
} from '../bench/hostile/hostile-target.ts';
import type { OthersWaits } from '../bench/hostile/others.ts';
import { quantile } from '../bench/quantile.ts';
import { childrenOf, peakRssByProcess } from '../harness/process-usage.ts';
import { BYTES_IN_MIB } from '../harness/units.ts';
import type { ChaosGroup } from './chaos.ts';
import { type Findings, newFindings } from './hostile-input/findings.ts';

interface Size {
  /** How long it goes on at least; longer until everything was sent once. */
  readonly lastsMs: number;
  readonly mostMs: number;
  /** How long a sender waits for an answer. */
  readonly answerMs: number;
  /** How long others may wait, by quantile; milliseconds. */
  readonly limits: Readonly<Record<string, number>>;
}

const FULL: Size = {
  lastsMs: 60_000,
  mostMs: 600_000,
  answerMs: ANSWER_MS,
  limits: { p99: OTHERS_P99_MS, worst: OTHERS_WORST_MS },
};
/** Other tests take half of the machine and more: of others, only the median tells anything. */
const QUICK: Size = {
  lastsMs: 10_000,
  mostMs: 120_000,
  answerMs: 3 * ANSWER_MS,
  limits: { p50: 2 * OTHERS_P99_MS },
};

const QUANTILES = { p50: 0.5, p99: 0.99, worst: 1 } as const;

/** Senders at once of each kind, each with keys, accounts and launches of its own. */
const SENDERS: Readonly<Record<HostileInput['kind'], number>> = {
  push: 3,
  chart: 2,
  form: 2,
  file: 2,
  flood: 1,
};

/** As much as the documentation says that a process needs. */
const MAX_MIB = 2_048;
const END_WITHIN_MS = 300_000;
const LOOK_EVERY_MS = 100;
/** Who is told to come again later does. */
const PAUSE_MS = 1_000;
const EMBEDDED_NODE = 'node-process';

/**
 * Sends everything that has cost much at once, as several keys, accounts and EHRs, while another
 * practice works. No process may end, all that was taken has to end, everybody has to be answered,
 * and the others must hardly notice.
 */
export const runHostileLoad: ChaosGroup = async ({ isQuick, report }) => {
  const size = isQuick ? QUICK : FULL;
  const findings = newFindings();
  const target = await startHostileTarget();
  try {
    const answers: SentAnswer[] = [];
    const watch = watchProcesses(target, findings);
    const waits = await target.watchOthers(async () => {
      const load = sendAll(target, size, (input, answer) => {
        answers.push(answer);
        noteAnswer(input, answer, size, findings);
      });
      await load;
    });
    report('Working off what was taken.');
    await noteEnds(answers, findings);
    await watch.stop();
    compareWithLimits(waits, size, findings);
    const { problems } = await target.service.operator('verify');
    for (const problem of problems as readonly unknown[])
      findings.fault('verify', JSON.stringify(problem));
    return { counts: findings.counts(), faults: findings.faults() };
  } finally {
    await target.stop();
  }
};

type OnAnswer = (input: HostileInput, answer: SentAnswer) => void;

/** Each sender takes the next input of its kind, again and again. */
const sendAll = async (
  target: HostileTarget,
  { lastsMs, mostMs, answerMs }: Size,
  onAnswer: OnAnswer,
): Promise<void> => {
  const began = performance.now();
  const senders = Object.entries(SENDERS).flatMap(([kind, count]) => {
    const inputs = HOSTILE_INPUTS.filter((input) => input.kind === kind);
    let next = 0;
    const isOver = (): boolean => {
      const lasted = performance.now() - began;
      return lasted > mostMs || (lasted > lastsMs && next >= inputs.length);
    };
    const send = async (sender: number): Promise<void> => {
      while (!isOver()) {
        const input = inputs[next % inputs.length];
        next += 1;
        if (input === undefined) return;
        const sendings = await target.prepare(input, sender);
        const answers = await Promise.all(sendings.map((one) => one.send(answerMs)));
        for (const answer of answers) onAnswer(input, answer);
        if (answers.some(({ saysWhen }) => saysWhen)) await sleep(PAUSE_MS);
      }
    };
    return Array.from({ length: count }, (_, sender) => send(sender));
  });
  await Promise.all(senders);
};

const noteAnswer = (
  input: HostileInput,
  answer: SentAnswer,
  { answerMs }: Size,
  findings: Findings,
): void => {
  const { status } = answer;
  findings.count(`${input.kind} answered ${status === 0 ? 'nothing' : status}`);
  if (!isAnswered(answer))
    findings.fault(
      status === 0 ? `no answer in ${answerMs / 1_000} s` : `answered ${status}`,
      `${input.kind}: ${input.name}`,
    );
};

/** Everything that was taken has to end. */
const noteEnds = async (answers: readonly SentAnswer[], findings: Findings): Promise<void> => {
  const until = performance.now() + END_WITHIN_MS;
  for (const { receipt } of answers) {
    if (receipt === null) continue;
    findings.count('202s given');
    const end = await findEnd(receipt, until);
    if (end !== null) findings.count('202s ended');
    if (end !== 'completed') findings.fault('a 202 without a completed receipt', end ?? 'open');
  }
};

/** Sees what ends meanwhile, brings the service back, and counts the memory of each process. */
const watchProcesses = (target: HostileTarget, findings: Findings) => {
  const { service, dataDir } = target;
  const pid = (): number => service.child().pid ?? 0;
  const node = childrenOf(pid(), EMBEDDED_NODE).join();
  findings.count('restarts', 0);
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      if (target.hasEnded()) {
        findings.count('restarts');
        findings.fault('a process has ended', 'the service');
        await target.revive();
      }
      await sleep(LOOK_EVERY_MS);
    }
  })();
  return {
    async stop(): Promise<void> {
      isOver = true;
      await watching;
      if (node !== childrenOf(pid(), EMBEDDED_NODE).join())
        findings.fault('a process has ended', 'the event log');
      for (const [name, bytes] of Object.entries(peakRssByProcess(pid(), dataDir)))
        findings.count(`VmHWM MiB of ${name}`, Math.round(bytes / BYTES_IN_MIB));
      const mib = findings.counts()['VmHWM MiB of api'] ?? 0;
      if (mib > MAX_MIB) findings.fault('memory', `${mib} MiB`);
    },
  };
};

const compareWithLimits = (
  { waits, failed }: OthersWaits,
  { limits }: Size,
  findings: Findings,
): void => {
  findings.count('others not answered', failed);
  for (const [question, sorted] of Object.entries(waits))
    for (const [name, share] of Object.entries(QUANTILES)) {
      const ms = Math.round(quantile(sorted, share));
      findings.count(`${question} of others, ${name} ms`, ms);
      const most = limits[name];
      if (most !== undefined && ms > most)
        findings.fault('others wait', `${question}, ${name} ${ms} ms`);
    }
};
