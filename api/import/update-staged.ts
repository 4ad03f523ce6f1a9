import { toBirthIdentity } from '../../domain/birth-record/birth-identity.ts';
import type { KnownBirthRecord } from '../../domain/birth-record/state.ts';
import { recordFold } from '../../domain/birth-record/state.ts';
import type { CourseOfCare } from '../../domain/course/course.ts';
import { stateAfter } from '../../domain/fold.ts';
import { recordStream } from '../../domain/stream-names.ts';
import { COURSES_PER_CHUNK } from '../../domain/submission/decide.ts';
import type { QueuedItem } from '../../domain/submission/queued-item.ts';
import type {
  FoundImport,
  PreviewRow,
  StagedImport,
} from '../../domain/submission/staged-import.ts';
import type { App } from '../ports/app-ports.ts';
import { createYielder } from '../process/yielder.ts';
import { createPreviewDecisions } from './preview-decisions.ts';

/** Rows that are decided together. */
const ROWS_PER_LOOK = 500;
const ACTIVE = 'active';

/** The person who checked a file, and which. */
export interface WhichImport {
  readonly practiceId: string;
  readonly memberId: string;
  readonly importId: string;
}

/** A row with the chart number of another woman's record, and that record as the log holds it now. */
export interface ComparedRow {
  readonly row: PreviewRow;
  readonly course: CourseOfCare;
  readonly held: KnownBirthRecord;
}

interface FoundRow extends FoundImport {
  readonly rows: readonly PreviewRow[];
  readonly courses: readonly QueuedItem[];
  /** Place of the row among them. */
  readonly position: number;
}

type CourseQueued = Extract<QueuedItem, { readonly kind: 'course' }>;

/**
 * Answers for a whole file whether consent was granted, where the file does not say. A row that states a
 * status of the consent which is not active stays not granted.
 * @returns whether the file was still waiting for its confirmation
 */
export const answerConsent = async (
  { stagedImports }: App,
  { practiceId, memberId, importId }: WhichImport,
  granted: boolean,
): Promise<boolean> => {
  const found = await stagedImports.find(practiceId, memberId, importId);
  if (found === null || found.staged.isConfirmed) return false;
  const { staged, summary } = found;
  if (summary.asksConsent !== true || summary.consent === granted) return true;
  const [courses, rows] = await Promise.all([
    stagedImports.courses(staged),
    stagedImports.preview(staged),
  ]);
  const withConsent = (queued: QueuedItem): QueuedItem => {
    if (queued.kind !== 'course') return queued;
    const { consent } = queued.course;
    const isGranted = granted && (consent.status === null || consent.status === ACTIVE);
    const status = isGranted ? ACTIVE : consent.status;
    return {
      ...queued,
      course: { ...queued.course, consent: { ...consent, granted: isGranted, status } },
    };
  };
  return stagedImports.updateStaged(staged, fillWith(courses.map(withConsent), rows), {
    ...summary,
    consent: granted,
  });
};

/**
 * A row of a file beside the record of another woman that has its chart number; null: there is no such
 * row, or nothing to compare (any more).
 */
export const compareRow = async (
  registry: App,
  which: WhichImport,
  row: number,
): Promise<ComparedRow | null> => {
  const found = await findRow(registry, which, row);
  const queued = found?.courses[found.position];
  const shown = found?.rows[found.position];
  if (queued?.kind !== 'course' || shown === undefined) return null;
  const held = await heldUnder(registry, queued);
  return held === null ? null : { row: shown, course: queued.course, held };
};

/** What came of a decision about one row. */
export type RowDecided = 'done' | 'moved-on' | 'gone';

/**
 * Lets one row of a file replace another woman's record, at the version that the person was shown; or,
 * with null, leaves it out again. What the file would do is decided anew.
 */
