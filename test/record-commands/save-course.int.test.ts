import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createPairReads } from '../../adapters/postgres/read-model/suspected-pairs.ts';
import type { CourseToSave, SavedCourse } from '../../api/record-commands/save-course.ts';
import { type CourseOfCare, emptyCourseOfCare } from '../../domain/course/course.ts';
import type { FormValues } from '../../domain/mapping/form/form-fields.ts';
import { parseCourse } from '../../domain/mapping/form/parse-course.ts';
import {
  newPractice,
  post,
  push,
  startWritingService,
  type TestPractice,
  type WritingService,
} from '../harness/service.ts';
import { batchOf, birthBundle } from '../support/bundles.ts';
import { newPartnerFeed } from '../support/partners.ts';

const saving = suite<{ service: WritingService }>('saving a course of care by hand');

saving.before(async (context) => {
  context.service = await startWritingService();
});
saving.after(({ service }) => service.stop());

/** The birth that every test here enters. */
const entered = (values: FormValues = {}, held: CourseOfCare | null = null): CourseOfCare => {
  const read = parseCourse(
    held === null
      ? {
          chart_number: 'C-1',
          place_of_birth: 'Home',
          'mother.family_name': 'Amaral',
          'mother.given_names': 'Ines',
          'children.0.birth_date': '5/12/2026',
          'children.0.birth_time': '2:05 pm',
          ...values,
        }
      : values,
    {
      today: '2026-05-20',
      offsetAt: () => '-04:00',
      unitIsNamed: false,
      customFields: [],
      existing: held,
    },
  );
  if (read.kind === 'refused') throw new Error(JSON.stringify(read.errors));
  return read.course;
};

const save = (
  { writes }: Pick<WritingService, 'writes'>,
  { practiceId }: TestPractice,
  changes: Partial<CourseToSave> = {},
): Promise<SavedCourse> =>
  writes.saveCourse({
    practiceId,
    actor: { kind: 'member', id: 'm-1' },
    correlationId: 'test',
    source: 'manual',
    submissionId: 'form-1',
    target: { kind: 'new' },
    overrule: false,
    course: entered(),
    ...changes,
  });

const savedOf = (saved: SavedCourse) => {
  if (saved.kind !== 'saved') throw new Error(saved.kind);
  return saved;
};

const record = (uuid: string, version: number, changes: object = {}) => ({
  kind: 'saved',
  change: 'recorded',
  submissionUuid: uuid,
  version,
  suspectedDuplicate: false,
  ...changes,
});

saving('a new birth is recorded, and the read tables hold it at once', async ({ service }) => {
  const practice = await newPractice(service.commands);
  const saved = savedOf(await save(service, practice));
  assert.equal(saved, record(saved.submissionUuid, 1));
  const row = await service.stores.db
    .selectFrom('read.birth_record')
    .select(['version', 'status', 'source', 'key_kind', 'chart_number', 'stamp'])
    .where('submission_uuid', '=', saved.submissionUuid)
    .executeTakeFirstOrThrow();
  assert.equal(
    [row.version, row.status, row.source, row.key_kind, row.chart_number],
    [1, 'live', 'manual', null, 'C-1'],
  );
  assert.match(row.stamp ?? '', /^\d{4}-.*Z$/);
  const { events } = await service.commands.history(practice.practiceId, 'C-1', null);
  assert.equal(
    events.map(({ type, actor }) => [type, actor]),
    [['BirthRecorded', { kind: 'member', id: 'm-1' }]],
  );
});

saving('a double click saves once, also from two processes at once', async ({ service }) => {
  const practice = await newPractice(service.commands);
  const other = { writes: service.writesAt(() => new Date(Date.now() + 5_000)) };
  const [first, second, third] = await Promise.all([
    save(service, practice),
    save(other, practice),
    save(service, practice),
  ]);
  const { submissionUuid } = savedOf(first);
  for (const one of [first, second, third]) assert.equal(one, record(submissionUuid, 1));
  const { events } = await service.commands.history(practice.practiceId, 'C-1', null);
  assert.is(events.length, 1);

  const withoutNumber = { course: entered({ chart_number: '' }), submissionId: 'form-2' };
  const overrule = { ...withoutNumber, overrule: true };
  const [fourth, fifth] = await Promise.all([
    save(service, practice, overrule),
    save(other, practice, overrule),
  ]);
  assert.equal(fourth, fifth);
  assert.is(savedOf(fourth).suspectedDuplicate, true);
});

