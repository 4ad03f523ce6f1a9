import type { Request, Response } from 'express';
import { removeStrayInvisible } from '../../domain/text-input.ts';
import type { App } from '../ports/app-ports.ts';
import { queryText } from './form-body.ts';
import { seatOf } from './seats.ts';

/** What was searched for, as its address tells it. */
export interface SearchWords {
  /** Empty: nothing, or what nobody can read any more. */
  readonly text: string;
  /** The same for an address; empty for nothing. */
  readonly sealed: string;
  /** The address holds a search of another session, or one of long ago: it has to be typed again. */
  readonly isOver: boolean;
}

/** Name of the parameter that holds the sealed words. */
export const SEARCH_PARAMETER = 'search';

const MAX_SEARCH_LENGTH = 200;

/*
 * Names and chart numbers never stand in an address: proxies, browsers and the next person at the screen keep
 * those. What is searched for is posted, and its answer has an address in which it is sealed for the session:
 * reload, Back, the pages of the list and a bookmark find it again until the session ends.
 */

/** One line of what was typed. No name holds control characters, and the database takes no text with a NUL. */
export const typedSearch = (text: string): string =>
  removeStrayInvisible(text.replaceAll(/\p{Cc}/gu, ' '))
    .slice(0, MAX_SEARCH_LENGTH)
    .trim();

/** The words of a list, sealed for the session and the seat. */
export const searchWordsWith = ({ sealedTexts }: Pick<App, 'sealedTexts'>) => {
  const boundTo = (req: Request, res: Response): string =>
    JSON.stringify(['search', req.sessionID, seatOf(res).seatId]);
  return {
    /** The address's parameter for what was typed; empty for nothing. */
    seal: (req: Request, res: Response, typed: string): string =>
      typed === '' ? '' : sealedTexts.seal(typed, boundTo(req, res)),

    /** What the address of a list asks for. */
    async read(req: Request, res: Response): Promise<SearchWords> {
      const sealed = queryText(req, SEARCH_PARAMETER);
      if (sealed === '') return { text: '', sealed: '', isOver: false };
      const text = await sealedTexts.open(sealed, boundTo(req, res));
      return text === null
        ? { text: '', sealed: '', isOver: true }
        : { text, sealed, isOver: false };
    },
  };
};
