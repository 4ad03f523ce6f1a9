import {
  openReconnectingClient,
  type ReconnectingClient,
} from '../connection/reconnecting-client.ts';

/** Channel on which intake processes notify worker processes of new entries. */
export const QUEUED_CHANNEL = 'registry_queued';

/**
 * Listens for entries queued by other processes, until stopped. Also fires after each reconnect,
 * because notifications may have been missed.
 */
export const listenForQueued = (url: string, onQueued: () => void): Promise<ReconnectingClient> =>
  openReconnectingClient(url, 'queued', {
    async prepare(client) {
      client.on('notification', onQueued);
      await client.query(`listen ${QUEUED_CHANNEL}`);
      onQueued();
    },
  });
