import { type CustomField, evolveFields } from '../custom-field/state.ts';
import type { Fold } from '../fold.ts';
import type { ImportColumn } from '../intake/csv/column-names.ts';
import type { DateOrder } from '../intake/form/date-order.ts';
import type { BreakGlassUsed, PracticeEvent, SingleSignOnSet } from './events.ts';

/** The time zone of a practice that has set none. */
export const DEFAULT_TIME_ZONE = 'America/New_York';

/** A practice as its events tell it. */
export type Practice =
  | { readonly status: 'unknown' }
  | {
      readonly status: 'known';
      readonly practiceId: string;
      readonly name: string;
      readonly sandbox: boolean;
      readonly beta: boolean;
      /** IANA id. */
      readonly timeZone: string;
      /** Whether the time zone was set: before that the default is a guess. */
      readonly isTimeZoneSet: boolean;
      /** Which of day and month it writes first; null: what is usual in its time zone. */
      readonly dateOrder: DateOrder | null;
      /** Whether its members need more than a password to sign in. */
      readonly requiresSecondFactor: boolean;
      /** Fields of its own, live and retired, in their order. */
      readonly customFields: readonly CustomField[];
      /** The last time that the staff let an Admin in; null: they never have. */
      readonly brokenGlass: BreakGlassUsed['data'] | null;
      /** At which identity provider its members sign in; null: at none of its own. */
      readonly singleSignOn: SingleSignOnSet['data'] | null;
      /** Ids of the items of the certificate that it needs; null: it has not chosen. @see findRequiredItems */
      readonly neededItems: readonly string[] | null;
      /** Days after a birth by which its record has to be complete; null: there is no due date. */
      readonly daysUntilDue: number | null;
      /** What headings of its imported files mean, as its members have said. */
      readonly importColumns: readonly ImportColumn[];
    };

/** A practice before its first event. */
export const unknownPractice: Practice = { status: 'unknown' };

/** The practice after one more event. */
export const evolve = (state: Practice, event: PracticeEvent): Practice => {
  if (event.type === 'PracticeCreated')
    return {
      status: 'known',
      ...event.data,
      timeZone: DEFAULT_TIME_ZONE,
      isTimeZoneSet: false,
      dateOrder: null,
      requiresSecondFactor: false,
      customFields: [],
      brokenGlass: null,
      singleSignOn: null,
      neededItems: null,
      daysUntilDue: null,
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
    case 'SecondFactorRequirementSet':
      return { ...state, requiresSecondFactor: event.data.required };
    case 'BreakGlassUsed':
      return { ...state, brokenGlass: event.data };
    case 'SingleSignOnSet':
      return { ...state, singleSignOn: event.data };
    case 'SingleSignOnTurnedOff':
      return { ...state, singleSignOn: null };
    case 'NeededItemsChosen':
      return { ...state, neededItems: event.data.items };
    case 'DaysUntilDueSet':
      return { ...state, daysUntilDue: event.data.days };
    case 'ImportColumnsMapped':
      return { ...state, importColumns: withColumns(state.importColumns, event.data.columns) };
    case 'ImportColumnsForgotten': {
      const { headings } = event.data;
      const importColumns = state.importColumns.filter(
        ({ heading }) => !headings.includes(heading),
      );
      return { ...state, importColumns };
    }
    case 'CustomFieldDefined':
    case 'CustomFieldChanged':
    case 'CustomFieldRetired':
    case 'CustomFieldRestored':
      return { ...state, customFields: evolveFields(state.customFields, event) };
  }
};

/** How a stream of a practice is read. */
export const practiceFold: Fold<Practice, PracticeEvent> = { initial: unknownPractice, evolve };

/** The remembered columns with others beside them, or in their place. */
export const withColumns = (
  held: readonly ImportColumn[],
  columns: readonly ImportColumn[],
): readonly ImportColumn[] => [
  ...held.filter(({ heading }) => !columns.some((one) => one.heading === heading)),
  ...columns,
];

/**
 * Whether a practice has a record that is not voided, as the read tables know it, or births in the
 * queue that may become one.
 */
export type HasLiveRecords = (practiceId: string) => Promise<boolean>;
