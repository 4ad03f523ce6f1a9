import { suite, type Test } from 'uvu';
import * as assert from 'uvu/assert';
import { buildImportResult, buildImportResultFile } from '../../api/import/import-result.ts';
import { previewImport } from '../../api/import/preview-import.ts';
import { type Staging, stageImport, type UploadedFile } from '../../api/import/stage-import.ts';
import { beginUndo } from '../../api/import/undo-import.ts';
import { FILE_FIELD, IMPORT_PATH } from '../../api/pages/import/file-form.tsx';
import { buildTemplateFile, confirmImport } from '../../api/pages/import/import-router.tsx';
import { formatCounts } from '../../api/pages/import/import-text.ts';
import { CHECKING_TITLE } from '../../api/pages/import/progress-page.tsx';
import type { App } from '../../api/ports/app-ports.ts';
import type { Failpoint } from '../../api/process/failpoint.ts';
import { openServiceLog } from '../../api/process/logging.ts';
import type { Settings } from '../../api/settings/settings.ts';
import { openStores, type Stores } from '../../api/stores/stores.ts';
import type { CustomField } from '../../domain/custom-field/state.ts';
import type { ImportProgress } from '../../domain/submission/import-result.ts';
import type { RowCounts } from '../../domain/submission/staged-import.ts';
import type { UndoProgress } from '../../projections/lists/practice-imports.ts';
import { eventually } from '../harness/eventually.ts';
import type { TestVisitor } from '../harness/pages.ts';
import { openTestRegistry, startTestService, type TestService } from '../harness/service.ts';
import type { TestPage } from '../harness/test-page.ts';

/** What members do with files of births, on the stores of a running service. */
const importsOn = (registry: App) => ({
  template: (customFields: readonly CustomField[]) => buildTemplateFile(registry, customFields),
  stage: (file: UploadedFile) => stageImport(registry, file),
  preview: (...asked: Rest<typeof previewImport>) => previewImport(registry, ...asked),
  confirm: (...asked: Rest<typeof confirmImport>) => confirmImport(registry, ...asked),
  progress: registry.reads.imports.findProgress,
  result: async (practiceId: string, importId: string) =>
    buildImportResult(registry, await registry.reads.imports.findProgress(practiceId, importId)),
  undo: (practiceId: string, importId: string) =>
    beginUndo(registry, {
      practiceId,
      importId,
      actor: { kind: 'member', id: MEMBER },
      correlationId: 'test',
    }),
  resultFile: async (practiceId: string, importId: string) =>
    buildImportResultFile(
      registry,
      await registry.reads.imports.findProgress(practiceId, importId),
    ),
});

type Rest<Do extends (on: App, ...rest: never) => unknown> =
  Parameters<Do> extends [App, ...infer Others] ? Others : never;

/** @see importsOn */
type Imports = ReturnType<typeof importsOn>;

/** The imports of a running service, on its stores. */
export interface TestImports {
  readonly imports: Imports;
  readonly stores: Stores;
  readonly registry: App;
  close(): Promise<void>;
}

/** Opens the stores of a running service, and its imports. */
export const openTestImports = async (
  settings: Settings,
  afterStep: Failpoint = () => undefined,
): Promise<TestImports> => {
  const stores = await openStores(settings, 'command', openServiceLog('silent'));
  const registry = await openTestRegistry(stores, settings, afterStep);
  return {
    imports: importsOn(registry),
    stores,
    registry,
    close: () => stores.close(),
  };
};

/** Who brings the files of these tests. */
export const MEMBER = 'member-of-the-test';

/** All rows of a preview. */
export const ALL_ROWS = { status: null, from: 0, most: 100 } as const;

/** A suite on a running service, with its imports at hand. */
export const importSuite = (name: string): Test<{ service: TestService; opened: TestImports }> => {
  const importing = suite<{ service: TestService; opened: TestImports }>(name);
  importing.before(async (context) => {
    context.service = await startTestService();
    context.opened = await openTestImports(context.service.settings);
  });
  importing.after(async ({ service, opened }) => {
    await opened?.close();
    await service?.stop();
  });
  return importing;
};

/** A member's file, read by a practice in New York on June 1, 2026. */
export const fileOf = (
  practiceId: string,
  text: string,
  changes: Partial<UploadedFile> = {},
): UploadedFile => ({
  practiceId,
  memberId: MEMBER,
  fileName: 'births.csv',
  bytes: Buffer.from(text),
  entering: { today: '2026-06-01', offsetAt: () => '-04:00', customFields: [] },
  ...changes,
});

/** A staged import. @throws if the file was refused */
export const importIdOf = (staging: Staging): string => {
  if (staging.kind !== 'staged') throw new Error(`The file was refused: ${staging.problem}`);
  return staging.importId;
};

/** A header line and rows as a file with commas. */
export const csvOf = (headers: readonly string[], rows: readonly (readonly string[])[]): string =>
  [headers, ...rows].map((cells) => cells.map(quoted).join(',')).join('\r\n');

