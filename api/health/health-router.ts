import express, { type Router } from 'express';
import type { Readiness } from './readiness.ts';

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

export const answerReady = (found: Readiness) => ({
  status: isReady(found) ? 'ok' : 'unavailable',
  checks: found.checks,
  reasons: found.reasons,
  warnings: found.warnings,
});
