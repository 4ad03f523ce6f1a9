import { type CustomField, evolveFields } from '../custom-field/state.ts';
import type { Fold } from '../fold.ts';
import type { ImportColumn } from '../mapping/csv/column-names.ts';
import type { DateOrder } from '../mapping/form/date-order.ts';
import type { Clock } from './clock.ts';
import type { PracticeEvent } from './events.ts';

export const DEFAULT_TIME_ZONE = 'America/New_York';

export type Practice =
  | { readonly status: 'unknown' }
  | {
      readonly status: 'known';
      readonly practiceId: string;
      readonly name: string;
      readonly sandbox: boolean;
      readonly beta: boolean;
      readonly timeZone: string;
      /** False while the time zone is the default, which is only a guess. */
      readonly isTimeZoneSet: boolean;
      /** Order of day and month, or `null` for the usual order of its time zone. */
      readonly dateOrder: DateOrder | null;
      /** `null` for the usual clock of its time zone. */
      readonly clock: Clock | null;
      readonly requiresSecondFactor: boolean;
      readonly customFields: readonly CustomField[];
      readonly lastBreakGlass: PracticeEvent<'BreakGlassUsed'>['data'] | null;
      readonly singleSignOn: PracticeEvent<'SingleSignOnSet'>['data'] | null;
      /** Ids of the required certificate items, or `null` if it has not chosen. @see findRequiredItems */
      readonly neededItems: readonly string[] | null;
      /** Deadline in days after birth, or `null` for no due date. */
      readonly daysUntilDue: number | null;
      /** True if the state file has edit flags by the answers to questions, not only those that senders stated. */
      readonly writesEditFlags: boolean;
      readonly importColumns: readonly ImportColumn[];
    };

export const unknownPractice: Practice = { status: 'unknown' };

export const evolve = (state: Practice, event: PracticeEvent): Practice => {
  if (event.type === 'PracticeCreated')
    return {
      status: 'known',
      ...event.data,
      timeZone: DEFAULT_TIME_ZONE,
      isTimeZoneSet: false,
      dateOrder: null,
      clock: null,
      requiresSecondFactor: false,
      customFields: [],
      lastBreakGlass: null,
      singleSignOn: null,
      neededItems: null,
      daysUntilDue: null,
      writesEditFlags: false,
      importColumns: [],
    };
  if (state.status === 'unknown') return state;
  switch (event.type) {
    case 'PracticeSandboxSet':
      return { ...state, sandbox: event.data.sandbox };
    case 'PracticeSandboxChangeRefused':
    case 'AccessReviewed':
      return state;
    case 'PracticeBetaSet':
      return { ...state, beta: event.data.beta };
    case 'PracticeRenamed':
      return { ...state, name: event.data.name };
    case 'PracticeTimeZoneSet':
      return { ...state, timeZone: event.data.timeZone, isTimeZoneSet: true };
    case 'PracticeDateOrderSet':
      return { ...state, dateOrder: event.data.dateOrder };
    case 'PracticeClockSet':
      return { ...state, clock: event.data.clock };
    case 'SecondFactorRequirementSet':
      return { ...state, requiresSecondFactor: event.data.required };
    case 'BreakGlassUsed':
      return { ...state, lastBreakGlass: event.data };
    case 'SingleSignOnSet':
      return { ...state, singleSignOn: event.data };
    case 'SingleSignOnTurnedOff':
      return { ...state, singleSignOn: null };
    case 'NeededItemsChosen':
      return { ...state, neededItems: event.data.items };
    case 'DaysUntilDueSet':
      return { ...state, daysUntilDue: event.data.days };
    case 'EditFlagsSet':
      return { ...state, writesEditFlags: event.data.written };
    case 'ImportColumnsMapped':
      return { ...state, importColumns: mergeColumns(state.importColumns, event.data.columns) };
    case 'ImportColumnsForgotten': {
      const { headings } = event.data;
      const importColumns = state.importColumns.filter(
        ({ heading }) => !headings.includes(heading),
      );
      return { ...state, importColumns };
    }
    case 'CustomFieldDefined':
    case 'CustomFieldChanged':
    case 'CustomFieldBound':
    case 'CustomFieldRetired':
    case 'CustomFieldRestored':
      return { ...state, customFields: evolveFields(state.customFields, event) };
  }
};

export const practiceFold: Fold<Practice, PracticeEvent> = { initial: unknownPractice, evolve };

export const mergeColumns = (
  current: readonly ImportColumn[],
  columns: readonly ImportColumn[],
): readonly ImportColumn[] => [
  ...current.filter(({ heading }) => !columns.some((one) => one.heading === heading)),
  ...columns,
];

/** True if the read tables contain a record that is not voided, or the queue contains a birth. */
export type HasLiveRecords = (practiceId: string) => Promise<boolean>;
