import type { Request, Response } from 'express';
import { removeStrayInvisible } from '../../domain/text-input.ts';
import type { App } from '../ports/app-ports.ts';
import { readQueryText } from './form-body.ts';
import { getSeat } from './guards/seats.ts';

export interface SealedSearch {
  /** Empty if none, or if it cannot be decrypted. */
  readonly text: string;
  /** For addresses; empty if none. */
  readonly sealed: string;
  /** True if the search is of another session or has expired, and must be typed again. */
  readonly isExpired: boolean;
}

export const SEARCH_PARAMETER = 'search';

const MAX_SEARCH_LENGTH = 200;

/*
 * Addresses never contain names or chart numbers, because proxies and browsers store addresses. The
 * address of a posted search contains it, sealed for the session, so that reload, Back, paging and
 * bookmarks work until the session ends.
 */

/** Control characters appear in no name, and Postgres cannot store NUL. */
export const readTypedSearch = (text: string): string =>
  removeStrayInvisible(text.replaceAll(/\p{Cc}/gu, ' '))
    .slice(0, MAX_SEARCH_LENGTH)
    .trim();

/** Bound to the session and the seat. */
export const createSearchSealer = ({ textCipher }: Pick<App, 'textCipher'>) => {
  const boundTo = (req: Request, res: Response): string =>
    JSON.stringify(['search', req.sessionID, getSeat(res).seatId]);
  return {
    /** Empty if nothing was typed. */
    seal: (req: Request, res: Response, typed: string): string =>
      typed === '' ? '' : textCipher.seal(typed, boundTo(req, res)),

    async read(req: Request, res: Response): Promise<SealedSearch> {
      const sealed = readQueryText(req, SEARCH_PARAMETER);
      if (sealed === '') return { text: '', sealed: '', isExpired: false };
      const text = await textCipher.open(sealed, boundTo(req, res));
      return text === null
        ? { text: '', sealed: '', isExpired: true }
        : { text, sealed, isExpired: false };
    },
  };
};
