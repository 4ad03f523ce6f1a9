import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import * as assert from 'uvu/assert';
import { CHECK_FAILED_MESSAGE, checkFile } from '../../api/import/check-file.ts';
import { FILE_TOO_COSTLY_MESSAGE, stageImport } from '../../api/import/stage-import.ts';
import { type PracticeLease, practiceLeaseName } from '../../api/writes/practice-lease.ts';
import { withPracticeLease } from '../../api/writes/with-practice-lease.ts';
import type { CustomField } from '../../domain/custom-field/state.ts';
import { refuseFile } from '../../domain/mapping/csv/header.ts';
import { eventually } from '../harness/eventually.ts';
import { passTime } from '../harness/real-time.ts';
import { newPractice, type TestService } from '../harness/service.ts';
import {
  ALL_ROWS,
  BIRTH_COLUMNS,
  birthRow,
  csvOf,
  endedImport,
  fileOf,
  importIdOf,
  importSuite,
  MEMBER,
  openTestImports,
  type TestImports,
  textOf,
} from '../support/imports.ts';
import { addLong } from '../support/runs.ts';

const staging = importSuite('a staged import');

staging('is sealed, and gone when it has expired', async ({ opened }) => {
  const { imports, registry, stores } = opened;
  const practiceId = randomUUID();
  const file = fileOf(practiceId, csvOf(BIRTH_COLUMNS, [birthRow('Q-1', 'Quillfeather')]));
  const importId = importIdOf(await imports.stage(file));
  const chunks = () =>
    stores.db
      .selectFrom('app.staged_import_chunk')
      .select('sealed')
      .where('import_id', '=', importId)
      .execute();
  const sealed = await chunks();
  assert.is(sealed.length, 3);
  assert.not(sealed.some((chunk) => chunk.sealed.includes('Quillfeather')));
  await registry.stagedImports.dropExpired();
  assert.ok(await imports.preview(practiceId, MEMBER, importId, ALL_ROWS));

  await sql`update app.staged_import set expires_at = now() - interval '1 second'
    where import_id = ${importId}`.execute(stores.db);
  assert.is(await imports.preview(practiceId, MEMBER, importId, ALL_ROWS), null);
  assert.equal(await imports.confirm(practiceId, MEMBER, importId, false), { kind: 'gone' });
  await registry.stagedImports.dropExpired();
  assert.is((await chunks()).length, 0);
});

staging('makes place for newer ones of the same member', async ({ opened: { imports } }) => {
  const practiceId = randomUUID();
  const ids: string[] = [];
  for (const chart of ['A', 'B', 'C', 'D', 'E', 'F'])
    ids.push(
      importIdOf(
        await imports.stage(fileOf(practiceId, csvOf(BIRTH_COLUMNS, [birthRow(chart, 'Amaral')]))),
      ),
    );
  const found = await Promise.all(
    ids.map((id) => imports.preview(practiceId, MEMBER, id, { ...ALL_ROWS, most: 0 })),
  );
  assert.equal(
    found.map((preview) => preview !== null),
    [false, true, true, true, true, true],
  );
});

staging('asks once about births of long ago', async ({ opened: { imports } }) => {
  const practiceId = randomUUID();
  const late = ['L-1', 'L-2', 'L-3'].map((chart) =>
    birthRow(chart, `Amaral ${chart}`).map((cell) => (cell === '5/12/2026' ? '5/12/2020' : cell)),
  );
  const importId = importIdOf(await imports.stage(fileOf(practiceId, csvOf(BIRTH_COLUMNS, late))));
  const preview = await imports.preview(practiceId, MEMBER, importId, ALL_ROWS);
  assert.equal(
    preview?.rows.map(({ notices }) => notices.map(({ id }) => id)),
    [['birth-long-ago'], [], []],
  );
});

staging(
  'goes on after its request was answered, and any process tells how far it is',
  async ({ service, opened: { registry, imports } }) => {
    const { practiceId } = await newPractice(service.commands);
    const elsewhere = await openTestImports(service.settings);
    const { fileChecks } = elsewhere.registry;
    let goOn = () => {};
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const who = { practiceId, memberId: MEMBER };
    const file = fileOf(practiceId, csvOf(BIRTH_COLUMNS, [birthRow('CH-1', 'Amaral')]));
    const checked = await checkFile<never>(registry, who, async () => ({
      kind: 'received',
      stage: async (options) => {
        options.onProgress(500, 9_900);
        await held;
        return stageImport(registry, file, options);
      },
    }));
    if (checked.kind !== 'checking') throw new Error('The request waited for the check.');
    const { importId } = checked;
    await eventually('its progress is noted', async () => {
      const check = await fileChecks.find(practiceId, importId);
      return check?.done === 500 && check.total === 9_900 && !check.isInterrupted;
    });
    assert.equal(await fileChecks.listRunning(practiceId, MEMBER), [importId]);
    assert.is(await fileChecks.find(randomUUID(), importId), null);
    assert.is(await imports.preview(practiceId, MEMBER, importId, ALL_ROWS), null);
    // Another file of the account waits for its turn, behind its own page.
    const second = await checkFile<never>(registry, who, async () => ({
      kind: 'received',
      stage: (options) => stageImport(registry, file, options),
    }));
    assert.is(second.kind, 'checking');
    goOn();
    await eventually('both are staged', async () => {
      const running = await fileChecks.listRunning(practiceId, MEMBER);
      return running.length === 0;
    });
    assert.ok(await imports.preview(practiceId, MEMBER, importId, ALL_ROWS));
    await elsewhere.close();
  },
);

