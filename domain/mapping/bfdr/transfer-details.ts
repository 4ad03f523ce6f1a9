import type { Child, Transfer } from '../../course/course.ts';
import { FIELDS, type Field } from '../../course/fields.ts';
import { MAX_NAME } from '../../course/limits.ts';
import { HOURS_AFTER_BIRTH } from '../../course/possible-ranges.ts';
import { parseDateAndTime } from '../../fhir/dates.ts';
import { asObject, asObjects, asText, type JsonObject } from '../../fhir/json.ts';
import { countSecondsBetween } from '../../fhir/moments.ts';
import { isInRange } from '../../fhir/quantities.ts';
import { leaveOut, present, type Reading, readText } from '../../fhir/readings.ts';
import type { WarningCollector } from './warning-collector.ts';

/** The registry's own extension of an Encounter: what the guide has no element for. */
export const TRANSFER_DETAILS = 'urn:birth-registry:extension/transfer';

const BY_GUIDE: ReadonlySet<string> = new Set(['type', 'direction', 'facility']);

export const DETAIL_FIELDS: readonly Field[] = FIELDS.filter(
  ({ parent, name }) => parent === 'transfers' && !BY_GUIDE.has(name),
);

/** Element of an extension for values of the field. */
export const findValueElement = ({ type }: Field): string => {
  if (type === 'integer') return 'valueInteger';
  return type === 'choice' ? 'valueCode' : 'valueString';
};

export const readTransferDetails = (
  encounter: JsonObject,
  notes: WarningCollector,
): Partial<Transfer> => {
  const parts = asObjects(encounter['extension']).flatMap((extension) =>
    extension['url'] === TRANSFER_DETAILS ? asObjects(extension['extension']) : [],
  );
  return Object.fromEntries(
    DETAIL_FIELDS.flatMap((field) => {
      const [part, ...others] = parts.filter(({ url }) => url === field.name);
      if (part === undefined) return [];
      if (others.length > 0) notes.warn(field.path, null, null, 'repeated');
      const value = notes.unwrap(
        field.path,
        null,
        readDetail(field, part[findValueElement(field)]),
      );
      return value === null ? [] : [[field.name, value]];
    }),
  );
};

const readDetail = (field: Field, value: unknown): Reading<string | number> => {
  const { values, range, maxLength = MAX_NAME } = field;
  if (range !== undefined) {
    if (typeof value !== 'number') return leaveOut(value, 'not-a-number');
    if (!Number.isInteger(value)) return leaveOut(value, 'not-whole');
    return isInRange(range, value) ? present(value) : leaveOut(value, 'out-of-range');
  }
  const text = readText(value, maxLength);
  const isKnown = text.kind === 'value' && (values?.includes(text.value) ?? true);
  return isKnown || text.kind === 'left-out' ? text : leaveOut(value, 'not-understood');
};

const SECONDS_PER_HOUR = 3_600;

/** Hours from birth to the end of the stay from which the child was transferred, if both are certain. */
export const countHoursOfStay = (
  { birth_time }: Pick<Child, 'birth_time'>,
  stay: JsonObject,
): number | null => {
  const end = asText(asObject(stay['period'])['end']);
  if (birth_time === null || end === null || !isInstant(birth_time) || !isInstant(end)) return null;
  const hours = Math.ceil((countSecondsBetween(birth_time, end) ?? -1) / SECONDS_PER_HOUR);
  return isInRange(HOURS_AFTER_BIRTH, hours) ? hours : null;
};

const isInstant = (text: string): boolean =>
  (parseDateAndTime(text)?.offsetMinutes ?? null) !== null;
