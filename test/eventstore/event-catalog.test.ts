import type { RecordedEvent } from '@eventstore/db-client';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import {
  checkEvent,
  deserializeEvent,
  getSchemaVersion,
  packData,
  readEvent,
  serializeEvent,
  upcastData,
} from '../../adapters/event-log/event-catalog.ts';
import { EVENT_SCHEMAS } from '../../adapters/event-log/schemas/event-schemas.ts';
import { emptyChild, emptyCourseOfCare, emptyTransfer } from '../../domain/course/course.ts';
import { FIELDS } from '../../domain/course/fields.ts';
import { isForeign } from '../../domain/event-log.ts';
import { EventInvalid } from '../../domain/event-log-errors.ts';
import { INES, OLDER } from '../support/birth-records.ts';

const retracted = {
  submissionUuid: INES,
  practiceId: 'practice',
  version: 2,
  source: 'fhir_push',
  mark: null,
};

test('every schema is one, by the schema of schemas', () => {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
  for (const [type, { schema }] of Object.entries(EVENT_SCHEMAS))
    assert.ok(ajv.validateSchema(schema), `${type}: ${ajv.errorsText()}`);
  assert.not(ajv.validateSchema({ type: 'no type' }));
});

test('a retraction from before reasons were kept is still read', () => {
  checkEvent({ type: 'BirthRetracted', data: retracted });
});

test('a retraction holds a reason of up to 500 characters, or none', () => {
  for (const reason of [null, 'Entered twice', 'x'.repeat(500)])
    checkEvent({ type: 'BirthRetracted', data: { ...retracted, reason } });
  for (const reason of ['', 'x'.repeat(501), 3])
    assert.throws(() => checkEvent({ type: 'BirthRetracted', data: { ...retracted, reason } }));
});

test('a version and a void say what they brought back or undid, as none did before', () => {
  const version = {
    ...retracted,
    keyKind: null,
    course: { ...emptyCourseOfCare(), children: [emptyChild()] },
    providers: [],
    stamp: null,
    fingerprints: [],
  };
  for (const more of [
    { reason: 'x'.repeat(600) },
    { restored: { version: 1 } },
    { restored: { version: 1 }, undoneImport: 'import' },
  ])
    checkEvent({ type: 'BirthAmended', data: { ...version, ...more } });
  for (const more of [{ reason: '' }, { restored: { version: 0 } }, { restored: 1 }])
    assert.throws(() => checkEvent({ type: 'BirthAmended', data: { ...version, ...more } }));
  checkEvent({ type: 'BirthRetracted', data: { ...retracted, undoneImport: 'import' } });
});

test('a decision on a duplicate names both records', () => {
  const pair = { submissionUuid: INES, practiceId: 'practice', duplicateOf: OLDER, mark: null };
  for (const type of ['DuplicateDismissed', 'DuplicateFlagRestored']) {
    checkEvent({ type, data: pair });
    assert.throws(() => checkEvent({ type, data: { ...pair, duplicateOf: null } }));
  }
});

test('a person has a name of up to 100 characters, or none, as before there were names', () => {
  const seat = { memberId: 'm', practiceId: 'practice', email: 'a@b.example', role: 'Viewer' };
  const asked = { ...seat, endsAt: '2026-05-15T10:00:00Z', byStaff: false };
  const staff = { staffId: 's', email: 'a@b.example' };
  const named = { memberId: 'm', practiceId: 'practice', name: 'Ana' };
  const people = { MemberAdded: seat, MemberInvited: asked, StaffAdded: staff };
  for (const [type, data] of Object.entries(people)) {
    checkEvent({ type, data });
    checkEvent({ type, data: { ...data, name: 'x'.repeat(100) } });
  }
  checkEvent({ type: 'MemberNamed', data: named });
  checkEvent({ type: 'StaffNamed', data: { staffId: 's', name: 'Sam' } });
  for (const name of ['', 'x'.repeat(101), null])
    for (const [type, data] of Object.entries({ ...people, MemberNamed: named, StaffNamed: staff }))
      assert.throws(() => checkEvent({ type, data: { ...data, name } }), undefined, type);
});

