import { Router } from 'express';
import { getAddressBucket, rateLimiter, WINDOW_MS } from '../http/rate-limiter.ts';
import type { App } from '../ports/app-ports.ts';
import { requireRoleOrStaff } from '../web/guards/seats.ts';
import { logRouter } from './log-router.ts';

/** Per address; enough to fetch the tiles of ten million events within an hour. */
export const LOG_READS_PER_MINUTE = 1_200;

/** Needs no session. */
export const createPublicLogRouter = (app: App, isLogPublic: boolean): Router => {
  const { limiterStore, meters } = app;
  if (!isLogPublic) return Router();
  const limit = rateLimiter({
    store: limiterStore('log', WINDOW_MS),
    limit: LOG_READS_PER_MINUTE,
    windowMs: WINDOW_MS,
    getBucket: getAddressBucket,
    onRefused: () => meters.refused('log'),
  });
  return Router().use('/log', limit).use(logRouter(app, null));
};

export const createMemberLogRouter = (app: App): Router =>
  logRouter(app, requireRoleOrStaff('Admin', 'Provider', 'Viewer'));
