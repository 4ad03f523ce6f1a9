import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../../domain/fhir/json.ts';
import { readBundleChart } from '../../domain/mapping/bfdr/deletions.ts';
import type { TestService } from '../harness/service.ts';
import { temporaryDirectory } from '../harness/temporary-directory.ts';

/** The Bundles of a file, one on each line. */
export const linesOf = (file: string): readonly JsonObject[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [JSON.parse(line) as JsonObject]));

/** The records of a practice, as the command of the operator exports them. */
export const exportedBy = async (
  { commands }: Pick<TestService, 'commands'>,
  practiceId: string,
  since: Date | null = null,
): Promise<readonly JsonObject[]> => {
  const directory = temporaryDirectory('export');
  const file = join(directory.path, 'records.ndjson');
  await commands.exportRecords({ practiceId, to: file, since, format: 'bundles', per: 'course' });
  const bundles = linesOf(file);
  directory.remove();
  return bundles;
};

/** The chart number under which a record leaves. */
export const chartOf = (bundle: JsonObject): unknown => {
  const chart = readBundleChart(bundle);
  return chart.kind === 'chart number' ? chart.value : null;
};
