import type { RecordedEvent } from '@eventstore/db-client';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readEvent } from '../../adapters/event-log/event-catalog.ts';
import { EVENT_SCHEMAS } from '../../adapters/event-log/schemas/event-schemas.ts';
import { identifyMatter } from '../../adapters/event-log/schemas/old-words.ts';
import type { BirthRecordEvent } from '../../domain/birth-record/events.ts';
import { compactCourse } from '../../domain/course/compact-course.ts';
import type { CourseOfCare } from '../../domain/course/course.ts';
import { maskForPartner } from '../../domain/course/mask.ts';
import { getDismissalKey, rejectPlaceCode } from '../../domain/course/rejections.ts';
import type { Fact, StoredEvent } from '../../domain/event-log.ts';
import { REGISTRY_STREAM } from '../../domain/stream-names.ts';
import type { IngestionEvent } from '../../domain/submission/events.ts';
import { buildReceipt } from '../../domain/submission/receipt.ts';
import type { WorkEvent } from '../../domain/work-items/events.ts';
import { initialWork, isDismissed, workFold } from '../../domain/work-items/state.ts';
import { collectChanges } from '../../projections/read-model.ts';
import { courseOfInes, recorded } from '../support/birth-records.ts';

const before = suite('a log of before rejections and warnings had ids');

/** Name of a stream that events of the type are in. */
const streamOf = (type: string): string => {
  const { stream } = EVENT_SCHEMAS[type as keyof typeof EVENT_SCHEMAS];
  return stream === REGISTRY_STREAM ? stream : `${stream}-x`;
};

/** An event as it lies in the log. */
const read = <E extends Fact>(
  type: string,
  data: object,
  schemaVersion = 1,
): StoredEvent & { event: E } =>
  readEvent({
    event: {
      id: 'event',
      streamId: streamOf(type),
      revision: 0n,
      isJson: true,
      type,
      data,
      metadata: {
        schemaVersion,
        correlationId: 'c',
        causationId: null,
        actor: { kind: 'member', id: 'ana' },
        recordedAt: '2026-05-13T11:00:00.000Z',
      },
    } as unknown as RecordedEvent,
  }) as StoredEvent & { event: E };

/** The wordings that were stored, of this release and of those before it. */
const REJECTIONS: readonly (readonly [diagnostics: string, matter: string])[] = [
  [
    'Missing mother Patient: exactly one Patient needs a meta.profile that names a mother or maternal BFDR profile, such as Patient-mother-vr',
    'no-mother',
  ],
  [
    'Missing mother Patient: exactly one Patient needs a meta.profile that names a mother or maternal BFDR profile, such as Patient-mother-vr.',
    'no-mother',
  ],
  [
    'More than one mother Patient: exactly one Patient may have a meta.profile that names a mother or maternal BFDR profile; send each birth as its own Bundle',
    'several-mothers',
  ],
  [
    'Missing child Patient: at least one Patient needs a meta.profile that names a child, newborn, fetus or decedent BFDR profile, such as Patient-child-vr.',
    'no-child',
  ],
  [
    'No place of birth: the birth Encounter needs a location whose Location.type holds a code of the NCHS birth-delivery-occurred value set, such as 22232009 (Hospital)',
    'place-of-birth-required',
  ],
  [
    'Missing place of birth: the birth Encounter needs a location whose Location.type holds a code of the NCHS birth-delivery-occurred value set, such as 22232009 (Hospital).',
    'place-of-birth-required',
  ],
  [
    'Unrecognised Location.type code 408838003: use 22232009, 91154008, 408839006, 67190003, 39350007 or OTH.',
    'place-of-birth-code:408838003',
  ],
  [
    'Unrecognised Location.type code: use 22232009, 91154008, 408839006, 67190003, 39350007 or OTH.',
    'place-of-birth-code-unnamed',
  ],
  ['Too many child Patients: one course of care may hold up to 20', 'too-many-children'],
  [
    'The Bundle has no entries: entry must be an array with at least one element',
    'bundle-without-entries',
  ],
  [
    'No entries in the Bundle: entry needs to be an array with the resources of the birth.',
    'bundle-without-entries',
  ],
  ['Too many courses of care: split the Bundle into batches of up to 1,000', 'too-many-courses'],
  ['Stale update ignored', 'stale-update'],
  [
    'The amendment would duplicate a different record: another chart number holds the same mother and newborn date/time',
    'duplicate-amendment',
  ],
  [
    'No record to retract: the Bundle.identifier.value must be the chart number of a record of this practice',
    'no-record-to-retract',
  ],
  [
    'This chart number belongs to another woman. Correct the chart number, or have the two records compared.',
    'another-womans-record',
  ],
  [
    'The birth weight has an unknown unit. Use g or lb.',
    'in-words-of-before:The birth weight has an unknown unit. Use g or lb.',
  ],
];

