import { randomUUID } from 'node:crypto';
import { buildDataExported, buildRecordsExported } from '../../domain/access-log/decide.ts';
import type { AccessEvent, Export, FilterKind } from '../../domain/access-log/events.ts';
import type { Actor } from '../../domain/event-log.ts';
import type { ExportableRecord } from '../../projections/lists/exports.ts';
import type { AppPorts } from '../ports/app-ports.ts';

type NotePorts = Pick<AppPorts, 'noteAccess' | 'now'>;

export interface Exporter {
  readonly practiceId: string;
  readonly actor: Actor;
  readonly correlationId: string;
  readonly what: Export;
}

/** Called once per file or run of a command. @param rows `null` if not known yet */
export const noteExportBegun = (
  ports: NotePorts,
  exporter: Exporter,
  rows: number | null,
  filters: readonly FilterKind[],
): Promise<void> => {
  const { practiceId, what } = exporter;
  const [file] = buildDataExported({
    practiceId,
    what,
    at: ports.now(),
    rows,
    filters,
    recordIds: [],
  });
  return appendEntries(ports, exporter, [file]);
};

/** Called before the bytes are sent or written. */
export const noteRecordsExported = (
  ports: NotePorts,
  exporter: Exporter,
  records: readonly Pick<ExportableRecord, 'submissionUuid' | 'version'>[],
): Promise<void> => {
  const { practiceId, what } = exporter;
  return appendEntries(
    ports,
    exporter,
    buildRecordsExported({ practiceId, what, at: ports.now(), records }),
  );
};

/** Records an export of proofs, which does not count as an export of the records. */
export const noteRecordsTaken = (
  ports: NotePorts,
  exporter: Exporter,
  records: readonly Pick<ExportableRecord, 'submissionUuid'>[],
): Promise<void> => {
  const { practiceId, what } = exporter;
  const recordIds = records.map(({ submissionUuid }) => submissionUuid);
  const at = ports.now();
  const [, ...each] = buildDataExported({ practiceId, what, at, rows: 0, filters: [], recordIds });
  return appendEntries(ports, exporter, each);
};

const appendEntries = async (
  { noteAccess }: NotePorts,
  { actor, correlationId }: Exporter,
  events: readonly AccessEvent[],
): Promise<void> => {
  if (events.length === 0) return;
  await noteAccess(events.map((event) => ({ noteId: randomUUID(), event, actor, correlationId })));
};
