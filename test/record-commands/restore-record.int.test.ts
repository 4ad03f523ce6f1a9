import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { App } from '../../api/ports/app-ports.ts';
import { restoreVersion, restoreVoided } from '../../api/record-commands/restore-record.ts';
import type { RecordVersion } from '../../domain/birth-record/events.ts';
import type { KnownBirthRecord } from '../../domain/birth-record/state.ts';
import { newPractice, push, startWritingService, type WritingService } from '../harness/service.ts';
import { batchOf, birthBundle } from '../support/bundles.ts';
import { attendedBirth, newPartnerFeed } from '../support/partners.ts';

const restoring = suite<{ service: WritingService }>('giving records back what they said');

restoring.before(async (context) => {
  context.service = await startWritingService();
});
restoring.after(({ service }) => service.stop());

const joan = { identity: 'staff-7', name: 'Joan Mills', qualification: 'Certified Nurse Midwife' };
const member = { actor: { kind: 'member', id: 'm-1' }, correlationId: 'test' } as const;

restoring(
  'a partner’s version comes back de-identified, with its attendant',
  async ({ service }) => {
    const { commands, writes, stores } = service;
    const { practiceId } = await newPractice(commands);
    const feed = await newPartnerFeed(commands, practiceId);
    const sent = { chartNumber: 'P-1', lastUpdated: '2026-03-14T10:00:00Z' };
    await push(service.url, feed, attendedBirth({ attendant: joan }, sent));
    const history = () => commands.history(practiceId, 'P-1', null);
    const first = await history();
    const submissionUuid = first.submissionUuid ?? '';
    const versionIn = ({ events }: typeof first, at: number) =>
      events.at(at)?.data as RecordVersion;
    const then = versionIn(first, 0);

    const saved = await writes.saveCourse({
      ...member,
      practiceId,
      source: 'manual',
      submissionId: 'form-1',
      target: { kind: 'correct', submissionUuid, version: 1 },
      overrule: true,
      reason: 'Information came later',
      course: {
        ...then.course,
        mother: { ...then.course.mother, family_name: 'Amaral', given_names: ['Ines'] },
        custom: { tub: 'Large' },
      },
    });
    assert.is(saved.kind, 'saved');
    await push(
      service.url,
      feed,
      attendedBirth({}, { ...sent, lastUpdated: '2040-01-01T00:00:00Z' }),
    );
    const record = { ...member, practiceId, submissionUuid };
    const wish = { version: 1, seen: 3, reason: undefined };
    const [once, twice] = [
      await writes.restoreVersion(record, wish),
      await writes.restoreVersion(record, wish),
    ];
    assert.equal([once.kind, twice.kind], ['done', 'done']);
    const now = await history();
    const restored = versionIn(now, -1);
    assert.is(now.events.length, 4);
    assert.equal({ ...restored.course, stamp: null }, { ...then.course, stamp: null });
    assert.equal(
      [restored.keyKind, restored.source, restored.restored, restored.fingerprints],
      ['partner', 'manual', { version: 1 }, then.fingerprints],
    );
    assert.is(versionIn(now, 1).reason, 'Information came later');
    // The attendant has the birth in the career log again.
    const career = await commands.providers.career(then.course.attendant ?? '');
    assert.equal(
      career.map(({ chartNumber, replacedAt }) => `${chartNumber} ${replacedAt ? 'until' : 'now'}`),
      ['P-1 until', 'P-1 now'],
    );

    await writes.voidRecord(record, { version: 4, reason: 'Entered twice' });
    const facts = () =>
      stores.db
        .selectFrom('read.statistics_fact')
        .select('submission_uuid')
        .where('submission_uuid', '=', submissionUuid)
        .execute();
    assert.is((await facts()).length, 0);
    const stale = await writes.bringBack(record, { seen: 4, reason: undefined, overrule: false });
    assert.is(stale.kind, 'changed-concurrently');
    const back = await writes.bringBack(record, {
      seen: 5,
      reason: 'Voided by mistake',
      overrule: false,
    });
    assert.equal(back.kind === 'done' && [back.state.version, back.isFlagged], [6, false]);
    assert.is((await facts()).length, 1);
  },
);

restoring(
  'of a record that was sent hundreds of times: any version, and the last one after a void',
  async ({ service }) => {
    const { commands, writes, registry } = service;
    const practice = await newPractice(commands);
    const { practiceId } = practice;
    const versions = 260;
    const births = Array.from({ length: versions }, (_, n) =>
      birthBundle({ chartNumber: 'LOOP-1', lastUpdated: null, children: [{ weight: 3_000 + n }] }),
    );
    const receipt = await push(service.url, practice.token, batchOf(births));
    assert.is(receipt.status === 'completed' && receipt.accepted, versions);
    const { submissionUuid: known } = await commands.history(practiceId, 'LOOP-1', null);
    const submissionUuid = known ?? '';
    const record = { ...member, practiceId, submissionUuid };
    let read = 0;
    const counted: App = {
      ...registry,
      log: {
        ...registry.log,
        async readStream(stream) {
          const events = await registry.log.readStream(stream);
          if (stream.startsWith('record-')) read += events.length;
          return events;
        },
      },
    };
    const weightOf = ({ state }: { readonly state: KnownBirthRecord }) =>
      state.course.children[0]?.birth_weight_grams;
    let seen = versions;
    for (const version of [1, 2, 30, 131, 259]) {
      const wish = { version, seen, reason: undefined };
      const restored = await restoreVersion(counted, record, wish);
      assert.is(restored.kind === 'done' && weightOf(restored), 2_999 + version);
      seen += 1;
    }
    for (const version of [0, seen + 1]) {
      const wish = { version, seen, reason: undefined };
      assert.is((await restoreVersion(counted, record, wish)).kind, 'refused');
    }
    await writes.voidRecord(record, { version: seen, reason: 'Entered twice' });
    const wish = { seen: seen + 1, reason: undefined, overrule: true };
    const back = await restoreVoided(counted, record, wish);
    assert.is(back.kind === 'done' && weightOf(back), 2_999 + 259);
    assert.is(read, 0);
  },
);

restoring(
  'the log and the read tables agree about all of it, rebuilt or not',
  async ({ service }) => {
    assert.equal((await service.commands.verify()).problems, []);
    assert.equal((await service.commands.rebuild('compare')).differences, []);
  },
);

restoring.run();
