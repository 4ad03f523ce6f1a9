import { CUSTOM_FIELD_EVENTS } from '../custom-field/events.ts';
import { defineEvents, type InferEvent } from '../define-events.ts';
import { importColumn } from '../mapping/csv/column-names.ts';
import { DATE_ORDERS } from '../mapping/form/date-order.ts';
import { ROLES } from '../roles.ts';
import { array, boolean, instant, literal, nullable, object, ordinal, text } from '../schema.ts';
import { CLOCKS } from './clock.ts';

/** Events of a `practice-` stream. */
export const PRACTICE_EVENTS = {
  ...defineEvents('practice', {
    /** The operator created a practice. */
    PracticeCreated: object({
      practiceId: text,
      name: text,
      /** True if it contains only synthetic data: it shows a banner and is excluded from benchmarks. */
      sandbox: boolean,
      /** True while in the partner-EHR beta: keys can be minted. */
      beta: boolean,
    }),

    /** A practice became a sandbox, or stopped being one. */
    PracticeSandboxSet: object({ practiceId: text, sandbox: boolean }),

    /** Refused attempt to change the sandbox setting of a practice with live records. */
    PracticeSandboxChangeRefused: object({
      practiceId: text,
      /** Requested setting. */
      sandbox: boolean,
    }),

    /** A practice joined or left the partner-EHR beta. */
    PracticeBetaSet: object({ practiceId: text, beta: boolean }),

    /** A practice got another name. */
    PracticeRenamed: object({ practiceId: text, name: text }),

    /** Time zone in which the practice views and enters times. */
    PracticeTimeZoneSet: object({
      practiceId: text,
      /** IANA id, such as `America/New_York`. */
      timeZone: text,
    }),

    /** Order of day and month in the forms and files of the practice. */
    PracticeDateOrderSet: object({ practiceId: text, dateOrder: literal(...DATE_ORDERS) }),

    /** Hours on the clock of the practice's pages. */
    PracticeClockSet: object({ practiceId: text, clock: literal(...CLOCKS) }),

    /** An Admin required a second factor for all members, or made it optional again. */
    SecondFactorRequirementSet: object({ practiceId: text, required: boolean }),

    /**
     * Service staff invited an Admin to a practice that had lost all of its Admins. This is the only way that
     * staff can gain access to a practice's births, so its Admins are notified.
     */
    BreakGlassUsed: object({
      practiceId: text,
      at: instant,
      /** Entered by the staff member. */
      reason: text,
      /** Address of the invited Admin. */
      email: text,
    }),

    /** An Admin reviewed every role of the practice and confirmed that each is still needed. */
    AccessReviewed: object({
      practiceId: text,
      at: instant,
      seats: array(object({ memberId: text, role: literal(...ROLES) })),
    }),

    /** An Admin enabled sign-in through an identity provider. The client's secret is not in the log. */
    SingleSignOnSet: object({
      practiceId: text,
      issuer: text,
      /** Client id of the registry at the provider. */
      clientId: text,
      /** Email domains that can sign in, in lower case. */
      allowedDomains: array(text),
    }),

    /** An Admin disabled sign-in through an identity provider. */
    SingleSignOnTurnedOff: object({ practiceId: text }),

    /** An Admin chose the required items of the certificate of live birth. */
    NeededItemsChosen: object({
      practiceId: text,
      /** Ids of `CERTIFICATE_ITEMS`, in their order. */
      items: array(text),
    }),

    /** An Admin set the deadline for completing a record, in days after birth. */
    DaysUntilDueSet: object({
      practiceId: text,
      /** Null if the due date was removed. */
      days: nullable(ordinal),
    }),

    /** An Admin chose whether the state file has the edit flags of the practice's answers. */
    EditFlagsSet: object({ practiceId: text, written: boolean }),

    /** A member mapped headings of imported files that the template does not know. */
    ImportColumnsMapped: object({ practiceId: text, columns: array(importColumn) }),

    /** A member removed mappings of headings. */
    ImportColumnsForgotten: object({ practiceId: text, headings: array(text) }),
  }),
  ...CUSTOM_FIELD_EVENTS,
};

type Events = typeof PRACTICE_EVENTS;
export type PracticeEvent<Type extends keyof Events = keyof Events> = InferEvent<Events, Type>;
