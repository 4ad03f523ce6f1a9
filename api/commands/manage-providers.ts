import { setTimeout as sleep } from 'node:timers/promises';
import { repointAttribution } from '../../domain/birth-record/attribution.ts';
import type { BirthRecordEvent } from '../../domain/birth-record/events.ts';
import { recordFold } from '../../domain/birth-record/state.ts';
import { accept } from '../../domain/decision.ts';
import {
  findPartnerOfMerge,
  type MergeProviders,
  mergeProviders,
} from '../../domain/provider/decide.ts';
import type { MergesEvent } from '../../domain/provider/events.ts';
import type { CareerEntry, ListedProvider } from '../../domain/provider/ports.ts';
import {
  listAbsorbed,
  type Merges,
  mergesFold,
  providerFold,
  resolveSurvivor,
} from '../../domain/provider/state.ts';
import { mergesStream, providerStream } from '../../domain/stream-names.ts';
import type { AppPorts } from '../ports/app-ports.ts';
import { type PracticeLeaseScope, withPracticeLease } from '../writes/with-practice-lease.ts';
import { changeStream, loadState, requireAccepted } from './change-stream.ts';
import type { CommandContext } from './command-context.ts';
import { commandRefused } from './command-refused.ts';
import type { PracticeCommands } from './manage-practices.ts';

const RECORDS_PER_BATCH = 200;
const RECORDS_AT_ONCE = 16;
/** Longer than the worker's poll interval, so that waiting pushes go first. */
const PAUSE_MS = 250;
const TABLES_WITHIN_MS = 5_000;

export const createProviderCommands = (
  app: AppPorts,
  practices: PracticeCommands,
  context: CommandContext,
) => {
  const { log, reads, progress, identity, afterStep } = app;
  const readTables = async () => progress.reach(await log.head(), TABLES_WITHIN_MS);
  const findProvider = (id: string) => loadState(log, providerStream(id), providerFold);

  const partnerOf = async (command: MergeProviders): Promise<string> => {
    const [absorbed, survivor] = await Promise.all([
      findProvider(command.absorbed),
      findProvider(command.survivor),
    ]);
    return requireAccepted(findPartnerOfMerge(command, { absorbed, survivor })).partnerId;
  };

  /** @returns true if there was anything to do */
  const repoint = async (
    leaseScope: PracticeLeaseScope,
    stream: string,
    merges: Merges,
  ): Promise<boolean> => {
    const survivorOf = (id: string) => resolveSurvivor(merges, id);
    const events = await changeStream(
      { ...log, append: leaseScope.append },
      context,
      stream,
      recordFold,
      (record) =>
        accept<BirthRecordEvent>(
          ...repointAttribution({ resolveSurvivor: survivorOf, mark: null }, record),
        ),
    );
    if (events.length > 0) afterStep('record-repointed');
    return events.length > 0;
  };

  const repointAll = async (
    leaseScope: PracticeLeaseScope,
    streams: readonly string[],
    merges: Merges,
  ) => {
    let repointed = 0;
    for (let from = 0; from < streams.length; from += RECORDS_AT_ONCE) {
      await leaseScope.renew();
      const batch = streams.slice(from, from + RECORDS_AT_ONCE);
      const done = await Promise.all(batch.map((stream) => repoint(leaseScope, stream, merges)));
      repointed += done.filter(Boolean).length;
    }
    return repointed;
  };

  return {
    /** @throws CommandRefused for an unknown practice */
    async list(practiceId: string): Promise<readonly ListedProvider[]> {
      const practice = await practices.find(practiceId);
      if (practice.status === 'unknown') throw commandRefused({ code: 'no-practice' });
      await readTables();
      return reads.listProviders(practiceId);
    },

    /**
     * Run again, it finishes an interrupted merge. @returns number of repointed records
     * @throws CommandRefused
     */
    async merge(command: MergeProviders): Promise<number> {
      const { practiceId, absorbed } = command;
      const partnerId = await partnerOf(command);
      const stream = mergesStream(identity.mergesHash(practiceId, partnerId));
      const decide = (merges: Merges) => mergeProviders({ ...command, partnerId }, merges);
      // Refuses before waiting for a lease.
      requireAccepted(decide(await loadState(log, stream, mergesFold)));
      await readTables();

      let repointed = 0;
      let after = '';
      for (let isFirst = true; ; isFirst = false) {
        const streams = await withPracticeLease(app, practiceId, async (leaseScope) => {
          if (isFirst) {
            const underLease = { ...log, append: leaseScope.append };
            await changeStream<Merges, MergesEvent>(
              underLease,
              context,
              stream,
              mergesFold,
              decide,
            );
            afterStep('merge-recorded');
            await leaseScope.settle();
          }
          const merges = await loadState(log, stream, mergesFold);
          const names = [absorbed, ...listAbsorbed(merges, absorbed)];
          const found = await reads.findAttributedStreams(names, after, RECORDS_PER_BATCH);
          repointed += await repointAll(leaseScope, found, merges);
          await leaseScope.settle();
          return found;
        });
        after = streams.at(-1) ?? after;
        if (streams.length < RECORDS_PER_BATCH) return repointed;
        await sleep(PAUSE_MS);
      }
    },

    /** @throws CommandRefused for an unknown provider */
    async career(providerId: string): Promise<readonly CareerEntry[]> {
      await readTables();
      const entries = await reads.findCareer(providerId);
      if (entries === null) throw commandRefused({ code: 'no-provider' });
      return entries;
    },
  };
};
