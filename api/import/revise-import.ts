import { toBirthIdentity } from '../../domain/birth-record/birth-identity.ts';
import type { KnownBirthRecord } from '../../domain/birth-record/state.ts';
import type { CourseOfCare } from '../../domain/course/course.ts';
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
import { loadRecent } from '../record-commands/record-under-lease.ts';
import { createPreviewDecisions } from './preview-decisions.ts';

const ROWS_PER_LOOK = 500;
const ACTIVE = 'active';

export interface WhichImport {
  readonly practiceId: string;
  readonly memberId: string;
  readonly importId: string;
}

export interface ComparedRow {
  readonly row: PreviewRow;
  readonly course: CourseOfCare;
  readonly existing: KnownBirthRecord;
}

interface FoundRow extends FoundImport {
  readonly rows: readonly PreviewRow[];
  readonly courses: readonly QueuedItem[];
  /** In `rows`. */
  readonly position: number;
}

type CourseQueued = Extract<QueuedItem, { readonly kind: 'course' }>;

/**
 * A row with an inactive consent status remains without consent.
 * @returns true if the file was still waiting for confirmation
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
  const applyConsent = (queued: QueuedItem): QueuedItem => {
    if (queued.kind !== 'course') return queued;
    const { consent } = queued.course;
    const isGranted = granted && (consent.status === null || consent.status === ACTIVE);
    const status = isGranted ? ACTIVE : consent.status;
    return {
      ...queued,
      course: { ...queued.course, consent: { ...consent, granted: isGranted, status } },
    };
  };
  return stagedImports.updateStaged(staged, createDraftFiller(courses.map(applyConsent), rows), {
    ...summary,
    consent: granted,
  });
};

/** `null` if there is no such row, or no other woman's record. */
export const compareRow = async (
  app: App,
  which: WhichImport,
  row: number,
): Promise<ComparedRow | null> => {
  const found = await findRow(app, which, row);
  const queued = found?.courses[found.position];
  const previewRow = found?.rows[found.position];
  if (queued?.kind !== 'course' || previewRow === undefined) return null;
  const existing = await findExistingRecord(app, queued);
  return existing === null ? null : { row: previewRow, course: queued.course, existing };
};

export type RowDecided = 'done' | 'moved-on' | 'gone';

/** Replaces the record at the version the person saw, or undoes that if `null`. */
export const decideReplacement = async (
  app: App,
  which: WhichImport,
  row: number,
  version: number | null,
): Promise<RowDecided> => {
  const found = await findRow(app, which, row);
  const queued = found?.courses[found.position];
  if (found === null || queued?.kind !== 'course') return 'gone';
  const { replaces: _before, ...unconfirmed } = queued;
  let decided: CourseQueued = unconfirmed;
  if (version !== null) {
    const existing = await findExistingRecord(app, queued);
    if (existing?.version !== version) return 'moved-on';
    decided = { ...unconfirmed, replaces: { version, whose: toBirthIdentity(existing.course) } };
  }
  const { staged, summary, courses, rows, position } = found;
  const next = courses.map((one, index) => (index === position ? decided : one));
  const forecast = await recomputePreview(app, staged, next, rows);
  const counts = { new: 0, amends: 0, flagged: 0, refused: 0 };
  for (const { status } of forecast) counts[status] += 1;
  const isRestaged = await app.stagedImports.updateStaged(
    staged,
    createDraftFiller(next, forecast),
    {
      ...summary,
      counts,
    },
  );
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
  // A conflict with another row must be corrected in the file.
  const position = rows.findIndex((one) => one.row === row && one.anothers?.row === null);
  if (position < 0) return null;
  return { ...found, rows, position, courses: await stagedImports.courses(found.staged) };
};

const findExistingRecord = async (
  app: App,
  { recordHash }: CourseQueued,
): Promise<KnownBirthRecord | null> => {
  if (recordHash === null) return null;
  const { state } = await loadRecent(app, recordStream(recordHash));
  return state.status === 'none' ? null : state;
};

const recomputePreview = async (
  app: App,
  { practiceId, importId }: StagedImport,
  courses: readonly QueuedItem[],
  rows: readonly PreviewRow[],
): Promise<readonly PreviewRow[]> => {
  const readAt = courses.find((one) => one.kind === 'course')?.stamp;
  const previewDecisions = createPreviewDecisions(
    app,
    practiceId,
    importId,
    readAt ?? app.now().toISOString(),
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

/** Seals courses and preview in pieces, with pauses for other requests. */
const createDraftFiller =
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