const chunkWith = (...diagnostics: readonly string[]) =>
  read<Extract<IngestionEvent, { type: 'RecordsProcessed' }>>('RecordsProcessed', {
    ingestionId: 'push',
    chunk: 0,
    accepted: [],
    rejected: [
      {
        reference: 'C-1',
        rejections: diagnostics.map((one) => ({ code: 'structure', diagnostics: one })),
      },
    ],
    rejectedAt: [0],
    practiceId: 'cedar',
    source: 'fhir_push',
  });

for (const [diagnostics, matter] of REJECTIONS)
  before(`“${diagnostics.slice(0, 60)}” is ${matter.slice(0, 40)}`, () => {
    const [rejection] = chunkWith(diagnostics).event.data.rejected[0]?.rejections ?? [];
    assert.is(rejection?.diagnostics, diagnostics);
    assert.is(rejection && getDismissalKey(rejection), matter);
  });

before('what has an id keeps it, whatever its words are', () => {
  const chunk = read<Extract<IngestionEvent, { type: 'RecordsProcessed' }>>('RecordsProcessed', {
    ...chunkWith().event.data,
    rejected: [
      {
        reference: 'C-1',
        rejections: [
          { id: 'stale-update', code: 'conflict', diagnostics: 'No record to retract.' },
        ],
      },
    ],
  });
  assert.is(chunk.event.data.rejected[0]?.rejections[0]?.id, 'stale-update');
});

before('a receipt of before names the rejection to programs too', () => {
  const chunk = chunkWith('Stale update ignored').event;
  const receipt = buildReceipt('push', [
    chunk,
    {
      type: 'IngestionCompleted',
      data: { ingestionId: 'push', accepted: 0, rejected: 1, completedAt: 'then' },
    },
  ]);
  assert.equal(receipt?.status === 'completed' && receipt.outcome.rejected[0]?.outcome.issue, [
    {
      severity: 'error',
      code: 'structure',
      diagnostics: 'Stale update ignored',
      details: { coding: [{ system: 'urn:birth-registry:diagnostics', code: 'stale-update' }] },
    },
  ]);
});

const dismissal = (kind: string, ...parts: readonly string[]) =>
  read<WorkEvent>('WorkDismissed', {
    practiceId: 'cedar',
    kind,
    key: 'chart:C-1',
    memberId: 'ana',
    at: '2026-05-13T11:00:00.000Z',
    parts,
  }).event;

/** What the table of refused records says that a refusal is about. */
const reasonsIn = (stored: StoredEvent): readonly string[] => {
  const [change] = collectChanges(stored).filter(({ table }) => table === 'refused_record');
  return change?.kind === 'put' ? (change.row['reasons'] as readonly string[]) : [];
};

before('what was dismissed by its words stays dismissed, and comes back for another matter', () => {
  for (const [diagnostics] of REJECTIONS) {
    const state = workFold.evolve(initialWork, dismissal('refused', diagnostics));
    assert.ok(isDismissed(reasonsIn(chunkWith(diagnostics)), state), diagnostics);
    const more = [diagnostics, 'The Bundle is upside down.'];
    assert.not(isDismissed(reasonsIn(chunkWith(...more)), state), diagnostics);
  }
});

before('another wording of the same rejection is no new matter; another code is', () => {
  const named =
    'Unrecognised Location.type code 408838003: use 22232009, 91154008, 408839006, 67190003, 39350007 or OTH.';
  const state = workFold.evolve(initialWork, dismissal('refused', named));
  assert.ok(isDismissed([getDismissalKey(rejectPlaceCode('408838003'))], state));
  assert.not(isDismissed([getDismissalKey(rejectPlaceCode('225728007'))], state));
});

before('what is dismissed now, and what is missing, is kept as it was named', () => {
  for (const [, matter] of REJECTIONS) assert.is(identifyMatter(matter), matter);
  assert.equal(dismissal('missing', 'sex', 'wic').data, {
    ...dismissal('missing').data,
    parts: ['sex', 'wic'],
  });
});

before('warnings have their id, and pass the mask by it', () => {
  const left = { field: 'plurality', child: null, raw: 12, reason: 'The unit is unknown' };
  const course = { ...courseOfInes, warnings: [left] } as unknown as CourseOfCare;
  for (const [version, stored] of [
    [1, course],
    [2, compactCourse(course)],
  ] as const) {
    const { event } = read<Extract<BirthRecordEvent, { type: 'BirthRecorded' }>>(
      'BirthRecorded',
      { ...recorded.data, course: stored },
      version,
    );
    assert.equal(event.data.course.warnings, [{ ...left, id: 'unit-unknown' }]);
    assert.equal(maskForPartner(event.data.course).warnings, [
      { ...left, raw: null, id: 'unit-unknown' },
    ]);
  }
});

before.run();
