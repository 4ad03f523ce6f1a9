import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openCommands } from '../api/composition/commands.ts';
import { openServiceLog } from '../api/composition/logging.ts';
import { startService } from '../api/composition/service.ts';
import { readSettings } from '../api/composition/settings.ts';
import { pushBundle } from './demo/push-bundle.ts';
import { pushSampleBirths } from './demo/sample-births.ts';
import { sayLaunches, startSampleEhr } from './demo/sample-ehr.ts';
import { DEMO_PASSWORD, setUpPractice } from './demo/sample-practice.ts';

/**
 * Starts the service on a throw-away data directory with a sandbox practice, pushes a real Bundle
 * and a year of made-up births, prints addresses, sign-ins and keys, and stays up until it is
 * stopped. With `--ehr` a simulated EHR stands beside it, from whose charts births are pre-filled.
 */

const BUNDLE = 'test/fixtures/bfdr/BirthRecordBabyGQuinn.json';
const PASS_THROUGH = 0o711; // the database's user must be able to enter
const ISO_DATE_LENGTH = 10;

const { values: wanted } = parseArgs({ options: { ehr: { type: 'boolean', default: false } } });

const say = (line = ''): void => void process.stdout.write(`${line}\n`);

const demo = async (): Promise<void> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'birth-registry-demo-'));
  await chmod(dataDir, PASS_THROUGH);
  const sampleEhr = wanted.ehr ? await startSampleEhr() : null;
  const settings = readSettings({
    ...process.env,
    ...sampleEhr?.settings,
    DATA_DIR: dataDir,
  });
  const silent = openServiceLog('warn');
  say('Starting a Postgres and an event log of its own …');
  const service = await startService(settings, silent);
  let isStopping = false;
  const stop = async (): Promise<void> => {
    if (isStopping) return;
    isStopping = true;
    say('Stopping; the data of the demo is deleted.');
    await service.stop();
    await sampleEhr?.ehr.stop();
    await rm(dataDir, { recursive: true, force: true });
    process.exit(0);
  };
  process.on('SIGINT', () => void stop());
  process.on('SIGTERM', () => void stop());
  await service.started;
  sampleEhr?.ehr.register(service.url);

  const commands = await openCommands(settings, silent);
  const practice = await setUpPractice(commands);
  await commands.close();
  say(`Ready on ${service.url}. Setting up a sandbox practice …`);

  say();
  say(`Pushing ${BUNDLE} …`);
  const { nativeToken: token } = practice;
  const { answer, address, receipt } = await pushBundle(
    service.url,
    token,
    new Uint8Array(await readFile(BUNDLE)),
  );
  say(`${answer}, Content-Location: ${address}`);
  say(JSON.stringify(receipt, null, 2));
  say();
  say('Pushing a year of made-up births; a few are meant to be refused as stale …');
  await pushSampleBirths(
    service.url,
    practice,
    new Date().toISOString().slice(0, ISO_DATE_LENGTH),
    say,
  );

  say();
  say(`Sign in at ${service.url}/sign-in, password ${DEMO_PASSWORD}:`);
  for (const { seat, email } of practice.signIns) say(`  ${seat.padEnd(14)} ${email}`);
  say();
  say('Keys, for EHRs:');
  say(`  native         ${token}`);
  say(`  partner feed   ${practice.partnerToken}`);
  say();
  say('Three things to try:');
  say(
    `  1. As ${practice.signIns[0]?.email}: clear a suspected duplicate at ${service.url}/registry/duplicates`,
  );
  say('  2. The same birth once more: an amendment, version 2. In another terminal:');
  say(
    `     curl -si ${service.url}/api/registry/fhir/Bundle -H "Authorization: Bearer ${token}" -H 'Content-Type: application/fhir+json' --data-binary @${BUNDLE}`,
  );
  say('  3. That record, and every event that made it:');
  say(
    `     DATA_DIR=${dataDir} npm run --silent operator -- history --practice ${practice.practiceId} --chart 2019NJ15075 --json`,
  );
  if (sampleEhr !== null) sayLaunches(sampleEhr, practice.signIns[0]?.email, say);
  say();
  say(`The contract is at ${service.url}/openapi.json. Stop the demo with Ctrl-C.`);
};

demo().catch((error: unknown) => {
  const help = error instanceof Error ? `${error.name}: ${error.message}` : 'Unknown fault';
  process.stderr.write(`The demo did not start. ${help}\n`);
  process.exit(1);
});
