import type { Router } from 'express';
import { hashPassword, isPassword } from '../../../adapters/crypto/passwords.ts';
import { endSessionsIn } from '../../../adapters/postgres/access/end-sessions.ts';
import { passwordsOf } from '../../../adapters/postgres/access/passwords.ts';
import { changePasswordWith } from '../../commands/change-password.ts';
import { accountRouter } from '../../pages/account/account-router.tsx';
import type { SharedParts } from '../parts.ts';
import { throttleOf } from '../sign-in-throttle.ts';

/** Wires the pages of one's own account to the stores. */
export const accountPagesOf = (parts: SharedParts): Router => {
  const { stores, accessNotes, now } = parts;
  const { db } = stores;
  const { find, holdAccount } = passwordsOf(db);
  return accountRouter({
    changePassword: changePasswordWith({
      findPasswordHash: find,
      holdAccount,
      isPassword,
      hashPassword,
    }),
    endSessions: endSessionsIn(db),
    throttle: throttleOf(parts),
    accessNotes,
    now,
  });
};
