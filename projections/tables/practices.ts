import type { CustomFieldEvent } from '../../domain/custom-field/events.ts';
import type { PracticeEvent } from '../../domain/practice/events.ts';
import { DEFAULT_TIME_ZONE } from '../../domain/practice/state.ts';
import { column, defineTable, type Handlers, update, upsert } from '../projection.ts';

const practice = defineTable({
  name: 'practice',
  columns: {
    practice_id: column.text(),
    name: column.text(),
    sandbox: column.boolean(),
    /** Time it last became a sandbox; null if it is not a sandbox. */
    sandbox_since: column.timestamptzOrNull(),
    beta: column.boolean(),
    /** IANA id. */
    time_zone: column.text(),
  },
  key: ['practice_id'],
  indexes: [],
});

export const practices = {
  name: 'practices',
  version: 4,
  tables: [practice],
  on: {
    PracticeCreated: (data, { metadata }) => [
      upsert('practice', {
        practice_id: data.practiceId,
        name: data.name,
        sandbox: data.sandbox,
        sandbox_since: data.sandbox ? metadata.recordedAt : null,
        beta: data.beta,
        time_zone: DEFAULT_TIME_ZONE,
      }),
    ],
    PracticeSandboxSet: ({ practiceId, sandbox }, { metadata }) => [
      update(
        'practice',
        { practice_id: practiceId },
        { sandbox, sandbox_since: sandbox ? metadata.recordedAt : null },
      ),
    ],
    PracticeSandboxChangeRefused: () => [],
    // Read from the practice's stream, which notifies its Admins.
    BreakGlassUsed: () => [],
    // Read from the log, together with the seat.
    SecondFactorRequirementSet: () => [],
    PracticeDateOrderSet: () => [],
    PracticeClockSet: () => [],
    // Listed in the audit trail.
    AccessReviewed: () => [],
    // Read from the log at sign-in.
    SingleSignOnSet: () => [],
    SingleSignOnTurnedOff: () => [],
    // Read from the log, together with the seat.
    NeededItemsChosen: () => [],
    DaysUntilDueSet: () => [],
    // Read from the log by exports.
    EditFlagsSet: () => [],
    // Read from the log by imports.
    ImportColumnsMapped: () => [],
    ImportColumnsForgotten: () => [],
    PracticeBetaSet: ({ practiceId, beta }) => [
      update('practice', { practice_id: practiceId }, { beta }),
    ],
    PracticeRenamed: ({ practiceId, name }) => [
      update('practice', { practice_id: practiceId }, { name }),
    ],
    PracticeTimeZoneSet: ({ practiceId, timeZone }) => [
      update('practice', { practice_id: practiceId }, { time_zone: timeZone }),
    ],
  } satisfies Handlers<Exclude<PracticeEvent, CustomFieldEvent>>,
};
