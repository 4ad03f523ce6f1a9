import { type RequestHandler, type Response, Router } from 'express';
import { openCheckpoint } from '../../transparency-log/checkpoint.ts';
import { omitIncomplete } from '../../transparency-log/log-tree.ts';
import { formatVerifierKey, type VerifierKey } from '../../transparency-log/signed-note.ts';
import { hasTile, parseTilePath } from '../../transparency-log/tiles.ts';
import { PROOF_RETRY_SECONDS } from '../http/problems.ts';
import { getAddressBucket, rateLimiter, WINDOW_MS } from '../http/rate-limiter.ts';
import type { App, AppPorts } from '../ports/app-ports.ts';
import { requireRoleOrStaff } from '../web/guards/seats.ts';

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

type LogReads = Pick<AppPorts, 'hotReads' | 'checkpointKeys'>;

const IMMUTABLE = 'public, max-age=31536000, immutable';

/**
 * Contains only hashes, because the events are births.
 * @param guard if `null`, access is public and caches may store responses
 * @see C2SP tlog-tiles
 */
export const logRouter = (registry: LogReads, guard: RequestHandler | null): Router => {
  const guards = guard === null ? [] : [guard];
  const caching = guard === null ? IMMUTABLE : 'no-store';
  return Router()
    .get('/log/checkpoint', guards, checkpointOf(registry))
    .get('/log/key', guards, keyOf(registry))
    .get('/log/keys', guards, keysOf(registry))
    .get('/log/tile/*tile', guards, tileOf(registry, caching));
};

const checkpointOf =
  ({ hotReads }: LogReads): RequestHandler =>
  async (_req, res) => {
    const last = await hotReads.findLastCheckpoint();
    sendText(res, last?.note);
  };

/** A newer key has signed nothing yet. */
const keyOf =
  ({ hotReads, checkpointKeys }: LogReads): RequestHandler =>
  async (_req, res) => {
    const [last, keys] = await Promise.all([hotReads.findLastCheckpoint(), checkpointKeys()]);
    const signing = keys.findLast((key) => last !== null && openCheckpoint(last.note, key));
    sendText(res, linesOf([signing ?? keys.at(-1)]));
  };

/** Newest first. */
const keysOf =
  ({ checkpointKeys }: LogReads): RequestHandler =>
  async (_req, res) => {
    sendText(res, linesOf((await checkpointKeys()).toReversed()));
  };

const linesOf = (keys: readonly (VerifierKey | undefined)[]): string | undefined =>
  keys.map((key) => (key === undefined ? '' : `${formatVerifierKey(key)}\n`)).join('') || undefined;

const sendText = (res: Response, text: string | undefined): void => {
  res.setHeader('Cache-Control', 'no-store');
  if (text === undefined) sendNothing(res, 'There is none yet. Ask again in a minute.');
  else res.type('text/plain; charset=utf-8').send(text);
};

const sendNothing = (res: Response, words: string): void => {
  res.status(404).set('Retry-After', String(PROOF_RETRY_SECONDS));
  res.type('text/plain; charset=utf-8').send(`${words}\n`);
};

const tileOf =
  ({ hotReads }: LogReads, caching: string): RequestHandler =>
  async (req, res) => {
    const tile = parseTilePath(req.path.slice('/log/'.length));
    const size = (await hotReads.findLastCheckpoint())?.size ?? 0;
    const hashes =
      tile !== null && hasTile(tile, size) ? await omitIncomplete(hotReads.readTile(tile)) : null;
    if (hashes === null) {
      sendNothing(res, 'The log has no such tile up to its last checkpoint.');
      return;
    }
    res.setHeader('Cache-Control', caching);
    res.type('application/octet-stream').send(Buffer.concat(hashes));
  };
