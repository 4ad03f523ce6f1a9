import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildService } from '../../scripts/build-service.ts';
import { consoleOf, openBrowser } from '../harness/browser.ts';
import { eventually } from '../harness/eventually.ts';
import { faultsOf } from '../harness/gallery.ts';
import { newVisitor, PASSWORD, RECORD } from '../harness/pages.ts';
import { freePort } from '../harness/ports.ts';
import { copyFreshCluster } from '../harness/postgres.ts';
import { testEnvironment } from '../harness/service.ts';
import { temporaryDirectory } from '../harness/temporary-directory.ts';
import { findMessage } from '../harness/test-page.ts';

const setUp = suite('the first minutes of a registry');

const LINK = /http:\/\/[\d.:]+\/set-up\/[\w-]{43}(?=\s)/;
const CTRL_C = '\u0003';
const START_WITHIN_MS = 60_000;

const terminals = new Set<ChildProcess>();
setUp.after(() => {
  for (const terminal of terminals) terminal.kill('SIGHUP');
});

/** The built service on a terminal of its own, as `npm start` runs it there. */
const startOnTerminal = async (dataDir: string, changes: Readonly<Record<string, string>> = {}) => {
  const port = String(await freePort());
  const url = `http://127.0.0.1:${port}`;
  const environment = { PORT: port, LOG_LEVEL: 'info', ...changes };
  const line = `exec ${process.execPath} scripts/run.mjs serve`;
  const terminal = spawn('script', ['--quiet', '--return', '--command', line, '/dev/null'], {
    env: { ...process.env, ...testEnvironment(dataDir, environment) },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  terminals.add(terminal);
  terminal.once('close', () => terminals.delete(terminal));
  let shown = '';
  terminal.stdout.on('data', (text) => (shown += text));
  return {
    url,
    shown: () => shown,
    reads: (pattern: RegExp) =>
      eventually(`${pattern} on the terminal`, () => pattern.test(shown), START_WITHIN_MS),
    async stop() {
      const closed = once(terminal, 'close');
      terminal.stdin.write(CTRL_C);
      const [code] = await closed;
      return code;
    },
  };
};

const freshDirectory = async () => {
  const directory = temporaryDirectory('set-up');
  await copyFreshCluster(directory.path);
  return directory;
};

setUp('a link on the terminal leads to a first accepted record without a command', async () => {
  buildService('ignore');
  const directory = await freshDirectory();
  const terminal = await startOnTerminal(directory.path);
  await terminal.reads(LINK);
  const [link = ''] = LINK.exec(terminal.shown()) ?? [];
  await terminal.reads(/Ctrl-C stops it/);
  assert.not.match(terminal.shown(), /^\{/m);

  // A stranger who knows the address, but not the link, finds nothing.
  const stranger = newVisitor(terminal.url);
  assert.is((await stranger.send('/set-up')).status, 404);
  assert.is((await stranger.send(`/set-up/${'A'.repeat(43)}`)).status, 404);
  assert.is((await stranger.send('/set-up', { staffEmail: 'x@example.org' })).status, 404);
  assert.is(stranger.cookie(), '');

  const browser = openBrowser();
  const page = await (await browser.newContext(terminal.url)).newPage();
  const messages = consoleOf(page);
  await page.goto(link);
  assert.is(page.url(), `${terminal.url}/set-up`);
  assert.equal(await faultsOf(page, 'set-up'), []);
  await page.getByRole('button', { name: 'Set up the registry' }).click();
  const errors = page.getByRole('alert');
  await errors.getByRole('heading', { name: '5 things to correct', exact: true }).waitFor();
  const said = await errors.getByRole('link').allInnerTexts();
  assert.is(new Set(said).size, said.length);
  assert.equal(await faultsOf(page, 'set-up-errors'), []);

  await page.getByLabel('Email of the service staff').fill('Sam@registry.example');
  await page.getByLabel('Password of the service staff').fill(PASSWORD);
  await page.getByLabel('Name of the practice').fill('Cedar Birth Center');
  await page.getByLabel('Email of the Admin').fill('sam@registry.example');
  await page.getByLabel('Password of the Admin').fill(PASSWORD);
  await page.getByRole('button', { name: 'Set up the registry' }).click();
  await errors.locator('[data-error="same-email"]').waitFor();
  await page.getByLabel('Email of the Admin').fill('ada@cedar.example');
  await page.getByLabel('Password of the service staff').fill(PASSWORD);
  await page.getByLabel('Password of the Admin').fill(PASSWORD);
  await page.getByRole('button', { name: 'Set up the registry' }).click();

  await page.waitForURL('**/registry/integrations');
  assert.match(await findMessage(page, 'set-up-sandbox').innerText(), 'you can send a test birth');
  assert.equal(await faultsOf(page, 'set-up-done'), []);
  await page.getByLabel('Name', { exact: true }).fill('First test');
  await page.getByRole('button', { name: 'Mint key' }).click();
  await page.getByRole('button', { name: 'Send test birth' }).click();
  await page.getByText('Accepted: TEST-1001 is recorded.').waitFor();
  assert.equal(await faultsOf(page, 'set-up-test-birth'), []);
  await page.getByRole('button', { name: 'Send test birth' }).click();
  await page.getByText('Accepted: TEST-1001 is amended.').waitFor();
  await page.getByRole('link', { name: 'Open the record' }).click();
  await page.waitForURL(RECORD);
  assert.ok((await page.locator('main').innerText()).includes('Rosa Marin'));
  assert.equal(messages, []);
  await browser.close();

  // Used up: for whoever has the link, and for a session that came by it.
  assert.is((await newVisitor(terminal.url).send(new URL(link).pathname)).status, 404);
  assert.is((await newVisitor(terminal.url).send('/set-up')).status, 404);
  for (const email of ['sam@registry.example', 'ada@cedar.example'])
    assert.is((await newVisitor(terminal.url).signIn({ id: '', email })).status, 303);
  assert.is(await terminal.stop(), 0);

  const again = await startOnTerminal(directory.path);
  await again.reads(/Ctrl-C stops it/);
  assert.match(again.shown(), /Sign in {3}http/);
  assert.not.match(again.shown(), LINK);
  assert.is(await again.stop(), 0);
  directory.remove();
});

setUp('JSON lines hold no link: they are kept by others', async () => {
  buildService('ignore');
  const directory = await freshDirectory();
  const terminal = await startOnTerminal(directory.path, { LOG_FORMAT: 'json' });
  await terminal.reads(/No one can sign in yet/);
  assert.is(await terminal.stop(), 0);
  assert.not.match(terminal.shown(), /set-up\//);
  // The terminal itself shows the key that stopped it.
  const lines = terminal.shown().replace('^C', '').split(/\r?\n/);
  const others = lines.filter((line) => line !== '' && !line.startsWith('{'));
  assert.equal(others, []);
  directory.remove();
});

setUp.run();
