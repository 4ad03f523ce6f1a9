import type { CustomFieldEvent } from '../custom-field/events.ts';
import type { Fact } from '../event-log.ts';
import type { ImportColumn } from '../intake/csv/column-names.ts';
import type { DateOrder } from '../intake/form/date-order.ts';
import type { Role } from '../roles.ts';

/** A practice was set up by the operator. */
export type PracticeCreated = Fact<
  'PracticeCreated',
  {
    readonly practiceId: string;
    readonly name: string;
    /** Holds synthetic data only, shows a banner, is in no benchmark. */
    readonly sandbox: boolean;
    /** In the partner-EHR beta: keys may be minted. */
    readonly beta: boolean;
  }
>;

/** A practice became a sandbox, or stopped being one. */
export type PracticeSandboxSet = Fact<
  'PracticeSandboxSet',
  { readonly practiceId: string; readonly sandbox: boolean }
>;

/** An attempt to change what a practice with live records is; nothing changed. */
export type PracticeSandboxChangeRefused = Fact<
  'PracticeSandboxChangeRefused',
  {
    readonly practiceId: string;
    /** What was asked for. */
    readonly sandbox: boolean;
  }
>;

/** A practice was taken into the partner-EHR beta, or out of it. */
export type PracticeBetaSet = Fact<
  'PracticeBetaSet',
  { readonly practiceId: string; readonly beta: boolean }
>;

/** A practice has another name. */
export type PracticeRenamed = Fact<
  'PracticeRenamed',
  { readonly practiceId: string; readonly name: string }
>;

/** The practice's clock: times are shown and entered by it. */
export type PracticeTimeZoneSet = Fact<
  'PracticeTimeZoneSet',
  {
    readonly practiceId: string;
    /** IANA id, such as `America/New_York`. */
    readonly timeZone: string;
  }
>;

/** The practice says how it writes dates: forms and files are read by it. */
export type PracticeDateOrderSet = Fact<
  'PracticeDateOrderSet',
  { readonly practiceId: string; readonly dateOrder: DateOrder }
>;

/** A practice's Admin required a second factor for its members, or made it optional again. */
export type SecondFactorRequirementSet = Fact<
  'SecondFactorRequirementSet',
  { readonly practiceId: string; readonly required: boolean }
>;

/**
 * The service staff invited an Admin into a practice that had lost all of its own. It is the only way
 * by which staff come near a practice's births, so its Admins are told.
 */
export type BreakGlassUsed = Fact<
  'BreakGlassUsed',
  {
    readonly practiceId: string;
    /** ISO 8601 instant. */
    readonly at: string;
    /** Why, in the words of the person who did it. */
    readonly reason: string;
    /** Who was invited. */
    readonly email: string;
  }
>;

/** An Admin reviewed every seat of the practice, and each is still needed. */
export type AccessReviewed = Fact<
  'AccessReviewed',
  {
    readonly practiceId: string;
    /** ISO 8601 instant. */
    readonly at: string;
    readonly seats: readonly { readonly memberId: string; readonly role: Role }[];
  }
>;

/** An Admin let the members of the practice sign in at an identity provider. The client's secret is not in the log. */
export type SingleSignOnSet = Fact<
  'SingleSignOnSet',
  {
    readonly practiceId: string;
    readonly issuer: string;
    /** The registry's name there. */
    readonly clientId: string;
    /** Of the emails that may sign in there; lower case. */
    readonly allowedDomains: readonly string[];
  }
>;

/** The practice turned off single sign-on at its own provider. */
export type SingleSignOnTurnedOff = Fact<'SingleSignOnTurnedOff', { readonly practiceId: string }>;

/** A practice's Admin chose which items of the certificate of live birth its records need. */
export type NeededItemsChosen = Fact<
  'NeededItemsChosen',
  {
    readonly practiceId: string;
    /** Ids of `CERTIFICATE_ITEMS`, in their order. */
    readonly items: readonly string[];
  }
>;

/** A practice's Admin said how soon after a birth its record has to be complete. */
export type DaysUntilDueSet = Fact<
  'DaysUntilDueSet',
  {
    readonly practiceId: string;
    /** Null: there is no due date any more. */
    readonly days: number | null;
  }
>;

/** A member said what headings of imported files mean, which the template does not know. */
export type ImportColumnsMapped = Fact<
  'ImportColumnsMapped',
  { readonly practiceId: string; readonly columns: readonly ImportColumn[] }
>;

/** A member took back what headings mean. */
export type ImportColumnsForgotten = Fact<
  'ImportColumnsForgotten',
  { readonly practiceId: string; readonly headings: readonly string[] }
>;

/** Events of a `practice-` stream. */
export type PracticeEvent =
  | PracticeCreated
  | PracticeSandboxSet
  | PracticeSandboxChangeRefused
  | PracticeBetaSet
  | PracticeRenamed
  | PracticeTimeZoneSet
  | PracticeDateOrderSet
  | SecondFactorRequirementSet
  | BreakGlassUsed
  | AccessReviewed
  | SingleSignOnSet
  | SingleSignOnTurnedOff
  | NeededItemsChosen
  | DaysUntilDueSet
  | ImportColumnsMapped
  | ImportColumnsForgotten
  | CustomFieldEvent;
