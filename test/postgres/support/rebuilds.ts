import { sql } from 'kysely';
import type { Db } from '../../../adapters/postgres/connection/database.ts';
import { rebuildReadTables } from '../../../adapters/postgres/rebuild/rebuild.ts';
import { NO_REPORTER } from '../../../api/commands/reporter.ts';
import type { Stores } from '../../../api/stores/stores.ts';
import {
  poll,
  post,
  receiptAddress,
  receiptAt,
  type TestPractice,
  type TestService,
} from '../../harness/service.ts';
import { birthBundle } from '../../support/bundles.ts';

/** A rebuild that has applied its first events, and waits to be let go on. */
export interface HeldRebuild {
  release(): void;
  /** Settles when the rebuild is over. */
  readonly ended: Promise<unknown>;
}

/** Starts a rebuild that waits behind the first batch of the log. */
export const holdRebuild = (
  { databaseUrl, registryId, log }: Pick<Stores, 'databaseUrl' | 'registryId' | 'log'>,
  purpose: 'swap' | 'compare',
): HeldRebuild => {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const ended = rebuildReadTables(
    {
      databaseUrl,
      registryId,
      head: log.head,
      ...NO_REPORTER,
      follow: (after, onBatch, onCaughtUp, signal) =>
        log.follow(
          after,
          async (batch) => {
            await onBatch(batch);
            await released;
          },
          onCaughtUp,
          signal,
        ),
    },
    purpose,
  );
  return { release, ended };
};

/** What requests were answered while something else was done. */
export interface AnsweredRequests {
  /** How long each took, in milliseconds. */
  readonly tookMs: readonly number[];
  /** The statuses of all receipts. */
  readonly receipts: readonly string[];
  /** Answers that nobody should get. */
  readonly faults: readonly string[];
}

/** Who asks, one request after the other: so many a stall of the machine meets. */
export const CLIENTS = 4;

let turns = 0;

/** Pushes, polls and asks for readiness, without a pause, until the work is done. */
export const requestsBeside = async (
  { service, practice }: { readonly service: TestService; readonly practice: TestPractice },
  work: () => Promise<unknown>,
): Promise<AnsweredRequests> => {
  turns += 1;
  const turn = turns;
  let isDone = false;
  const receipts: string[] = [];
  const faults: string[] = [];
  const tookMs: number[] = [];
  const timed = async (ask: () => Promise<Response>): Promise<Response> => {
    const asked = performance.now();
    const response = await ask();
    tookMs.push(performance.now() - asked);
    return response;
  };
  const timedPoll: typeof poll = (address, token) => timed(() => poll(address, token));
  const client = async (name: string) => {
    for (let index = 0; !isDone; index += 1) {
      const bundle = birthBundle({ chartNumber: `${turn}-${name}-${index}` });
      const response = await timed(() => post(service.url, practice.token, bundle));
      if (response.status !== 202) faults.push(`POST ${response.status}`);
      const address = receiptAddress(response);
      receipts.push((await receiptAt(address, practice.token, undefined, timedPoll)).status);
    }
  };
  const watch = async () => {
    while (!isDone) {
      const { status } = await timed(() => fetch(`${service.url}/health/ready`));
      if (status !== 200) faults.push(`ready ${status}`);
    }
  };
  const load = Promise.all([client('one'), client('two'), client('three'), watch()]);
  try {
    await work();
  } finally {
    isDone = true;
  }
  await load;
  return { tookMs, receipts, faults };
};

/** Identity of the read tables: a swap brings others. */
export const findTables = async (db: Db): Promise<string | undefined> => {
  const { rows } = await sql<{ oid: string }>`
    select to_regclass('read.checkpoint')::oid::text as oid`.execute(db);
  return rows[0]?.oid;
};
