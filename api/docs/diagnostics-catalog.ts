import { REQUEST_PROBLEMS } from '../http/problems.ts';
import type { DiagnosticsEntry } from './diagnostics-entry.ts';
import { INGESTION_DIAGNOSTICS } from './ingestion-diagnostics.ts';
import { RECORD_DIAGNOSTICS } from './record-diagnostics.ts';

export interface CatalogPart {
  readonly id: string;
  readonly title: string;
  readonly about: string;
  readonly entries: readonly DiagnosticsEntry[];
}

/** A test checks the catalog against the code. */
export const DIAGNOSTICS_CATALOG: readonly CatalogPart[] = [
  {
    id: 'requests',
    title: 'Requests',
    about:
      'The request as a whole is answered with an error, and nothing of it is stored. Branch on the status code and the issue code; texts may get clearer over time. Bodies are shown short; whole ones stand under Records.',
    entries: Object.entries(REQUEST_PROBLEMS).map(([id, problem]) => ({
      kind: 'request',
      id,
      ...problem,
    })),
  },
  {
    id: 'records',
    title: 'Records',
    about:
      'The submission is completed, and its receipt lists the record in outcome.rejected with an OperationOutcome of one issue or several. Other records of the same Bundle are not affected.',
    entries: RECORD_DIAGNOSTICS,
  },
  {
    id: 'ingestions',
    title: 'Failed ingestions',
    about: 'The receipt has the status failed, and outcome.error says one of these sentences.',
    entries: INGESTION_DIAGNOSTICS,
  },
];
