import express, { type Express, type RequestHandler, type Router } from 'express';
import { docsRouter } from '../docs/docs-router.tsx';
import type { Metrics } from '../health/metrics.ts';
import { refuseUnknownExpectation } from '../http/answer-unreadable.ts';
import { createTrust, type TrustProxy } from '../http/client-address.ts';
import {
  type AnswerFault,
  allowOnly,
  errorMiddleware,
  notFound,
} from '../http/error-middleware.ts';
import type { SetResponseHeaders } from '../http/response-headers.ts';
import { sendCompressible } from '../http/send-compressible.ts';
import { openApiDocument } from '../openapi/document.ts';

export interface AppOptions {
  readonly push: Router | null;
  /** CapabilityStatement, which needs no key and has its own limit. */
  readonly metadata: Router | null;
  readonly pages: Router | null;
  /** Run before authentication. */
  readonly limitPush: readonly RequestHandler[];
  readonly trustProxy: TrustProxy;
  readonly health: Router;
  readonly metrics: Metrics;
  readonly baseUrl: string;
  readonly supportContact: string | null;
  readonly setResponseHeaders: SetResponseHeaders;
  readonly answerFault: AnswerFault;
}

/** A test compares these routes with the OpenAPI document. */
export const createApp = (options: AppOptions): Express => {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.set('trust proxy', createTrust(options.trustProxy));
  app.use((_req, res, next) => {
    res.locals['correlationId'] = options.setResponseHeaders(res);
    next();
  });
  app.use(options.metrics.timeRequests);
  if (options.metadata !== null) app.use('/api/registry/fhir', options.metadata);
  if (options.push !== null) app.use('/api/registry/fhir', ...options.limitPush);
  app.use((req, _res, next) => {
    refuseUnknownExpectation(req);
    next();
  });
  if (options.push !== null) app.use('/api/registry/fhir', options.push);
  app.use('/health', options.health);
  app.get('/metrics', async (req, res) => {
    const text = Buffer.from(await options.metrics.text());
    await sendCompressible(req, res, options.metrics.contentType, text);
  });
  // Serialized once, because everyone gets the same document and anyone may request it.
  const contract = Buffer.from(
    JSON.stringify(openApiDocument(options.baseUrl, options.supportContact)),
  );
  app
    .route('/openapi.json')
    .get((req, res) => sendCompressible(req, res, 'application/json; charset=utf-8', contract))
    .all(allowOnly('GET, HEAD'));
  app.use('/docs', docsRouter(options.baseUrl));
  if (options.pages !== null) app.use(options.pages);
  app.use(notFound);
  app.use(errorMiddleware(options.answerFault));
  return app;
};
