import * as assert from 'uvu/assert';
import { voidRecord } from '../../api/record-commands/change-record.ts';
import { saveCourse } from '../../api/record-commands/save-course.ts';
import { startDyingRegistry } from '../harness/recovery.ts';
import { newPractice, push, type TestService } from '../harness/service.ts';
import { birthBundle } from '../support/bundles.ts';
import {
  ALL_ROWS,
  BIRTH_COLUMNS,
  birthRow,
  csvOf,
  endedImport,
  endedUndo,
  fileOf,
  importIdOf,
  importSuite,
  MEMBER,
  openTestImports,
  type TestImports,
} from '../support/imports.ts';

const undoing = importSuite('undoing an import');

const imported = async (
  { imports }: Pick<TestImports, 'imports'>,
  practiceId: string,
  text: string,
  mayRepeat = false,
): Promise<string> => {
  const importId = importIdOf(await imports.stage(fileOf(practiceId, text)));
  const { kind } = await imports.confirm(practiceId, MEMBER, importId, mayRepeat);
  assert.is(kind, 'confirmed');
  await endedImport(imports, practiceId, importId);
  return importId;
};

const member = { actor: { kind: 'member', id: 'm-1' }, correlationId: 'test' } as const;

const stateOf = async (
  { commands }: Pick<TestService, 'commands'>,
  practice: string,
  chart: string,
) => commands.history(practice, chart, null);

/** A record as it counts: whether it is live, and what it says. */
const saying = async (service: Pick<TestService, 'commands'>, practice: string, chart: string) => {
  const { state } = await stateOf(service, practice, chart);
  return state === null ? null : { status: state.status, course: { ...state.courseOfCare } };
};

undoing('every record is what it was before, as a new version', async ({ service, opened }) => {
  const { practiceId, token } = await newPractice(service.commands);
  const sent = (chartNumber: string, family: string) =>
    push(
      service.url,
      token,
      birthBundle({
        chartNumber,
        mother: { family },
        children: [{ birthDate: '2026-05-12', birthTime: null }],
        lastUpdated: '2026-05-14T10:00:00Z',
      }),
    );
  await sent('U-1', 'Amaral');
  await sent('U-2', 'Okafor');
  const voided = await stateOf(service, practiceId, 'U-2');
  await voidRecord(
    opened.registry,
    { ...member, practiceId, submissionUuid: voided.submissionUuid ?? '' },
    { version: 1, reason: 'Entered twice' },
  );
  const before = [
    await saying(service, practiceId, 'U-1'),
    await saying(service, practiceId, 'U-2'),
  ];

  const file = csvOf(BIRTH_COLUMNS, [
    birthRow('U-1', 'Lindqvist'),
    birthRow('U-2', 'Muñoz'),
    birthRow('U-3', 'Nakamura'),
    birthRow('U-3', 'Nakamura', '3500'),
    birthRow('', 'Without a number'),
    birthRow('U-4', 'Refused', 'heavy'),
  ]);
  const importId = await imported(opened, practiceId, file);
  const effect = await opened.registry.reads.imports.effect(practiceId, importId, 5);
  assert.equal(effect, { created: 2, amended: 1, revived: 1, changed: 0, firstChanged: [] });

  assert.equal(await opened.imports.undo(practiceId, importId), { kind: 'begun' });
  assert.equal(await opened.imports.undo(practiceId, importId), { kind: 'begun' });
  const undo = await endedUndo(opened.registry, practiceId, importId);
  assert.equal(undo.done, { records: 4, voided: 2, restored: 1, voidedAgain: 1, left: 0 });
  assert.is(undo.by, MEMBER);

  assert.equal(
    [await saying(service, practiceId, 'U-1'), await saying(service, practiceId, 'U-2')],
    before,
  );
  const created = await stateOf(service, practiceId, 'U-3');
  assert.equal(
    created.events.map(({ type, version }) => `${type} ${version}`),
    ['BirthRecorded 1', 'BirthAmended 2', 'BirthRetracted 3'],
  );
  assert.equal(created.events.at(-1)?.actor, { kind: 'member', id: MEMBER });
  const again = await stateOf(service, practiceId, 'U-2');
  assert.equal(
    again.events.map(({ type }) => type),
    ['BirthRecorded', 'BirthRetracted', 'BirthAmended', 'BirthAmended', 'BirthRetracted'],
  );
  const { reason } = (again.events.at(-1)?.data ?? {}) as { reason?: string };
  assert.is(reason, 'Entered twice');
  const live = await opened.stores.db
    .selectFrom('read.birth_record')
    .select(['chart_number'])
    .where('practice_id', '=', practiceId)
    .where('status', '=', 'live')
    .execute();
  assert.equal(live, [{ chart_number: 'U-1' }]);
  const facts = await opened.stores.db
    .selectFrom('read.statistics_fact')
    .select(['submission_uuid'])
    .where('practice_id', '=', practiceId)
    .execute();
  assert.is(facts.length, 1, 'the figures count the one live birth');

  const [past] = await opened.registry.reads.imports.past(practiceId, null, 5);
  assert.is(past?.undo, 'over');

  // What a person had voided is asked about when it is sent again; what only the file had made is not.
  const later = { lastUpdated: '2040-01-01T00:00:00Z' };
  for (const chartNumber of ['U-2', 'U-3'])
    await push(service.url, token, birthBundle({ chartNumber, ...later }));
  const asked = await opened.stores.db
    .selectFrom('read.overruled_void')
    .select('submission_uuid')
    .where('practice_id', '=', practiceId)
    .execute();
  assert.equal(asked, [{ submission_uuid: voided.submissionUuid }]);
});

