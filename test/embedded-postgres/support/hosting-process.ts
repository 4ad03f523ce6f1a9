import { hostPostgres } from '../../../adapters/embedded-postgres/host.ts';

// A process that hosts Postgres on the directory it is given, as the service does. It reports on
// stdout, one JSON object a line, and gives Postgres up on SIGUSR2. SIGINT and SIGTERM only make it
// say so: a service drains first.
const report = (line: object): void => {
  process.stdout.write(`${JSON.stringify(line)}\n`);
};

const [dataDir] = process.argv.slice(2);
if (dataDir === undefined) throw new Error('usage: hosting-process.ts DATA_DIR');

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => report({ received: signal }));
}
const hosted = await hostPostgres({
  dataDir,
  onLog: report,
  onNotice: (notice) => report({ notice }),
});
process.on('SIGUSR2', () => {
  void hosted.stop().then(() => process.exit(0));
});
report({
  url: hosted.url,
  handlers: { SIGINT: process.listenerCount('SIGINT'), SIGHUP: process.listenerCount('SIGHUP') },
});
