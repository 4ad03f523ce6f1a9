import { setTimeout as sleep } from 'node:timers/promises';
import { startEhr } from '../../../scripts/ehr-simulator/start-ehr.ts';
import { forkWith } from '../../harness/built-service.ts';
import { type SingleService, startSingle } from '../../harness/measured-service.ts';
import { BYTES_IN_MIB } from '../../harness/units.ts';
import type { ChaosGroup } from '../chaos.ts';
import { newFindings } from '../hostile-input/findings.ts';
import {
  BY_MEDIAN,
  BY_TAIL,
  type Comparison,
  compareWaits,
  othersBeside,
} from '../pipelining/other-callers.ts';
import type { AnonymousAnswers, AnonymousRequestsTask } from './anonymous-requests.ts';

const ANONYMOUS_REQUESTS = new URL('./anonymous-requests.ts', import.meta.url);

interface Size extends Comparison {
  readonly requests: number;
  /** How long others are asked before and after. */
  readonly calmMs: number;
}

const FULL: Size = { requests: 200_000, calmMs: 20_000, ...BY_TAIL };
const QUICK: Size = { requests: 4_000, calmMs: 2_000, ...BY_MEDIAN };

/** All tables of the schema `app` together. */
const MAX_ROWS_LEFT = 1_000;
const MAX_GROWTH_MIB = 60;
/** One of so many comes before memory and rows are counted. */
const WARM_UP_SHARE = 4;
const REST_MS = 2_000;
/** Others poll more often than a key may: what holds strangers back is the same number. */
const RATE_LIMIT_PER_MINUTE = '12000';

/**
 * Asks as strangers do: with tokens that nobody has, for the sign-in page, and for launches, each time as
 * somebody new. Nearly nothing may be left of it, in the database or in memory, and once they have gone
 * others wait no longer than before.
 */
export const runStrangers: ChaosGroup = async ({ isQuick, report }) => {
  const size = isQuick ? QUICK : FULL;
  const findings = newFindings();
  const ehr = await startEhr();
  const single = await startSingle({
    RATE_LIMIT_PER_MINUTE,
    SMART_CLIENT_ID: ehr.clientId,
    SMART_ALLOWED_ISSUERS: ehr.issuer,
  });
  try {
    const sendRequests = (requests: number) =>
      forkWith<AnonymousAnswers>(ANONYMOUS_REQUESTS, {
        url: single.service.url,
        launch: ehr.launchUrl(single.service.url, 'mother-1'),
        requests,
      } satisfies AnonymousRequestsTask).answer;
    const callers = await othersBeside(single);
    // What the first strangers leave is code that was compiled for them, and a heap that has grown to its size.
    const first = await sendRequests(size.requests / WARM_UP_SHARE);
    await callers.askFor(size.calmMs);
    const calm = await callers.askFor(size.calmMs);
    const rowsBefore = await appRows(single);
    const before = single.service.rss();
    report(`strangers: ${size.requests} requests`);
    const { statuses } = await sendRequests(size.requests);
    const sum = { ...first.statuses };
    for (const [status, times] of Object.entries(statuses))
      sum[status] = (sum[status] ?? 0) + times;
    for (const [status, times] of Object.entries(sum)) findings.count(`answers ${status}`, times);
    const rows = (await appRows(single)) - rowsBefore;
    await sleep(REST_MS);
    const growth = Math.round((single.service.rss() - before) / BYTES_IN_MIB);
    const after = await callers.askFor(size.calmMs);
    callers.close();
    findings.count('rows left', rows);
    findings.count('MiB more', growth);
    compareWaits('strangers', size, calm, after, findings);
    if (rows >= MAX_ROWS_LEFT) findings.fault('rows', `${rows} are left`);
    if (growth > MAX_GROWTH_MIB) findings.fault('memory', `${growth} MiB more`);
    for (const status of Object.keys(sum))
      if (status === 'none' || Number(status) >= 500)
        findings.fault('answers', `${sum[status]} were ${status}`);
    return { counts: findings.counts(), faults: findings.faults() };
  } finally {
    await single.stop();
    await ehr.stop();
  }
};

/** Rows in all tables of the schema `app`. */
const appRows = async ({ tables }: SingleService): Promise<number> => {
  const names = await tables.query(
    "select tablename as name from pg_tables where schemaname = 'app'",
  );
  const counts = names.map(({ name }) => `(select count(*) from app.${String(name)})`);
  const [row] = await tables.query(`select ${counts.join(' + ')} as rows`);
  return Number(row?.['rows']);
};
