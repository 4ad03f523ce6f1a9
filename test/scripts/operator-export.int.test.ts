import { type ChildProcess, spawn } from 'node:child_process';
import {
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Service, startService } from '../../api/app/service.ts';
import { CommandRefused } from '../../api/commands/command-refused.ts';
import { NO_REPORTER } from '../../api/commands/reporter.ts';
import { createExportTally, formatTally } from '../../api/export/written-pages.ts';
import { type OperatorCommands, openCommands } from '../../api/operator/operator-commands.ts';
import { openServiceLog } from '../../api/process/logging.ts';
import { readSettings } from '../../api/settings/settings.ts';
import { parseCommandLine } from '../../scripts/operator/command-line.ts';
import { SUBJECTS } from '../../scripts/operator/commands.ts';
import { styleFor } from '../../scripts/operator/for-people/style.ts';
import { newPractice, push, startTestStores, testEnvironment } from '../harness/service.ts';
import { temporaryDirectory } from '../harness/temporary-directory.ts';
import { batchOf, birthBundle, twinsBundle } from '../support/bundles.ts';
import { chartOf, linesOf } from '../support/exported-file.ts';
import { newPartnerFeed } from '../support/partners.ts';
import { addLong } from '../support/runs.ts';
import { columnIn } from '../support/state-file.ts';

const exporting = suite<{ service: Service; commands: OperatorCommands }>(
  'the command that exports records',
);
const data = temporaryDirectory('service');
const stores = await startTestStores('registry');
const environment = testEnvironment(data.path, stores.environment);
const settings = readSettings(environment);
const silent = openServiceLog('silent');

exporting.before(async (context) => {
  context.service = await startService(settings, silent);
  await context.service.started;
  context.commands = await openCommands(settings, silent);
});
exporting.after(async () => {
  await stores.stop();
  data.remove();
});

/** More than a page of 200. */
const RECORDS = 250;

exporting(
  'more records than a page, voided ones too, go into one new file that only its owner reads',
  async ({ service, commands }) => {
    const { practiceId, token } = await newPractice(commands);
    const births = Array.from({ length: RECORDS }, (_, index) =>
      birthBundle({ chartNumber: `CMD-${index}`, mother: { family: null, given: [] } }),
    );
    await push(service.url, token, batchOf(births));
    await push(
      service.url,
      token,
      birthBundle({ chartNumber: 'CMD-0', composition: { status: 'entered-in-error' } }),
    );
    const directory = temporaryDirectory('export');
    const file = join(directory.path, 'cedar.ndjson');
    const command = parseCommandLine(
      ['export', '--practice', practiceId, '--to', file, '--by', 'Sam Reyes', '--json'],
      SUBJECTS,
    );
    if (command.needs !== 'stores') throw new TypeError('It works on the stores.');
    assert.ok(command.needsName, 'nobody exports without a name');
    const result = await command.run(commands, NO_REPORTER);
    assert.is(
      await command.format(result, styleFor({ isTTY: false }), commands),
      `{"exported":${RECORDS},"leftOut":{"voided":0,"deidentified":0}}\n`,
    );
    const lines = linesOf(file);
    assert.is(lines.length, RECORDS);
    assert.is(new Set(lines.map(chartOf)).size, RECORDS, 'each once');
    assert.is(chartOf(lines.at(-1) ?? {}), 'CMD-0', 'the one that changed last comes last');
    assert.is(statSync(file).mode & 0o777, 0o600);
    assert.equal(readdirSync(directory.path), ['cedar.ndjson']);

    const query = { person: null, record: null, kind: 'exports' } as const;
    const { entries } = await commands.accessLog(practiceId, query);
    assert.equal(
      entries.map(({ type, actor, exported }) => [type, actor.kind, exported]),
      [['DataExported', 'operator', 'records-command']],
    );

    const later = new Date(Date.now() + 60_000);
    const none = join(directory.path, 'none.ndjson');
    assert.equal(
      await commands.exportRecords({
        practiceId,
        to: none,
        since: later,
        format: 'bundles',
        per: 'course',
      }),
      {
        exported: 0,
        leftOut: { voided: 0, deidentified: 0 },
        next: later,
      },
    );
    assert.is(readFileSync(none, 'utf8'), '');
    directory.remove();
  },
);

