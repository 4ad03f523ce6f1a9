import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { BirthRecordEvent } from '../../../domain/birth-record/events.ts';
import {
  eventsOfItem,
  type StoredRecordEvent,
  stateAfterItem,
  stateSeenByItem,
  toLoadedRecord,
} from '../../../domain/birth-record/replay.ts';
import { evolve, noRecord } from '../../../domain/birth-record/state.ts';
import {
  createWorkingSet,
  HoldersNotLoaded,
  type LoadedRecord,
} from '../../../domain/birth-record/working-set.ts';
import {
  amended,
  INES,
  lookAlike,
  OLDER,
  recorded,
  retracted,
} from '../../support/birth-records.ts';

const held = (age: bigint | null, ...events: readonly BirthRecordEvent[]): LoadedRecord => ({
  state: events.reduce(evolve, noRecord),
  expectedRevision: BigInt(events.length - 1),
  firstPosition: age,
});

const ines = lookAlike({ submissionUuid: INES });

const ledger = suite('the ledger of a turn');

ledger('a live record holds its fingerprints, a voided one does not', () => {
  const known = createWorkingSet();
  known.put('record-1', held(1n, recorded));
  assert.equal([...known.matches(['ines-12-may'], null)], [ines]);
  assert.equal([...known.matches(['ines-12-may'], INES)], []);
  assert.ok(known.hasHolder('ines-12-may'));
  known.put('record-1', held(1n, recorded, retracted(2)));
  assert.equal([...known.matches(['ines-12-may'], null)], []);
});

ledger('a fingerprint is held by a voided record too, and by none that has moved on', () => {
  const known = createWorkingSet();
  known.put('record-1', held(1n, recorded, retracted(2)));
  assert.ok(known.hasHolder('ines-12-may'));
  known.put('record-1', held(1n, recorded, amended({ fingerprints: ['ines-13-may'] })));
  assert.not(known.hasHolder('ines-12-may'));
  known.putFingerprints(
    ['ines-14-may', 'ines-15-may'],
    [{ ...lookAlike(), isLive: false, fingerprint: 'ines-14-may', age: 7n }],
  );
  assert.ok(known.hasHolder('ines-14-may'));
  assert.equal([...known.matches(['ines-14-may'], null)], []);
  assert.not(known.hasHolder('ines-15-may'));
});

ledger('an amendment moves the record to its new fingerprints', () => {
  const known = createWorkingSet();
  known.put('record-1', held(1n, recorded));
  known.put('record-1', held(1n, recorded, amended({ fingerprints: ['ines-13-may'] })));
  assert.equal([...known.matches(['ines-12-may'], null)], []);
  assert.equal([...known.matches(['ines-13-may'], null)], [{ ...ines, shared: ['ines-13-may'] }]);
});

ledger('of several matches the oldest comes first, what the turn adds is youngest', () => {
  const known = createWorkingSet();
  known.put('record-1', held(null, recorded));
  known.putFingerprints(
    ['ines-12-may'],
    [{ ...lookAlike(), isLive: true, fingerprint: 'ines-12-may', age: 7n }],
  );
  assert.equal(
    [...known.matches(['ines-12-may'], null)].map(({ submissionUuid }) => submissionUuid),
    [OLDER, INES],
  );
});

/** A working set with so many live records of one birth. */
const setOfAlike = (records: number) => {
  const known = createWorkingSet();
  for (let n = 0; n < records; n += 1) {
    const submissionUuid = `alike-${n}`;
    known.put(`record-${n}`, held(null, amended({ submissionUuid, version: 1 })));
  }
  return known;
};

ledger('the oldest of many matches is found without looking at the others', () => {
  const matches = setOfAlike(50_000).matches(['ines-12-may'], null);
  // One look at every match would take minutes.
  for (let n = 0; n < 50_000; n += 1) {
    const [oldest] = matches;
    assert.is(oldest?.submissionUuid, 'alike-0');
  }
});