export const decideReplacement = async (
  registry: App,
  which: WhichImport,
  row: number,
  version: number | null,
): Promise<RowDecided> => {
  const found = await findRow(registry, which, row);
  const queued = found?.courses[found.position];
  if (found === null || queued?.kind !== 'course') return 'gone';
  const { replaces: _before, ...unconfirmed } = queued;
  let decided: CourseQueued = unconfirmed;
  if (version !== null) {
    const held = await heldUnder(registry, queued);
    if (held?.version !== version) return 'moved-on';
    decided = { ...unconfirmed, replaces: { version, whose: toBirthIdentity(held.course) } };
  }
  const { staged, summary, courses, rows, position } = found;
  const next = courses.map((one, index) => (index === position ? decided : one));
  const forecast = await previewed(registry, staged, next, rows);
  const counts = { new: 0, amends: 0, flagged: 0, refused: 0 };
  for (const { status } of forecast) counts[status] += 1;
  const isRestaged = await registry.stagedImports.updateStaged(staged, fillWith(next, forecast), {
    ...summary,
    counts,
  });
  return isRestaged ? 'done' : 'gone';
};

const findRow = async (
  { stagedImports }: App,
  { practiceId, memberId, importId }: WhichImport,
  row: number,
): Promise<FoundRow | null> => {
  const found = await stagedImports.find(practiceId, memberId, importId);
  if (found === null || found.staged.isConfirmed) return null;
  const rows = await stagedImports.preview(found.staged);
  // A row of the file that another row of it stands against is corrected in the file.
  const position = rows.findIndex((one) => one.row === row && one.anothers?.row === null);
  if (position < 0) return null;
  return { ...found, rows, position, courses: await stagedImports.courses(found.staged) };
};

const heldUnder = async (
  { log }: App,
  { recordHash }: CourseQueued,
): Promise<KnownBirthRecord | null> => {
  if (recordHash === null) return null;
  const state = stateAfter(await log.readStream(recordStream(recordHash)), recordFold);
  return state.status === 'none' ? null : state;
};

/** The rows of a preview with what each would do by now. */
const previewed = async (
  registry: App,
  { practiceId, importId }: StagedImport,
  courses: readonly QueuedItem[],
  rows: readonly PreviewRow[],
): Promise<readonly PreviewRow[]> => {
  const readAt = courses.find((one) => one.kind === 'course')?.stamp;
  const previewDecisions = createPreviewDecisions(
    registry,
    practiceId,
    importId,
    readAt ?? registry.now().toISOString(),
  );
  const rest = createYielder();
  const next: PreviewRow[] = [];
  for (let from = 0; from < rows.length; from += ROWS_PER_LOOK) {
    const some = rows.slice(from, from + ROWS_PER_LOOK);
    const ahead = some.flatMap(({ row }, index) => {
      const queued = courses[from + index];
      return queued === undefined ? [] : [{ queued, row }];
    });
    const forecasts = await previewDecisions(ahead, rest);
    for (const [index, { unlike: _unlike, anothers: _anothers, ...row }] of some.entries()) {
      const forecast = forecasts[index];
      if (forecast === undefined) throw new Error('A row has no forecast.');
      next.push({ ...row, ...forecast });
    }
  }
  return next;
};

/** Seals courses and preview piece by piece, so that others get to run in between. */
const fillWith =
  (courses: readonly QueuedItem[], rows: readonly PreviewRow[]) =>
  async (draft: {
    readonly addCourses: (courses: readonly QueuedItem[]) => void;
    readonly addPreview: (rows: readonly PreviewRow[]) => void;
  }): Promise<void> => {
    const rest = createYielder();
    for (let from = 0; from < rows.length; from += ROWS_PER_LOOK)
      draft.addPreview(rows.slice(from, from + ROWS_PER_LOOK));
    for (let from = 0; from < courses.length; from += COURSES_PER_CHUNK) {
      await rest();
      draft.addCourses(courses.slice(from, from + COURSES_PER_CHUNK));
    }
  };