exporting(
  'progress is told, and an export that is stopped goes on from where it was with --since',
  async ({ service, commands }) => {
    const { practiceId, token } = await newPractice(commands);
    const births = Array.from({ length: RECORDS }, (_, index) =>
      birthBundle({ chartNumber: `STOP-${index}`, mother: { family: null, given: [] } }),
    );
    for (const some of [births.slice(0, 200), births.slice(200)])
      await push(service.url, token, batchOf(some));
    const directory = temporaryDirectory('export');
    const whole = join(directory.path, 'whole.ndjson');
    const told: string[] = [];
    const { exported } = await commands.exportRecords(
      { practiceId, to: whole, since: null, format: 'bundles', per: 'course' },
      {
        ...NO_REPORTER,
        progress: ({ done, total, unit }) => told.push(`${done} of ${total} ${unit}`),
      },
    );
    assert.is(exported, RECORDS);
    assert.equal(told, ['200 of 250 records', '250 of 250 records']);

    const stopping = new AbortController();
    const lines: string[] = [];
    const stopped = commands.exportRecords(
      {
        practiceId,
        to: join(directory.path, 'cedar.ndjson'),
        since: null,
        format: 'bundles',
        per: 'course',
      },
      {
        ...NO_REPORTER,
        report: (line) => lines.push(line),
        progress: () => stopping.abort(new CommandRefused('stopped', 'Stopped.')),
      },
      stopping.signal,
    );
    assert.is(await stopped.catch(({ message }: Error) => message), 'Stopped.');
    const left = readdirSync(directory.path).find((name) => name !== 'whole.ndjson') ?? '';
    assert.match(left, /^cedar\.ndjson\.unfinished-/);
    assert.ok(lines[0]?.includes(left), 'a person is told where the records are');
    const begun = linesOf(join(directory.path, left));
    assert.is(begun.length, 200);

    const since = new Date(/--since (\S+Z)/.exec(lines[0] ?? '')?.[1] ?? Number.NaN);
    const rest = join(directory.path, 'rest.ndjson');
    await commands.exportRecords({ practiceId, to: rest, since, format: 'bundles', per: 'course' });
    const both = new Set([...begun, ...linesOf(rest)].map(chartOf));
    assert.equal(both, new Set(linesOf(whole).map(chartOf)), 'nothing is missing');
    directory.remove();
  },
);

exporting(
  'an existing file, a missing directory and an unknown practice are refused, and nothing is left',
  async ({ service, commands }) => {
    const { practiceId, token } = await newPractice(commands);
    await push(service.url, token, birthBundle());
    const directory = temporaryDirectory('export');
    const file = join(directory.path, 'cedar.ndjson');
    const refusal = (practice: string, to: string) =>
      commands
        .exportRecords({ practiceId: practice, to, since: null, format: 'bundles', per: 'course' })
        .then(
          () => 'exported',
          (error: Error) => error.message,
        );
    assert.is(await refusal(practiceId, file), 'exported');
    const before = readFileSync(file, 'utf8');
    assert.match(await refusal(practiceId, file), /already exists/);
    assert.is(readFileSync(file, 'utf8'), before);
    assert.match(
      await refusal(practiceId, join(directory.path, 'none', 'x.ndjson')),
      /does not exist/,
    );
    assert.match(await refusal('NOBODY', join(directory.path, 'x.ndjson')), /no practice/i);
    assert.not.ok(existsSync(join(directory.path, 'x.ndjson')));
    assert.equal(readdirSync(directory.path), ['cedar.ndjson']);
    directory.remove();
  },
);

exporting(
  'a file that appears during the export is not replaced, and the whole export stays beside it',
  async ({ service, commands }) => {
    const { practiceId, token } = await newPractice(commands);
    await push(service.url, token, birthBundle());
    const directory = temporaryDirectory('export');
    const file = join(directory.path, 'cedar.ndjson');
    const order = { practiceId, to: file, since: null, format: 'bundles', per: 'course' } as const;
    const appearing = { ...NO_REPORTER, progress: () => writeFileSync(file, 'of another') };
    const message = await commands.exportRecords(order, appearing).then(
      () => 'exported',
      (error: Error) => error.message,
    );
    assert.match(message, /has appeared in the meantime, and was not replaced/);
    assert.is(readFileSync(file, 'utf8'), 'of another');
    const whole = /in (\S+): rename it/.exec(message)?.[1] ?? '';
    assert.is(linesOf(whole).length, 1);
    // A link that leads nowhere is a file, too.
    symlinkSync('nowhere', join(directory.path, 'link.ndjson'));
    const linked = { ...order, to: join(directory.path, 'link.ndjson') };
    assert.match(
      await commands.exportRecords(linked).then(
        () => 'exported',
        (error: Error) => error.message,
      ),
      /already exists/,
    );
    directory.remove();
  },
);