ledger(
  'the next oldest match follows when the oldest is voided, and it comes back in its place',
  () => {
    const known = setOfAlike(3);
    const listMatches = () =>
      [...known.matches(['ines-12-may'], 'alike-1')].map(({ submissionUuid }) => submissionUuid);
    const ofOldest = amended({ submissionUuid: 'alike-0', version: 1 });
    known.put('record-0', held(null, ofOldest, retracted(2)));
    assert.equal(listMatches(), ['alike-2']);
    known.put('record-0', held(null, ofOldest));
    assert.equal(listMatches(), ['alike-0', 'alike-2']);
  },
);

ledger('a record that the ledger holds is known better than the read tables know it', () => {
  const known = createWorkingSet();
  known.put('record-1', held(1n, recorded, amended({ fingerprints: ['ines-13-may'] })));
  known.putFingerprints(
    ['ines-12-may'],
    [{ ...ines, isLive: true, fingerprint: 'ines-12-may', age: 1n }],
  );
  assert.equal([...known.matches(['ines-12-may'], null)], []);
});

ledger('a match tells what its record is flagged for and told apart from', () => {
  const data = { submissionUuid: INES, practiceId: 'practice', duplicateOf: OLDER, mark: null };
  const flagged = { type: 'DuplicateFlagged', data } as const;
  const dismissed = { type: 'DuplicateDismissed', data } as const;
  const known = createWorkingSet();
  known.put('record-1', held(1n, recorded, flagged));
  assert.equal([...known.matches(['ines-12-may'], null)], [{ ...ines, duplicateOf: OLDER }]);
  known.put('record-1', held(1n, recorded, flagged, dismissed));
  assert.equal([...known.matches(['ines-12-may'], null)], [{ ...ines, dismissedMatches: [OLDER] }]);
  const read = lookAlike({ dismissedMatches: [INES] });
  known.putFingerprints(
    ['ines-14-may'],
    [{ ...read, isLive: true, fingerprint: 'ines-14-may', age: 7n }],
  );
  assert.equal([...known.matches(['ines-14-may'], null)], [{ ...read, shared: ['ines-14-may'] }]);
  assert.equal(
    [...known.matches(['ines-14-may', 'ines-12-may'], null)].map(({ shared }) => shared),
    [['ines-12-may'], ['ines-14-may']],
  );
});

/** Holders of one fingerprint as the read tables have them: live ones by age, then voided ones. */
const holdersOf = (live: number, voided = 0) =>
  Array.from({ length: live + voided }, (_, n) => ({
    ...lookAlike({ submissionUuid: `alike-${n}` }),
    isLive: n < live,
    fingerprint: 'ines-12-may',
    age: BigInt(n + 1),
  }));

/** A working set with the first holders of a fingerprint. */
const setWithFirst = (most: number, ...counts: Parameters<typeof holdersOf>) => {
  const known = createWorkingSet();
  known.putFingerprints(['ines-12-may'], holdersOf(...counts).slice(0, most), most);
  return known;
};

const oldestOf = (known: ReturnType<typeof createWorkingSet>, except: string | null = null) => {
  const [oldest] = known.matches(['ines-12-may'], except);
  return oldest?.submissionUuid;
};

ledger(
  'of thousands that look alike only the first are loaded, until a decision needs more',
  () => {
    const known = setWithFirst(2, 4_000);
    assert.is(oldestOf(known), 'alike-0');
    assert.is(oldestOf(known, 'alike-0'), 'alike-1');
    const listAll = () => [...known.matches(['ines-12-may'], null)].length;
    assert.throws(listAll, (error: unknown) => error instanceof HoldersNotLoaded);
    known.putFingerprints(['ines-12-may'], holdersOf(4_000), null);
    assert.is(listAll(), 4_000);
  },
);

