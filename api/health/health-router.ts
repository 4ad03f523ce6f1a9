import express, { type Router } from 'express';

/** One thing that must work before the service can take requests. */
export interface ReadinessCheck {
  readonly name: string;
  /** Resolves with details for operators; rejects when it does not work. */
  readonly check: () => Promise<Readonly<Record<string, unknown>>>;
}

/** `/health/live`: the process answers. `/health/ready`: everything it needs answers too. */
export const healthRouter = (checks: readonly ReadinessCheck[]): Router => {
  const router = express.Router();
  router.get('/live', (_req, res) => {
    res.json({ status: 'ok' });
  });
  router.get('/ready', async (_req, res) => {
    const results = await Promise.all(
      checks.map(async ({ name, check }) => {
        try {
          return { name, ok: true, ...(await check()) };
        } catch (error) {
          return { name, ok: false, fault: error instanceof Error ? error.name : 'Error' };
        }
      }),
    );
    const isReady = results.every(({ ok }) => ok);
    res
      .status(isReady ? 200 : 503)
      .json({ status: isReady ? 'ok' : 'unavailable', checks: results });
  });
  return router;
};
