import type { RefusalReason } from '../../domain/decision.ts';

/** Text of a refusal: one or two sentences that state the problem and the remedy. */
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
      return 'The password is made of your email, the name of the practice or that of the registry. Choose one that others cannot put together.';
    case 'password-ended':
      return 'The one-time password has expired. Ask the person who gave it to you for a new one.';
    case 'email-of-staff':
      return 'This email belongs to the service staff. Use another one for a member of a practice.';
    case 'email-of-another-practice':
      return 'This email belongs to a member of another practice, and an account can belong to only one practice. Use another email.';
    case 'member-with-another-role':
      return `This email belongs to a member of the practice already, with the role ${why.role}. Change the role under Members.`;
    case 'no-member':
      return 'The practice has no member with this id. Check the current list of members.';
    case 'no-staff':
      return 'No member of the service staff has this email: `staff list` names them all.';
    case 'no-account':
      return 'There is no account with this email: `staff list` and `member list` name those there are.';
    case 'no-invitation':
      return 'This invitation has expired. Ask the person who invited you for a new one.';
    case 'own-email-of-staff':
      return 'Your email belongs to the service staff, who cannot be members of a practice. Ask to be invited with another email.';
    case 'own-seat-elsewhere':
      return 'You are a member of another practice, and an account can belong to only one practice. Ask an Admin there to remove you first, or ask to be invited here with another email.';
    case 'practice-has-admin':
      return 'The practice has an Admin, so the service staff send no invitations there: an Admin does.';
    case 'seated-already':
      return `This person is a member of the practice already, as ${why.role}. Change the role under Members.`;
    case 'no-role-of-auditors':
      return why.role === 'Admin'
        ? 'An Admin can read the access log and the audit trail already.'
        : `A ${why.role} cannot view records, so they cannot be an auditor. Change the role first.`;
    case 'last-admin':
      return 'This is the last Admin of the practice: make another member an Admin first.';
    case 'review-outdated':
      return 'The list has changed since you opened it, so your review was not recorded. Check the current list and confirm it.';
    case 'email-of-member':
      return 'This email belongs to a member of a practice. Use another one for the service staff.';
    case 'key-without-name':
      return 'Give the key a name, so that you know it in the list.';
    case 'name-too-long':
      return `The name has more than ${why.most} characters. Shorten it.`;
    case 'name-not-shown':
      return 'The name has characters that cannot be shown. Type it again.';
    case 'name-with-web-address':
      return 'The name has a web address in it. Leave that out.';
    case 'name-of-no-person':
      return 'This does not look like a person’s name. Use letters, no @ sign, and no name that the registry uses for itself.';
    case 'person-without-name':
      return 'Enter a name, such as “Ana Ruiz”.';
    case 'practice-outside-beta':
      return 'The practice is outside the partner-EHR beta, so no key can be minted for it. Add it to the beta first.';
    case 'key-without-scope':
      return 'A key needs at least one scope. Give it ingest:write, ingest:read or both.';
    case 'too-many-addresses':
      return `A key takes at most ${why.most} addresses and networks. Combine some of them into a larger network.`;
    case 'partner-has-key':
      return `The partner has a live key for this practice, ${why.keyId}. Revoke it before another is minted.`;
    case 'not-a-match':
      return 'The two records are no longer possible duplicates. There is nothing to decide.';
    case 'pair-not-dismissed':
      return 'The two records were never marked as different births: there is nothing to undo.';
    case 'voided-record-is-not-compared':
      return 'The record is voided, so it is compared with no other one. There is nothing to decide about it.';
    case 'merged-looks-like-another':
      return 'With these values the record would look like a third record of the practice. Decide about that one first, or leave the name and date of birth as they are.';
    case 'merged-too-long':
      return 'The two records together hold more than a record can keep. Take over less from the other one.';
    case 'voided-since':
      return 'The record has been voided since. There is nothing to keep.';
    case 'decided-already':
      return 'Someone has already decided about this record. Nothing was changed.';
    case 'voided-is-brought-back-first':
      return 'The record is voided. Bring it back first, then restore the version that you want.';
    case 'no-such-version':
      return 'The record never had this version. Choose one from its history.';
    case 'correction-without-reason':
      return 'Choose why the record is corrected.';
    case 'no-import':
      return 'The practice has no import with this id. Find it in the list of imports.';
    case 'import-stopped':
      return 'The import stopped before its end, so it cannot be undone as a whole. Void or restore its records one by one.';
    case 'import-goes-on':
      return 'The import is still in progress. Wait until it has finished.';
    case 'import-without-records':
      return 'The import recorded nothing, so there is nothing to undo.';
    case 'no-such-question':
      return 'This question about the record has already been answered. Open the record again.';
    case 'work-done-already':
      return 'Someone has already done this. There is nothing left to do.';
    case 'work-taken-by-other':
      return 'This is now assigned to someone else. Check who has it before you continue.';
    case 'work-not-dismissible':
      return 'This cannot be dismissed. It leaves the list when its cause is gone.';
    case 'reason-too-short':
      return 'Say why, in a few words at least.';
    case 'reason-too-long':
      return `The reason has more than ${why.most} characters. Shorten it.`;
    case 'reason-not-kept':
      return 'The reason has characters that cannot be kept. Type it again.';
    case 'field-is-retired':
      return 'The field is retired: restore it before you change it.';
    case 'field-without-label':
      return 'A field needs a label, such as “Pediatrician”.';
    case 'no-field':
      return 'The practice has no field with this id. Look at the list of fields as it is now.';
    case 'too-many-fields':
      return `A practice has up to ${why.most} fields of its own. Retire one that is not needed any more.`;
    case 'label-too-long':
      return `The label has more than ${why.most} characters. Shorten it.`;
    case 'label-not-shown':
      return 'The label has characters that cannot be shown. Type it again.';
    case 'label-taken':
      return 'Another field has this label: choose a different one.';
    case 'too-few-answers':
      return 'A choice needs at least two answers to choose from.';
    case 'too-many-answers':
      return `A choice has up to ${why.most} answers. Remove those that are not needed.`;
    case 'answer-not-shown':
      return 'An answer is empty or has characters that cannot be shown. Type it again.';
    case 'answer-too-long':
      return `An answer has more than ${why.most} characters. Shorten it.`;
    case 'same-answers':
      return 'Two answers are the same. Remove one of them.';
    case 'answers-without-choice':
      return 'Only a field of the type choice has answers. Remove them, or choose that type.';
    case 'field-out-of-place':
      return `The place of a field needs to be a whole number from 0 to ${why.last}.`;
    case 'organization-without-name':
      return `A ${why.organization} needs a name. Give it one of up to ${why.most} characters.`;
    case 'practice-stays-real':
      return 'The practice has active records, so it stays a real practice. Create a new practice as the sandbox.';
    case 'practice-stays-sandbox':
      return 'The practice has active records, so it stays a sandbox. Create a new practice for real births, or have the practice void its synthetic records first.';
    case 'merge-into-itself':
      return 'A provider cannot be merged into itself. Choose another survivor.';
    case 'providers-of-two-partners':
      return 'The providers were named by two partners. Only identities from the same partner can be merged.';
    case 'no-absorbed-provider':
      return 'The absorbed provider is no provider of the practice: `provider list` names them all.';
    case 'no-surviving-provider':
      return 'The survivor is no provider of the practice: `provider list` names them all.';
    case 'absorbed-already':
      return `The provider ${why.absorbed} is merged into ${why.into} already. Merge that one instead.`;
    case 'survivor-is-absorbed':
      return `The survivor ${why.survivor} is merged into ${why.into} itself. Name that one as the survivor.`;
    case 'no-practice':
      return 'There is no practice with this id: `practice list` names them all.';
    case 'no-such-item':
      return 'One of the items is not on the list. Reload the page and choose again.';
    case 'no-such-column':
      return 'One of the fields is not on the list any more. Load the page again, and choose again.';
    case 'two-headings-for-one-field':
      return 'Two columns would be the same field. Choose another one for one of them, or leave it out.';
    case 'heading-not-kept':
      return `The heading of the column is longer than ${why.most} characters, or holds some that cannot be kept. Change it in the file.`;
    case 'too-many-headings':
      return `Your practice remembers ${why.most} headings already. Remove some of them first.`;
    case 'days-out-of-range':
      return `Enter a whole number of days from ${why.least} to ${why.most}, or leave it empty.`;
    case 'no-partner':
      return 'There is no partner with this id: `partner list` names them all.';
    case 'no-key':
      return 'There is no key with this id: `key list` names those of a practice or a partner.';
    case 'no-provider':
      return 'There is no provider with this id: `provider list` names those of a practice.';
    case 'no-record':
      return 'The practice holds no record with this id. Find the record in the list of records.';
    case 'same-password':
      return 'The new password is the old one. Choose another.';
    case 'wrong-password':
      return 'The old password is not right. Type it again.';
    case 'password-changed-since':
      return 'The password was changed in the meantime. Start over with the one that you have now.';
  }
};
