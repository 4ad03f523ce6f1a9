import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ROLES } from '../../domain/roles.ts';
import { DEMO_PASSWORD } from '../../scripts/demo/sample-practices.ts';
import { SERVICE_FLAGS } from '../../scripts/node-flags.ts';
import { openBrowser } from '../harness/browser.ts';
import { newVisitor, signInVisitor } from '../harness/pages.ts';
import { receiptAt } from '../harness/service.ts';
import { temporaryDirectory } from '../harness/temporary-directory.ts';
import { pathWithCurl, runTour } from '../support/guides.ts';
import { addLong } from '../support/runs.ts';

/** The demo as a newcomer runs it, but on any free port and in a directory of its own. */
const demo = suite('the demo');

const STARTED = 'Stop with Ctrl-C';
const directory = temporaryDirectory('demo');
const home = join(directory.path, 'demo');
const path = pathWithCurl(directory.path);

interface Started {
  readonly child: ChildProcess;
  /** Everything that it has printed by now. */
  readonly printed: () => string;
  /** Resolves when it has printed this; rejects when it ends before. */
  readonly says: (text: string) => Promise<void>;
  readonly ended: Promise<number | null>;
}

const started: Started[] = [];

/** How a demo ends that has to be refused; one that begins all the same fails the test at once. */
const refusal = ({ ended, says }: Started): Promise<number | null> =>
  Promise.race([
    ended,
    says('Starting').then(
      () => Promise.reject(new Error('It was not refused.')),
      () => ended,
    ),
  ]);

const start = (...options: readonly string[]): Started =>
  begin(process.execPath, [...SERVICE_FLAGS, 'scripts/run.mjs', 'demo'], options);

/** As in a terminal: npm and the demo in one process group. */
const startByNpm = (...options: readonly string[]): Started =>
  begin('npm', ['run', '--silent', 'demo', '--'], options);

