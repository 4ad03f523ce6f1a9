// Appends of about 1 KB through emmett, each to a stream of its own, 32 in flight.
// Arguments: address of the database, appends, warm-up appends, name of this run.
// Prints appends in a second. Plain JavaScript: its packages are installed here only.
import { getPostgreSQLEventStore } from '@event-driven-io/emmett-postgresql';

const [url, appends, warmUp, run] = process.argv.slice(2);
const IN_FLIGHT = 32;
const MS_IN_SECOND = 1_000;
const NOTE = 'x'.repeat(900);

const store = getPostgreSQLEventStore(url, { connectionOptions: { pooled: true } });
await store.schema.migrate();

const append = (n) =>
  store.appendToStream(`${run}-${n}`, [
    { type: 'BirthRecorded', data: { chartNumber: `${run}-${n}`, version: 1, note: NOTE } },
  ]);

const appendAll = async (from, count) => {
  let next = from;
  const work = async () => {
    while (next < from + count) {
      const n = next;
      next += 1;
      await append(n);
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, work));
};

await appendAll(0, Number(warmUp));
const began = performance.now();
await appendAll(Number(warmUp), Number(appends));
const seconds = (performance.now() - began) / MS_IN_SECOND;
process.stdout.write(`${Number(appends) / seconds}\n`);
await store.close();
