import { jsonEvent } from '@eventstore/db-client';

/**
 * An event as a newer version of the service would append it.
 * @param schemaVersion version of the data
 */
export const createNewerEvent = (
  type: string,
  data: Readonly<Record<string, string>> = { since: 'a newer version' },
  schemaVersion = 1,
) =>
  jsonEvent({
    type,
    data,
    metadata: {
      schemaVersion,
      correlationId: 'successor',
      causationId: null,
      actor: { kind: 'service', id: 'successor' },
      recordedAt: new Date().toISOString(),
    },
  });