undoing(
  'after it the same file is a new one, and the voided records come back with it',
  async (held) => {
    const { service, opened } = held;
    const { practiceId } = await newPractice(service.commands);
    const file = csvOf(BIRTH_COLUMNS, [birthRow('A-1', 'Amaral')]);
    const importId = await imported(opened, practiceId, file);
    const staged = importIdOf(await opened.imports.stage(fileOf(practiceId, file)));
    const repeated = await opened.imports.confirm(practiceId, MEMBER, staged, false);
    assert.is(repeated.kind, 'repeated');
    await opened.imports.undo(practiceId, importId);
    await endedUndo(opened.registry, practiceId, importId);

    const second = importIdOf(await opened.imports.stage(fileOf(practiceId, file)));
    const preview = await opened.imports.preview(practiceId, MEMBER, second, ALL_ROWS);
    assert.is(preview?.earlier, null);
    assert.equal([preview?.rows[0]?.version, preview?.rows[0]?.revives], [3, true]);
    assert.is((await opened.imports.confirm(practiceId, MEMBER, second, false)).kind, 'confirmed');
    await endedImport(opened.imports, practiceId, second);
    const { state } = await stateOf(service, practiceId, 'A-1');
    assert.equal([state?.status, state?.version], ['live', 3]);
  },
);

undoing('while a record was changed since, the whole is refused and named', async (held) => {
  const { service, opened } = held;
  const { practiceId } = await newPractice(service.commands);
  const rows = [birthRow('R-1', 'Amaral'), birthRow('R-2', 'Okafor')];
  const importId = await imported(opened, practiceId, csvOf(BIRTH_COLUMNS, rows));
  const { submissionUuid, state } = await stateOf(service, practiceId, 'R-2');
  if (submissionUuid === null || state === null) throw new Error('The import wrote nothing.');
  const saved = await saveCourse(opened.registry, {
    ...member,
    practiceId,
    source: 'manual',
    submissionId: 'form-1',
    target: { kind: 'correct', submissionUuid, version: 1 },
    overrule: true,
    course: { ...state.courseOfCare, prenatal_visits: 9 },
    reason: 'Typing error',
  });
  assert.is(saved.kind, 'saved');
  const effect = await opened.registry.reads.imports.effect(practiceId, importId, 5);
  assert.equal([effect.changed, effect.firstChanged], [1, [submissionUuid]]);
  assert.equal(await opened.imports.undo(practiceId, importId), { kind: 'changed', records: 1 });
  assert.is(await opened.registry.reads.imports.undoOf(practiceId, importId), null);
  assert.is((await stateOf(service, practiceId, 'R-1')).state?.status, 'live');
});

undoing('an import of another practice is none', async ({ service, opened }) => {
  const { practiceId } = await newPractice(service.commands);
  const other = await newPractice(service.commands);
  const importId = await imported(
    opened,
    practiceId,
    csvOf(BIRTH_COLUMNS, [birthRow('O-1', 'Amaral')]),
  );
  const refused = await opened.imports.undo(other.practiceId, importId);
  assert.is(refused.kind === 'refused' && refused.code, 'no-import');
});

undoing('cut short by a kill, it goes on by itself and takes each record back once', async () => {
  const rows = Array.from({ length: 260 }, (_, index) => birthRow(`K-${index}`, `Family ${index}`));
  const dying = await startDyingRegistry('connections');
  const { commands } = dying;
  const opened = await openTestImports(dying.settings);
  const { registry, stores } = opened;
  try {
    const { practiceId } = await newPractice(commands);
    const importId = await imported(opened, practiceId, csvOf(BIRTH_COLUMNS, rows));
    const dies = { step: 'record-taken-back', after: 70 } as const;
    await dying.service().diesAfter(dies);
    await opened.imports.undo(practiceId, importId);
    await dying.comesBack(dies);
    const undo = await endedUndo(registry, practiceId, importId);
    assert.equal(undo.done, { records: 260, voided: 260, restored: 0, voidedAgain: 0, left: 0 });
    const held = await stores.db
      .selectFrom('read.birth_record')
      .select(['status', 'version'])
      .where('practice_id', '=', practiceId)
      .execute();
    assert.is(held.length, 260);
    assert.ok(held.every(({ status, version }) => status === 'voided' && version === 2));
    assert.equal((await commands.verify()).problems, []);
    assert.equal((await commands.rebuild('compare')).differences, []);
  } finally {
    await opened.close();
    await dying.stop();
  }
});

undoing(
  'the log and the read tables agree about all of it, rebuilt or not',
  async ({ service }) => {
    assert.equal((await service.commands.verify()).problems, []);
    assert.equal((await service.commands.rebuild('compare')).differences, []);
  },
);

undoing.run();
