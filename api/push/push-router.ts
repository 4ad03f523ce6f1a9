import express, { type Request, type Response, type Router } from 'express';
import type { Caller } from '../access/authenticate.ts';
import { allowOnly, notFound } from '../http/error-middleware.ts';
import { REQUEST_PROBLEMS } from '../http/problems.ts';
import { RequestProblem } from '../http/request-problem.ts';
import type { Exchange } from './exchange.ts';
import type { FhirRouter } from './push-access.ts';

/** Routes of the push lane, and its answers to unknown paths. @see spec "Endpoints" */
export const pushRouter = (lane: FhirRouter): Router => {
  const router = express.Router();
  // Authentication comes first, so that paths are not revealed without a key.
  router.use(async (req, res, next) => {
    res.locals['caller'] = await lane.authenticate(req);
    next();
  });
  router.post('/Bundle', (req, res) => lane.submit(toExchange(req, res)));
  router.all('/Bundle', allowOnly('POST'));
  router.get('/ingestions/:ingestion', (req, res) =>
    lane.status(toExchange(req, res), String(req.params['ingestion'])),
  );
  router.all('/ingestions/:ingestion', allowOnly('GET, HEAD'));
  router.get('/ingestions/:ingestion/proof', (req, res) =>
    lane.prove(toExchange(req, res), String(req.params['ingestion'])),
  );
  router.all('/ingestions/:ingestion/proof', allowOnly('GET, HEAD'));
  // Not strict: matches the base with or without a trailing slash.
  router.all('/', () => {
    throw new RequestProblem(REQUEST_PROBLEMS['nothing-at-base']);
  });
  router.use(notFound);
  return router;
};

const toExchange = (req: Request, res: Response): Exchange => ({
  req,
  res,
  correlationId: String(res.locals['correlationId']),
  caller: res.locals['caller'] as Caller,
});
