import { rebuildReadTables } from '../../adapters/postgres/rebuild/rebuild.ts';
import { NO_REPORTER } from '../../api/commands/reporter.ts';
import type { Stores } from '../../api/composition/stores.ts';

/** A rebuild that has applied its first events, and waits to be let go on. */
export interface HeldRebuild {
  release(): void;
  /** Settles when the rebuild is over. */
  readonly ended: Promise<unknown>;
}

/** Starts a rebuild that waits behind the first batch of the log. */
export const holdRebuild = (
  { databaseUrl, registryId, log }: Pick<Stores, 'databaseUrl' | 'registryId' | 'log'>,
  purpose: 'swap' | 'compare',
): HeldRebuild => {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const ended = rebuildReadTables(
    {
      databaseUrl,
      registryId,
      head: log.head,
      ...NO_REPORTER,
      follow: (after, onBatch, onCaughtUp, signal) =>
        log.follow(
          after,
          async (batch) => {
            await onBatch(batch);
            await released;
          },
          onCaughtUp,
          signal,
        ),
    },
    purpose,
  );
  return { release, ended };
};
