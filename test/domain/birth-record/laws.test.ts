import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { BirthRecordEvent } from '../../../domain/birth-record/events.ts';
import { evolve, noRecord } from '../../../domain/birth-record/state.ts';
import { createWorkingSet } from '../../../domain/birth-record/working-set.ts';
import { decideItem, type SubmissionItem } from '../../../domain/submission/decide-item.ts';
import type { QueuedItem } from '../../../domain/submission/queued-item.ts';
import { courseOfInes } from '../../support/birth-records.ts';
import { runs } from '../../support/runs.ts';

/** Any submission: few chart numbers, stamps and fingerprints, so that they meet often. */
const submission = fc.record({
  chart: fc.constantFrom('A', 'B', 'C'),
  stamp: fc.constantFrom(null, ...['08', '09', '10'].map((hour) => `2026-05-13T${hour}:00:00Z`)),
  fingerprints: fc.constantFrom<string[]>([], ['f-1'], ['f-2'], ['f-1', 'f-2']),
  isRetraction: fc.boolean(),
});
type Submission = typeof submission extends fc.Arbitrary<infer T> ? T : never;

const courseOf = (sent: Submission, position: number): SubmissionItem => {
  const { chart, stamp, fingerprints } = sent;
  const head = { position, reference: chart, recordHash: chart, stamp };
  const queued: QueuedItem = sent.isRetraction
    ? { kind: 'retraction', ...head }
    : {
        kind: 'course',
        ...head,
        course: courseOfInes,
        providers: [],
        partnerId: null,
        fingerprints,
      };
  return {
    queued,
    stream: chart,
    practiceId: 'practice',
    keyKind: 'native',
    source: 'fhir_push',
    submissionUuid: `uuid-${position}`,
    mark: { ingestionId: 'any', position },
    receivedAt: '2026-05-13T11:00:00Z',
  };
};

/** Runs submissions one after the other. @returns outcomes and every event by its stream */
const run = (sent: readonly Submission[]) => {
  const ledger = createWorkingSet();
  const log = new Map<string, BirthRecordEvent[]>();
  const outcomes = sent.map((one, position) => {
    const outcome = decideItem(courseOf(one, position), ledger);
    log.set(one.chart, [...(log.get(one.chart) ?? []), ...outcome.events]);
    return outcome;
  });
  return { ledger, log, outcomes };
};

const RUNS = runs(2_000);
const history = fc.array(submission, { maxLength: 25 });
const laws = suite('laws of the record lifecycle');

laws('any interleaving of pushes to a chart number gives consecutive versions', () => {
  fc.assert(
    fc.property(history, (sent) => {
      for (const events of run(sent).log.values()) {
        const versions = events.flatMap(({ data }) => ('version' in data ? [data.version] : []));
        assert.equal(
          versions,
          versions.map((_, index) => index + 1),
        );
      }
    }),
    RUNS,
  );
});

laws('a chart number is one record for its life', () => {
  fc.assert(
    fc.property(history, (sent) => {
      for (const events of run(sent).log.values())
        assert.ok(new Set(events.map(({ data }) => data.submissionUuid)).size <= 1);
    }),
    RUNS,
  );
});

laws('replaying the events gives the state that was decided on', () => {
  fc.assert(
    fc.property(history, (sent) => {
      const { ledger, log } = run(sent);
      for (const [stream, events] of log) {
        const held = ledger.record(stream) ?? { state: noRecord, expectedRevision: 'no-stream' };
        assert.equal(events.reduce(evolve, noRecord), held.state);
        const { expectedRevision: expected } = held;
        assert.is(expected === 'no-stream' ? 0n : expected + 1n, BigInt(events.length));
      }
    }),
    RUNS,
  );
});

laws('retracting twice equals retracting once', () => {
  fc.assert(
    fc.property(history, submission, (sent, last) => {
      const retraction = { ...last, isRetraction: true };
      const once = run([...sent, retraction]);
      const twice = run([...sent, retraction, retraction]);
      assert.equal(twice.log, once.log);
      assert.equal(twice.outcomes.at(-1)?.accepted, once.outcomes.at(-1)?.accepted);
    }),
    RUNS,
  );
});

laws('a record is flagged exactly when a live one shared a fingerprint with it then', () => {
  fc.assert(
    fc.property(history, (sent) => {
      const { outcomes } = run(sent);
      for (const [position, one] of sent.entries()) {
        const accepted = outcomes[position]?.accepted;
        if (accepted === undefined || accepted === null || one.isRetraction) continue;
        const isNew = accepted.amended === undefined;
        if (!isNew) continue;
        const before = run(sent.slice(0, position));
        const shares = ['A', 'B', 'C'].some((chart) => {
          const state = before.ledger.record(chart)?.state ?? noRecord;
          return (
            chart !== one.chart &&
            state.status === 'live' &&
            state.fingerprints.some((text) => one.fingerprints.includes(text))
          );
        });
        assert.is(accepted.suspected_duplicate === true, shares);
      }
    }),
    runs(500),
  );
});

laws('every rejection leaves the log as it was', () => {
  fc.assert(
    fc.property(history, (sent) => {
      for (const { rejected, accepted, events } of run(sent).outcomes) {
        assert.is((rejected === null) === (accepted === null), false);
        if (rejected !== null) assert.equal(events, []);
      }
    }),
    RUNS,
  );
});

laws.run();
