import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DIAGNOSTICS_CATALOG } from '../../api/docs/diagnostics-page.tsx';
import { docsRouter } from '../../api/docs/docs-router.tsx';
import { REGISTRY_CODES } from '../../domain/course/codes.ts';
import { IJE_ITEMS } from '../../domain/export/ije/items.ts';
import { REGISTRY_KINDS } from '../../domain/mapping/bfdr/observation-kinds.ts';
import { LAYOUT } from '../support/state-file.ts';

const docs = suite<{ server: Server; url: string }>('the documentation for integrators');

docs.before(async (context) => {
  const app = express().use('/docs', docsRouter('https://registry.example'));
  context.server = createServer(app);
  await new Promise<void>((resolve) => {
    context.server.listen(0, '127.0.0.1', resolve);
  });
  context.url = `http://127.0.0.1:${(context.server.address() as AddressInfo).port}`;
});
docs.after(({ server }) => {
  server.closeAllConnections();
  server.close();
});

const PAGES = [
  '/docs',
  '/docs/diagnostics',
  '/docs/codes',
  '/docs/edits',
  '/docs/statistics',
  '/docs/exported-items',
];

for (const path of PAGES)
  docs(`${path} has one h1 and loads nothing from elsewhere`, async ({ url }) => {
    const response = await fetch(`${url}${path}`);
    assert.is(response.status, 200);
    const policy = response.headers.get('content-security-policy') ?? '';
    assert.match(policy, "default-src 'none'");
    assert.match(policy, "script-src 'self';");
    assert.not.match(policy, 'unsafe');
    const page = await response.text();
    assert.is(page.match(/<h1[ >]/g)?.length, 1);
    assert.not.match(page, /<script(?![^>]*\ssrc=)/);
    assert.not.match(page, /\sstyle=|\son\w+=/);
    for (const [, address = ''] of page.matchAll(/\s(?:src|href)="([^"]*)"/g))
      assert.match(address, /^(\/(docs|openapi\.json)|#|data:,$)/);
  });

docs('every column of the layout stands on its page, with its fields', async ({ url }) => {
  const page = await (await fetch(`${url}/docs/exported-items`)).text();
  for (const { name, begin } of LAYOUT.values())
    assert.match(page, `<code>${name}</code></td><td>${begin}`, name);
  for (const { name, reads } of IJE_ITEMS)
    for (const path of reads) assert.match(page, `<code>${path}</code>`, name);
});

docs('what a page loads is there, for a year, small on the wire', async ({ url }) => {
  const page = await (await fetch(`${url}/docs`)).text();
  const assets = [...page.matchAll(/"(\/docs\/assets\/[^"]+)"/g)].map(([, address]) => address);
  assert.is(assets.length, 4);
  for (const address of assets) {
    const response = await fetch(`${url}${address}`);
    assert.is(response.status, 200);
    assert.match(response.headers.get('cache-control') ?? '', 'immutable');
    const plain = await fetch(`${url}${address}`, { headers: { 'Accept-Encoding': 'identity' } });
    assert.is(plain.headers.get('content-encoding'), null);
    const text = await plain.text();
    assert.is(response.headers.get('content-encoding'), text.length < 1_024 ? null : 'gzip');
    assert.is(text, await response.text());
  }
  assert.is((await fetch(`${url}/docs/assets/000000000000/docs.js`)).status, 404);
});

docs('every link within a page leads to something on it', async ({ url }) => {
  for (const path of PAGES) {
    const page = await (await fetch(`${url}${path}`)).text();
    for (const [, id] of page.matchAll(/href="#([^"]+)"/g))
      assert.match(page, `id="${id}"`, `${path}#${id}`);
  }
});

docs('every entry of the catalog stands on its page, with both examples', async ({ url }) => {
  const page = await (await fetch(`${url}/docs/diagnostics`)).text();
  const entries = DIAGNOSTICS_CATALOG.flatMap((part) => part.entries);
  for (const { id } of entries) assert.match(page, `<article class="entry" id="${id}">`);
  assert.is(page.match(/<h4 class="wrong">/g)?.length, entries.length);
  assert.is(page.match(/<h4 class="right">/g)?.length, entries.length);
});

docs('the first page names every code of the registry, and their system', async ({ url }) => {
  const page = await (await fetch(`${url}/docs`)).text();
  const names = [...REGISTRY_KINDS.keys()].map((code) => `<code>${code}</code>`);
  assert.ok(page.includes(`<code>${REGISTRY_CODES}</code>: ${names.join(', ')}.`));
});

docs.run();
