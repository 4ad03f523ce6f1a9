import type { Request, Response } from 'express';
import { removeStrayInvisible } from '../../domain/text-input.ts';
import type { App } from '../ports/app-ports.ts';
import { readQueryText } from './form-body.ts';
import { getSeat } from './guards/seats.ts';

/** Search in the address of a list. */
export interface SealedSearch {
  /** Empty if none, or if it cannot be decrypted. */
  readonly text: string;
  /** Sealed text for addresses; empty if none. */
  readonly sealed: string;
  /** True if the search is from another session or has expired, and must be typed again. */
  readonly isExpired: boolean;
}

/** Query parameter with the sealed search. */
export const SEARCH_PARAMETER = 'search';

const MAX_SEARCH_LENGTH = 200;

/*
 * Addresses never contain names or chart numbers, because proxies and browsers store addresses and
 * the next person at the screen can see them. A search is posted; the address of its answer
 * contains it, sealed for the session. Reload, Back, paging and bookmarks work until the session
 * ends.
 */

/** Search as one line. Control characters appear in no name, and Postgres cannot store NUL. */
export const readTypedSearch = (text: string): string =>
  removeStrayInvisible(text.replaceAll(/\p{Cc}/gu, ' '))
    .slice(0, MAX_SEARCH_LENGTH)
    .trim();

/** Seals and opens searches, bound to the session and the seat. */
export const createSearchSealer = ({ sealedTexts }: Pick<App, 'sealedTexts'>) => {
  const boundTo = (req: Request, res: Response): string =>
    JSON.stringify(['search', req.sessionID, getSeat(res).seatId]);
  return {
    /** Parameter for a typed search; empty if nothing was typed. */
    seal: (req: Request, res: Response, typed: string): string =>
      typed === '' ? '' : sealedTexts.seal(typed, boundTo(req, res)),

    /** Search of the requested address. */
    async read(req: Request, res: Response): Promise<SealedSearch> {
      const sealed = readQueryText(req, SEARCH_PARAMETER);
      if (sealed === '') return { text: '', sealed: '', isExpired: false };
      const text = await sealedTexts.open(sealed, boundTo(req, res));
      return text === null
        ? { text: '', sealed: '', isExpired: true }
        : { text, sealed, isExpired: false };
    },
  };
};
