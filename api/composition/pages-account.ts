import type { Router } from 'express';
import { hashPassword, isPassword } from '../../adapters/crypto/passwords.ts';
import { passwordsOf } from '../../adapters/postgres/passwords.ts';
import { endSessionsIn } from '../../adapters/postgres/session-store.ts';
import { changePasswordWith } from '../commands/change-password.ts';
import { accountRouter } from '../pages/account/account-router.tsx';
import { TRIES_WINDOW_MS } from '../pages/sign-in/sign-in-throttle.ts';
import { limiterStoreOf } from './limiter-store.ts';
import type { SharedParts } from './parts.ts';

/** Wires the pages of one's own account to the stores. */
export const accountPagesOf = (parts: SharedParts): Router => {
  const { stores, accessNotes, meters, now } = parts;
  const { db } = stores;
  const { find, holdAccount } = passwordsOf(db);
  return accountRouter({
    changePassword: changePasswordWith({
      findPasswordHash: find,
      ...{ holdAccount, isPassword, hashPassword },
    }),
    endSessions: endSessionsIn(db),
    triesOfAccounts: limiterStoreOf(parts, 'sign-in-account', TRIES_WINDOW_MS),
    triesOfAddresses: limiterStoreOf(parts, 'sign-in-address', TRIES_WINDOW_MS),
    onRefused: meters.refused,
    accessNotes,
    now,
  });
};