exporting('what a killed export left is named, and removed only if asked for', async (context) => {
  const { service, commands } = context;
  const { practiceId, token } = await newPractice(commands);
  await push(service.url, token, birthBundle());
  const directory = temporaryDirectory('export');
  const left = join(directory.path, 'march.ndjson.unfinished-0a1b2c3d');
  writeFileSync(left, '{}', { mode: 0o600 });
  const runInto = async (name: string, ...more: readonly string[]): Promise<string> => {
    const to = join(directory.path, name);
    const args = ['export', '--practice', practiceId, '--to', to, '--by', 'Sam Reyes', ...more];
    const command = parseCommandLine(args, SUBJECTS);
    if (command.needs !== 'stores') throw new TypeError('It works on the stores.');
    const said: string[] = [];
    await command.run(commands, { ...NO_REPORTER, report: (line) => void said.push(line) });
    return said.join('\n');
  };
  const named = await runInto('april.ndjson');
  assert.match(named, /march\.ndjson\.unfinished-0a1b2c3d .* contains data of people/);
  assert.match(named, 'Remove it, or add --remove-unfinished.');
  assert.ok(existsSync(left), 'nothing is removed unasked');
  assert.match(await runInto('may.ndjson', '--remove-unfinished'), 'It was removed.');
  assert.equal(readdirSync(directory.path).sort(), ['april.ndjson', 'may.ndjson']);
  assert.is(await runInto('june.ndjson'), '');
  assert.throws(
    () => parseCommandLine(['export', '--practice', practiceId, '--to', '-'], SUBJECTS),
    /does not write to standard output/,
  );
  directory.remove();
});

