import { readFileSync } from 'node:fs';
import { type JSONType, jsonEvent, type RecordedEvent } from '@eventstore/db-client';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { packData, readEvent } from '../../adapters/event-log/event-catalog.ts';
import { EVENT_SCHEMAS } from '../../adapters/event-log/schemas/event-schemas.ts';
import { serializeEvent } from '../../adapters/package-internals/event-store-client/append-wire.ts';
import { isKnown } from '../../domain/event-log.ts';
import { REGISTRY_STREAM } from '../../domain/stream-names.ts';

/** Name of a stream that events of the type are in. */
const streamOf = (type: string): string => {
  const { stream } = EVENT_SCHEMAS[type as keyof typeof EVENT_SCHEMAS];
  return stream === REGISTRY_STREAM ? stream : `${stream}-x`;
};

/**
 * Events of every type, as they were written before the domain's names and folders changed: the bytes of their data
 * and metadata. Whoever renames something in the code must not rename it in the log.
 */
const EVENTS: readonly Readonly<Record<'type' | 'data' | 'metadata', string>>[] = JSON.parse(
  readFileSync('test/fixtures/eventstore/events.json', 'utf8'),
);

const read = ({ type, data, metadata }: (typeof EVENTS)[number]) =>
  readEvent({
    event: {
      id: 'event',
      streamId: streamOf(type),
      revision: 0n,
      isJson: true,
      type,
      data: JSON.parse(data),
      metadata: JSON.parse(metadata),
    } as unknown as RecordedEvent,
  });

test('every type of event is among them', () => {
  assert.equal(
    [...new Set(EVENTS.map(({ type }) => type))].sort(),
    Object.keys(EVENT_SCHEMAS).sort(),
  );
});

for (const [index, event] of EVENTS.entries())
  test(`${event.type} ${index} is written again byte for byte`, () => {
    const stored = read(event);
    if (!isKnown(stored)) throw new TypeError('The catalog lacks the type.');
    const { event: fact, metadata } = stored;
    const written = serializeEvent(
      jsonEvent({ type: fact.type, data: packData(fact) as JSONType, metadata: { ...metadata } }),
    );
    assert.is(Buffer.from(written.data).toString(), event.data);
    assert.is(Buffer.from(written.metadata).toString(), event.metadata);
  });

test.run();
