import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { eventually } from '../harness/eventually.ts';
import { peakRssOf } from '../harness/process-usage.ts';
import { countPushed, startFront, startPush } from '../harness/push-command.ts';
import { newPractice, sharedTestService } from '../harness/service.ts';
import { temporaryDirectory } from '../harness/temporary-directory.ts';
import { birthBundle } from '../support/bundles.ts';

const pushing = suite('birth-registry push, at length');

const service = await sharedTestService();
const directory = temporaryDirectory('push');
pushing.after(async () => {
  directory.remove();
  await service.stop();
});

const birth = (at: number, narrative = ''): string =>
  JSON.stringify(
    birthBundle({
      chartNumber: `PUSH-${at}`,
      mother: { family: `Marin ${at}`, given: ['Ana'] },
      composition: {
        text: {
          status: 'generated',
          div: `<div xmlns="http://www.w3.org/1999/xhtml">${narrative}</div>`,
        },
      },
    }),
  );

const keyFile = join(directory.path, 'key');

const newSender = async (): Promise<string> => {
  const { practiceId, token } = await newPractice(service.commands);
  writeFileSync(keyFile, token);
  return practiceId;
};

const FILES = 200;
const KILLS = 10;

pushing('200 files and ten kills: every birth once, every receipt read', async () => {
  const practiceId = await newSender();
  const path = join(directory.path, 'births');
  mkdirSync(path);
  for (let at = 0; at < FILES; at += 1) writeFileSync(join(path, `${1_000 + at}.json`), birth(at));
  // Now and then busy, and now and then an answer is lost.
  const front = await startFront(service.url, (number) =>
    number % 37 === 0 ? 429 : number % 53 === 0 ? 503 : number % 71 === 0 ? 'lose' : null,
  );
  const args = [path, '--url', front.url, '--key-file', keyFile];
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const { child, ended } = startPush(args);
    const before = front.seen.POST;
    await eventually('some were sent', () => front.seen.POST >= before + FILES / (KILLS + 2));
    child.kill('SIGKILL');
    await ended;
  }
  const { code, stdout, stderr } = await startPush([...args, '--json']).ended;
  front.close();
  assert.is(code, 0, stderr);
  assert.is(JSON.parse(stdout).accepted, FILES);
  assert.equal(await countPushed(service, practiceId), { ingestions: FILES, records: FILES });
});

const LINES = 2_000;
/** So that the lines hold together half as much as a small process does. */
const NARRATIVE = 'a'.repeat(32_768);
const MEBIBYTE = 1024 * 1024;

/** The peak of pushing some lines, bytes. */
const peakOf = async (lines: number): Promise<number> => {
  const practiceId = await newSender();
  const path = join(directory.path, `${lines}.ndjson`);
  writeFileSync(
    path,
    Array.from({ length: lines }, (_, at) => `${birth(at, NARRATIVE)}\n`).join(''),
  );
  const { child, ended } = startPush([
    path,
    ...['--url', service.url, '--key-file', keyFile, '--json'],
  ]);
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, peakRssOf(child.pid ?? 0));
  }, 100);
  const { code, stdout, stderr } = await ended;
  clearInterval(timer);
  assert.is(code, 0, stderr);
  assert.is(JSON.parse(stdout).accepted, lines);
  assert.is((await countPushed(service, practiceId)).records, lines);
  return peak;
};

pushing('2,000 lines need hardly more memory than 200', async () => {
  const [small, large] = [await peakOf(LINES / 10), await peakOf(LINES)];
  const told = `${Math.round(large / MEBIBYTE)} MiB after ${Math.round(small / MEBIBYTE)} MiB`;
  process.stdout.write(`${told}\n`);
  // Ten times the lines. What is kept of a Bundle is its name in the outbox and the address of its receipt.
  assert.ok(large < small * 2, told);
});

pushing.run();
