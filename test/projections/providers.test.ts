import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { BirthRecordEvent } from '../../domain/birth-record/events.ts';
import type { Fact, StoredEvent } from '../../domain/event-log.ts';
import type { MergesEvent, ProviderEvent } from '../../domain/provider/events.ts';
import { update, upsert } from '../../projections/projection.ts';
import { collectChanges } from '../../projections/read-model.ts';
import { careerEntries } from '../../projections/tables/career-entries.ts';
import { providers } from '../../projections/tables/providers.ts';
import { amended, courseOfInes, INES, recorded } from '../support/birth-records.ts';

const AT = '2026-05-13T09:00:00Z';

const stored = (event: Fact): StoredEvent => ({
  id: 'id',
  stream: 'record-x',
  revision: 4n,
  position: 9n,
  event,
  metadata: {
    schemaVersion: 1,
    correlationId: 'c',
    causationId: null,
    recordedAt: AT,
    actor: { kind: 'key', id: 'key' },
  },
});

const changesIn = (tables: readonly { readonly name: string }[], event: Fact) =>
  collectChanges(stored(event)).filter(({ table }) => tables.some(({ name }) => name === table));
const careerChanges = (event: BirthRecordEvent) => changesIn(careerEntries.tables, event);

const attended = (keyKind: 'native' | 'partner') =>
  amended({ keyKind, course: { ...courseOfInes, attendant: 'joan' } });
const entries = (part: string, named_id: string | null) => [
  upsert('career_entry', {
    submission_uuid: INES,
    part,
    practice_id: 'practice',
    stream: 'record-x',
    provider_id: named_id,
    named_id,
    named_at: AT,
    named_version: 2,
  }),
  upsert('attribution', { submission_uuid: INES, part, version: 2, named_id, named_at: AT }),
];

const projections = suite('what provider events change in the read tables');

projections('a record that names nobody makes no career entry', () => {
  assert.equal(careerChanges(recorded), []);
});

projections("a partner's amendment states both parts, also that nobody has one", () => {
  assert.equal(careerChanges(attended('partner')), [
    ...entries('attendant', 'joan'),
    ...entries('certifier', null),
  ]);
});

projections('a native amendment leaves the career entries standing', () => {
  assert.equal(careerChanges(attended('native')), []);
});

projections('repointing moves the entry and keeps the name that was sent', () => {
  const changes = careerChanges({
    type: 'AttributionRepointed',
    data: {
      submissionUuid: INES,
      practiceId: 'practice',
      part: 'attendant',
      from: 'joan',
      to: 'ada',
      mark: null,
    },
  });
  assert.equal(changes, [
    update('career_entry', { submission_uuid: INES, part: 'attendant' }, { provider_id: 'ada' }),
  ]);
});

projections('an identified provider stands for itself', () => {
  const details = { npi: null, name: 'Joan Reyes', credentials: 'CNM', role: 'midwife' } as const;
  const identified: ProviderEvent<'ProviderIdentified'> = {
    type: 'ProviderIdentified',
    data: {
      providerId: 'joan',
      practiceId: 'practice',
      partnerId: 'maple',
      identity: 'staff-7',
      ...details,
    },
  };
  assert.equal(changesIn(providers.tables, identified), [
    upsert('provider', {
      provider_id: 'joan',
      practice_id: 'practice',
      partner_id: 'maple',
      identity: 'staff-7',
      ...details,
      merged_into: null,
      survivor_id: 'joan',
      revision: '4',
      identified_at: AT,
      changed_at: AT,
    }),
  ]);
});

projections('a merge gives the absorbed one, and those that follow it, their survivor', () => {
  const merged: MergesEvent = {
    type: 'ProvidersMerged',
    data: {
      practiceId: 'practice',
      partnerId: 'maple',
      absorbed: 'b',
      survivor: 'c',
      following: ['a'],
    },
  };
  assert.equal(changesIn(providers.tables, merged), [
    update('provider', { provider_id: 'b' }, { merged_into: 'c', survivor_id: 'c' }),
    update('provider', { provider_id: 'a' }, { survivor_id: 'c' }),
  ]);
});

projections.run();
