import express, { type RequestHandler, type Router } from 'express';
import { REGISTRY_CODES } from '../../domain/course/codes.ts';
import { REGISTRY_KINDS } from '../../domain/mapping/bfdr/observation-kinds.ts';
import { allowOnly } from '../http/error-middleware.ts';
import { sendCompressible } from '../http/send-compressible.ts';
import { codesData, codesPage } from './codes-page.tsx';
import { diagnosticsPage } from './diagnostics-page.tsx';
import { loadDocsAssets } from './docs-assets.ts';
import { CodeList, type DocsAddresses, type DocsPage, writePage } from './docs-page.tsx';
import { editsPage } from './edits-page.tsx';
import { exportedItemsPage } from './exported-items-page.tsx';
import { statisticsPage } from './statistics-page.tsx';

const endpointsPage = ({ root, asset }: DocsAddresses): DocsPage => ({
  path: '/docs',
  title: 'Sending births to the registry',
  styles: [asset('swagger-ui.css'), asset('docs.css')],
  scripts: [asset('swagger-ui.js'), asset('docs.js')],
  content: (
    <>
      <p>
        Submit a FHIR R4 BFDR Bundle with an API key, then poll the address in{' '}
        <code>Content-Location</code> until the receipt is completed or failed. Each record is
        accepted or rejected on its own.
      </p>
      <p>
        What went wrong, and how to fix it, stands under{' '}
        <a href={`${root}/docs/diagnostics`}>Diagnostics</a>.{' '}
        <a href={`${root}/docs/codes`}>Codes</a> lists every code that is read, with its field,
        units and place. For what has no published code the registry has{' '}
        <a href={`${root}/docs/codes#own-codes`}>codes of its own</a>, in the system{' '}
        <code>{REGISTRY_CODES}</code>: <CodeList codes={[...REGISTRY_KINDS.keys()]} />. The contract
        itself is <a href={`${root}/openapi.json`}>openapi.json</a>.
      </p>
      <div id="endpoints" data-contract={`${root}/openapi.json`}>
        <noscript>
          <p>
            The list of endpoints needs JavaScript;{' '}
            <a href={`${root}/openapi.json`}>openapi.json</a> does not.
          </p>
        </noscript>
      </div>
    </>
  ),
});

const A_YEAR_SECONDS = 31_536_000;

/** Public, and without external resources. */
export const docsRouter = (baseUrl: string): Router => {
  const assets = loadDocsAssets();
  const root = new URL(baseUrl).pathname.replace(/\/+$/, '');
  const addresses: DocsAddresses = {
    root,
    asset: (name) => `${root}/docs/assets/${assets.paths[name]}`,
  };
  const router = express.Router();
  router.use(guard);
  const documents = {
    '/': show(endpointsPage(addresses), addresses),
    '/diagnostics': show(diagnosticsPage(addresses), addresses),
    '/codes': show(codesPage(baseUrl, addresses), addresses),
    '/codes.json': showData(codesData(baseUrl)),
    '/edits': show(editsPage(addresses), addresses),
    '/statistics': show(statisticsPage(addresses), addresses),
    '/exported-items': show(exportedItemsPage(addresses), addresses),
  };
  for (const [path, document] of Object.entries(documents))
    router.route(path).get(document).all(allowOnly('GET, HEAD'));

  router.get('/assets/:hash/:name', async (req, res, next) => {
    const asset = assets.byPath.get(`${req.params.hash}/${req.params.name}`);
    if (asset === undefined) {
      next();
      return;
    }
    res.set('Cache-Control', `public, max-age=${A_YEAR_SECONDS}, immutable`);
    await sendCompressible(req, res, asset.type, asset.content);
  });
  return router;
};

const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const guard: RequestHandler = (_req, res, next) => {
  res.set('Content-Security-Policy', CONTENT_SECURITY_POLICY);
  res.set('X-Content-Type-Options', 'nosniff');
  res.set('Referrer-Policy', 'no-referrer');
  next();
};

const showData = (data: object): RequestHandler => {
  const content = Buffer.from(JSON.stringify(data, null, 2));
  return (req, res) => sendCompressible(req, res, 'application/json; charset=utf-8', content);
};

const show = (page: DocsPage, addresses: DocsAddresses): RequestHandler => {
  const content = Buffer.from(writePage(page, addresses));
  return (req, res) => sendCompressible(req, res, 'text/html; charset=utf-8', content);
};
