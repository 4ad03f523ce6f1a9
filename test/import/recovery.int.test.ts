import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type OperatorCommands, openCommands } from '../../api/operator/operator-commands.ts';
import { openServiceLog } from '../../api/process/logging.ts';
import { freePort } from '../harness/ports.ts';
import { copyStartedCluster } from '../harness/postgres.ts';
import { newPractice, testSettings } from '../harness/service.ts';
import { type ServiceProcess, startServiceProcess } from '../harness/service-process.ts';
import { temporaryDirectory } from '../harness/temporary-directory.ts';
import {
  BIRTH_COLUMNS,
  birthRow,
  csvOf,
  endedImport,
  fileOf,
  importIdOf,
  MEMBER,
  openTestImports,
  type TestImports,
  textOf,
} from '../support/imports.ts';

/** A service that dies in the middle of an import: started again, it ends it, once. */

const ROWS = 180;
const file = csvOf(
  BIRTH_COLUMNS,
  Array.from({ length: ROWS }, (_, index) =>
    // Every tenth row amends the one before it, every thirtieth is refused.
    index % 30 === 29
      ? birthRow(`K-${index}`, 'Lindqvist', 'heavy')
      : birthRow(`K-${index % 10 === 9 ? index - 1 : index}`, `Family ${index}`),
  ),
);

interface Context {
  directory: ReturnType<typeof temporaryDirectory>;
  port: number;
  service: ServiceProcess;
  commands: OperatorCommands;
  opened: TestImports;
}

const recovery = suite<Context>('an import whose service dies');

recovery.before(async (context) => {
  const directory = temporaryDirectory('import-recovery');
  await copyStartedCluster(directory.path);
  const port = await freePort();
  const service = await startServiceProcess(directory.path, port);
  const settings = testSettings(directory.path);
  const commands = await openCommands(settings, openServiceLog('silent'));
  const opened = await openTestImports(settings);
  Object.assign(context, { directory, port, service, commands, opened });
});

recovery.after(async ({ directory, service, commands, opened }) => {
  await opened.close();
  await commands.close();
  service.kill('SIGTERM');
  await service.ended;
  directory.remove();
});

recovery('in the middle of its third chunk ends once, with every row told', async (context) => {
  const { directory, port, commands, opened } = context;
  const { imports } = opened;
  const { practiceId } = await newPractice(commands);
  await context.service.diesAfter({ step: 'course-appended', after: 110 });
  const importId = importIdOf(await imports.stage(fileOf(practiceId, file)));
  assert.is((await imports.confirm(practiceId, MEMBER, importId, false)).kind, 'confirmed');
  await context.service.ended;
  context.service = await startServiceProcess(directory.path, port);
  const progress = await endedImport(imports, practiceId, importId);
  assert.equal([progress.status, progress.accepted, progress.rejected], ['completed', 174, 6]);
  // Confirmed once more, it is the same import.
  assert.is((await imports.confirm(practiceId, MEMBER, importId, false)).kind, 'confirmed');
  const result = await textOf(await imports.resultFile(practiceId, importId));
  const outcomes = result.trim().split('\r\n').slice(1);
  assert.is(outcomes.length, ROWS);
  assert.is(outcomes.filter((line) => line.includes(',amended,2,')).length, 12);
  const { events } = await commands.history(practiceId, 'K-108', null);
  assert.equal(
    events.map(({ type, version }) => `${type} ${version}`),
    ['BirthRecorded 1', 'BirthAmended 2'],
  );
  assert.equal((await commands.verify()).problems, []);
});

recovery('is carried through by the others once it is confirmed', async (context) => {
  const { directory, commands, opened } = context;
  const { practiceId } = await newPractice(commands);
  const staged = (imports: TestImports['imports'], chart: string) =>
    imports
      .stage(fileOf(practiceId, csvOf(BIRTH_COLUMNS, [birthRow(chart, 'Amaral')])))
      .then(importIdOf);
  const dying = await openTestImports(testSettings(directory.path), (step) => {
    if (step === 'row-queued') throw new Error('The process ended here');
  });
  const importIds: string[] = [];
  try {
    const id = await staged(dying.imports, 'L-1');
    await dying.imports.confirm(practiceId, MEMBER, id, false).catch(() => undefined);
    assert.match(
      (await dying.imports.progress(practiceId, id))?.status ?? '',
      /queued|processing|completed/,
    );
    importIds.push(id);
  } finally {
    await dying.close();
  }
  for (const importId of importIds) {
    const progress = await endedImport(opened.imports, practiceId, importId);
    assert.equal([progress.accepted, progress.rejected], [1, 0]);
  }
  assert.is((await commands.history(practiceId, 'L-1', null)).state?.version, 1);
});

recovery.run();
