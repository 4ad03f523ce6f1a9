import { sql } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { freePort } from '../harness/free-port.ts';
import { copyFreshCluster } from '../harness/postgres.ts';
import { withCommands } from '../harness/recovery.ts';
import { newPractice, testSettings } from '../harness/service.ts';
import { startServiceProcess } from '../harness/service-process.ts';
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

const recovery = suite('an import whose service dies');

recovery('in the middle of its third chunk ends once, with every row told', async () => {
  const directory = temporaryDirectory('import-recovery');
  await copyFreshCluster(directory.path);
  const port = await freePort();
  let service = await startServiceProcess(directory.path, port, {
    step: 'course-appended',
    after: 110,
  });
  try {
    const practice = await withCommands(directory.path, newPractice);
    const importId = await withImports(directory.path, async ({ imports }) => {
      const id = importIdOf(await imports.stage(fileOf(practice.practiceId, file)));
      assert.is((await imports.confirm(practice.practiceId, MEMBER, id, false)).kind, 'confirmed');
      await service.ended;
      return id;
    });
    service = await startServiceProcess(directory.path, port);
    const result = await withImports(directory.path, async ({ imports }) => {
      const progress = await endedImport(imports, practice.practiceId, importId, 60_000);
      assert.equal([progress.status, progress.accepted, progress.rejected], ['completed', 174, 6]);
      // Confirmed once more, it is the same import.
      const again = await imports.confirm(practice.practiceId, MEMBER, importId, false);
      assert.is(again.kind, 'confirmed');
      return textOf(await imports.resultFile(practice.practiceId, importId));
    });
    const outcomes = result.trim().split('\r\n').slice(1);
    assert.is(outcomes.length, ROWS);
    assert.is(outcomes.filter((line) => line.includes(',amended,2,')).length, 12);
    await withCommands(directory.path, async (commands) => {
      const { events } = await commands.history(practice.practiceId, 'K-108', null);
      assert.equal(
        events.map(({ type, version }) => `${type} ${version}`),
        ['BirthRecorded 1', 'BirthAmended 2'],
      );
      assert.equal((await commands.verify()).problems, []);
    });
  } finally {
    service.kill('SIGTERM');
    await service.ended;
    directory.remove();
  }
});

recovery('is carried through by the others once it is confirmed', async () => {
  const directory = temporaryDirectory('import-recovery');
  await copyFreshCluster(directory.path);
  const service = await startServiceProcess(directory.path, await freePort());
  try {
    const { practiceId } = await withCommands(directory.path, newPractice);
    const staged = (imports: TestImports['imports'], chart: string) =>
      imports
        .stage(fileOf(practiceId, csvOf(BIRTH_COLUMNS, [birthRow(chart, 'Amaral')])))
        .then(importIdOf);
    const dying = (step: string) => {
      if (step === 'row-queued') throw new Error('The process ended here');
    };
    const importIds = await withImports(
      directory.path,
      async ({ imports, stores }) => {
        const id = await staged(imports, 'L-1');
        await imports.confirm(practiceId, MEMBER, id, false).catch(() => undefined);
        assert.match(
          (await imports.progress(practiceId, id))?.status ?? '',
          /queued|processing|completed/,
        );
        // As version 0.1 left one whose process ended between the confirmation and the queue.
        const before = await staged(imports, 'L-2');
        await sql`update app.staged_import set confirmed_at = now() - interval '1 minute'
          where import_id = ${before}`.execute(stores.db);
        return [id, before];
      },
      dying,
    );
    await withImports(directory.path, async ({ imports }) => {
      for (const importId of importIds) {
        const progress = await endedImport(imports, practiceId, importId);
        assert.equal([progress.accepted, progress.rejected], [1, 0]);
      }
    });
    await withCommands(directory.path, async (commands) => {
      for (const chart of ['L-1', 'L-2'])
        assert.is((await commands.history(practiceId, chart, null)).state?.version, 1);
    });
  } finally {
    service.kill('SIGTERM');
    await service.ended;
    directory.remove();
  }
});

const withImports = async <T>(
  dataDir: string,
  use: (opened: TestImports) => Promise<T>,
  afterStep?: (step: string) => void,
): Promise<T> => {
  const opened = await openTestImports(testSettings(dataDir), afterStep);
  try {
    return await use(opened);
  } finally {
    await opened.close();
  }
};

recovery.run();
