import {
  openReconnectingClient,
  type ReconnectingClient,
} from '../connection/reconnecting-client.ts';

/** Where processes that take submissions tell those that work them off that there are some. */
export const QUEUED_CHANNEL = 'registry_queued';

/**
 * Listens to what other processes queue, until it is stopped. After a connection that was lost it counts as told:
 * something may have been queued meanwhile.
 */
export const listenForQueued = (url: string, onQueued: () => void): Promise<ReconnectingClient> =>
  openReconnectingClient(url, 'queued', {
    async prepare(client) {
      client.on('notification', onQueued);
      await client.query(`listen ${QUEUED_CHANNEL}`);
      onQueued();
    },
  });
