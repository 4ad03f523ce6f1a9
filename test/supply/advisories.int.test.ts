import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { auditDependencies } from '../../scripts/supply/audit-dependencies.ts';
import { freePort } from '../harness/ports.ts';
import { temporaryDirectory } from '../harness/temporary-directory.ts';
import { addLong } from '../support/runs.ts';

/** The real npm against registries that answer in one way each. */
const advisories = suite('npm run audit:dependencies');

const ADVISORIES = '/-/npm/v1/security/advisories/bulk';

/** Runs the command with npm set to a registry. */
const audit = async (registry: string): Promise<{ code: number; said: string }> => {
  const cache = temporaryDirectory('npm-cache');
  try {
    const lines: string[] = [];
    const environment = {
      ...process.env,
      npm_config_registry: registry,
      npm_config_cache: cache.path,
      npm_config_fetch_retries: '0',
      npm_config_loglevel: 'silent',
    };
    const code = await auditDependencies(environment, (line) => void lines.push(line));
    return { code, said: lines.join('\n') };
  } finally {
    cache.remove();
  }
};

/** A registry with these advisories; null: it takes no questions, as mirrors do. */
const auditWith = async (answer: object | null) => {
  const asked: string[] = [];
  const registry = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    request.resume();
    const isAnswered = answer !== null && request.url === ADVISORIES;
    response.writeHead(isAnswered ? 200 : 405, { 'Content-Type': 'application/json' });
    response.end(isAnswered ? JSON.stringify(answer) : '');
  });
  registry.listen(0, '127.0.0.1');
  await once(registry, 'listening');
  try {
    const { port } = registry.address() as AddressInfo;
    return { ...(await audit(`http://127.0.0.1:${port}/`)), asked };
  } finally {
    registry.close();
  }
};

const advisoryOf = (severity: string) => ({
  express: [
    {
      id: 1,
      url: 'https://registry.example/1',
      title: 'Made up',
      severity,
      vulnerable_versions: '>=0.0.0',
      cwe: [],
      cvss: { score: 9, vectorString: null },
    },
  ],
});

advisories('clean is 0, and the registry was asked', async () => {
  const { code, said, asked } = await auditWith({});
  assert.match(said, /No high or critical advisory/);
  assert.is(code, 0);
  assert.ok(asked.includes(`POST ${ADVISORIES}`), asked.join());
});

advisories('a grave advisory is 1, and named', async () => {
  const { code, said } = await auditWith(advisoryOf('critical'));
  assert.match(said, /There are advisories: .*express \(critical\)/);
  assert.is(code, 1);
});

addLong(advisories, 'a lesser one is none', async () => {
  const { code, said } = await auditWith(advisoryOf('moderate'));
  assert.match(said, /No high or critical advisory/);
  assert.is(code, 0);
});

advisories('a registry that takes no questions is 2: neither clean nor vulnerable', async () => {
  const { code, said } = await auditWith(null);
  assert.match(said, /gave no answer/);
  assert.is(code, 2);
});

addLong(advisories, 'nor is a registry that is not there', async () => {
  const { code, said } = await audit(`http://127.0.0.1:${await freePort()}/`);
  assert.match(said, /gave no answer/);
  assert.is(code, 2);
});

advisories.run();
