import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createOffsetAt } from '../../../api/practice-time/practice-clock.ts';
import type { CourseOfCare } from '../../../domain/course/course.ts';
import type { OffsetAt } from '../../../domain/course/local-times.ts';
import type { CustomField } from '../../../domain/custom-field/state.ts';
import {
  buildDocumentBundles,
  type ExportedRecord,
} from '../../../domain/export/bfdr/document-bundle.ts';
import {
  DOCUMENT_DIFFERENCES,
  type DocumentDifference,
} from '../../../domain/export/ije/document-differences.ts';
import { IJE_ITEMS } from '../../../domain/export/ije/items.ts';
import { fileRecord } from '../../../domain/export/ije/state-file.ts';
import { splitSubmission } from '../../../domain/mapping/bfdr/bundle-splitter.ts';
import { mapCourse } from '../../../domain/mapping/bfdr/course-mapper.ts';
import type { NamedProvider } from '../../../domain/provider/details.ts';
import { createPractice, generateSubmissions } from '../../../scripts/synthesis/submissions.ts';
import { buildBundle } from '../../../scripts/synthesis/written-submissions.ts';
import { anyCourse, anyPartnerContent } from '../../support/any-course.ts';
import { BIRTHS } from '../../support/births-of-every-shape.ts';
import { readDocument } from '../../support/document-reader.ts';
import { exportedRecord } from '../../support/exported-records.ts';
import { runs, SEED } from '../../support/runs.ts';
import { columnIn, courseSaid, fieldOfItem, LAYOUT } from '../../support/state-file.ts';
import { plain } from '../../support/state-file-reader.ts';
import { buildTransfer } from '../../support/transfers.ts';

const TEXTS = new Map(
  IJE_ITEMS.flatMap((item) => (item.kind === 'text' ? [[item.name, item] as const] : [])),
);

const isSaid = (said: DocumentDifference['line'], value: string): boolean => {
  switch (said) {
    case 'nothing':
      return value === '';
    case 'a value':
      return value !== '' && value !== 'unknown';
    case 'another value':
    case 'its ASCII letters':
      return true;
    default:
      return value === said;
  }
};

/** What a column of a line holds, or that it is unknown. */
const readColumn = (line: string, column: string): string => {
  const held = columnIn(line, column).trimEnd();
  return !TEXTS.has(column) && /^(?:9+|U|ZZ)$/.test(held) ? 'unknown' : held;
};

/** Whether a line has as much of a text as its column can hold; letters without ASCII may be lost. */
const isSpelled = (column: string, text: string, held: string): boolean => {
  const length = TEXTS.get(column)?.length ?? 0;
  const letters = plain(text, length);
  return letters === null || letters.trim() === held;
};

const isExplained = (
  { columns, document, line }: DocumentDifference,
  column: string,
  said: string,
  held: string,
): boolean =>
  columns.includes(column) &&
  isSaid(document, said) &&
  isSaid(line, held) &&
  (line !== 'its ASCII letters' || isSpelled(column, said, held)) &&
  (line !== 'nothing' ||
    !TEXTS.get(column)?.isWhole ||
    said.length > (TEXTS.get(column)?.length ?? 0));

const needed = new Set<DocumentDifference>();

/** Compares the document of each child with its line, column by column. */
const assertSame = (
  record: ExportedRecord,
  offsetAt: OffsetAt | null = null,
  customFields: readonly CustomField[] = [],
): void => {
  const filed = fileRecord(record, offsetAt, customFields);
  if (filed.kind !== 'filed') return;
  const documents = buildDocumentBundles(record, 'child', offsetAt).filter(
    (_, index) => record.course.children[index]?.fetal_death !== true,
  );
  assert.is(documents.length, filed.lines.length);
  for (const [index, line] of filed.lines.entries()) {
    const document = readDocument(JSON.parse(JSON.stringify(documents[index])));
    for (const column of LAYOUT.keys()) {
      const said = document.get(column) ?? '';
      const held = readColumn(line, column);
      if (said === held) continue;
      const row = DOCUMENT_DIFFERENCES.find((one) => isExplained(one, column, said, held));
      assert.ok(row, `${column}: the document says “${said}”, the line “${held}”`);
      needed.add(row);
    }
  }
};

const table = suite('the document of a child and its line in the state file');

