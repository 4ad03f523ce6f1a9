import type { CustomField } from '../../domain/custom-field/state.ts';
import { listTemplateColumns } from '../../domain/intake/csv/column-names.ts';
import type { App } from '../ports/app-ports.ts';

export const buildTemplateFile = (
  { csv }: App,
  customFields: readonly CustomField[],
): AsyncIterable<string> =>
  csv.write(
    listTemplateColumns(customFields).map(({ name }) => name),
    [],
  );
