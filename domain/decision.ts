import type { Fact } from './event-log.ts';
import type { Role } from './roles.ts';

/** `formatRefusal` turns it into a message. */
export type Refusal = RefusalReason & { readonly kind: 'refused' };

/** `events` is empty if nothing changes. */
export interface Accepted<E extends Fact> {
  readonly kind: 'accepted';
  readonly events: readonly E[];
}

export type Decision<E extends Fact, Not = Refusal> = Accepted<E> | Not;

export const accept = <E extends Fact>(...events: readonly E[]): Accepted<E> => ({
  kind: 'accepted',
  events,
});

export const refuse = (why: RefusalReason): Refusal => ({ kind: 'refused', ...why });

export type RefusalReason =
  | {
      readonly code:
        | 'no-email-address'
        | 'email-of-staff'
        | 'email-of-another-practice'
        | 'no-member'
        | 'no-staff'
        | 'no-account'
        | 'no-invitation'
        | 'own-email-of-staff'
        | 'own-seat-elsewhere'
        | 'practice-has-admin'
        | 'last-admin'
        | 'review-outdated'
        | 'email-of-member'
        | 'key-without-name'
        | 'name-not-shown'
        | 'name-with-web-address'
        | 'name-of-no-person'
        | 'person-without-name'
        | 'practice-outside-beta'
        | 'key-without-scope'
        | 'not-a-match'
        | 'pair-not-dismissed'
        | 'voided-record-is-not-compared'
        | 'merged-looks-like-another'
        | 'merged-too-long'
        | 'voided-since'
        | 'decided-already'
        | 'voided-is-brought-back-first'
        | 'no-such-version'
        | 'correction-without-reason'
        | 'no-import'
        | 'import-stopped'
        | 'import-goes-on'
        | 'import-without-records'
        | 'no-such-question'
        | 'no-item-chosen'
        | 'item-not-missing'
        | 'expected-day-out-of-range'
        | 'voided-needs-nothing'
        | 'work-done-already'
        | 'work-not-dismissible'
        | 'reason-too-short'
        | 'reason-not-kept'
        | 'field-is-retired'
        | 'field-without-label'
        | 'no-field'
        | 'label-not-shown'
        | 'label-taken'
        | 'too-few-answers'
        | 'answer-not-shown'
        | 'same-answers'
        | 'answers-without-choice'
        | 'no-such-certificate-item'
        | 'certificate-item-taken'
        | 'field-unlike-certificate-item'
        | 'practice-stays-real'
        | 'practice-stays-sandbox'
        | 'merge-into-itself'
        | 'providers-of-two-partners'
        | 'no-absorbed-provider'
        | 'no-surviving-provider'
        | 'no-practice'
        | 'no-such-item'
        | 'no-such-column'
        | 'two-headings-for-one-field'
        | 'no-partner'
        | 'no-key'
        | 'no-provider'
        | 'no-record'
        | 'same-password'
        | 'password-common'
        | 'password-of-names'
        | 'password-ended'
        | 'wrong-password'
        | 'password-changed-since';
    }
  | { readonly code: 'password-too-short'; readonly least: number }
  | {
      readonly code:
        | 'password-too-long'
        | 'name-too-long'
        | 'reason-too-long'
        | 'too-many-fields'
        | 'too-many-addresses'
        | 'label-too-long'
        | 'too-many-answers'
        | 'answer-too-long'
        | 'heading-not-kept'
        | 'too-many-headings';
      readonly most: number;
    }
  | {
      readonly code:
        | 'member-with-another-role'
        | 'seated-already'
        | 'invited-already'
        | 'no-role-of-auditors';
      readonly role: Role;
    }
  | { readonly code: 'work-taken-by-other'; readonly memberId: string }
  | { readonly code: 'partner-has-key'; readonly keyId: string }
  | { readonly code: 'field-out-of-place'; readonly last: number }
  | { readonly code: 'days-out-of-range'; readonly least: number; readonly most: number }
  | {
      readonly code: 'organization-without-name';
      readonly organization: string;
      readonly most: number;
    }
  | { readonly code: 'absorbed-already'; readonly absorbed: string; readonly into: string }
  | { readonly code: 'survivor-is-absorbed'; readonly survivor: string; readonly into: string };