ledger(
  'after the loaded ones are voided, an older one that is not loaded comes before a new one',
  () => {
    const known = setWithFirst(1, 2);
    known.put('record-new', held(null, recorded));
    const ofOldest = amended({ submissionUuid: 'alike-0', version: 1 });
    known.put('record-0', held(1n, ofOldest, retracted(2)));
    assert.throws(
      () => oldestOf(known),
      (error: unknown) =>
        error instanceof HoldersNotLoaded && error.fingerprints.join() === 'ines-12-may',
    );
    known.putFingerprints(['ines-12-may'], holdersOf(2), 16);
    assert.equal(
      [...known.matches(['ines-12-may'], null)].map(({ submissionUuid }) => submissionUuid),
      ['alike-1', INES],
    );
  },
);

ledger('with a voided one, all live ones are loaded', () => {
  const known = setWithFirst(2, 1, 3);
  assert.is([...known.matches(['ines-12-may'], null)].length, 1);
  assert.is([...setWithFirst(2, 0, 3).matches(['ines-12-may'], null)].length, 0);
});

ledger('a fingerprint whose loaded records have moved on may be held by another', () => {
  const known = setWithFirst(1, 2);
  assert.ok(known.hasHolder('ines-12-may'));
  const movedOn = amended({ submissionUuid: 'alike-0', fingerprints: ['ines-13-may'] });
  known.put('record-0', held(1n, amended({ submissionUuid: 'alike-0' })));
  known.put('record-0', held(1n, movedOn));
  assert.throws(
    () => known.hasHolder('ines-12-may'),
    (error: unknown) => error instanceof HoldersNotLoaded,
  );
  known.putFingerprints(['ines-12-may'], holdersOf(2), 16);
  assert.ok(known.hasHolder('ines-12-may'));
});

ledger('a record with a newer state elsewhere counts as loaded, and is not put', () => {
  const known = createWorkingSet();
  const isElsewhere = (uuid: string) => uuid === 'alike-0';
  known.putFingerprints(['ines-12-may'], holdersOf(1), 1, isElsewhere);
  assert.throws(
    () => oldestOf(known),
    (error: unknown) => error instanceof HoldersNotLoaded,
  );
  known.putFingerprints(['ines-12-may'], holdersOf(1), 16, isElsewhere);
  assert.is(oldestOf(known), undefined);
});

const stored = (...events: readonly BirthRecordEvent[]): readonly StoredRecordEvent[] =>
  events.map((event, index) => ({
    id: `id-${index}`,
    stream: 'record-1',
    event,
    revision: BigInt(index),
    position: BigInt(100 + index),
    metadata: {
      schemaVersion: 1,
      correlationId: 'c',
      causationId: null,
      actor: { kind: 'key', id: 'k' },
      recordedAt: '2026-05-13T09:00:00Z',
    },
  }));
const mark = (position: number) => ({ ingestionId: 'batch', position });

ledger('a resumed course does not see what its ingestion wrote for later ones', () => {
  const log = stored(recorded, amended({ version: 2, mark: mark(4) }));
  assert.is(toLoadedRecord(log).expectedRevision, 1n);
  const before = stateSeenByItem(log, mark(3));
  assert.equal([before.state.status, before.expectedRevision], ['live', 0n]);
  assert.is(stateSeenByItem(log, mark(4)).expectedRevision, 1n);
  assert.is(stateSeenByItem(log, { ingestionId: 'another', position: 0 }).expectedRevision, 1n);
  assert.equal(stateSeenByItem(stored(), mark(0)).expectedRevision, 'no-stream');
});

ledger('a resumed course knows its own events and the record right after them', () => {
  const log = stored(
    recorded,
    amended({ version: 2, mark: mark(4) }),
    amended({ version: 3, mark: mark(6) }),
  );
  assert.is(eventsOfItem(log, mark(4)).length, 1);
  assert.is(eventsOfItem(log, mark(5)).length, 0);
  const after = stateAfterItem(log, mark(4));
  assert.is(after.status === 'none' ? 0 : after.version, 2);
});

ledger.run();
