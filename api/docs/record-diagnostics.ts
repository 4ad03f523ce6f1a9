import { MAX_LIST } from '../../domain/course/limits.ts';
import {
  BUNDLE_WITHOUT_ENTRIES,
  CHART_NUMBER_UNUSABLE,
  COURSE_TOO_LONG,
  DUPLICATE_AMENDMENT,
  NAME_TWICE,
  NO_CHILD,
  NO_MOTHER,
  NO_RECORD_TO_RETRACT,
  PLACE_OF_BIRTH_REQUIRED,
  rejectLongList,
  rejectPlaceCode,
  SEVERAL_CHART_NUMBERS,
  SEVERAL_MOTHERS,
  STALE_UPDATE,
  TOO_COSTLY_TO_READ,
  TOO_MANY_CHILDREN,
  TOO_MANY_COURSES,
} from '../../domain/course/rejections.ts';
import { markAmbiguous } from '../../domain/fhir/json.ts';
import {
  exampleBatch,
  exampleBirth,
  exampleChild,
  exampleMother,
  exampleObservation,
  exampleRetraction,
  patientWithoutRole,
} from '../openapi/example-bundles.ts';
import type { RecordEntry } from './diagnostics-entry.ts';

const rosa = exampleMother('Rosa', 'Marin');
const amina = exampleMother('Amina', 'Okafor');
const accepted = { bundle: exampleBirth() };

const MANY_CHILDREN = 21;
const MANY_COURSES = 1_001;
const FIVE_MEBIBYTES = 5 * 1024 * 1024;

const buildCourses = (count: number) =>
  Array.from({ length: count }, (_, index) => exampleBirth({ chartNumber: `MRN-${index + 1}` }));

const weight = exampleObservation('8339-4', { valueQuantity: { value: 3400, unit: 'g' } });
const focusOnChild = (count: number) => ({
  ...weight,
  focus: Array.from({ length: count }, () => ({ reference: 'Patient/child-1' })),
});

const emptyComponents = { ...weight, component: Array.from({ length: MAX_LIST }, () => ({})) };
const MANY_OBSERVATIONS = 100;

const scan = (data: string) => ({
  resourceType: 'DocumentReference',
  status: 'current',
  content: [{ attachment: { contentType: 'application/pdf', data } }],
});

