import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { retractBirth } from '../../../../domain/birth-record/decide.ts';
import { evolve, noRecord } from '../../../../domain/birth-record/state.ts';
import type { CourseOfCare } from '../../../../domain/course/course.ts';
import { FIELDS } from '../../../../domain/course/fields.ts';
import { maskForPartner } from '../../../../domain/course/mask.ts';
import { readCodes } from '../../../../domain/fhir/coded-values.ts';
import { asObject, asObjects, type JsonObject } from '../../../../domain/fhir/json.ts';
import { mapCourse } from '../../../../domain/mapping/bfdr/course-mapper.ts';
import { anyCourse, anyPartnerContent } from '../../../support/any-course.ts';
import { courseOfInes, RECEIVED } from '../../../support/birth-records.ts';
import {
  exportedRecord,
  exportOf,
  HELD_STAMP,
  problemsOf,
  readAsPushed,
  recordOf,
  sentBundle,
} from '../../../support/exported-records.ts';
import { runs } from '../../../support/runs.ts';

const retraction = suite('the Bundle of a voided record');

const mapped = (bundle: JsonObject) =>
  mapCourse({ position: 0, bundle, retractedByEntry: false }, 'native', []);

retraction('says so in its Composition, and is whole otherwise', () => {
  fc.assert(
    fc.property(anyCourse, (course) => {
      const bundle = sentBundle(exportedRecord(course, 'native', { status: 'voided' }));
      assert.equal(problemsOf(bundle), []);
      const result = mapped(bundle);
      assert.is(result.kind, course.chart_number === null ? 'rejected' : 'retraction');
      assert.is(result.chart_number, course.chart_number);
    }),
    runs(100),
  );
});

const live = recordOf([courseOfInes, 'native']);
const voided = { ...live, status: 'voided' as const, version: 2 };

const retractWith = (bundle: JsonObject, state: Parameters<typeof retractBirth>[1]) => {
  const { kind, stamp } = mapped(bundle);
  assert.is(kind, 'retraction');
  return retractBirth(
    { practiceId: 'practice', source: 'fhir_push', stamp, receivedAt: RECEIVED, mark: null },
    state,
  );
};

retraction('voids the record where it is live, of the same stamp', () => {
  const decision = retractWith(sentBundle(exportOf(voided)), live);
  assert.ok(decision.kind === 'accepted');
  const [event, ...others] = decision.events;
  assert.is(event?.type, 'BirthRetracted');
  assert.equal(others, []);
  const after = decision.events.reduce(evolve, live);
  assert.ok(after.status === 'voided');
  assert.is(after.version, 2);
});

retraction('changes nothing where the record is voided', () => {
  assert.equal(retractWith(sentBundle(exportOf(voided)), voided), { kind: 'accepted', events: [] });
});

retraction('is refused where nobody knows the chart number', () => {
  assert.is(retractWith(sentBundle(exportOf(voided)), noRecord).kind, 'rejected');
});

retraction('is stale where the record was amended since', () => {
  const newer = { ...live, stamp: '2026-05-14T00:00:00.000000000Z' };
  assert.is(retractWith(sentBundle(exportOf(voided)), newer).kind, 'rejected');
});

retraction.run();

const masked = suite('the Bundle of a partner’s record');

masked('holds nothing that the mask does not keep', () => {
  fc.assert(
    fc.property(anyPartnerContent, ({ course, providers }) => {
      const { read } = readAsPushed(
        sentBundle(exportedRecord(course, 'partner', { providers })),
        'partner',
      );
      assert.equal(maskForPartner(read), read);
    }),
    runs(300),
  );
});

/**
 * A course of care in which every text and date that the mask drops can be told from all others:
 * the dates lie before those of `anyCourse`, of which the mask keeps some.
 */
const traced = (
  course: CourseOfCare,
): { readonly course: CourseOfCare; readonly traces: string[] } => {
  const traces: string[] = [];
  const trace = (field: (typeof FIELDS)[number]): unknown => {
    const at = traces.length;
    const one =
      field.type === 'date' || field.type === 'time'
        ? `19${10 + (at % 29)}-0${1 + (at % 9)}-1${at % 9}`
        : `Zq${at}xv`;
    traces.push(one);
    if (field.type === 'time') return `${one}T10:00:00-05:00`;
    return field.type === 'texts' || field.type === 'codes' ? [one] : one;
  };
  const tracedIn = (holder: string, object: object): object => ({
    ...object,
    ...Object.fromEntries(
      FIELDS.filter(
        (field) =>
          field.parent === holder &&
          field.type !== 'marks' &&
          (['dropped', 'year', 'state'].includes(field.mask) ||
            (field.mask === 'recognized' && field.path !== 'consent.status')),
      ).map((field) => [field.name, trace(field)]),
    ),
  });
  const own = tracedIn('', course) as CourseOfCare;
  const mother = {
    ...tracedIn('mother', course.mother),
    address: tracedIn('mother.address', course.mother.address),
  };
  return {
    course: {
      ...own,
      mother: mother as CourseOfCare['mother'],
      children: course.children.map((child) =>
        tracedIn('children', child),
      ) as CourseOfCare['children'],
      transfers: course.transfers.map((one) =>
        tracedIn('transfers', one),
      ) as CourseOfCare['transfers'],
    },
    traces,
  };
};

masked('has no trace of a name, a date or a text that was sent', () => {
  fc.assert(
    fc.property(anyCourse, (sent) => {
      const { course, traces } = traced(sent);
      assert.ok(traces.length > 20);
      const native = JSON.stringify(sentBundle(exportedRecord(course, 'native')));
      assert.equal(
        traces.filter((trace) => !native.includes(trace)),
        [],
      );
      const record = exportedRecord(maskForPartner(course), 'partner', { stamp: HELD_STAMP });
      const bundle = JSON.stringify(sentBundle(record));
      assert.equal(
        traces.filter((trace) => bundle.includes(trace)),
        [],
      );
    }),
    runs(200),
  );
});

masked('names as participants the attendant and a doula who was there, and nobody else', () => {
  const provider = (identity: string, role: 'midwife' | 'doula' | 'nurse') => ({
    providerId: identity,
    identity,
    npi: null,
    name: null,
    credentials: null,
    role,
  });
  const providers = [provider('A', 'midwife'), provider('B', 'doula'), provider('C', 'nurse')];
  const participantsOf = (doula_present: boolean | null) => {
    const course = { ...courseOfInes, attendant: 'A', doula_present };
    const bundle = sentBundle(exportedRecord(course, 'partner', { providers }));
    const [stay] = asObjects(bundle['entry'])
      .map(({ resource }) => asObject(resource))
      .filter(({ resourceType }) => resourceType === 'Encounter');
    return asObjects(stay?.['participant']).map((one) => readCodes(one['type'])[0]);
  };
  assert.equal(participantsOf(true), ['ATND', 'PART']);
  assert.equal(participantsOf(null), ['ATND']);
});

masked.run();