saving('the same form with other values is no repeat', async ({ service }) => {
  const practice = await newPractice(service.commands);
  const saved = savedOf(await save(service, practice));
  const again = await save(service, practice, {
    course: entered({ 'mother.family_name': 'Amaral-Lopes' }),
  });
  assert.is(again.kind, 'exists');
  const elsewhere = savedOf(
    await save(service, practice, {
      course: entered({ chart_number: 'C-2', 'mother.family_name': 'Amaral-Lopes' }),
    }),
  );
  assert.is.not(elsewhere.submissionUuid, saved.submissionUuid);
});

saving('a chart number that is taken asks before it amends', async ({ service }) => {
  const practice = await newPractice(service.commands);
  const pushed = await push(
    service.url,
    practice.token,
    birthBundle({ chartNumber: 'C-1', lastUpdated: '2026-05-13T09:00:00Z' }),
  );
  assert.is(pushed.status, 'completed');
  const asked = await save(service, practice);
  assert.is(asked.kind, 'exists');
  assert.is(asked.kind === 'exists' && asked.existing.source, 'fhir_push');
  // The mother is another one, and the person has seen that.
  const target = { kind: 'amend', version: 1, replacesAnother: true } as const;
  const amended = savedOf(await save(service, practice, { target }));
  assert.equal([amended.change, amended.version], ['amended', 2]);
  assert.equal(await save(service, practice, { target }), amended, 'a double click');
  // The time of the correction counts: what was sent before it is stale.
  const late = await push(
    service.url,
    practice.token,
    birthBundle({ chartNumber: 'C-1', lastUpdated: '2026-05-14T09:00:00Z' }),
  );
  assert.is(late.status === 'completed' && late.rejected, 1);
});

saving('what came in since a person was asked is not replaced unseen', async ({ service }) => {
  const practice = await newPractice(service.commands);
  const pushOf = (lastUpdated: string) =>
    push(service.url, practice.token, birthBundle({ chartNumber: 'C-1', lastUpdated }));
  await pushOf('2026-05-13T09:00:00Z');
  const target = { kind: 'amend', version: 1, replacesAnother: true } as const;
  await pushOf('2026-05-13T10:00:00Z');
  const asked = await save(service, practice, { target });
  assert.is(asked.kind === 'exists' && asked.existing.version, 2);
  const { state, events } = await service.commands.history(practice.practiceId, 'C-1', null);
  assert.equal([state?.source, events.length], ['fhir_push', 2]);
  const amended = savedOf(await save(service, practice, { target: { ...target, version: 2 } }));
  assert.equal([amended.change, amended.version], ['amended', 3]);
});

saving('a correction is never stale, even behind a clock that is ahead', async ({ service }) => {
  const practice = await newPractice(service.commands);
  const later = new Date(Date.now() + 20 * 3_600_000);
  const ahead = { writes: service.writesAt(() => later) };
  const { submissionUuid } = savedOf(await save(ahead, practice));
  const corrected = savedOf(
    await save(service, practice, {
      target: { kind: 'correct', submissionUuid, version: 1 },
      submissionId: 'form-2',
      course: entered({ prenatal_visits: '9' }),
    }),
  );
  assert.is(corrected.version, 2);
  const { state } = await service.commands.history(practice.practiceId, 'C-1', null);
  assert.is(state?.courseOfCare.stamp, `${later.toISOString().slice(0, -1)}000000Z`);
  assert.is(state?.courseOfCare.prenatal_visits, 9);
});

