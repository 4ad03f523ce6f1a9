import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerReady } from '../health/health-router.ts';
import type { Metrics } from '../health/metrics.ts';
import type { ServiceStatus } from '../health/service-status.ts';
import { toIssue, toOutcome } from '../http/operation-outcome.ts';
import { REQUEST_PROBLEMS } from '../http/problems.ts';
import { BARE_PAGE_POLICY } from '../http/rate-limiter.ts';
import { wantsPage } from '../smart/smart-errors.ts';
import { isPage } from './pages.ts';
import { CALLBACKS_PER_MINUTE, LAUNCHES_PER_MINUTE } from './smart-routes.ts';

/** Self-contained, because nothing else is served yet. @param rebuild `null` if there is none */
export const buildStartingPage = (rebuild: string | null): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Starting · Birth Registry</title>
</head>
<body>
<main>
<h1>The registry is starting</h1>
${rebuild === null ? '' : `<p>It is rebuilding its tables from the event log. ${rebuild}.</p>\n`}<p>Load this page again in a moment.</p>
</main>
</body>
</html>
`;

export const createStartupHandler =
  (rateLimit: number, standing: ServiceStatus, metrics: Metrics) =>
  (req: IncomingMessage, res: ServerResponse): void => {
    const path = req.url?.split('?', 1)[0] ?? '';
    if (path === '/health/live') {
      sendWhole(res, 200, 'application/json', JSON.stringify({ status: 'ok' }));
      return;
    }
    const problem = REQUEST_PROBLEMS.starting;
    if (path === '/health/ready') {
      standing.readiness().then(
        (found) => {
          const body = JSON.stringify(answerReady(found));
          sendWhole(res, problem.status, 'application/json; charset=utf-8', body, problem.headers);
        },
        () => res.destroy(),
      );
      return;
    }
    if (path === '/metrics') {
      metrics.text().then(
        (text) => sendWhole(res, 200, metrics.contentType, text),
        () => res.destroy(),
      );
      return;
    }
    const limit = limitOf(path, rateLimit);
    const counted =
      limit === null ? {} : { 'X-RateLimit-Limit': limit, 'X-RateLimit-Remaining': 0 };
    if (isPage(path) && (!path.startsWith('/smart') || wantsPage(req))) {
      res.writeHead(problem.status, {
        'Content-Type': 'text/html; charset=utf-8',
        'Cache-Control': 'no-store',
        'Content-Security-Policy': BARE_PAGE_POLICY,
        ...problem.headers,
        ...counted,
      });
      res.end(buildStartingPage(standing.rebuild()));
      return;
    }
    res.writeHead(problem.status, {
      'Content-Type': 'application/fhir+json; charset=utf-8',
      ...problem.headers,
      ...counted,
    });
    res.end(JSON.stringify(toOutcome(toIssue(problem))));
  };

const sendWhole = (
  res: ServerResponse,
  status: number,
  contentType: string,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): void => {
  res.writeHead(status, { 'Content-Type': contentType, ...headers });
  res.end(body);
};

/** `null` if the path has no limiter. */
const limitOf = (path: string, pushLimit: number): number | null => {
  if (path.startsWith('/api/registry/fhir')) return pushLimit;
  if (path.startsWith('/smart/launch')) return LAUNCHES_PER_MINUTE;
  return path.startsWith('/smart/callback') ? CALLBACKS_PER_MINUTE : null;
};
