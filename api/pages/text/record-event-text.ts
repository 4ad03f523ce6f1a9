import type { BirthRecordEvent, SubmissionSource } from '../../../domain/birth-record/events.ts';
import { parsePart } from '../../../domain/birth-record/item-reasons.ts';
import type { StoredRecordEvent } from '../../../domain/birth-record/replay.ts';
import { CERTIFICATE_ITEMS } from '../../../domain/course/certificate-items.ts';
import type { Actor } from '../../../domain/event-log.ts';
import type { ActorName } from '../../../projections/lists/people-names.ts';
import { formatItem } from './field-labels.ts';
import { formatDate } from './format-dates.ts';
import { REASON_TEXT } from './section-text.ts';
import { formatSource } from './source-text.ts';

/** Names of the actors on a record, by `kind:id`. */
export type ActorNames = ReadonlyMap<string, ActorName>;

export const buildActorKey = ({ kind, id }: Actor): string => `${kind}:${id}`;

/** Name of an actor for members of the practice: "Maple EHR", "Inés Soto". */
export const formatActor = (actor: Actor, names: ActorNames): string => {
  const known = names.get(buildActorKey(actor));
  switch (actor.kind) {
    case 'key':
      return known?.partner ?? known?.name ?? 'an EHR';
    case 'member':
      return known?.name ?? 'a former member of the practice';
    case 'staff':
    case 'operator':
      return 'the service staff';
    case 'service':
      return 'the registry';
  }
};

/** Source and actor of a version: "Sent by Maple EHR", "Corrected by Inés Soto". */
export const formatVersion = (stored: StoredRecordEvent, names: ActorNames): string => {
  const { event, metadata } = stored;
  const who = formatActor(metadata.actor, names);
  const isFirst = event.type === 'BirthRecorded';
  if (!('source' in event.data)) return toSentence(event, who);
  if (isMerge(event)) return formatMerged(who);
  if (event.type === 'BirthAmended' && event.data.restored !== undefined)
    return `Restored by ${who}`;
  switch (event.data.source) {
    case 'fhir_push':
      return formatSource('fhir_push', who);
    case 'manual':
      return `${isFirst ? 'Entered' : 'Corrected'} by ${who}`;
    case 'csv':
      return `Imported from a file by ${who}`;
    case 'ehr_pull':
      return `Pre-filled from the EHR, saved by ${who}`;
  }
};

export const formatBesideEhr = (who: string): string => `Entered by ${who} next to the EHR’s value`;

const isMerge = (event: BirthRecordEvent): boolean =>
  event.type === 'BirthAmended' && event.data.mergedFrom !== undefined;

/** History line of the record that received values from a duplicate. */
const formatMerged = (who: string): string => `Merged from a duplicate by ${who}`;

const AMENDED: Readonly<Record<SubmissionSource, (who: string) => string>> = {
  fhir_push: (who) => `Amended by ${who}`,
  manual: (who) => `Corrected by ${who}`,
  csv: (who) => `Amended from a file by ${who}`,
  ehr_pull: (who) => `Amended from the EHR, saved by ${who}`,
};

export const describeEvent = (
  stored: StoredRecordEvent,
  names: ActorNames,
  wasVoided: boolean,
): string => {
  const { event, metadata } = stored;
  const who = formatActor(metadata.actor, names);
  if (event.type === 'BirthRecorded') return formatVersion(stored, names);
  if (event.type !== 'BirthAmended') return toSentence(event, who);
  if (isMerge(event)) return formatMerged(who);
  const { restored, undoneImport } = event.data;
  if (undoneImport !== undefined)
    return `Restored to version ${restored?.version ?? 1}: ${who} undid an import`;
  if (restored !== undefined)
    return wasVoided ? `Restored by ${who}` : `Restored to version ${restored.version} by ${who}`;
  const amended = AMENDED[event.data.source](who);
  return wasVoided ? `Restored. ${amended}` : amended;
};

const toSentence = (event: BirthRecordEvent, who: string): string => {
  switch (event.type) {
    case 'BirthRecorded':
    case 'BirthAmended':
      return `Changed by ${who}`;
    case 'BirthRetracted':
      if (event.data.mergedInto !== undefined)
        return `Merged into another record and voided by ${who}`;
      return event.data.undoneImport === undefined
        ? `Voided by ${who}`
        : `Voided: ${who} undid an import`;
    case 'DuplicateFlagged':
      return 'Flagged as a possible duplicate';
    case 'DuplicateDismissed':
      return `Marked as not a duplicate by ${who}`;
    case 'DuplicateFlagRestored':
      return `Flagged as a possible duplicate again by ${who}`;
    case 'RevivalKept':
      return `Kept active by ${who} after it was sent again`;
    case 'QuestionsConfirmed':
      return `Unusual values confirmed by ${who}`;
    case 'QuestionsUnverified':
      return `Unusual values could not be verified, as ${who} entered`;
    case 'ItemUnobtainable':
      return `${describeItem(event)} marked “${REASON_TEXT.unobtainable}” by ${who}`;
    case 'ItemAwaited':
      return `${describeItem(event)} marked “${REASON_TEXT.awaited}” until ${formatDate(event.data.until)} by ${who}`;
    case 'ItemReasonTakenBack':
      return `${describeItem(event)} marked as needed again by ${who}`;
    case 'AttributionRepointed':
      return `${event.data.part === 'attendant' ? 'Attendant' : 'Certifier'} changed by a merge of providers`;
  }
};

const ITEM_WORDS: ReadonlyMap<string, string> = new Map(
  CERTIFICATE_ITEMS.map(({ id, words }) => [id, words]),
);

const describeItem = ({
  data: { item, part, children },
}: BirthRecordEvent<'ItemUnobtainable' | 'ItemAwaited' | 'ItemReasonTakenBack'>): string =>
  formatItem(ITEM_WORDS.get(item) ?? 'An item', parsePart(part), children);
