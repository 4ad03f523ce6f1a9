import { signInPlaceWith } from '../../adapters/crypto/sign-in-place.ts';
import { knownPlacesIn } from '../../adapters/postgres/access/known-places.ts';
import { passwordsOf } from '../../adapters/postgres/access/passwords.ts';
import { type ThrottleParts, TRIES_WINDOW_MS } from '../pages/sign-in/sign-in-throttle.ts';
import { limiterStoreOf } from './limiter-store.ts';
import type { SharedParts } from './parts.ts';

/** Wires what counts tries at passwords: all pages that take one count together. */
export const throttleOf = (parts: SharedParts): ThrottleParts => {
  const { stores, meters, now } = parts;
  const known = knownPlacesIn(stores.db);
  const { find } = passwordsOf(stores.db);
  const nameOf = signInPlaceWith(stores.secret);
  const placeOf = async (accountId: string, address: string) =>
    nameOf(accountId, address, await find(accountId));
  return {
    triesOfAccounts: limiterStoreOf(parts, 'sign-in-account', TRIES_WINDOW_MS),
    triesOfAddresses: limiterStoreOf(parts, 'sign-in-address', TRIES_WINDOW_MS),
    places: {
      isKnown: async (accountId, address) => known.isKnown(await placeOf(accountId, address)),
      remember: async (accountId, address) => known.remember(await placeOf(accountId, address)),
    },
    onRefused: meters.refused,
    now,
  };
};
