import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeCsv } from '../../adapters/csv/write-csv.ts';
import type { OperatorCommands } from '../../api/operator/operator-commands.ts';
import { mapCourse } from '../../domain/mapping/bfdr/course-mapper.ts';
import { listTemplateColumns } from '../../domain/mapping/csv/column-names.ts';
import { formatEntries } from '../../domain/mapping/form/format-course.ts';
import type { Practice } from '../synthesis/practice.ts';
import type { Submission } from '../synthesis/submissions.ts';
import { buildBundle } from '../synthesis/written-submissions.ts';
import type { DemoBirths } from './demo-births.ts';
import type { CompletedReceipt } from './push-births.ts';
import { OWN_FIELD } from './sample-practices.ts';
import { type FormFields, type SignedInPerson, signInAs } from './signed-in-person.ts';

export interface WorkDone {
  /** Path of the page for a pair with conflicting values. */
  readonly suspectedPair: string;
  /** Chart number of a birth that was typed and then corrected. */
  readonly typedChart: string;
}

export interface Workplace {
  readonly url: string;
  readonly practiceId: string;
  readonly commands: OperatorCommands;
  readonly births: DemoBirths;
  /** Receipts of the practice's own system. */
  readonly receipts: readonly CompletedReceipt[];
}

const POLL_MS = 100;
const IMPORT = '/registry/import';
const NEW_BIRTH = '/registry/records/new';
/** Chart number in the spreadsheet of a birth that the hospital also sent. */
const LOOK_ALIKE = 'CLINIC-417';
const DUPLICATES = '/registry/duplicates';

/** @param onStep called before each step */
export const letPeopleWork = async (
  { url, practiceId, commands, births, receipts }: Workplace,
  onStep: (what: string) => void,
): Promise<WorkDone> => {
  const [admin, provider, scribe] = await Promise.all(
    ['admin', 'provider', 'scribe'].map((seat) => signInAs(url, `${seat}@cedar.example`)),
  );
  if (admin === undefined || provider === undefined || scribe === undefined)
    throw new TypeError('Not every person signed in.');
  const [first, ...others] = births.by.person.map((one) => buildTypedBirth(one, births.practice));
  if (first === undefined) throw new TypeError('There is no birth to type in.');
  onStep('Merging a provider, clearing a duplicate, voiding a record');
  await mergeOne(admin, commands, practiceId);
  await tellFirstPairApart(admin);
  await voidOne(provider, receipts);
  const rows = [...others, makeDuplicate(births)];
  onStep(`A scribe brings a spreadsheet of ${rows.length} births`);
  await bringSpreadsheet(scribe, rows);
  onStep('A birth is typed in, and corrected');
  const record = await provider.send(NEW_BIRTH, NEW_BIRTH, buildRecordFields(first));
  await admin.send(`${record}/correct`, `${record}/correct`, buildCorrectionFields(first));
  const suspected = await admin.find(LOOK_ALIKE);
  return {
    typedChart: first['chart_number'] ?? '',
    suspectedPair: `${DUPLICATES}?record=${suspected}`,
  };
};

const buildRecordFields = (birth: TypedBirth): FormFields => ({
  ...birth,
  submission: randomUUID(),
  save: 'record',
});

const buildCorrectionFields = (birth: TypedBirth): FormFields => ({
  ...addWeight(birth, 90),
  version: '1',
  reason: 'Typing error',
  save: 'record',
});

const WEIGHT = 'children.0.birth_weight_grams';
const A_USUAL_WEIGHT = 3_400;

const addWeight = (birth: TypedBirth, grams: number): TypedBirth => {
  const weight = Number.parseInt(birth[WEIGHT] ?? '', 10);
  return { ...birth, [WEIGHT]: `${(Number.isNaN(weight) ? A_USUAL_WEIGHT : weight) + grams} g` };
};

/** Without a phone number, and with another weight. */
const makeDuplicate = ({ by, practice }: DemoBirths): TypedBirth => {
  const sent = by.native.findLast(
    ({ kind, birth: { course, style } }, index) =>
      kind === 'birth' &&
      course.children.length === 1 &&
      style.timeStyle === 'with offset' &&
      // Not one of the latest, as spreadsheets are not imported daily.
      index < by.native.length - 8,
  );
  if (sent === undefined) throw new TypeError('No birth is there to be brought twice.');
  const typed = addWeight(buildTypedBirth(sent, practice), 140);
  return { ...typed, chart_number: LOOK_ALIKE, 'mother.phone': '' };
};

