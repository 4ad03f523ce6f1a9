import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type Request } from 'express';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { getPageBefore, readNextPage } from '../../../api/web/next-page.ts';
import { redirectGet } from '../../../api/web/redirect-get.ts';

const inside = suite('addresses that someone else may have written');

const EVIL = 'evil.example';

/** Every way that we know of to make a browser leave the site by an address. */
const HOSTILE: readonly string[] = [
  `//${EVIL}`,
  `///${EVIL}`,
  `/\\${EVIL}`,
  `\\\\${EVIL}`,
  `\\/${EVIL}`,
  `/\\/${EVIL}`,
  `https:${EVIL}`,
  `https:/${EVIL}`,
  `https://${EVIL}/registry`,
  `//${EVIL}/registry`,
  `%2f%2f${EVIL}`,
  `/%2f${EVIL}`,
  `/%5c${EVIL}`,
  `%2Fregistry`,
  `/\t/${EVIL}`,
  `\t//${EVIL}`,
  `/\n/${EVIL}`,
  `/\r\n/${EVIL}`,
  ` //${EVIL}`,
  `/ /${EVIL}`,
  `/registry\t/../../${EVIL}`,
  `/registry\r\nLocation: //${EVIL}`,
  `/registry\0`,
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\nscript:alert(1)',
  '/javascript:alert(1)',
  'data:text/html,x',
  'vbscript:x',
  'blob:x',
  'about:blank',
  `ftp://${EVIL}`,
  `@${EVIL}`,
  `/@${EVIL}`,
  `//registry.invalid@${EVIL}/registry`,
  `.${EVIL}`,
  `:80/${EVIL}`,
  `/registry/..//${EVIL}`,
  `/registry/%2e%2e//${EVIL}`,
  `/registry/.%2E//${EVIL}`,
  `/registry/../..//${EVIL}/registry`,
  `/./\\${EVIL}`,
  `/registry\\..\\..\\\\${EVIL}`,
  `/registry/../sign-out`,
  '/sign-out',
  '/sign-in',
  '/smart/launch?iss=x',
  '/health/live',
  `／／${EVIL}`,
  `/／${EVIL}`,
  `//${EVIL}%2f@registry`,
  `/registryx`,
  '/REGISTRY',
  'registry',
  '',
  '?next=/registry',
  '#/registry',
  '/',
  '*',
  `http:///${EVIL}`,
  `//[::1]/registry`,
];

for (const wanted of HOSTILE)
  inside(`${JSON.stringify(wanted)} leads nowhere`, () => {
    assert.is(readNextPage(wanted), null);
  });

for (const [wanted, expected] of [
  ['/registry', '/registry'],
  ['/staff/partners?page=2', '/staff/partners?page=2'],
  ['/account/password#top', '/account/password'],
  ['/registry/births?page=2&x=a%20b', '/registry/births?page=2&x=a%20b'],
  // Names and chart numbers of old bookmarks go no further.
  ['/registry/records?q=Ana+Diaz&state=live', '/registry/records?state=live'],
  ['/registry/records?q=a&q=b', '/registry/records'],
  ['/registry/records/new?chart=MRN-1', '/registry/records/new'],
  ['/staff/practices?q=cedar', '/staff/practices?q=cedar'],
  // Wherever another host stands behind a page of ours, it is only text.
  [`/registry?next=//${EVIL}`, `/registry?next=//${EVIL}`],
  [`/registry//${EVIL}`, `/registry//${EVIL}`],
  ['/registry/%2f%2fevil.example', '/registry/%2f%2fevil.example'],
] as const)
  inside(`${wanted} leads to ${expected}`, () => {
    assert.is(readNextPage(wanted), expected);
    assert.is(new URL(expected, 'https://registry.example').host, 'registry.example');
  });

const cameFrom = (referrer: string, headers: Readonly<Record<string, string>> = {}) => {
  const sent: Readonly<Record<string, string>> = {
    Referer: referrer,
    Host: 'registry.example',
    ...headers,
  };
  return getPageBefore({ get: (name: string) => sent[name] } as unknown as Request);
};

inside('the page before is one of ours, on our host, or none', () => {
  assert.is(cameFrom('https://registry.example/registry?page=2'), '/registry?page=2');
  assert.is(cameFrom('https://registry.example/registry/records?q=Diaz'), '/registry/records');
  for (const referrer of [
    `https://${EVIL}/registry`,
    `https://registry.example.${EVIL}/registry`,
    `https://registry.example@${EVIL}/registry`,
    `https://registry.example//${EVIL}`,
    'https://registry.example:444/registry',
    'javascript:alert(1)',
    'registry.example/registry',
    '',
  ])
    assert.is(cameFrom(referrer), null, referrer);
  // Behind a proxy the browser says whether it was ours; still only the path is kept.
  const own = { 'Sec-Fetch-Site': 'same-origin', Host: 'inside:8080' };
  assert.is(cameFrom('https://registry.example/staff', own), '/staff');
  assert.is(cameFrom(`https://registry.example//${EVIL}/registry`, own), null);
});

inside('the way back to a page stays below it, whatever the address says', async () => {
  const app = express().get('/registry/import/:id/confirm', redirectGet('/registry/import/:id'));
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    for (const id of [
      '%2f%2fevil.example',
      '%5cevil.example',
      '%0d%0aSet-Cookie:a',
      '%2e%2e%2f%2e',
    ]) {
      const answer = await fetch(`http://127.0.0.1:${port}/registry/import/${id}/confirm`, {
        redirect: 'manual',
      });
      const { pathname, host } = new URL(
        answer.headers.get('location') ?? '',
        'https://registry.example',
      );
      assert.is(host, 'registry.example', id);
      assert.match(pathname, /^\/registry\/import\/[^/\\]+$/, id);
    }
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

inside.run();