saving('of two corrections of one version the second learns of the first', async ({ service }) => {
  const practice = await newPractice(service.commands);
  const { submissionUuid } = savedOf(await save(service, practice));
  const target = { kind: 'correct', submissionUuid, version: 1 } as const;
  const outcomes = await Promise.all(
    ['9', '10'].map((visits, index) =>
      save(service, practice, {
        target,
        submissionId: `correction-${index}`,
        course: entered({ prenatal_visits: visits }),
      }),
    ),
  );
  assert.equal(outcomes.map(({ kind }) => kind).sort(), ['changed-concurrently', 'saved']);
  const late = outcomes.find(({ kind }) => kind === 'changed-concurrently');
  assert.is(late?.kind === 'changed-concurrently' && late.current.version, 2);
  const { events } = await service.commands.history(practice.practiceId, 'C-1', null);
  assert.is(events.length, 2);

  const moved = await save(service, practice, {
    target: { ...target, version: 2 },
    course: entered({ chart_number: 'C-9' }),
  });
  assert.is(moved.kind === 'refused' && moved.rejection.code, 'value');
  const unknown = await save(service, practice, {
    target: { ...target, submissionUuid: '00000000-0000-5000-8000-000000000009' },
  });
  assert.is(unknown.kind, 'no-such-record');
  const other = await newPractice(service.commands);
  assert.is((await save(service, other, { target })).kind, 'no-such-record');
});

saving('a look-alike is shown first, then saved and flagged', async ({ service }) => {
  const practice = await newPractice(service.commands);
  const { submissionUuid } = savedOf(await save(service, practice));
  const twin = { course: entered({ chart_number: 'C-2' }), submissionId: 'form-2' };
  assert.equal(await save(service, practice, twin), {
    kind: 'look-alike',
    submissionUuids: [submissionUuid],
  });
  const flagged = savedOf(await save(service, practice, { ...twin, overrule: true }));
  assert.is(flagged.suspectedDuplicate, true);

  const pair = {
    practiceId: practice.practiceId,
    submissionUuid: flagged.submissionUuid,
    actor: { kind: 'member', id: 'm-1' },
    correlationId: 'test',
  } as const;
  const flagOf = async () =>
    (await service.commands.history(practice.practiceId, 'C-2', null)).state?.suspectedDuplicate;
  assert.is((await service.writes.dismissDuplicate(pair, submissionUuid)).kind, 'done');
  assert.is(await flagOf(), false);
  assert.is((await service.writes.dismissDuplicate(pair, submissionUuid)).kind, 'done');
  // A correction, and a push, keep the decision.
  const corrected = await save(service, practice, {
    target: { kind: 'correct', submissionUuid: flagged.submissionUuid, version: 1 },
    submissionId: 'form-3',
    course: entered({ chart_number: 'C-2', wic: 'yes' }),
  });
  assert.is(corrected.kind, 'saved');
  assert.is(await flagOf(), false);
  assert.is((await service.writes.restoreDuplicateFlag(pair, submissionUuid)).kind, 'done');
  assert.is(await flagOf(), true);
  const none = await service.writes.restoreDuplicateFlag(
    { ...pair, submissionUuid },
    flagged.submissionUuid,
  );
  assert.is(none.kind, 'refused');
});

saving('a correction that would make two records of one birth is refused', async ({ service }) => {
  const practice = await newPractice(service.commands);
  const { submissionUuid } = savedOf(await save(service, practice));
  const other = savedOf(
    await save(service, practice, {
      course: entered({ chart_number: 'C-2', 'mother.family_name': 'Lopes' }),
      submissionId: 'form-2',
    }),
  );
  const refused = await save(service, practice, {
    target: { kind: 'correct', submissionUuid: other.submissionUuid, version: 1 },
    submissionId: 'form-3',
    course: entered({ chart_number: 'C-2' }),
    overrule: true,
  });
  assert.is(refused.kind === 'refused' && refused.rejection.code, 'conflict');
  assert.equal(refused.kind === 'refused' && refused.matches, [submissionUuid]);
});

