import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { NO_REPORTER } from '../../api/commands/reporter.ts';
import { type OperatorCommands, openCommands } from '../../api/composition/commands.ts';
import { type Service, startService } from '../../api/composition/service.ts';
import { newStateFileTally, tallyInWords } from '../../api/export/state-file-lines.ts';
import { openServiceLog } from '../../api/process/logging.ts';
import type { JsonObject } from '../../domain/fhir/json.ts';
import { parseCommandLine, printedOf } from '../../scripts/operator/command-line.ts';
import { COMMANDS } from '../../scripts/operator/commands.ts';
import { styleFor } from '../../scripts/operator/for-people/style.ts';
import { copyStartedCluster } from '../harness/postgres.ts';
import { newPractice, push, testSettings } from '../harness/service.ts';
import { temporaryDirectory } from '../harness/temporary-directory.ts';
import { batchOf, birthBundle, twinsBundle } from '../support/bundles.ts';
import { newPartnerFeed } from '../support/partners.ts';
import { columnIn } from '../support/state-file.ts';

const exporting = suite<{ service: Service; commands: OperatorCommands }>(
  'the command that exports records',
);
const data = temporaryDirectory('service');
const settings = testSettings(data.path);
const silent = openServiceLog('silent');

exporting.before(async (context) => {
  await copyStartedCluster(data.path);
  context.service = await startService(settings, silent);
  await context.service.started;
  context.commands = await openCommands(settings, silent);
});
exporting.after(() => data.remove());

const RECORDS = 450;
const chartOf = ({ identifier }: JsonObject): unknown => (identifier as JsonObject)?.['value'];
const linesOf = (file: string): readonly JsonObject[] =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as JsonObject);

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
      COMMANDS,
    );
    if (command.needs !== 'stores') throw new TypeError('It works on the stores.');
    assert.ok(command.needsName, 'nobody exports without a name');
    const result = await command.run(commands, NO_REPORTER);
    assert.is(
      await printedOf(command, result, styleFor({ isTTY: false }), null),
      `{"exported":${RECORDS}}\n`,
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
    assert.equal(await commands.exportRecords(practiceId, none, later), { exported: 0 });
    assert.is(readFileSync(none, 'utf8'), '');
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
      commands.exportRecords(practice, to, null).then(
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
      COMMANDS,
    );
    if (command.needs !== 'stores') throw new TypeError('It works on the stores.');
    const said: string[] = [];
    const result = await command.run(commands, {
      ...NO_REPORTER,
      report: (line) => void said.push(line),
    });
    assert.is(
      await printedOf(command, result, styleFor({ isTTY: false }), null),
      '{"exported":210,"leftOut":{"voided":1,"deidentified":1}}\n',
    );
    assert.equal(
      said,
      tallyInWords({ ...newStateFileTally(), cut: 209, respelled: 209 + 8 }),
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
    const later = await commands.exportRecords(
      practiceId,
      join(directory.path, 'later.ije'),
      new Date(Date.now() + 60_000),
      'ije',
    );
    assert.equal(later, { exported: 0, leftOut: { voided: 0, deidentified: 0 } });
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
  assert.equal(await commands.exportRecords(practiceId, file, null), { exported: 1 });
  await commands.close();
  assert.is(linesOf(file).length, 1);
  directory.remove();
});

exporting.run();
