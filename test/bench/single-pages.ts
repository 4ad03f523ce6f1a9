import { measurePages } from './page-times.ts';

// How fast the pages answer in a practice of many records: a throw-away service is filled through
// the event log, then asked one request after the other. Exits 1 when a p99 is over the limit.

const RECORDS = Number(process.argv[2] ?? 100_000);
const LIMIT_MS = 100;

const results = await measurePages(RECORDS);
console.log(`${RECORDS} records in the practice, ms`);
console.table(
  Object.fromEntries(
    results.map(({ page, p50, p99 }) => [page, { p50: p50.toFixed(1), p99: p99.toFixed(1) }]),
  ),
);
console.log(JSON.stringify({ records: RECORDS, results }));
process.exit(results.some(({ p99 }) => p99 > LIMIT_MS) ? 1 : 0);