staging('that fails says so where the person waits', async ({ service, opened }) => {
  const { registry, stores } = opened;
  const { practiceId } = await newPractice(service.commands);
  const who = { practiceId, memberId: MEMBER };
  const fault = new Error('A fault.');
  const checkFailing = (held: Promise<void>) =>
    checkFile<never>(registry, who, async () => ({
      kind: 'received',
      stage: async () => {
        await held;
        throw fault;
      },
    }));
  // As any request: without a database it is answered with 503.
  const answered = await checkFailing(Promise.resolve()).catch((error: unknown) => error);
  assert.is(answered, fault);
  const { rows } = await sql`select from app.file_check where practice_id = ${practiceId}`.execute(
    stores.db,
  );
  assert.is(rows.length, 0, 'its answer says why, and nothing else has to');

  let goOn = () => {};
  const checked = await checkFailing(
    new Promise((resolve) => {
      goOn = resolve;
    }),
  );
  if (checked.kind !== 'checking') throw new Error('The request waited for the check.');
  goOn();
  await eventually('its page says so', async () => {
    const check = await registry.fileChecks.find(practiceId, checked.importId);
    return check?.refusal?.problem === CHECK_FAILED_MESSAGE;
  });
});

staging('that is refused after its request was answered says why on its page', async (context) => {
  const { registry } = context.opened;
  const { practiceId } = await newPractice(context.service.commands);
  let goOn = () => {};
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const who = { practiceId, memberId: MEMBER };
  const checked = await checkFile<never>(registry, who, async () => ({
    kind: 'received',
    stage: async () => {
      await held;
      return refuseFile('file-too-costly', FILE_TOO_COSTLY_MESSAGE);
    },
  }));
  if (checked.kind !== 'checking') throw new Error('The request waited for the check.');
  goOn();
  await eventually('its page says why', async () => {
    const check = await registry.fileChecks.find(practiceId, checked.importId);
    return check?.refusal?.id === 'file-too-costly';
  });
});

staging("takes the practice's own fields by their labels", async ({ service, opened }) => {
  const { imports } = opened;
  const { practiceId } = await newPractice(service.commands);
  const customFields: readonly CustomField[] = [
    {
      fieldId: 'f-1',
      label: 'Birth pool',
      type: 'text',
      choices: [],
      order: 0,
      item: null,
      isRetired: false,
    },
  ];
  const entering = { today: '2026-06-01', offsetAt: () => null, customFields };
  const importOf = async (text: string) => {
    const importId = importIdOf(await imports.stage(fileOf(practiceId, text, { entering })));
    await imports.confirm(practiceId, MEMBER, importId, false);
    await endedImport(imports, practiceId, importId);
    return (await service.commands.history(practiceId, 'V-1', null)).state?.courseOfCare.custom;
  };
  const row = birthRow('V-1', 'Amaral');
  const blue = csvOf([...BIRTH_COLUMNS, 'birth POOL'], [[...row, 'blue']]);
  assert.equal(await importOf(blue), { 'f-1': 'blue' });
  // A file without the column leaves the value as it is.
  assert.equal(await importOf(csvOf(BIRTH_COLUMNS, [row])), { 'f-1': 'blue' });
  const template = (await textOf(imports.template(customFields))).trim().split(',');
  assert.is(template.at(-1), 'Birth pool');
});

staging(
  'gives the turn of its practice to a page between two chunks',
  async ({ service, opened }) => {
    const { imports, registry } = opened;
    const { practiceId, importId } = await largeImport(service, opened);
    for (let turns = 0; turns < 6; turns += 1) {
      const meanwhile = await withPracticeLease(registry, practiceId, () =>
        imports.progress(practiceId, importId),
      );
      if (turns === 0) assert.is(meanwhile?.status, 'processing');
    }
    const progress = await endedImport(imports, practiceId, importId);
    // More turns than tries that an ingestion has: giving way costs none.
    assert.equal([progress.status, progress.accepted], ['completed', LARGE]);
  },
);

addLong(staging, 'leaves the turn to a page that is slow to take it', async (context) => {
  const { service, opened } = context;
  const { imports, registry } = opened;
  const { practiceId, importId } = await largeImport(service, opened);
  const [name, holder] = [practiceLeaseName(practiceId), randomUUID()];
  let taken: PracticeLease | null = null;
  for (let tries = 0; taken === null && tries < 8; tries += 1) {
    await registry.leases.request(name, holder);
    // Longer than the worker needs to come back for it.
    await passTime(150);
    taken = await registry.leases.take(name, holder);
  }
  await registry.leases.withdraw(name, holder);
  assert.ok(taken, 'the worker took it back each time');
  await registry.leases.release(taken, taken.highestPosition, true);
  assert.is((await endedImport(imports, practiceId, importId)).status, 'completed');
});

/** Rows of many chunks: the worker is still at them when others have had the turn. */
const LARGE = 2_000;

/** A large import that has begun. */
const largeImport = async (
  service: TestService,
  { imports }: TestImports,
): Promise<{ practiceId: string; importId: string }> => {
  const { practiceId } = await newPractice(service.commands);
  const rows = Array.from({ length: LARGE }, (_, index) =>
    birthRow(`W-${index}`, `Family ${index}`),
  );
  const importId = importIdOf(await imports.stage(fileOf(practiceId, csvOf(BIRTH_COLUMNS, rows))));
  await imports.confirm(practiceId, MEMBER, importId, false);
  await eventually(
    'it begins',
    async () => ((await imports.progress(practiceId, importId))?.processed ?? 0) > 0,
  );
  return { practiceId, importId };
};

staging.run();
