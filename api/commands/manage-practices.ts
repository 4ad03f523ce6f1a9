import type { Decision } from '../../domain/decision.ts';
import { type SetCompleteness, setCompleteness } from '../../domain/practice/completeness.ts';
import {
  createPractice,
  findRefusal,
  type SetPractice,
  setPractice,
  setSingleSignOn,
  turnSingleSignOnOff,
} from '../../domain/practice/decide.ts';
import type { PracticeEvent } from '../../domain/practice/events.ts';
import {
  forgetImportColumns,
  type HeadingMeaning,
  mapImportColumns,
} from '../../domain/practice/import-columns.ts';
import { type HasLiveRecords, type Practice, practiceFold } from '../../domain/practice/state.ts';
import { practiceStream } from '../../domain/stream-names.ts';
import type { WithPracticeLease } from '../writes/with-practice-lease.ts';
import { type CommandLog, changeStream, loadState } from './change-stream.ts';
import type { CommandContext } from './command-context.ts';
import { CommandRefused, commandRefused } from './command-refused.ts';

export const createPracticeCommands = (
  log: CommandLog,
  {
    withPracticeLease,
    hasLiveRecords,
  }: { withPracticeLease: WithPracticeLease; hasLiveRecords: HasLiveRecords },
  context: CommandContext,
) => {
  const find = (practiceId: string) => loadState(log, practiceStream(practiceId), practiceFold);
  return {
    /** `unknown` if there is none. */
    find,
    /** @throws CommandRefused */
    async create(command: {
      readonly name: string;
      readonly sandbox: boolean;
      readonly beta: boolean;
    }): Promise<string> {
      const practiceId = context.newId();
      await changeStream(log, context, practiceStream(practiceId), practiceFold, () =>
        createPractice({ ...command, practiceId }),
      );
      return practiceId;
    },
    /**
     * In force everywhere when this returns. @throws CommandRefused for invalid values, an unknown
     * practice, or another kind of practice while it has live records
     */
    async set(practiceId: string, command: SetPractice): Promise<void> {
      const timeZone =
        typeof command.timeZone === 'string' ? requireTimeZone(command.timeZone) : null;
      const change = (to: CommandLog, hasRecords: boolean) =>
        changeStream(to, context, practiceStream(practiceId), practiceFold, (practice) =>
          setPractice({ ...command, timeZone }, practice, hasRecords),
        );
      const isKnown = async () => (await find(practiceId)).status === 'known';
      // Under the practice lease, so that no record arrives between the check and the change.
      const events =
        command.sandbox !== null && (await isKnown())
          ? await withPracticeLease(practiceId, async (batch) => {
              const hasRecords = await hasLiveRecords(practiceId);
              const changed = await change({ ...log, append: batch.append }, hasRecords);
              await batch.settle();
              return changed;
            })
          : await change(log, false);
      const refusal = findRefusal(events);
      if (refusal !== null) throw commandRefused(refusal);
      await context.announceAccessChange();
    },
    /**
     * In force everywhere when this returns.
     * @throws CommandRefused for an unknown practice or item, and for an impossible number of days
     */
    async setCompleteness(practiceId: string, command: SetCompleteness): Promise<void> {
      await changeStream(log, context, practiceStream(practiceId), practiceFold, (practice) =>
        setCompleteness(command, practice),
      );
      await context.announceAccessChange();
    },
    /**
     * @param forgotten headings in comparable form
     * @throws CommandRefused for two headings of one field, an unknown field, or an invalid
     * heading
     */
    async setImportColumns(
      practiceId: string,
      chosen: readonly HeadingMeaning[],
      forgotten: readonly string[],
    ): Promise<void> {
      const change = (decide: (practice: Practice) => Decision<PracticeEvent>) =>
        changeStream(log, context, practiceStream(practiceId), practiceFold, decide);
      if (forgotten.length > 0)
        await change((practice) => forgetImportColumns(forgotten, practice));
      await change((practice) => mapImportColumns(chosen, practice));
    },
    /** @throws CommandRefused for an unknown practice */
    async setSingleSignOn(
      command: PracticeEvent<'SingleSignOnSet'>['data'],
      isSecretNew: boolean,
    ): Promise<void> {
      await changeStream(
        log,
        context,
        practiceStream(command.practiceId),
        practiceFold,
        (practice) => setSingleSignOn(command, practice, isSecretNew),
      );
    },
    /** @throws CommandRefused for an unknown practice */
    async turnSingleSignOnOff(practiceId: string): Promise<void> {
      await changeStream(
        log,
        context,
        practiceStream(practiceId),
        practiceFold,
        turnSingleSignOnOff,
      );
    },
  };
};

/** @see createPracticeCommands */
export type PracticeCommands = ReturnType<typeof createPracticeCommands>;

// Some versions of Intl accept an offset such as +05:00, but a practice needs daylight saving time.
const LOOKS_LIKE_A_ZONE = /^(?:UTC|[A-Za-z]+(?:\/[A-Za-z0-9_+-]+){1,2})$/;

/** @throws CommandRefused unless this machine knows the zone */
const requireTimeZone = (text: string): string => {
  const timeZone = text.trim();
  if (LOOKS_LIKE_A_ZONE.test(timeZone) && isKnown(timeZone)) return timeZone;
  throw new CommandRefused(
    'no-time-zone',
    'This is no time zone: use an IANA name, such as America/New_York.',
  );
};

const isKnown = (timeZone: string): boolean => {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone });
    return true;
  } catch {
    return false;
  }
};