/** Exports by the built command. @returns what it says, when it has ended */
const exportInProcess = (
  practiceId: string,
  to: string,
  ...more: readonly string[]
): { readonly child: ChildProcess; readonly said: Promise<string> } => {
  const args = ['export', '--practice', practiceId, '--to', to, '--by', 'Sam Reyes', ...more];
  const child = spawn(process.execPath, ['scripts/run.mjs', 'operator', ...args], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  return { child, said: text(child.stderr) };
};

/** So many that an export is far from its end when it is killed. */
const PAGES = ['A', 'B', 'C', 'D', 'E'];

addLong(
  exporting,
  'a killed export leaves nothing that the next one does not remove',
  async (context) => {
    const { service, commands } = context;
    const { practiceId, token } = await newPractice(commands);
    for (const page of PAGES) {
      const births = Array.from({ length: RECORDS }, (_, index) =>
        birthBundle({ chartNumber: `${page}-${index}`, mother: { family: null, given: [] } }),
      );
      await push(service.url, token, batchOf(births));
    }
    const directory = temporaryDirectory('export');
    const { child, said } = exportInProcess(practiceId, join(directory.path, 'march.ndjson'));
    // As soon as there are people's data in the file, and long before the end.
    const watched = watch(directory.path, () => {
      const [begun] = readdirSync(directory.path);
      if (begun === undefined || statSync(join(directory.path, begun)).size === 0) return;
      watched.close();
      process.kill(-(child.pid ?? 0), 'SIGKILL');
    });
    await said;
    const [left = '', ...others] = readdirSync(directory.path);
    assert.match(left, /^march\.ndjson\.unfinished-[0-9a-f]{8}$/);
    assert.equal(others, []);
    assert.match(readFileSync(join(directory.path, left), 'utf8'), '"A-0"');
    assert.is(statSync(join(directory.path, left)).mode & 0o777, 0o600);

    const named = await exportInProcess(practiceId, join(directory.path, 'april.ndjson')).said;
    assert.match(named, `${left} was left by an export`);
    assert.equal(readdirSync(directory.path), ['april.ndjson', left]);
    const may = join(directory.path, 'may.ndjson');
    assert.match(await exportInProcess(practiceId, may, '--remove-unfinished').said, 'was removed');
    assert.equal(readdirSync(directory.path), ['april.ndjson', 'may.ndjson']);
    assert.is(linesOf(may).length, PAGES.length * RECORDS);
    directory.remove();
  },
);

exporting('one document for each child of twins, on request', async ({ service, commands }) => {
  const { practiceId, token } = await newPractice(commands);
  await push(service.url, token, birthBundle({ children: [{}, {}] }));
  const directory = temporaryDirectory('export');
  const file = join(directory.path, 'cedar.ndjson');
  const order = { practiceId, to: file, since: null, format: 'bundles', per: 'child' } as const;
  assert.is((await commands.exportRecords(order)).exported, 1);
  const numbers = linesOf(file).map(chartOf);
  assert.is(numbers.length, 2);
  assert.is(new Set(numbers).size, 2);
  directory.remove();
});

exporting(
  'a time of birth without an offset leaves with that of the practice, where it has a time zone',
  async ({ service, commands }) => {
    const timeZone = 'America/Chicago';
    const { practiceId, token } = await newPractice(commands);
    await push(
      service.url,
      token,
      birthBundle({ children: [{ birthDate: '2026-03-12', birthTime: '2026-03-12T04:31:00' }] }),
    );
    const directory = temporaryDirectory('export');
    const timesAfter = async (name: string) => {
      const file = join(directory.path, name);
      await commands.exportRecords({
        practiceId,
        to: file,
        since: null,
        format: 'bundles',
        per: 'course',
      });
      return readFileSync(file, 'utf8').match(/"value(?:DateTime|Time)":"[^"]*04:31[^"]*"/g);
    };
    assert.equal(await timesAfter('before.ndjson'), ['"valueTime":"04:31:00"']);
    await commands.practices.set(practiceId, { timeZone, sandbox: null, beta: null });
    assert.equal(await timesAfter('after.ndjson'), ['"valueDateTime":"2026-03-12T04:31:00-05:00"']);
    directory.remove();
  },
);

exporting(
  'a state file has a line for each child, and counts what it leaves out',
  async ({ service, commands }) => {
    const { practiceId, token } = await newPractice(commands);
    const feedToken = await newPartnerFeed(commands, practiceId);
    const family = `Núñez${'x'.repeat(60)}`;
    const births = Array.from({ length: 210 }, (_, index) =>
      birthBundle({ chartNumber: `IJE-${index}`, mother: { family, given: [`Ana${index}`] } }),
    );
    await push(service.url, token, batchOf(births));
    await push(service.url, token, twinsBundle(2_405, '2026-03-12T12:00:00Z'));
    await push(
      service.url,
      token,
      birthBundle({ chartNumber: 'IJE-0', composition: { status: 'entered-in-error' } }),
    );
    await push(service.url, feedToken, birthBundle({ chartNumber: 'FEED-1' }));
    const directory = temporaryDirectory('export');
    const file = join(directory.path, 'cedar.ije');
    const command = parseCommandLine(
      [
        ...['export', '--practice', practiceId, '--to', file, '--format', 'ije'],
        ...['--by', 'Sam Reyes', '--json'],
      ],
      SUBJECTS,
    );
    if (command.needs !== 'stores') throw new TypeError('It works on the stores.');
    const said: string[] = [];
    const result = await command.run(commands, {
      ...NO_REPORTER,
      report: (line) => void said.push(line),
    });
    assert.is(
      await command.format(result, styleFor({ isTTY: false }), commands),
      '{"exported":210,"leftOut":{"voided":1,"deidentified":1}}\n',
    );
    assert.equal(
      said,
      formatTally({
        ...createExportTally(),
        leftOut: { voided: 1, deidentified: 1 },
        cut: 209,
        respelled: 209 + 8,
      }),
      'what was cut is said beside the result, and accents, of the twins too',
    );
    const lines = readFileSync(file, 'utf8').slice(0, -1).split('\n');
    assert.is(lines.length, 211, 'twins have two');
    assert.ok(lines.every((line) => line.length === 4000));
    assert.is(columnIn(lines[0] ?? '', 'MOMLNAME'), `Nunez${'x'.repeat(45)}`);
    const { entries } = await commands.accessLog(practiceId, {
      person: null,
      record: null,
      kind: 'exports',
    });
    assert.equal(
      entries.map(({ type, exported }) => [type, exported]),
      [['DataExported', 'records-command']],
    );
    const soon = new Date(Date.now() + 60_000);
    const to = join(directory.path, 'later.ije');
    const later = await commands.exportRecords({
      practiceId,
      to,
      since: soon,
      format: 'ije',
      per: 'course',
    });
    assert.equal(later, { exported: 0, leftOut: { voided: 0, deidentified: 0 }, next: soon });
    directory.remove();
  },
);

exporting('it works with the service stopped', async ({ service, commands: before }) => {
  const { practiceId, token } = await newPractice(before);
  await push(service.url, token, birthBundle());
  await before.close();
  await service.stop();
  const directory = temporaryDirectory('export');
  const file = join(directory.path, 'cedar.ndjson');
  const commands = await openCommands(settings, silent);
  assert.is(
    (
      await commands.exportRecords({
        practiceId,
        to: file,
        since: null,
        format: 'bundles',
        per: 'course',
      })
    ).exported,
    1,
  );
  await commands.close();
  assert.is(linesOf(file).length, 1);
  directory.remove();
});

exporting.run();
