import type { RecordedEvent } from '@eventstore/db-client';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import {
  type EventMetadata,
  type Fact,
  isForeign,
  type StoredEvent,
  type StreamEvent,
  type UnknownEvent,
} from '../../domain/event-log.ts';
import { EventInvalid } from '../../domain/event-log-errors.ts';
import { literal, nullable, object, ordinal, type Schema, text } from '../../domain/schema.ts';
import { isStorableName, kindOfStream } from '../../domain/stream-names.ts';
import { StoredContent } from '../package-internals/event-store-client/read-wire.ts';
import { EVENT_SCHEMAS, type EventSchema } from './schemas/event-schemas.ts';

// Without the meta-schema, which every process would have to compile at startup. The tests validate
// our schemas instead.
const ajv = new Ajv2020({
  strict: true,
  allowUnionTypes: true,
  meta: false,
  validateSchema: false,
});
const compile = (schema: Schema): ValidateFunction => ajv.compile(schema);

// Compiled on first use, because compiling all of them would slow down the start of every command.
const validators = new Map<string, ValidateFunction>();

const getValidator = (type: string): ValidateFunction => {
  const known = validators.get(type);
  if (known !== undefined) return known;
  const compiled = compile(getSchema(type).schema);
  validators.set(type, compiled);
  return compiled;
};

const validateMetadata = compile(
  object({
    schemaVersion: ordinal,
    correlationId: text,
    causationId: nullable(text),
    actor: object({ kind: literal('key', 'member', 'staff', 'operator', 'service'), id: text }),
    recordedAt: text,
  }),
);

const isInCatalog = (type: string): boolean => Object.hasOwn(EVENT_SCHEMAS, type);

const getSchema = (type: string): EventSchema => {
  const schema = (EVENT_SCHEMAS as Readonly<Record<string, EventSchema>>)[type];
  if (schema === undefined || !isInCatalog(type))
    throw new EventInvalid('The event type is not in the catalog.');
  return schema;
};

/** Current schema version of an event type. @throws EventInvalid for an unknown type */
export const getSchemaVersion = (type: string): number => getSchema(type).version;

/** Event data as stored in the log. @throws EventInvalid for an unknown type */
export const packData = ({ type, data }: Fact): Readonly<Record<string, unknown>> => {
  const packing = getSchema(type).versions.at(-1)?.packing;
  const whole = data as Readonly<Record<string, unknown>>;
  return packing === undefined ? whole : packing.pack(whole);
};

/** @throws EventInvalid with the type and the path in the data, never a value */
export const checkEvent = (event: Fact): void => {
  const validate = getValidator(event.type);
  if (!validate(event.data))
    throw new EventInvalid(
      `The data of a ${event.type} does not fit its schema ${formatPlaces(validate)}.`,
    );
};

// Instance paths contain only our property names and array indexes, no submitted values.
const formatPlaces = (validate: ValidateFunction): string =>
  (validate.errors ?? [])
    .slice(0, 3)
    .map(({ instancePath, keyword }) => `at ${instancePath || '/'} (${keyword})`)
    .join(', ');

/** Event data as returned by the client. @throws EventInvalid if it is not JSON */
export const decodeJson = ({ data, isJson }: RecordedEvent): unknown => {
  const content: unknown = data;
  if (!(content instanceof StoredContent ? content.isJson : isJson))
    throw new EventInvalid('The event holds no JSON.');
  if (!(content instanceof StoredContent)) return content;
  try {
    return JSON.parse(content.data.toString());
  } catch {
    // Without the cause, whose message quotes the text.
    throw new EventInvalid('The event holds no JSON.');
  }
};

/**
 * Converts an event from the client to the current version of its type and validates it. An event of a type that
 * is not in the catalog is from a newer version if it has our metadata. Every event is validated before it is
 * appended, so any other mismatch means that the service did not write it.
 * @throws EventInvalid for newer data of a known type
 */
export const readEvent = ({ event }: { event?: RecordedEvent | undefined }): StreamEvent => {
  if (event === undefined) throw new EventInvalid('A link without its event.');
  const { type, id, streamId: stream, revision, position } = event;
  const place = { id, stream, revision, position: position?.commit ?? 0n };
  try {
    return { ...place, ...readOurs(event) };
  } catch (error) {
    if (error instanceof NewerData) throw error;
    const problem = error instanceof EventInvalid ? error.message : UNREADABLE;
    return { ...place, event: null, foreign: { type, problem } };
  }
};