const begin = (program: string, args: readonly string[], options: readonly string[]): Started => {
  const child = spawn(program, [...args, '--directory', home, ...options], {
    // A demo never fills the stores of a real service.
    env: { ...process.env, PORT: '0', DATABASE_URL: 'postgres://127.0.0.1:1/nobody' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let printed = '';
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const says = (text: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = () => printed.includes(text) && resolve();
      child.stdout.on('data', look);
      look();
      ended.then(() => reject(new Error(printed)));
    });
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => {
      printed += text.toString();
    });
  const one = { child, printed: () => printed, says, ended };
  started.push(one);
  return one;
};

/** Ctrl-C: npm and the demo get the signal of a terminal, and npm passes it on once more. */
const interrupt = ({ pid = 0 }: ChildProcess) => process.kill(-pid, 'SIGINT');

demo.after(async () => {
  for (const { child, ended } of started) {
    if (child.exitCode === null && child.signalCode === null) interrupt(child);
    await ended;
  }
  directory.remove();
});

const after = (label: RegExp, printed: string): string => label.exec(printed)?.[1] ?? '';
const URL_OF = /^Pages +(\S+?)\/ /m;
const NATIVE = /^ +native +(rgk_\S+)/m;

const sh = async (command: string): Promise<string> =>
  (await promisify(execFile)('sh', ['-c', command], { env: { ...process.env, PATH: path } }))
    .stdout;

let first = '';

demo('it fills three practices and says where to look', async () => {
  const running = startByNpm();
  await running.says(STARTED);
  first = running.printed();
  const url = after(URL_OF, first);

  const admin = newVisitor(url);
  for (const seat of ROLES) {
    const email = `${seat.toLowerCase()}@cedar.example`;
    assert.ok(first.includes(email));
    const visitor = seat === 'Admin' ? admin : newVisitor(url);
    const signedIn = await visitor.signIn({ id: '', email }, DEMO_PASSWORD);
    assert.is(signedIn.headers.get('location'), '/registry', seat);
  }
  const staff = await signInVisitor(
    url,
    { id: '', email: 'staff@registry.example' },
    DEMO_PASSWORD,
  );
  assert.match(await (await staff.send('/staff/partners')).text(), /Birch Health Network/);
  const [, security = ''] = /Here it is optional: set one up at (\S+)/.exec(first) ?? [];
  assert.is((await staff.send(new URL(security).pathname)).status, 200);

  const read = async (path: string) => (await admin.send(`/registry${path}`)).text();
  const front = await read('');
  assert.match(front, /Sandbox: synthetic data only/);
  for (const what of [/be the same birth as another/, /records? rejected/, /with rejected rows/])
    assert.match(front, what);
  const found = async (query: string) =>
    Number(/(\d+) records? found/.exec(await read(`/records?${query}`))?.[1] ?? 0);
  assert.ok((await found('came=sent')) > 120);
  assert.ok((await found('came=imported')) > 3);
  assert.ok((await found('state=voided')) > 3);
  assert.match(await read('/duplicates'), /Undo/);
  assert.match(await read('/providers'), /also known as/);
  const figures = await read('/statistics');
  assert.match(figures, /Other practices: \d+%/);
  assert.match(figures, /By attendant/);
});

/** Pictures of the documents by file name, each with who opens which page. */
const PICTURES: Readonly<Record<string, readonly [email: string, path: string]>> = {
  home: ['admin@cedar.example', '/registry'],
  'birth-form': ['provider@cedar.example', '/registry/records/new'],
  duplicates: ['provider@cedar.example', '/registry/duplicates'],
  members: ['admin@cedar.example', '/registry/members'],
  integrations: ['admin@cedar.example', '/registry/integrations'],
  'access-log': ['admin@cedar.example', '/registry/access-log'],
  practices: ['staff@registry.example', '/staff/practices'],
  status: ['staff@registry.example', '/staff/status'],
};

addLong(
  demo,
  'the pages of the documents’ pictures are there; PICTURES=FOLDER takes them again',
  async () => {
    const folder = process.env['PICTURES'];
    const url = after(URL_OF, first);
    const browser = openBrowser();
    const wrong: string[] = [];
    const take = async (page: Page, name: string): Promise<void> => {
      if (folder !== undefined) await page.screenshot({ path: join(folder, `${name}.png`) });
      const file = `docs/images/${name}.png`;
      if (!existsSync(file)) wrong.push(`${file} is missing`);
    };
    for (const [name, [email, at]] of Object.entries(PICTURES)) {
      const page = await (await browser.newContext(url)).newPage();
      await page.goto(`/sign-in?next=${at}`);
      await page.getByLabel('Email').fill(email);
      await page.getByLabel('Password').fill(DEMO_PASSWORD);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.waitForURL(`**${at}**`);
      await take(page, name);
      await page.context().close();
    }
    const page = await (await browser.newContext(url)).newPage();
    await page.goto(after(/simulated EHR with made-up patients +(\S+?)\/$/m, first));
    await page.getByRole('link', { name: 'Newborn, three days old' }).click();
    await page.locator('#birth-form').waitFor();
    await take(page, 'prefill');
    await browser.close();
    assert.equal(wrong, []);
  },
);

demo('the tour of the README shows what happens', async () => {
  const adapted = (text: string) =>
    text.replaceAll('http://127.0.0.1:8080', after(URL_OF, first)).replaceAll('.demo', home);
  await runTour(readFileSync('README.md', 'utf8'), 'A tour in two minutes', adapted, path);
});

demo('what it proposes to try works as it is printed', async () => {
  const url = after(URL_OF, first);
  const push = after(/^ +(curl -i .*)$/m, first);
  const address = after(/^content-location: (\S+)/im, await sh(push));
  const receipt = await receiptAt(address, after(NATIVE, first));
  assert.is(receipt.status === 'completed' && receipt.accepted, 1);

  const admin = await signInVisitor(url, { id: '', email: 'admin@cedar.example' }, DEMO_PASSWORD);
  const pair = new URL(after(/^ +(http\S+\/duplicates\?\S+)$/m, first));
  const compared = await (await admin.send(`${pair.pathname}${pair.search}`)).text();
  assert.match(compared, /2 values? differ|values differ/);

  const history = JSON.parse(await sh(after(/^ +(DATA_DIR=.* history .*)$/m, first)));
  assert.is(history.state.version, 2);
  assert.equal(
    history.events.map(({ type }: { type: string }) => type),
    ['BirthRecorded', 'BirthAmended'],
  );

  const ehr = after(/simulated EHR with made-up patients +(\S+?)\/$/m, first);
  const patients = await (await fetch(ehr)).text();
  const launch =
    /href="([^"]+)">Newborn, three/.exec(patients)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const launched = await fetch(launch, { redirect: 'manual' });
  assert.is(launched.status, 303);
  assert.ok(launched.headers.get('location')?.startsWith(`${ehr}/authorize`));
});

demo('a second one in its directory is refused', async () => {
  const second = start('--reset');
  assert.is(await refusal(second), 1);
  assert.match(second.printed(), new RegExp(`is running in .* at ${after(URL_OF, first)}`));
});

const postmaster = join(home, 'data', 'postgres', 'postmaster.pid');

demo('Ctrl-C leaves nothing running', async () => {
  const [running] = started;
  if (running === undefined) throw new Error('It was not started.');
  assert.ok(existsSync(postmaster));
  interrupt(running.child);
  assert.is(await running.ended, 0);
  assert.not(existsSync(postmaster));
  assert.match(running.printed(), /keeps the births; --reset deletes them/);
});

addLong(demo, 'the next start finds what was there', async () => {
  const again = start('--no-ehr');
  await again.says(STARTED);
  assert.not.match(again.printed(), /Pushing/);
  assert.is(after(NATIVE, again.printed()), after(NATIVE, first));
  const push = after(/^ +curl -i .* (--data-binary .*)$/m, first);
  assert.ok(again.printed().includes(push));
  interrupt(again.child);
  assert.is(await again.ended, 0);
  assert.not(existsSync(postmaster));
});

addLong(demo, '--reset begins again, and may be stopped on its way', async () => {
  const anew = start('--reset', '--no-ehr');
  await anew.says('Setting up');
  interrupt(anew.child);
  assert.is(await anew.ended, 0);
  assert.match(anew.printed(), /Stopped before it was filled/);
  assert.not.match(anew.printed(), /does not start/);
  assert.not(existsSync(postmaster));
  assert.is(JSON.parse(readFileSync(join(home, 'demo.json'), 'utf8')).filled, null);
});

demo.run();