/** @see spec "Errors", 4 */
export const RECORD_DIAGNOSTICS: readonly RecordEntry[] = [
  {
    kind: 'record',
    id: 'no-mother',
    rejection: NO_MOTHER,
    happens:
      'No Patient of the course of care has a meta.profile that names a mother. Only the profile decides, never the name or the order of the entries.',
    remedy: 'Put the mother profile of the guide into meta.profile of the mother’s Patient.',
    failing: { bundle: exampleBirth({ mothers: [patientWithoutRole] }) },
    fixed: accepted,
  },
  {
    kind: 'record',
    id: 'several-mothers',
    rejection: SEVERAL_MOTHERS,
    happens:
      'Two or more Patients have a mother profile. Often two births were put into one Bundle.',
    remedy:
      'Send each birth as its own Bundle, or both in a batch: a Bundle whose entries are Bundles. Twins have one mother and two children, and stay together.',
    failing: { bundle: exampleBirth({ mothers: [rosa, amina] }) },
    fixed: {
      bundle: exampleBatch([
        exampleBirth({ chartNumber: 'MRN-1001', mothers: [rosa] }),
        exampleBirth({ chartNumber: 'MRN-1002', mothers: [amina] }),
      ]),
    },
  },
  {
    kind: 'record',
    id: 'no-child',
    rejection: NO_CHILD,
    happens:
      'No Patient of the course of care has a meta.profile that names a child, newborn, fetus or decedent.',
    remedy: 'Add the child’s Patient, or its profile. A retraction needs neither mother nor child.',
    failing: { bundle: exampleBirth({ children: [] }) },
    fixed: accepted,
  },
  {
    kind: 'record',
    id: 'place-of-birth-required',
    rejection: PLACE_OF_BIRTH_REQUIRED,
    happens:
      'The Bundle came with a native key and has no place of birth: there is no birth Encounter, it references no Location, or the Location has no type. With a partner feed key, the place is optional.',
    remedy:
      'Reference a Location from Encounter.location.location and code its type. For a birth on the way give it no type, and the physicalType ve.',
    failing: { bundle: exampleBirth({ place: null }) },
    fixed: accepted,
  },
  {
    kind: 'record',
    id: 'place-of-birth-code',
    rejection: rejectPlaceCode('225728007'),
    happens:
      'Location.type holds a code outside the value set. It is never read as Other. The diagnostics name the code.',
    remedy:
      'Use 22232009 hospital, 91154008 birth center, 408839006 or 67190003 home, 39350007 clinic, or OTH other.',
    failing: { bundle: exampleBirth({ place: '225728007' }) },
    fixed: { bundle: exampleBirth({ place: 'OTH' }) },
  },
  {
    kind: 'record',
    id: 'place-of-birth-code-unnamed',
    rejection: rejectPlaceCode('the birth house on Elm Street'),
    happens:
      'The same, but the code does not look like a code. The answer does not repeat it, because it could contain personal data.',
    remedy: 'Put a code of the value set into Location.type.coding.code, and words into its text.',
    failing: { bundle: exampleBirth({ place: 'the birth house on Elm Street' }) },
    fixed: { bundle: exampleBirth({ place: '91154008' }) },
  },
  {
    kind: 'record',
    id: 'chart-number-unusable',
    rejection: CHART_NUMBER_UNUSABLE,
    happens:
      'Bundle.identifier.value has more than 255 characters, or control characters such as a line break in its middle.',
    remedy:
      'Send the chart number as it stands in the chart. Without one the record is stored too, but can be neither amended nor retracted.',
    failing: { bundle: exampleBirth({ chartNumber: 'MRN-1001\nMarin' }) },
    fixed: accepted,
  },
  {
    kind: 'record',
    id: 'several-chart-numbers',
    rejection: SEVERAL_CHART_NUMBERS,
    happens:
      'Bundle.identifier is a list with different values. FHIR has one; a list of one value, a text, or a number is read as one, with a warning.',
    remedy: 'Send one Bundle.identifier, with the chart number in its value.',
    failing: {
      bundle: { ...exampleBirth(), identifier: [{ value: 'MRN-1001' }, { value: 'MRN-1002' }] },
    },
    fixed: accepted,
  },
  {
    kind: 'record',
    id: 'name-twice',
    rejection: NAME_TWICE,
    happens:
      'In a batch, an object of one course of care has the same property name twice. A reader keeps one of the two values, so the record may not be what was meant. A Bundle that is one course of care itself is refused with 400.',
    remedy: 'Send each name once. Of several values, send an array where FHIR allows one.',
    failing: {
      bundle: exampleBatch([exampleBirth()]),
      whole: {
        note: 'with "birthDate" twice in one object',
        bundle: () => {
          const entry = { resource: exampleBirth() };
          markAmbiguous(entry);
          return { ...exampleBatch([]), entry: [entry] };
        },
      },
    },
    fixed: { bundle: exampleBatch([exampleBirth()]) },
  },
  {
    kind: 'record',
    id: 'too-many-children',
    rejection: TOO_MANY_CHILDREN,
    happens: 'One course of care has more than 20 child Patients: several births in one Bundle.',
    remedy: 'Send each birth as its own Bundle, or all of them in a batch.',
    failing: {
      bundle: exampleBirth({ children: [exampleChild(1), exampleChild(2)] }),
      whole: {
        note: `and so on, up to child-${MANY_CHILDREN}`,
        bundle: () =>
          exampleBirth({
            children: Array.from({ length: MANY_CHILDREN }, (_, index) => exampleChild(index + 1)),
          }),
      },
    },
    fixed: { bundle: exampleBirth({ children: [exampleChild(1), exampleChild(2)] }) },
  },
  {
    kind: 'record',
    id: 'course-too-long',
    rejection: COURSE_TOO_LONG,
    happens:
      'One course of care is more than 5 MiB of JSON, mostly because of documents or images, or it has more values than the registry can store for one birth.',
    remedy:
      'Leave out what the registry does not read: it keeps nothing of attachments and narrative.',
    failing: {
      bundle: exampleBirth({ more: [scan('JVBERi0xLjcK')] }),
      whole: {
        note: 'with 5 MiB in data',
        bundle: () => exampleBirth({ more: [scan('A'.repeat(FIVE_MEBIBYTES))] }),
      },
    },
    fixed: accepted,
  },
  {
    kind: 'record',
    id: 'list-too-long',
    rejection: rejectLongList('Observation.focus', MAX_LIST + 1, MAX_LIST),
    happens:
      'A list of a resource has more than 1,000 elements, or one course of care has more than 10,000 entries. The diagnostics name the list, its length, and the limit. Nothing is read after it, so the issues that follow in the order are not listed.',
    remedy:
      'Send what belongs to this birth. Elements that were repeated by mistake can be left out.',
    failing: {
      bundle: exampleBirth({ more: [focusOnChild(2)] }),
      whole: {
        note: `and so on, up to ${MAX_LIST + 1} references`,
        bundle: () => exampleBirth({ more: [focusOnChild(MAX_LIST + 1)] }),
      },
    },
    fixed: { bundle: exampleBirth({ more: [weight] }) },
  },
  {
    kind: 'record',
    id: 'too-costly-to-read',
    rejection: TOO_COSTLY_TO_READ,
    happens:
      'Reading the course of care takes many times as long as its size explains: each limit is kept, but the same elements are repeated far more often than in any birth.',
    remedy:
      'Send each resource and each element once. If the birth is real, send its Bundle to the registry’s operator.',
    failing: {
      bundle: exampleBirth({ more: [{ ...weight, component: [{}, {}] }] }),
      whole: {
        note: `and so on: ${MANY_OBSERVATIONS} Observations with ${MAX_LIST} empty components each`,
        bundle: () =>
          exampleBirth({
            more: Array.from({ length: MANY_OBSERVATIONS }, () => emptyComponents),
          }),
      },
    },
    fixed: { bundle: exampleBirth({ more: [weight] }) },
  },
  {
    kind: 'record',
    id: 'bundle-without-entries',
    rejection: BUNDLE_WITHOUT_ENTRIES,
    happens:
      'Bundle.entry is missing, empty, or not an array. The receipt is completed with one rejected entry whose reference is Bundle.',
    remedy: 'Put the resources of the birth into entry.',
    failing: { bundle: { resourceType: 'Bundle', type: 'document', entry: [] } },
    fixed: accepted,
  },
  {
    kind: 'record',
    id: 'too-many-courses',
    rejection: TOO_MANY_COURSES,
    happens:
      'A batch holds more than 1,000 courses of care. Nothing of it is stored; the one rejected entry has the reference Bundle.',
    remedy: 'Split the batch, and give each part an Idempotency-Key of its own.',
    failing: {
      bundle: exampleBatch(buildCourses(1)),
      whole: {
        note: `and so on, up to MRN-${MANY_COURSES}`,
        bundle: () => exampleBatch(buildCourses(MANY_COURSES)),
      },
    },
    fixed: { bundle: exampleBatch(buildCourses(1)) },
  },
  {
    kind: 'record',
    id: 'stale-update',
    rejection: STALE_UPDATE,
    happens:
      'An amendment or retraction is older than the current version: its meta.lastUpdated, or else its timestamp, is earlier. The same time, or none, is not stale.',
    remedy:
      'Nothing, if a newer version was sent before, which is the usual case. Otherwise send the record with the time of its last change in meta.lastUpdated.',
    failing: {
      priorBundles: [exampleBirth({ lastUpdated: '2026-03-14T10:00:00Z' })],
      bundle: exampleBirth({ lastUpdated: '2026-03-13T09:00:00Z' }),
    },
    fixed: {
      priorBundles: [exampleBirth({ lastUpdated: '2026-03-14T10:00:00Z' })],
      bundle: exampleBirth({ lastUpdated: '2026-03-15T08:30:00Z' }),
    },
  },
  {
    kind: 'record',
    id: 'duplicate-amendment',
    rejection: DUPLICATE_AMENDMENT,
    happens:
      'After the amendment, two live records of the practice would have the same mother’s name and newborn date and time. A new record is stored and flagged instead; only an amendment is rejected.',
    remedy:
      'Check the chart number. If both are one birth, retract one of them; then amend the other.',
    failing: {
      priorBundles: [
        exampleBirth({ chartNumber: 'MRN-1001', mothers: [rosa] }),
        exampleBirth({ chartNumber: 'MRN-1002', mothers: [amina] }),
      ],
      bundle: exampleBirth({ chartNumber: 'MRN-1002', mothers: [rosa] }),
    },
    fixed: {
      priorBundles: [
        exampleBirth({ chartNumber: 'MRN-1001', mothers: [rosa] }),
        exampleBirth({ chartNumber: 'MRN-1002', mothers: [amina] }),
      ],
      bundle: exampleBirth({ chartNumber: 'MRN-1001', mothers: [rosa] }),
    },
  },
  {
    kind: 'record',
    id: 'no-record-to-retract',
    rejection: NO_RECORD_TO_RETRACT,
    happens:
      'A retraction has no chart number, or one that no record of the practice has. Upper and lower case matter.',
    remedy: 'Retract with the chart number, and with a key of the practice, of the submission.',
    failing: {
      priorBundles: [exampleBirth({ chartNumber: 'MRN-1001' })],
      bundle: exampleRetraction('mrn-1001', '2026-03-15T08:30:00Z'),
    },
    fixed: {
      priorBundles: [exampleBirth({ chartNumber: 'MRN-1001' })],
      bundle: exampleRetraction('MRN-1001', '2026-03-15T08:30:00Z'),
    },
  },
];