const UNREADABLE = 'The event cannot be read.';

class NewerData extends EventInvalid {}

/** @throws an error if the event is not ours */
const readOurs = (
  event: RecordedEvent,
):
  | Pick<StoredEvent, 'event' | 'metadata'>
  | Pick<UnknownEvent, 'event' | 'written' | 'metadata'> => {
  const { type, streamId } = event;
  // Parking a stream, for example, stores its name.
  if (!isStorableName(streamId))
    throw new EventInvalid('The name of the stream is not one that the registry gives.');
  const data = decodeJson(event);
  if (!validateMetadata(event.metadata))
    throw new EventInvalid(
      `The metadata does not fit its schema ${formatPlaces(validateMetadata)}.`,
    );
  const metadata = event.metadata as unknown as EventMetadata;
  if (!isInCatalog(type)) return { event: null, written: { type, data }, metadata };
  const schema = getSchema(type);
  const { complete, asOfReceipt } = schema;
  if (schema.stream !== kindOfStream(streamId))
    throw new EventInvalid(`A ${type} belongs to another stream.`);
  const written = upcastData(type, schema, metadata.schemaVersion, data);
  const whole = complete?.(written) ?? written;
  const fact = { type, data: asOfReceipt?.(whole, metadata.recordedAt) ?? whole };
  checkEvent(fact);
  return { event: fact, metadata };
};

/** Event in a form that we store outside the log and that later builds can read. */
export interface SerializedEvent {
  readonly id: string;
  readonly type: string;
  /** In the log's format for the current version of the type. */
  readonly data: unknown;
  readonly schemaVersion: number;
  readonly revision: string;
  readonly position: string;
  readonly metadata: EventMetadata;
}

/** Stands for an event that is not ours. Earlier versions pass over it too, whatever was its type. */
const FOREIGN: Pick<SerializedEvent, 'type' | 'data' | 'schemaVersion' | 'metadata'> = {
  type: 'ForeignEvent',
  data: null,
  schemaVersion: 1,
  metadata: {
    schemaVersion: 1,
    correlationId: '-',
    causationId: null,
    actor: { kind: 'service', id: '-' },
    recordedAt: new Date(0).toISOString(),
  },
};

export const serializeEvent = (stored: StreamEvent): SerializedEvent => {
  if (isForeign(stored)) {
    const { id, revision, position } = stored;
    return { id, ...FOREIGN, revision: revision.toString(), position: position.toString() };
  }
  const { id, event, revision, position, metadata } = stored;
  const written =
    event === null
      ? { ...stored.written, schemaVersion: metadata.schemaVersion }
      : {
          type: event.type,
          data: packData(event),
          schemaVersion: getSchemaVersion(event.type),
        };
  return {
    id,
    ...written,
    revision: revision.toString(),
    position: position.toString(),
    metadata,
  };
};

/** @throws EventInvalid */
export const deserializeEvent = (
  stream: string,
  { id, type, data, schemaVersion, revision, position, metadata }: SerializedEvent,
): StreamEvent => {
  const stored = { id, stream, revision: BigInt(revision), position: BigInt(position), metadata };
  if (!isInCatalog(type)) return { ...stored, event: null, written: { type, data } };
  const event = { type, data: upcastData(type, getSchema(type), schemaVersion, data) };
  checkEvent(event);
  return { ...stored, event };
};

/** Each version has its own packing, so data is unpacked as the version it has. @throws EventInvalid */
export const upcastData = (
  type: string,
  { version, versions }: EventSchema,
  writtenWith: number,
  data: unknown,
): Readonly<Record<string, unknown>> => {
  if (writtenWith > version)
    throw new NewerData(`A ${type} of version ${writtenWith} was written by a newer build.`);
  const stored = data as Readonly<Record<string, unknown>>;
  const steps = versions.slice(writtenWith - 1);
  try {
    const whole = steps[0]?.packing?.unpack(stored) ?? stored;
    return steps.reduce((older, { upcast }) => upcast?.(older) ?? older, whole);
  } catch (cause) {
    throw new EventInvalid(`The data of a ${type} cannot be made whole.`, { cause });
  }
};
