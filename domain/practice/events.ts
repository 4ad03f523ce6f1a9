import type { CustomFieldEvent } from '../custom-field/events.ts';
import type { Fact } from '../event-log.ts';
import type { ImportColumn } from '../intake/csv/column-names.ts';
import type { DateOrder } from '../intake/form/date-order.ts';
import type { Role } from '../roles.ts';
import type { Clock } from './clock.ts';

/** The operator created a practice. */
export type PracticeCreated = Fact<
  'PracticeCreated',
  {
    readonly practiceId: string;
    readonly name: string;
    /** True if it contains only synthetic data: it shows a banner and is excluded from benchmarks. */
    readonly sandbox: boolean;
    /** True while in the partner-EHR beta: keys can be minted. */
    readonly beta: boolean;
  }
>;

/** A practice became a sandbox, or stopped being one. */
export type PracticeSandboxSet = Fact<
  'PracticeSandboxSet',
  { readonly practiceId: string; readonly sandbox: boolean }
>;

/** Refused attempt to change the sandbox setting of a practice with live records. */
export type PracticeSandboxChangeRefused = Fact<
  'PracticeSandboxChangeRefused',
  {
    readonly practiceId: string;
    /** Requested setting. */
    readonly sandbox: boolean;
  }
>;

/** A practice joined or left the partner-EHR beta. */
export type PracticeBetaSet = Fact<
  'PracticeBetaSet',
  { readonly practiceId: string; readonly beta: boolean }
>;

/** A practice got another name. */
export type PracticeRenamed = Fact<
  'PracticeRenamed',
  { readonly practiceId: string; readonly name: string }
>;

/** Time zone in which the practice views and enters times. */
export type PracticeTimeZoneSet = Fact<
  'PracticeTimeZoneSet',
  {
    readonly practiceId: string;
    /** IANA id, such as `America/New_York`. */
    readonly timeZone: string;
  }
>;

/** Order of day and month in the forms and files of the practice. */
export type PracticeDateOrderSet = Fact<
  'PracticeDateOrderSet',
  { readonly practiceId: string; readonly dateOrder: DateOrder }
>;

/** Hours on the clock of the practice's pages. */
export type PracticeClockSet = Fact<
  'PracticeClockSet',
  { readonly practiceId: string; readonly clock: Clock }
>;

/** An Admin required a second factor for all members, or made it optional again. */
export type SecondFactorRequirementSet = Fact<
  'SecondFactorRequirementSet',
  { readonly practiceId: string; readonly required: boolean }
>;

/**
 * Service staff invited an Admin to a practice that had lost all of its Admins. This is the only way that
 * staff can gain access to a practice's births, so its Admins are notified.
 */
export type BreakGlassUsed = Fact<
  'BreakGlassUsed',
  {
    readonly practiceId: string;
    /** ISO 8601 instant. */
    readonly at: string;
    /** Entered by the staff member. */
    readonly reason: string;
    /** Address of the invited Admin. */
    readonly email: string;
  }
>;

/** An Admin reviewed every role of the practice and confirmed that each is still needed. */
export type AccessReviewed = Fact<
  'AccessReviewed',
  {
    readonly practiceId: string;
    /** ISO 8601 instant. */
    readonly at: string;
    readonly seats: readonly { readonly memberId: string; readonly role: Role }[];
  }
>;

/** An Admin enabled sign-in through an identity provider. The client's secret is not in the log. */
export type SingleSignOnSet = Fact<
  'SingleSignOnSet',
  {
    readonly practiceId: string;
    readonly issuer: string;
    /** Client id of the registry at the provider. */
    readonly clientId: string;
    /** Email domains that can sign in, in lower case. */
    readonly allowedDomains: readonly string[];
  }
>;

/** An Admin disabled sign-in through an identity provider. */
export type SingleSignOnTurnedOff = Fact<'SingleSignOnTurnedOff', { readonly practiceId: string }>;

/** An Admin chose the required items of the certificate of live birth. */
export type NeededItemsChosen = Fact<
  'NeededItemsChosen',
  {
    readonly practiceId: string;
    /** Ids of `CERTIFICATE_ITEMS`, in their order. */
    readonly items: readonly string[];
  }
>;

/** An Admin set the deadline for completing a record, in days after birth. */
export type DaysUntilDueSet = Fact<
  'DaysUntilDueSet',
  {
    readonly practiceId: string;
    /** Null if the due date was removed. */
    readonly days: number | null;
  }
>;

/** A member mapped headings of imported files that the template does not know. */
export type ImportColumnsMapped = Fact<
  'ImportColumnsMapped',
  { readonly practiceId: string; readonly columns: readonly ImportColumn[] }
>;

/** A member removed mappings of headings. */
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
  | PracticeClockSet
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
