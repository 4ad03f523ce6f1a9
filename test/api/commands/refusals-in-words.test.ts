import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { formatRefusal } from '../../../api/commands/refusal-messages.ts';
import type { RefusalReason } from '../../../domain/decision.ts';

const words = suite('the words of a refusal');

const ROWS: readonly [RefusalReason, string][] = [
  [
    { code: 'email-of-another-practice' },
    'This email belongs to a member of another practice, and an account can belong to only one practice. Use another email.',
  ],
  [
    { code: 'no-member' },
    'The practice has no member with this id. Check the current list of members.',
  ],
  [
    { code: 'last-admin' },
    'This is the last Admin of the practice: make another member an Admin first.',
  ],
  [
    { code: 'no-role-of-auditors', role: 'Admin' },
    'An Admin can read the access log and the audit trail already.',
  ],
  [
    { code: 'no-role-of-auditors', role: 'Scribe' },
    'A Scribe cannot view records, so they cannot be an auditor. Change the role first.',
  ],
  [{ code: 'voided-since' }, 'The record has been voided since. There is nothing to keep.'],
  [
    { code: 'no-record' },
    'The practice holds no record with this id. Find the record in the list of records.',
  ],
  [
    { code: 'merge-into-itself' },
    'A provider cannot be merged into itself. Choose another survivor.',
  ],
  [
    { code: 'no-surviving-provider' },
    'The survivor is no provider of the practice: `provider list` names them all.',
  ],
  [
    { code: 'absorbed-already', absorbed: 'a', into: 'b' },
    'The provider a is merged into b already. Merge that one instead.',
  ],
  [
    { code: 'survivor-is-absorbed', survivor: 'a', into: 'b' },
    'The survivor a is merged into b itself. Name that one as the survivor.',
  ],
  [{ code: 'wrong-password' }, 'The old password is not right. Type it again.'],
  [{ code: 'same-password' }, 'The new password is the old one. Choose another.'],
  [{ code: 'name-too-long', most: 200 }, 'The name has more than 200 characters. Shorten it.'],
];

for (const [reason, text] of ROWS)
  words(`say what is wrong and what to do: ${JSON.stringify(reason)}`, () => {
    assert.is(formatRefusal(reason), text);
  });

words.run();
