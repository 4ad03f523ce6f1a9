import type { RefusalReason } from '../../domain/decision.ts';

/** One or two sentences: the problem and the remedy. */
export const formatRefusal = (why: RefusalReason): string => {
  switch (why.code) {
    case 'no-email-address':
      return 'The email needs to be an address such as name@example.org.';
    case 'password-too-short':
      return `The password needs at least ${why.least} characters.`;
    case 'password-too-long':
      return `The password has more than ${why.most} characters. Choose a shorter one.`;
    case 'password-common':
      return 'This password is too common. Choose another: a sentence is easy to remember and hard to guess.';
    case 'password-of-names':
      return 'The password contains only your email, the practice’s name, or the registry’s. Choose one that others cannot guess.';
    case 'password-ended':
      return 'The one-time password has expired. Ask the person who gave it to you for a new one.';
    case 'email-of-staff':
      return 'This email belongs to the service staff. Use another one for a member of a practice.';
    case 'email-of-another-practice':
      return 'This email belongs to a member of another practice, and an account can be in only one. Use another email.';
    case 'member-with-another-role':
      return `This email already belongs to a member of the practice, with the role ${why.role}. Change the role under Members.`;
    case 'no-member':
      return 'The practice has no member with this id. Check the current list of members.';
    case 'no-staff':
      return 'No one on the service staff has this email. `staff list` lists them all.';
    case 'no-account':
      return 'There is no account with this email. `staff list` and `member list` list all accounts.';
    case 'no-invitation':
      return 'This invitation has expired. Ask the person who invited you for a new one.';
    case 'own-email-of-staff':
      return 'Your email belongs to the service staff, who cannot be members of a practice. Ask to be invited with another email.';
    case 'own-seat-elsewhere':
      return 'You are a member of another practice, and an account can be in only one. Ask an Admin there to remove you first, or ask to be invited here with another email.';
    case 'practice-has-admin':
      return 'The practice has an Admin, who invites its members. The service staff cannot.';
    case 'seated-already':
      return `This person is already a member of the practice, with the role ${why.role}. Change the role under Members.`;
    case 'invited-already':
      return `This person is already invited, with the role ${why.role}. To change that, withdraw the invitation under Members, then invite them again.`;
    case 'no-role-of-auditors':
      return why.role === 'Admin'
        ? 'An Admin can read the access log and the audit trail already.'
        : `A ${why.role} cannot view records, so they cannot be an auditor. Change their role first.`;
    case 'last-admin':
      return 'This is the practice’s last Admin. Make another member an Admin first.';
    case 'review-outdated':
      return 'The list has changed since you opened it, so your review was not recorded. Check the current list and confirm it.';
    case 'email-of-member':
      return 'This email belongs to a member of a practice. Use another one for the service staff.';
    case 'key-without-name':
      return 'Give the key a name, so that you can recognize it in the list.';
    case 'name-too-long':
      return `The name has more than ${why.most} characters. Shorten it.`;
    case 'name-not-shown':
      return 'The name has characters that cannot be shown. Type it again.';
    case 'name-with-web-address':
      return 'The name contains a web address. Leave it out.';
    case 'name-of-no-person':
      return 'This does not look like a person’s name. Use letters, no @ sign, and no name that the registry uses for itself.';
    case 'person-without-name':
      return 'Enter a name, such as “Ana Ruiz”.';
    case 'practice-outside-beta':
      return 'The practice is not in the partner-EHR beta, so no key can be minted for it. Add it to the beta first.';
    case 'key-without-scope':
      return 'A key needs at least one scope. Give it ingest:write, ingest:read, or both.';
    case 'too-many-addresses':
      return `A key can have at most ${why.most} addresses and networks. Combine some into a larger network.`;
    case 'partner-has-key':
      return `The partner already has an active key for this practice, ${why.keyId}. Revoke it first.`;
    case 'not-a-match':
      return 'The two records are no longer possible duplicates. There is nothing to decide.';
    case 'pair-not-dismissed':
      return 'The two records were never marked as not a duplicate. There is nothing to undo.';
    case 'voided-record-is-not-compared':
      return 'The record is voided, so it is not compared with others. There is nothing to decide.';
    case 'merged-looks-like-another':
      return 'With these values, the record would be a possible duplicate of a third record. Decide about that one first, or keep the name and date of birth.';
    case 'merged-too-long':
      return 'The two records together have more than one record can store. Use fewer values from the other one.';
    case 'voided-since':
      return 'The record has been voided since then. There is nothing to keep active.';
    case 'decided-already':
      return 'Someone has already decided about this record. Nothing was changed.';
    case 'voided-is-brought-back-first':
      return 'The record is voided. Restore it first, then choose the version that you want.';
    case 'no-such-version':
      return 'The record does not have this version. Choose one from its history.';
    case 'correction-without-reason':
      return 'Choose why the record is corrected.';
    case 'no-import':
      return 'The practice has no import with this id. Find it in the list of imports.';
    case 'import-stopped':
      return 'The import stopped early, so it cannot be undone as a whole. Void or restore its records one by one.';
    case 'import-goes-on':
      return 'The import is still in progress. Wait until it has finished.';
    case 'import-without-records':
      return 'The import recorded nothing, so there is nothing to undo.';
    case 'no-such-question':
      return 'Someone has already answered this question. Reload the record.';
    case 'no-item-chosen':
      return 'Nothing was selected. Select at least one item.';
    case 'item-not-missing':
      return 'One of the items is no longer missing. Check what is still missing, and select again.';
    case 'expected-day-out-of-range':
      return 'Enter the day on which you expect it: tomorrow or later, and within a year.';
    case 'voided-needs-nothing':
      return 'The record has been voided since then. Nothing is needed for it.';
    case 'work-done-already':
      return 'Someone has already done this. There is nothing left to do.';
    case 'work-taken-by-other':
      return 'This was assigned to someone else. Check who has it before you continue.';
    case 'work-not-dismissible':
      return 'This cannot be dismissed. It leaves the list when its cause is fixed.';
    case 'reason-too-short':
      return 'Enter a reason of at least a few words.';
    case 'reason-too-long':
      return `The reason has more than ${why.most} characters. Shorten it.`;
    case 'reason-not-kept':
      return 'The reason has characters that cannot be stored. Type it again.';
    case 'field-is-retired':
      return 'The field is retired. Restore it before you change it.';
    case 'field-without-label':
      return 'A field needs a label, such as “Pediatrician”.';
    case 'no-field':
      return 'The practice has no field with this id. Check the current list of fields.';
    case 'too-many-fields':
      return `A practice can have up to ${why.most} custom fields. Retire one that you no longer need.`;
    case 'label-too-long':
      return `The label has more than ${why.most} characters. Shorten it.`;
    case 'label-not-shown':
      return 'The label has characters that cannot be shown. Type it again.';
    case 'label-taken':
      return 'Another field has this label. Choose a different one.';
    case 'too-few-answers':
      return 'Give at least two answers to choose from.';
    case 'too-many-answers':
      return `A field can have up to ${why.most} answers. Remove some.`;
    case 'answer-not-shown':
      return 'An answer is empty or has characters that cannot be shown. Type it again.';
    case 'answer-too-long':
      return `An answer has more than ${why.most} characters. Shorten it.`;
    case 'same-answers':
      return 'Two answers are the same. Remove one of them.';
    case 'answers-without-choice':
      return 'Only fields of the type Choice have answers. Remove the answers, or choose that type.';
    case 'no-such-certificate-item':
      return 'Choose an item of the birth certificate from the list.';
    case 'certificate-item-taken':
      return 'Another field is bound to this item. Unbind or retire that field first.';
    case 'field-unlike-certificate-item':
      return 'The type of the field, or one of its answers, is not that of the item. Choose another item, or add a field of the birth certificate.';
    case 'field-out-of-place':
      return `The position of a field must be a whole number from 0 to ${why.last}.`;
    case 'organization-without-name':
      return `A ${why.organization} needs a name of up to ${why.most} characters.`;
    case 'practice-stays-real':
      return 'The practice has active records, so it stays a real practice. Create a new practice as the sandbox.';
    case 'practice-stays-sandbox':
      return 'The practice has active records, so it stays a sandbox. Create a new practice for real births, or have the practice void its synthetic records first.';
    case 'merge-into-itself':
      return 'A provider cannot be merged into itself. Choose another survivor.';
    case 'providers-of-two-partners':
      return 'These providers come from two partners. Only providers from the same partner can be merged.';
    case 'no-absorbed-provider':
      return 'The practice has no provider with the id to be merged. `provider list` lists them all.';
    case 'no-surviving-provider':
      return 'The practice has no provider with the survivor’s id. `provider list` lists them all.';
    case 'absorbed-already':
      return `The provider ${why.absorbed} is already merged into ${why.into}. Merge that one instead.`;
    case 'survivor-is-absorbed':
      return `The survivor ${why.survivor} is itself merged into ${why.into}. Choose that one as the survivor.`;
    case 'no-practice':
      return 'There is no practice with this id. `practice list` lists them all.';
    case 'no-such-item':
      return 'One of the items is not on the list. Reload the page and choose again.';
    case 'no-such-column':
      return 'One of the fields is no longer on the list. Reload the page and choose again.';
    case 'two-headings-for-one-field':
      return 'Two columns would fill the same field. Choose another field for one, or leave it out.';
    case 'heading-not-kept':
      return `The column’s heading is longer than ${why.most} characters, or has some that cannot be stored. Change it in the file.`;
    case 'too-many-headings':
      return `Your practice already has ${why.most} remembered headings. Remove some first.`;
    case 'days-out-of-range':
      return `Enter a whole number of days from ${why.least} to ${why.most}, or leave it empty.`;
    case 'no-partner':
      return 'There is no partner with this id. `partner list` lists them all.';
    case 'no-key':
      return 'There is no key with this id. `key list` lists the keys of a practice or partner.';
    case 'no-provider':
      return 'There is no provider with this id. `provider list` lists the providers of a practice.';
    case 'no-record':
      return 'The practice has no record with this id. Find it in the list of records.';
    case 'same-password':
      return 'The new password is the same as the old one. Choose another.';
    case 'wrong-password':
      return 'The current password is wrong. Type it again.';
    case 'password-changed-since':
      return 'The password has been changed since then. Start over with the new one.';
  }
};