table('say the same of synthetic births, or the table has the reason', () => {
  const courses = runs(2_000).numRuns;
  const plan = {
    courses,
    seed: `document and line ${SEED}`,
    lane: 'native',
    year: 2026,
    until: null,
    practicePrefix: 'SAME',
  } as const;
  const practice = createPractice(plan);
  let births = 0;
  for (const submission of generateSubmissions(plan)) {
    const { birth, stamp } = submission;
    const read = splitSubmission(buildBundle({ kind: 'birth', birth, stamp }, practice, 'native'));
    for (const submitted of read.kind === 'courses' ? read.courses : []) {
      const mapped = mapCourse(submitted, 'native', []);
      if (mapped.kind !== 'course') continue;
      assertSame(exportedRecord(mapped.course, 'native'));
      births += 1;
    }
  }
  assert.ok(births >= courses, `${births} births`);
});

for (const { name, record, timeZone } of BIRTHS)
  table(`${name}: say the same, or the table has the reason`, () =>
    assertSame(record, timeZone === null ? null : createOffsetAt(timeZone)),
  );

table('say the same of any record, or the table has the reason', () => {
  fc.assert(
    fc.property(anyCourse, (course) => assertSame(exportedRecord(course, 'native'))),
    runs(600),
  );
});

/** What a partner's record has that a person has corrected: its names are no longer masked. */
const correct = (course: CourseOfCare): CourseOfCare => ({
  ...course,
  mother: { ...course.mother, family_name: 'Ruiz' },
});

table('say the same of any record whose providers a partner named', () => {
  fc.assert(
    fc.property(anyPartnerContent, ({ course, providers }) =>
      assertSame(exportedRecord(correct(course), 'partner', { providers })),
    ),
    runs(300),
  );
});

const MIDWIFE: NamedProvider = {
  providerId: 'ida',
  identity: 'ida',
  npi: '1234567893',
  name: 'Ida Berg',
  credentials: 'CNM',
  role: 'midwife',
};

/** Births that need the rows that few others do. */
const RARE: Readonly<Record<string, Parameters<typeof courseSaid>[0]>> = {
  'a single birth without an order': { course: { plurality: 1 }, child: { family_name: 'Ruiz' } },
  'no cesarean, no NICU, and a trial of labor of a vaginal delivery': {
    course: { previous_cesareans: 0, trial_of_labor: true, delivery_method: '700000006' },
    child: { family_name: 'Ruiz', nicu_admission: false },
  },
  'a vaginal delivery': {
    course: { delivery_method: '61586001', cigarettes_before: 120 },
    child: { family_name: 'Núñez', medical_record_number: '1234567890123456' },
  },
  'a mother born after her child': {
    mother: { family_name: 'Ruiz', birth_date: '2026-05-12' },
    child: { birth_date: '2026-05-11' },
  },
  'a Hispanic mother': { mother: { family_name: 'Ruiz', ethnicity: '2135-2' } },
  'several transfers': {
    mother: { family_name: 'Ruiz' },
    course: {
      transfers: [
        buildTransfer({ type: 'mother', direction: 'out', facility: 'West' }),
        buildTransfer({ type: 'mother', direction: 'in', facility: null }),
        buildTransfer({ type: 'mother', direction: 'in', facility: 'East' }),
        buildTransfer({ type: 'infant', direction: 'in', facility: 'North' }),
        buildTransfer({ type: 'infant', direction: 'out', facility: 'South' }),
      ],
    },
  },
  'an attendant that a person corrected': {
    mother: { family_name: 'Ruiz' },
    course: {
      attendant: 'ida',
      certifier: 'ida',
      attendant_name: 'Dr. Lee',
      attendant_title: 'md',
    },
    providers: [MIDWIFE],
  },
  'an attendant of another title': {
    mother: { family_name: 'Ruiz' },
    course: { attendant_title: 'other' },
  },
  'an attendant of a partner': {
    mother: { family_name: 'Ruiz' },
    course: { attendant: 'ida' },
    providers: [MIDWIFE],
  },
};

for (const [name, said] of Object.entries(RARE))
  table(`${name}: say the same, or the table has the reason`, () =>
    assertSame(exportedRecord(courseSaid(said), 'native', { providers: said.providers ?? [] })),
  );

table('differ where a custom field is bound to an item', () => {
  const said = { mother: { family_name: 'Ruiz' }, bound: { PAY: 'Medicaid', DADLNAME: 'Núñez' } };
  const fields = Object.keys(said.bound).map(fieldOfItem);
  assertSame(exportedRecord(courseSaid(said), 'native'), null, fields);
});

table('differ for every reason of the table', () => {
  const others = DOCUMENT_DIFFERENCES.filter((row) => !needed.has(row));
  assert.equal(others, []);
});

table.run();