saving('a pair that was told apart counts for both of its records', async ({ service }) => {
  const practice = await newPractice(service.commands);
  const { practiceId } = practice;
  const older = savedOf(await save(service, practice));
  const newer = savedOf(
    await save(service, practice, {
      course: entered({ chart_number: 'C-2' }),
      submissionId: 'form-2',
      overrule: true,
    }),
  );
  const member = {
    practiceId,
    actor: { kind: 'member', id: 'm-1' },
    correlationId: 'test',
  } as const;
  const pair = { ...member, submissionUuid: newer.submissionUuid };
  await service.writes.dismissDuplicate(pair, older.submissionUuid);

  const correctOlder = (version: number, values: FormValues = {}) =>
    save(service, practice, {
      target: { kind: 'correct', submissionUuid: older.submissionUuid, version },
      submissionId: `correction-${version}`,
      course: entered(values),
    });
  savedOf(await correctOlder(1, { 'mother.family_name': 'Lopes' }));
  const back = savedOf(await correctOlder(2));
  assert.equal([back.version, back.suspectedDuplicate], [3, false]);

  const target = { ...member, submissionUuid: older.submissionUuid };
  await service.writes.voidRecord(target, { version: 3, reason: 'Entered twice' });
  // Revived by a push, as the worker decides it.
  const pushAs = (chartNumber: string) =>
    push(
      service.url,
      practice.token,
      birthBundle({
        chartNumber,
        lastUpdated: '2040-01-01T00:00:00Z',
        mother: { family: 'Amaral', given: ['Ines'] },
        children: [{ birthDate: '2026-05-12', birthTime: '2026-05-12T14:05:00-04:00' }],
      }),
    );
  assert.is((await pushAs('C-1')).status, 'completed');
  const { state } = await service.commands.history(practiceId, 'C-1', null);
  assert.equal([state?.status, state?.version, state?.suspectedDuplicate], ['live', 5, false]);
  await pushAs('C-3');
  const third = await service.commands.history(practiceId, 'C-3', null);
  assert.is(third.state?.suspectedDuplicate, true, 'what nobody has told apart is flagged');
});

saving('a pair that is open already is not flagged the other way round', async ({ service }) => {
  const practice = await newPractice(service.commands);
  const { practiceId } = practice;
  const older = savedOf(await save(service, practice));
  await save(service, practice, {
    course: entered({ chart_number: 'C-2' }),
    submissionId: 'form-2',
    overrule: true,
  });
  const actor = { kind: 'member', id: 'm-1' } as const;
  await service.writes.voidRecord(
    { practiceId, actor, submissionUuid: older.submissionUuid, correlationId: 'test' },
    { version: 1, reason: 'Entered twice' },
  );
  const revived = savedOf(
    await save(service, practice, {
      submissionId: 'form-3',
      target: { kind: 'amend', version: 2 },
    }),
  );
  assert.equal([revived.change, revived.suspectedDuplicate], ['revived', false]);
  const pairs = await createPairReads(service.stores.db).listSuspected(practiceId);
  assert.is(pairs.length, 1);
});

saving('a voided record that is entered for another mother looks like hers alone', async (held) => {
  const { service } = held;
  const practice = await newPractice(service.commands);
  const target = {
    practiceId: practice.practiceId,
    correlationId: 'test',
    actor: { kind: 'member', id: 'm-1' },
  } as const;
  await save(service, practice, { course: entered({ chart_number: 'C-2' }) });
  const { submissionUuid } = savedOf(
    await save(service, practice, { submissionId: 'form-2', overrule: true }),
  );
  const lopes = { 'mother.family_name': 'Lopes' };
  const other = savedOf(
    await save(service, practice, {
      course: entered({ chart_number: 'C-3', ...lopes }),
      submissionId: 'form-3',
    }),
  );
  await service.writes.voidRecord(
    { ...target, submissionUuid },
    { version: 1, reason: 'Wrong mother' },
  );
  const asked = await save(service, practice, {
    submissionId: 'form-4',
    target: { kind: 'amend', version: 2 },
    course: entered(lopes),
  });
  assert.equal(asked, { kind: 'look-alike', submissionUuids: [other.submissionUuid] });
});