const quoted = (cell: string): string =>
  /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;

/** Columns that every row of the tests has. */
export const BIRTH_COLUMNS = [
  'chart_number',
  'mother_family_name',
  'mother_given_names',
  'place_of_birth',
  'child1_birth_date',
  'child1_birth_time',
  'child1_sex',
  'child1_birth_weight_grams',
  'consent_granted',
] as const;

/** A row of those columns. */
export const birthRow = (chart: string, mother: string, weight = '3400'): readonly string[] => [
  chart,
  mother,
  'Rosa',
  'Home',
  '5/12/2026',
  '2:05 pm',
  'female',
  weight,
  'no',
];

const ENDED: ReadonlySet<string> = new Set(['completed', 'failed']);

/** Waits until an import has ended. */
export const endedImport = async (
  imports: Imports,
  practiceId: string,
  importId: string,
  withinMs = 240_000,
): Promise<ImportProgress> => {
  let progress: ImportProgress | null = null;
  await eventually(
    'the import has ended',
    async () => {
      progress = await imports.progress(practiceId, importId);
      return ENDED.has(progress?.status ?? '');
    },
    withinMs,
  );
  if (progress === null) throw new Error('There is no such import.');
  return progress;
};

/** Waits until an import is undone. */
export const endedUndo = async (
  { reads }: App,
  practiceId: string,
  importId: string,
): Promise<UndoProgress> => {
  let undo: UndoProgress | null = null;
  await eventually(
    'the import is undone',
    async () => {
      undo = await reads.imports.undoOf(practiceId, importId);
      return undo !== null && undo.undoneAt !== null;
    },
    240_000,
  );
  if (undo === null) throw new Error('Nobody undoes the import.');
  return undo;
};

/** The text of a file that is written piece by piece. */
export const textOf = async (pieces: AsyncIterable<string> | null): Promise<string> => {
  let text = '';
  for await (const piece of pieces ?? []) text += piece;
  return text;
};

/** A file as the browser brings it. */
export const brought = (name: string, bytes: string | Buffer) => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from(bytes),
});

/** Brings a file on the page that is open, and waits for the answer. @param label of the field */
export const bring = async (
  page: TestPage,
  name: string,
  bytes: string | Buffer,
  label = 'File of births',
): Promise<void> => {
  await page.getByLabel(label).setInputFiles(brought(name, bytes));
  await page.getByRole('button', { name: 'Check file' }).click();
  await page.waitForLoadState();
  await checkEnded(page);
};

/** Waits until the page no longer says that a file is checked. */
export const checkEnded = (page: TestPage): Promise<void> =>
  page
    .getByRole('heading', { level: 1, name: CHECKING_TITLE })
    .waitFor({ state: 'detached', timeout: 120_000 });

/** The text of a page without its frame. */
export const mainOf = (page: TestPage): Promise<string> => page.locator('main').innerText();

/** What the check of a file says of its rows. */
export const counted = (counts: Partial<RowCounts>): string =>
  `${formatCounts({ new: 0, amends: 0, flagged: 0, refused: 0, ...counts })}.`;

/** The figures of an import that has ended, by their names. */
export const figuresOf = async (page: TestPage): Promise<Readonly<Record<string, string>>> =>
  Object.fromEntries(
    await Promise.all(
      (await page.locator('.summary-list > div').all()).map((figure) =>
        figure.locator('dt, dd').allInnerTexts(),
      ),
    ),
  );

const FINISHED = 'Import finished';

/** Waits until the page says how an import has ended. */
export const importEnded = (page: TestPage, heading = FINISHED): Promise<void> =>
  page.getByRole('heading', { level: 1, name: heading }).waitFor({ timeout: 60_000 });

/** Brings a file over HTTP, for tests that look at no page. @returns address of its check */
export const bringWithoutPage = async (
  url: string,
  visitor: TestVisitor,
  bytes: string,
): Promise<string> => {
  const body = new FormData();
  body.set('_csrf', await visitor.csrfToken(IMPORT_PATH));
  body.set(FILE_FIELD, new Blob([bytes]), 'births.csv');
  const answer = await fetch(`${url}${IMPORT_PATH}`, {
    method: 'POST',
    body,
    redirect: 'manual',
    headers: { Cookie: visitor.cookie() },
  });
  assert.is(answer.status, 303);
  const path = answer.headers.get('location') ?? '';
  await eventually(
    'the file is checked',
    async () => !(await (await visitor.send(path)).text()).includes(CHECKING_TITLE),
  );
  return path;
};

/** Imports it, and waits until that has ended. @param path of its check @returns address of its result */
export const importWithoutPage = async (visitor: TestVisitor, path: string): Promise<string> => {
  const _csrf = await visitor.csrfToken(path);
  const answer = await visitor.send(`${path}/confirm`, { _csrf });
  const progress = answer.headers.get('location') ?? '';
  await eventually('the import has ended', async () =>
    (await (await visitor.send(progress)).text()).includes(FINISHED),
  );
  return progress;
};
