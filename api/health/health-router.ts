import express, { type Router } from 'express';
import type { Readiness } from './readiness.ts';

/**
 * `/health/live` answers while the process runs; `/health/ready` reports whether it can serve
 * requests.
 */
export const healthRouter = (readiness: () => Promise<Readiness>): Router => {
  const router = express.Router();
  router.get('/live', (_req, res) => {
    res.json({ status: 'ok' });
  });
  router.get('/ready', async (_req, res) => {
    const found = await readiness();
    res.status(isReady(found) ? 200 : 503).json(answerReady(found));
  });
  return router;
};

export const isReady = ({ reasons }: Readiness): boolean => reasons.length === 0;

/** Body of `/health/ready`. */
export const answerReady = (found: Readiness) => ({
  status: isReady(found) ? 'ok' : 'unavailable',
  checks: found.checks,
  reasons: found.reasons,
  warnings: found.warnings,
});
