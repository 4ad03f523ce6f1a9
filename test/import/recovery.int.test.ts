import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type DyingRegistry, startDyingRegistry } from '../harness/recovery.ts';
import { newPractice } from '../harness/service.ts';
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
  registry: DyingRegistry;
  opened: TestImports;
}

const recovery = suite<Context>('an import whose service dies');

recovery.before(async (context) => {
  context.registry = await startDyingRegistry('connections');
  context.opened = await openTestImports(context.registry.settings);
});

recovery.after(async ({ registry, opened }) => {
  await opened.close();
  await registry.stop();
});

recovery(
  'in the middle of its third chunk ends once, with every row told',
  async ({ registry, opened }) => {
    const { commands } = registry;
    const { imports } = opened;
    const { practiceId } = await newPractice(commands);
    const dies = { step: 'course-appended', after: 110 } as const;
    await registry.service().diesAfter(dies);
    const importId = importIdOf(await imports.stage(fileOf(practiceId, file)));
    assert.is((await imports.confirm(practiceId, MEMBER, importId, false)).kind, 'confirmed');
    await registry.comesBack(dies);
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
  },
);

recovery('is carried through by the others once it is confirmed', async ({ registry, opened }) => {
  const { commands, settings } = registry;
  const { practiceId } = await newPractice(commands);
  const staged = (imports: TestImports['imports'], chart: string) =>
    imports
      .stage(fileOf(practiceId, csvOf(BIRTH_COLUMNS, [birthRow(chart, 'Amaral')])))
      .then(importIdOf);
  const dying = await openTestImports(settings, (step) => {
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