const STORED = {
  id: INES,
  streamId: 'record-x',
  revision: 0n,
  isJson: true,
  position: { commit: 7n, prepare: 7n },
  created: new Date(0),
  isLink: false,
};
const recorded = {
  submissionUuid: INES,
  practiceId: 'practice',
  version: 1,
  source: 'fhir_push',
  keyKind: 'native',
  providers: [],
  stamp: null,
  fingerprints: [],
  mark: null,
  course: { ...emptyCourseOfCare(), chart_number: 'MRN-1', children: [emptyChild()] },
} as const;
const storedAs = (schemaVersion: number, data: unknown, type = 'BirthRecorded') =>
  ({
    ...STORED,
    streamId:
      type in EVENT_SCHEMAS ? `${EVENT_SCHEMAS[type as 'BirthRecorded'].stream}-x` : 'record-x',
    type,
    data,
    metadata: {
      schemaVersion,
      correlationId: 'c',
      causationId: null,
      actor: { kind: 'key', id: 'k' },
      recordedAt: '2026-03-01T10:00:00Z',
    },
  }) as unknown as RecordedEvent;

test('a place is empty or holds what it is for, and who reads of a fault learns which place it is', () => {
  const withChild = (change: object) => ({
    ...recorded,
    course: { ...recorded.course, children: [{ ...emptyChild(), ...change }] },
  });
  const rows: readonly (readonly [object, string])[] = [
    [{ ...recorded, stamp: 'yesterday' }, 'at /stamp (pattern)'],
    [{ ...recorded, stamp: 7 }, 'at /stamp (type)'],
    [{ ...recorded, keyKind: 'brass' }, 'at /keyKind (enum)'],
    [{ ...recorded, mark: 'first' }, 'at /mark (type)'],
    [{ ...recorded, mark: { ingestionId: 'i' } }, 'at /mark (required)'],
    [{ ...recorded, mark: { ingestionId: 'i', position: -1 } }, 'at /mark/position (minimum)'],
    [withChild({ birth_date: '2026-3-1' }), 'at /course/children/0/birth_date (pattern)'],
    [withChild({ sex: 'blue' }), 'at /course/children/0/sex (enum)'],
    [
      withChild({ gestational_age_weeks: 39.5 }),
      'at /course/children/0/gestational_age_weeks (type)',
    ],
    [withChild({ family_name: 7 }), 'at /course/children/0/family_name (type)'],
  ];
  checkEvent({ type: 'BirthRecorded', data: recorded });
  for (const [data, place] of rows)
    assert.throws(
      () => checkEvent({ type: 'BirthRecorded', data }),
      (error: Error) =>
        error.message === `The data of a BirthRecorded does not fit its schema ${place}.`,
      place,
    );
});

test('a record lies in the log without what is not known, and is read whole', () => {
  const fact = { type: 'BirthRecorded', data: recorded };
  const packed = packData(fact);
  assert.ok(JSON.stringify(packed).length < JSON.stringify(recorded).length / 3);
  const written = JSON.parse(JSON.stringify(packed));
  const { event } = readEvent({ event: storedAs(getSchemaVersion(fact.type), written) });
  assert.equal(event, fact);
});

test('a record is read as the version before packed it, once there is a next one', () => {
  const { versions, ...schema } = EVENT_SCHEMAS.BirthRecorded;
  const next = {
    ...schema,
    version: 3,
    versions: [
      ...versions.slice(0, -1),
      { ...versions.at(-1), upcast: (data: object) => ({ ...data, sealedBy: null }) },
      {},
    ],
  };
  const packed = packData({ type: 'BirthRecorded', data: recorded });
  for (const [version, stored] of [
    [1, recorded],
    [2, packed],
  ] as const)
    assert.equal(upcastData('BirthRecorded', next, version, JSON.parse(JSON.stringify(stored))), {
      ...recorded,
      sealedBy: null,
    });
  const data = { ...recorded, sealedBy: 'Sam Reyes' };
  assert.equal(upcastData('BirthRecorded', next, 3, data), data);
});

test('a record from before is read as it was written', () => {
  const { event } = readEvent({ event: storedAs(1, recorded) });
  assert.equal(event, { type: 'BirthRecorded', data: recorded });
});

test('a record from before providers were recorded names none', () => {
  const { providers: _later, ...earliest } = recorded;
  const { event } = readEvent({ event: storedAs(1, earliest) });
  assert.equal(event, { type: 'BirthRecorded', data: recorded });
});

test('a record from before a field was added is read with nothing in it', () => {
  const whole = { ...recorded, course: { ...recorded.course, transfers: [emptyTransfer()] } };
  for (const { path, parent, name } of FIELDS) {
    if (path === 'chart_number') continue;
    const older = JSON.parse(JSON.stringify(whole));
    const held = parent
      .split('.')
      .filter((part) => part !== '')
      .reduce((object, part) => object[part], older.course);
    delete (Array.isArray(held) ? held[0] : held)[name];
    for (const version of [1, 2])
      assert.equal(
        readEvent({ event: storedAs(version, older) }).event,
        { type: 'BirthRecorded', data: whole },
        `${path}, version ${version}`,
      );
  }
});

