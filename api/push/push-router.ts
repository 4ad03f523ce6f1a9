import express, { type Router } from 'express';
import type { Caller } from '../access/authenticate.ts';
import { allowOnly, notFound } from '../http/error-middleware.ts';
import { REQUEST_PROBLEMS } from '../http/problems.ts';
import { RequestProblem } from '../http/request-problem.ts';
import type { AuthResult, FhirRouter } from './push-access.ts';

/** @see spec "Endpoints" */
export const pushRouter = (lane: FhirRouter): Router => {
  const router = express.Router();
  // Authentication comes first, so that paths are not revealed without a key.
  router.use((req, res, next) => {
    // The limiter has authenticated the request.
    res.locals['caller'] = lane.requireCaller(res.locals['sender'] as AuthResult, req);
    next();
  });
  for (const route of lane.routes)
    router
      .route(route.path)
      [route.method === 'GET' ? 'get' : 'post']((req, res) => {
        const correlationId = String(res.locals['correlationId']);
        const caller = res.locals['caller'] as Caller;
        const ingestionId = String(req.params['ingestion'] ?? '');
        return lane.answer(route, { req, res, correlationId, caller }, ingestionId);
      })
      .all(allowOnly(route.method === 'GET' ? 'GET, HEAD' : 'POST'));
  // Not strict: matches the base with or without a trailing slash.
  router.all('/', () => {
    throw new RequestProblem(REQUEST_PROBLEMS['nothing-at-base']);
  });
  router.use(notFound);
  return router;
};
