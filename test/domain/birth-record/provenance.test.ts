import type { BirthRecordEvent } from '../../../domain/birth-record/events.ts';
import { findProvenance } from '../../../domain/birth-record/provenance.ts';
import type { CourseOfCare } from '../../../domain/course/course.ts';
import { amended, courseOfInes, INES, recorded, retracted } from '../../support/birth-records.ts';
import { scenarios } from '../../support/scenarios.ts';

const at = (path: string) => (events: readonly BirthRecordEvent[]) =>
  findProvenance(events).get(path) ?? null;

const [rui] = courseOfInes.children;
const heavier: CourseOfCare = {
  ...courseOfInes,
  children: rui === undefined ? [] : [{ ...rui, birth_weight_grams: 3_250 }],
};
const WEIGHT = 'children.0.birth_weight_grams';

scenarios(
  'where the values of a record came from',
  (events: readonly BirthRecordEvent[]) => events,
  [
    {
      name: 'a value of the first version came with it',
      given: [recorded],
      when: at(WEIGHT),
      expect: { event: 0, version: 1, isFromEhr: false, chartPlace: null },
    },
    {
      name: 'a value that is not stated came from nowhere',
      given: [recorded],
      when: at('plurality'),
      expect: null,
    },
    {
      name: 'a value that an amendment replaces comes from the amendment',
      given: [recorded, amended({ course: heavier })],
      when: at(WEIGHT),
      expect: { event: 1, version: 2, isFromEhr: false, chartPlace: null },
    },
    {
      name: 'a value that an amendment repeats stays with whoever said it first',
      given: [recorded, amended({ course: heavier })],
      when: at('children.0.birth_date'),
      expect: { event: 0, version: 1, isFromEhr: false, chartPlace: null },
    },
    {
      name: 'a value that was changed and changed back comes from the last change',
      given: [recorded, amended({ course: heavier }), amended({ version: 3 })],
      when: at(WEIGHT),
      expect: { event: 2, version: 3, isFromEhr: false, chartPlace: null },
    },
    {
      name: 'a value that a restored version brought back has the origin that it had then',
      given: [
        recorded,
        amended({ course: heavier }),
        amended({ version: 3, restored: { version: 1 } }),
      ],
      when: (events) => [at(WEIGHT)(events), at('children.0.birth_date')(events)],
      expect: [
        { event: 0, version: 1, isFromEhr: false, chartPlace: null },
        { event: 0, version: 1, isFromEhr: false, chartPlace: null },
      ],
    },
    {
      name: 'a value that was taken away has no origin any more',
      given: [recorded, amended({ course: { ...courseOfInes, children: [] } })],
      when: at(WEIGHT),
      expect: null,
    },
    {
      name: 'voiding and revival leave the origins standing',
      given: [recorded, retracted(2), amended({ version: 3 })],
      when: at(WEIGHT),
      expect: { event: 0, version: 1, isFromEhr: false, chartPlace: null },
    },
    {
      name: 'an attribution that was repointed comes from that event, at the version it stands at',
      given: [
        recorded,
        amended({ course: { ...courseOfInes, attendant: 'provider-1' }, keyKind: 'partner' }),
        {
          type: 'AttributionRepointed',
          data: {
            submissionUuid: INES,
            practiceId: 'practice',
            part: 'attendant',
            from: 'provider-1',
            to: 'provider-2',
            mark: null,
          },
        },
      ],
      when: at('attendant'),
      expect: { event: 2, version: 2, isFromEhr: false, chartPlace: null },
    },
    {
      name: 'every EHR-supplied value is marked, tied to the child it describes',
      given: [
        amended({
          version: 1,
          source: 'ehr_pull',
          keyKind: null,
          course: {
            ...courseOfInes,
            sources: [
              {
                field: 'children.birth_weight_grams',
                subject: 'child',
                child: 0,
                source: 'ehr_pull',
              },
            ],
          },
        }),
      ],
      when: (events) => [
        at(WEIGHT)(events)?.isFromEhr,
        at('children.0.birth_date')(events)?.isFromEhr,
      ],
      expect: [true, false],
    },
    {
      name: 'the mark says where in the EHR the value stood; an older mark does not',
      given: [
        amended({
          version: 1,
          source: 'ehr_pull',
          keyKind: null,
          course: {
            ...courseOfInes,
            plurality: 1,
            sources: [
              {
                field: 'children.birth_weight_grams',
                subject: 'child',
                child: 0,
                source: 'ehr_pull',
                from: { resource: 'Observation/bw', code: '8339-4', date: '2026-05-12' },
              },
              { field: 'plurality', subject: 'mother', child: null, source: 'ehr_pull' },
            ],
          },
        }),
      ],
      when: (events) => [at(WEIGHT)(events)?.chartPlace, at('plurality')(events)?.chartPlace],
      expect: [{ resource: 'Observation/bw', code: '8339-4', date: '2026-05-12' }, null],
    },
  ],
);