saving(
  'a voided record of a partner that is entered again looks like what it did',
  async (held) => {
    const { service } = held;
    const { practiceId } = await newPractice(service.commands);
    const feed = await newPartnerFeed(service.commands, practiceId);
    const pushed = async (chartNumber: string) => {
      const receipt = await push(service.url, feed, birthBundle({ chartNumber }));
      const [entry] = receipt.status === 'completed' ? receipt.outcome.accepted : [];
      return entry?.submission_uuid ?? '';
    };
    const older = await pushed('P-1');
    const target = {
      practiceId,
      // Sent after the other one has its receipt: the flag is on this one.
      submissionUuid: await pushed('P-2'),
      correlationId: 'test',
      actor: { kind: 'member', id: 'm-1' },
    } as const;
    await service.writes.voidRecord(target, { version: 1, reason: 'Entered twice' });
    const asked = await service.writes.saveCourse({
      ...target,
      source: 'manual',
      submissionId: 'form-1',
      overrule: false,
      target: { kind: 'amend', version: 2 },
      // Neither name nor date: what the partner's version stood for counts on.
      course: { ...emptyCourseOfCare(), chart_number: 'P-2' },
    });
    assert.equal(asked, { kind: 'look-alike', submissionUuids: [older] });
  },
);

saving('a record is voided once, with the reason, and revived by hand', async ({ service }) => {
  const practice = await newPractice(service.commands);
  const { practiceId } = practice;
  const { submissionUuid } = savedOf(await save(service, practice));
  const target = {
    practiceId,
    submissionUuid,
    correlationId: 'test',
    actor: { kind: 'member', id: 'm-1' },
  } as const;
  const reason = 'Entered for the wrong mother';
  const wrongVersion = await service.writes.voidRecord(target, { version: 7, reason });
  assert.is(wrongVersion.kind, 'changed-concurrently');
  assert.is((await service.writes.voidRecord(target, { version: 1, reason: '' })).kind, 'refused');
  const [first, second] = await Promise.all([
    service.writes.voidRecord(target, { version: 1, reason }),
    service.writes.voidRecord(target, { version: 1, reason }),
  ]);
  assert.equal([first.kind, second.kind], ['done', 'done']);
  const { state, events } = await service.commands.history(practiceId, 'C-1', null);
  assert.equal([state?.status, state?.version, events.length], ['voided', 2, 2]);
  assert.is((events[1]?.data as { reason?: string } | undefined)?.reason, reason);
  const row = await service.stores.db
    .selectFrom('read.birth_record')
    .select('status')
    .where('submission_uuid', '=', submissionUuid)
    .executeTakeFirstOrThrow();
  assert.is(row.status, 'voided');

  const asked = await save(service, practice, { submissionId: 'form-2' });
  assert.is(asked.kind === 'exists' && asked.existing.status, 'voided');
  const revived = savedOf(
    await save(service, practice, {
      submissionId: 'form-2',
      target: { kind: 'amend', version: 2 },
    }),
  );
  assert.equal([revived.change, revived.version], ['revived', 3]);
});

saving('a page comes ahead of a busy worker, and nothing is lost', async ({ service }) => {
  const practice = await newPractice(service.commands);
  const bundles = Array.from({ length: 400 }, (_, index) =>
    birthBundle({ chartNumber: `P-${index}`, mother: { family: `Family ${index}` } }),
  );
  for (let from = 0; from < bundles.length; from += 100)
    await post(service.url, practice.token, batchOf(bundles.slice(from, from + 100)));
  const saves = await Promise.all(
    ['C-1', 'C-2', 'C-3'].map((chart, index) =>
      save(service, practice, {
        submissionId: `form-${index}`,
        course: entered({ chart_number: chart, 'mother.family_name': `Amaral ${index}` }),
      }),
    ),
  );
  for (const one of saves) assert.is(one.kind, 'saved');
  await push(service.url, practice.token, birthBundle({ chartNumber: 'last' }));
  const { count } = await service.stores.db
    .selectFrom('read.birth_record')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('practice_id', '=', practice.practiceId)
    .executeTakeFirstOrThrow();
  assert.is(Number(count), 404);
});

saving('the log and the read tables agree about all of it, rebuilt or not', async ({ service }) => {
  assert.equal((await service.commands.verify()).problems, []);
  assert.equal((await service.commands.rebuild('compare')).differences, []);
});

saving('nothing is saved for a member who lost the seat while it waited', async ({ service }) => {
  const practice = await newPractice(service.commands);
  const requirePermission = async () => {
    throw new RangeError('No seat');
  };
  const refused = await save(service, practice, { requirePermission }).catch((error) => error);
  assert.instance(refused, RangeError);
  assert.is(savedOf(await save(service, practice)).version, 1);
});

saving.run();