const KEY = {
  keyId: 'k',
  practiceId: 'practice',
  partnerId: 'maple',
  name: null,
  tokenHash: 'hash',
};

for (const [type, data] of [
  ['ApiKeyMinted', { ...KEY, kind: 'partner' }],
  ['PartnerKeyIssued', KEY],
] as const)
  test(`a stored ${type} reads back without the scope export:read, which there no longer is`, () => {
    for (const [written, left] of [
      [
        ['ingest:write', 'ingest:read'],
        ['ingest:write', 'ingest:read'],
      ],
      [['ingest:write', 'export:read'], ['ingest:write']],
      [['export:read'], []],
    ]) {
      const { event } = readEvent({ event: storedAs(1, { ...data, scopes: written }, type) });
      assert.equal(event, { type, data: { ...data, scopes: left } });
    }
    for (const scopes of [['export:read'], 'export:read'])
      assert.throws(
        () => checkEvent({ type, data: { ...data, scopes } }),
        (error: unknown) => error instanceof EventInvalid,
      );
  });

test('an event of a type that only a newer version knows is read with what it holds', () => {
  const data = { submissionUuid: INES, sealedBy: 'Sam Reyes' };
  // Every object has this one, but no catalog.
  for (const type of ['BirthSealed', 'constructor']) {
    const event = storedAs(1, data, type);
    const { id, streamId: stream, revision, metadata } = event;
    const stored = { id, stream, revision, position: 7n, metadata, event: null };
    assert.equal(readEvent({ event }), { ...stored, written: { type, data } });
    const serialized = JSON.parse(JSON.stringify(serializeEvent(readEvent({ event }))));
    assert.equal(deserializeEvent(stream, serialized), { ...stored, written: { type, data } });
    assert.throws(() => checkEvent({ type, data }), /not in the catalog/);
  }
});

/** Problem of an event that is not ours, in any stream. */
const problemOf = (event: unknown, stream = STORED.streamId): string => {
  const read = readEvent({ event: { ...(event as RecordedEvent), streamId: stream } });
  return isForeign(read) ? read.foreign.problem : '';
};

test('an event of another program is passed over, whatever its type', () => {
  const { metadata, ...without } = storedAs(1, { order: 7 }, 'OrderPlaced');
  for (const foreign of [
    undefined,
    {},
    { $correlationId: 'x' },
    { ...(metadata as object), actor: 'shop' },
  ])
    assert.match(problemOf({ ...without, metadata: foreign }), /metadata/);
  assert.match(problemOf({ ...storedAs(1, {}), isJson: false }), /no JSON/);
  const revoked = storedAs(1, { keyId: 'k' }, 'ApiKeyRevoked');
  assert.is(problemOf(revoked, 'key-k'), '');
  for (const stream of ['practice-k', 'registry', 'record-k'])
    assert.match(problemOf(revoked, stream), /belongs to another stream/);
  const order = { ...without, metadata: undefined };
  const stored = readEvent({ event: order as unknown as RecordedEvent });
  const { type, ...serialized } = serializeEvent(stored);
  assert.is(type, 'ForeignEvent');
  assert.is(deserializeEvent(stored.stream, { type, ...serialized }).event, null);
});

test('an event of a known type may have fields that only a newer version knows', () => {
  const more = { ...retracted, sealedBy: 'Sam Reyes' };
  const { event } = readEvent({ event: storedAs(1, more, 'BirthRetracted') });
  assert.equal(event, { type: 'BirthRetracted', data: more });
});

// Its state would be wrong without the data, so it must not be passed over.
test('what a newer build has written is refused', () => {
  assert.throws(
    () => readEvent({ event: storedAs(3, recorded) }),
    (error: unknown) => error instanceof EventInvalid && /newer build/.test(error.message),
  );
});

test('what cannot be made whole is passed over, and its problem holds no value', () => {
  const damaged: readonly (readonly [number, unknown])[] = [
    [2, null],
    [2, { ...recorded, course: null }],
    [1, { ...recorded, course: null }],
    [1, { ...recorded, course: { children: 'Ines Marin' } }],
    [2, { ...recorded, course: { children: 'Ines Marin' } }],
  ];
  for (const [version, data] of damaged) {
    const problem = problemOf(storedAs(version, data));
    assert.ok(problem !== '' && !problem.includes('Ines'));
  }
});

test.run();
