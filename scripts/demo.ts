import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openCommands } from '../api/composition/commands.ts';
import { openServiceLog } from '../api/composition/logging.ts';
import { startService } from '../api/composition/service.ts';
import { readSettings } from '../api/composition/settings.ts';

/**
 * Starts the service on a throw-away data directory with a sandbox practice, pushes a real Bundle,
 * prints its receipt and where to look next, and stays up until it is stopped.
 */

const BUNDLE = 'test/fixtures/bfdr/BirthRecordBabyGQuinn.json';
const POLL_MS = 500; // well within the rate limit
const PASS_THROUGH = 0o711; // the database's user must be able to enter

const say = (line = ''): void => void process.stdout.write(`${line}\n`);

const demo = async (): Promise<void> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'birth-registry-demo-'));
  await chmod(dataDir, PASS_THROUGH);
  const settings = readSettings({ ...process.env, DATA_DIR: dataDir });
  const silent = openServiceLog('warn');
  say('Starting a Postgres and an event log of its own …');
  const service = await startService(settings, silent);
  let isStopping = false;
  const stop = async (): Promise<void> => {
    if (isStopping) return;
    isStopping = true;
    say('Stopping; the data of the demo is deleted.');
    await service.stop();
    await rm(dataDir, { recursive: true, force: true });
    process.exit(0);
  };
  process.on('SIGINT', () => void stop());
  process.on('SIGTERM', () => void stop());
  await service.started;

  const commands = await openCommands(settings, silent);
  const practiceId = await commands.practices.create({
    ...{ name: 'Cedar Birth Center (demo)', sandbox: true, beta: true },
  });
  const { token } = await commands.keys.mintNative({
    ...{ practiceId, name: 'Demo', scopes: ['ingest:write', 'ingest:read'] },
  });
  await commands.close();

  say(`Ready on ${service.url}. A sandbox practice and a native key are made.`);
  say();
  say(`Pushing ${BUNDLE} …`);
  const authorization = { Authorization: `Bearer ${token}` };
  const pushed = await fetch(`${service.url}/api/registry/fhir/Bundle`, {
    method: 'POST',
    headers: { ...authorization, 'Content-Type': 'application/fhir+json' },
    body: await readFile(BUNDLE),
  });
  const address = pushed.headers.get('content-location') ?? '';
  say(`${pushed.status} ${pushed.statusText}, Content-Location: ${address}`);
  for (;;) {
    const receipt = (await (await fetch(address, { headers: authorization })).json()) as {
      readonly status: string;
    };
    if (receipt.status === 'completed' || receipt.status === 'failed') {
      say(JSON.stringify(receipt, null, 2));
      break;
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }

  say();
  say('Try next, in another terminal:');
  say(`  export KEY=${token}`);
  say('  # the same birth once more: an amendment, version 2');
  say(
    `  curl -si ${service.url}/api/registry/fhir/Bundle -H "Authorization: Bearer $KEY" -H 'Content-Type: application/fhir+json' --data-binary @${BUNDLE}`,
  );
  say('  # its receipt: the address in Content-Location');
  say(`  curl -s -H "Authorization: Bearer $KEY" ${address}`);
  say('  # the record, and every event that made it');
  say(
    `  DATA_DIR=${dataDir} npm run --silent operator -- history --practice ${practiceId} --chart 2019NJ15075 --json`,
  );
  say(`The contract is at ${service.url}/openapi.json. Stop the demo with Ctrl-C.`);
};

demo().catch((error: unknown) => {
  const help = error instanceof Error ? `${error.name}: ${error.message}` : 'Unknown fault';
  process.stderr.write(`The demo did not start. ${help}\n`);
  process.exit(1);
});
