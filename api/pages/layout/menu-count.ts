import type { RequestHandler, Response } from 'express';
import type { Seat } from '../../access/signed-in.ts';
import type { App } from '../../ports/app-ports.ts';
import { isSafeMethod } from '../../web/same-origin.ts';
import { getSignedIn } from '../../web/session/signed-in-session.ts';
import { TO_DO } from '../paths.ts';
import { toWorkSeat } from './work-seat.ts';

/** Reused without a check until this age. */
const FRESH_MS = 10_000;
/** An older count is shown while a new one runs, unless it exceeds this age. */
const MAX_AGE_MS = 5 * 60_000;
const MAX_ENTRIES = 1_000;

const COUNT = 'toDo';

/** Number of to-do items; `undefined` if the seat has no to-do list or counting failed. */
type MenuCount = number | undefined;

export const readMenuCount = (res: Response): MenuCount | Promise<MenuCount> =>
  (res.locals[COUNT] as (() => MenuCount | Promise<MenuCount>) | undefined)?.();

interface CachedCount {
  readonly count: number;
  readonly at: number;
}

/** These pages count exactly, so that the menu agrees with their lists. */
const isExact = (path: string): boolean => path === '/registry' || path.startsWith(TO_DO);

/**
 * Shows a cached count on most pages. A change by a member of the practice in this process
 * invalidates it, and nothing is cached while an import or its undo runs.
 */
export const createMenuCounter = (app: App): RequestHandler => {
  const onFault = app.onFault('What is to do could not be counted; trying again.');
  const cache = new Map<string, CachedCount>();
  const changing = new Map<string, number>();

  const count = async (seat: Seat, key: string): Promise<number> => {
    const at = app.now().getTime();
    const { work } = app.hotReads;
    const { total, isChanging } = await work.countForMenu(toWorkSeat(seat, new Date(at)));
    // The command of an import or an undo ends long before its work.
    if (isChanging || changing.has(seat.practiceId)) return total;
    if (cache.size >= MAX_ENTRIES) cache.clear();
    cache.set(key, { count: total, at });
    return total;
  };

  const getCount = (seat: Seat, path: string): number | Promise<MenuCount> => {
    const key = `${seat.practiceId} ${seat.role === 'Admin'}`;
    const known = cache.get(key);
    const age = known === undefined ? MAX_AGE_MS : app.now().getTime() - known.at;
    if (known === undefined || age >= MAX_AGE_MS || isExact(path) || changing.has(seat.practiceId))
      return count(seat, key).catch((error: unknown) => {
        onFault(error);
        return undefined;
      });
    if (age >= FRESH_MS) count(seat, key).catch(onFault);
    return known.count;
  };

  const forget = (practiceId: string): void => {
    for (const key of cache.keys()) if (key.startsWith(`${practiceId} `)) cache.delete(key);
  };

  return (req, res, next) => {
    const who = getSignedIn(res);
    if (who?.kind !== 'member' || (who.role !== 'Admin' && who.role !== 'Provider')) {
      next();
      return;
    }
    const { practiceId } = who;
    if (!isSafeMethod(req)) {
      forget(practiceId);
      changing.set(practiceId, (changing.get(practiceId) ?? 0) + 1);
      res.on('close', () => {
        const left = (changing.get(practiceId) ?? 1) - 1;
        if (left > 0) changing.set(practiceId, left);
        else changing.delete(practiceId);
      });
    }
    res.locals[COUNT] = () => getCount(who, req.path);
    next();
  };
};
