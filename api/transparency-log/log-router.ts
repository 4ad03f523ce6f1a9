import { type RequestHandler, type Response, Router } from 'express';
import { verifierKeyText } from '../../domain/transparency-log/signed-note.ts';
import { hasTile, tileAt } from '../../domain/transparency-log/tiles.ts';
import type { BoundRegistry } from '../registry/registry.ts';

type LogReads = Pick<BoundRegistry, 'hotReads' | 'checkpointKeys'>;

const IMMUTABLE = 'public, max-age=31536000, immutable';

/**
 * What anybody needs who watches the log: its last checkpoint, its tiles, and the keys that checkpoints are
 * signed with. Hashes only: the events are births.
 * @param guard lets through who may see them; null: everybody may, and anything between may keep them
 * @see C2SP tlog-tiles
 */
export const logRouter = (registry: LogReads, guard: RequestHandler | null): Router => {
  const guards = guard === null ? [] : [guard];
  const caching = guard === null ? IMMUTABLE : 'no-store';
  return Router()
    .get('/log/checkpoint', guards, checkpointOf(registry))
    .get('/log/key', guards, keysOf(registry, 1))
    .get('/log/keys', guards, keysOf(registry))
    .get('/log/tile/*tile', guards, tileOf(registry, caching));
};

const checkpointOf =
  ({ hotReads }: LogReads): RequestHandler =>
  async (_req, res) => {
    const last = await hotReads.lastCheckpoint();
    sendText(res, last?.note);
  };

/** One to a line, the newest first. */
const keysOf =
  ({ checkpointKeys }: LogReads, most = Number.POSITIVE_INFINITY): RequestHandler =>
  async (_req, res) => {
    const keys = (await checkpointKeys()).toReversed().slice(0, most);
    sendText(res, keys.map((key) => `${verifierKeyText(key)}\n`).join('') || undefined);
  };

const sendText = (res: Response, text: string | undefined): void => {
  res.setHeader('Cache-Control', 'no-store');
  res.type('text/plain; charset=utf-8');
  if (text === undefined) res.status(404).send('There is none yet. Ask again in a minute.\n');
  else res.send(text);
};

const tileOf =
  ({ hotReads }: LogReads, caching: string): RequestHandler =>
  async (req, res) => {
    const tile = tileAt(req.path.slice('/log/'.length));
    const size = (await hotReads.lastCheckpoint())?.size ?? 0;
    if (tile === null || !hasTile(tile, size)) {
      res.status(404).type('text/plain; charset=utf-8');
      res.send('The log has no such tile up to its last checkpoint.\n');
      return;
    }
    const hashes = await hotReads.readTile(tile);
    res.setHeader('Cache-Control', caching);
    res.type('application/octet-stream').send(Buffer.concat(hashes));
  };