/** One row has an impossible Apgar score, so it is rejected while the others are imported. */
const bringSpreadsheet = async (
  scribe: SignedInPerson,
  births: readonly TypedBirth[],
): Promise<void> => {
  const rows = births.map((birth, index) =>
    index === 2 ? { ...birth, 'children.0.apgar_five_minute': '14' } : birth,
  );
  const file = new File([await buildSpreadsheet(rows)], 'births-from-the-clinic.csv');
  const check = await scribe.send(IMPORT, IMPORT, {}, file);
  await waitForEnd(scribe, `${check}/check/figures`);
  const progress = await scribe.send(check, `${check}/confirm`, {});
  await waitForEnd(scribe, `${progress}/figures`);
};

const waitForEnd = async (person: SignedInPerson, figures: string): Promise<void> => {
  for (;;) {
    const { hasEnded }: { readonly hasEnded: boolean } = JSON.parse(await person.read(figures));
    if (hasEnded) return;
    await sleep(POLL_MS);
  }
};

const tellFirstPairApart = async (person: SignedInPerson): Promise<void> => {
  const page = await person.read(DUPLICATES);
  const [newer, older] = ['newer', 'older'].map(
    (side) => new RegExp(`name="${side}" value="([^"]+)"`).exec(page)?.[1],
  );
  if (newer === undefined || older === undefined) throw new Error('No pair is suspected.');
  await person.send(DUPLICATES, `${DUPLICATES}/different`, { newer, older });
};

const voidOne = async (
  person: SignedInPerson,
  receipts: readonly CompletedReceipt[],
): Promise<void> => {
  const entries = receipts.flatMap(({ outcome }) => outcome.accepted);
  const isAlone = (reference: string) =>
    entries.filter((entry) => entry.reference.startsWith(reference)).length === 1;
  const entry = entries.findLast(
    (one) => one.version === undefined && isAlone(one.reference.replace(/-B$/, '')),
  );
  if (entry === undefined) throw new Error('No record is there to be voided.');
  const record = `/registry/records/${entry.submission_uuid}`;
  await person.send(`${record}/void`, `${record}/void`, {
    version: '1',
    reason: 'Entered for the wrong mother; the birth is recorded under her own chart number.',
  });
};

/** Merges two identities with the same NPI; the one with the longer name survives. */
const mergeOne = async (
  person: SignedInPerson,
  commands: OperatorCommands,
  practiceId: string,
): Promise<void> => {
  const providers = await commands.providers.list(practiceId);
  const byLength = [...providers].sort((a, b) => (a.name?.length ?? 0) - (b.name?.length ?? 0));
  for (const absorbed of byLength) {
    const survivor = byLength.findLast(
      ({ npi, providerId }) => npi === absorbed.npi && providerId !== absorbed.providerId,
    );
    if (absorbed.npi === null || survivor === undefined) continue;
    const merge = `/registry/providers/${absorbed.providerId}/merge/${survivor.providerId}`;
    await person.send(merge, merge, {});
    return;
  }
  throw new Error('No provider has two identities.');
};

/** Typed values of a birth, by canonical path. */
type TypedBirth = Readonly<Record<string, string>>;

const buildTypedBirth = (submission: Submission, practice: Practice): TypedBirth => {
  const bundle = buildBundle(submission, practice, 'native');
  const mapped = mapCourse({ bundle, position: 0, retractedByEntry: false }, 'native', []);
  if (mapped.kind !== 'course') throw new TypeError('This is no birth that can be typed.');
  return formatEntries(mapped.course);
};

/** Births in the practice's template, one per row, with a custom field. */
const buildSpreadsheet = async (births: readonly TypedBirth[]): Promise<string> => {
  const columns = listTemplateColumns([]);
  const headers = [...columns.map(({ name }) => name), OWN_FIELD.label];
  const rows = births.map((birth, index) => [
    ...columns.map(({ path }) => birth[path] ?? ''),
    OWN_FIELD.choices[index % OWN_FIELD.choices.length] ?? '',
  ]);
  let text = '';
  for await (const piece of writeCsv(headers, rows)) text += piece;
  return text;
};
