import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parse } from 'yaml';
import { openApiDocument } from '../../api/openapi/document.ts';
import { SERVICE_VERSION } from '../../api/process/version.ts';

/** What a release has to agree on. @see CONTRIBUTING.md, "Release" */
const release = suite('the released version');

const read = (path: string): string =>
  readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const json = (path: string) => JSON.parse(read(path));

const titles = [...read('CHANGELOG.md').matchAll(/^## (.*)$/gm)].map(([, title = '']) => title);
const versions = titles.map((title) => {
  const [, version, day] = /^(\d+\.\d+\.\d+) — (unreleased|\d{4}-\d{2}-\d{2})$/.exec(title) ?? [];
  return { title, version, day };
});
const released = versions.filter(({ day }) => day !== 'unreleased');

release('the changelog has a version and a day in each title, the newest first', () => {
  assert.equal(
    versions.filter(({ version }) => version === undefined),
    [],
  );
  assert.ok(released.length >= versions.length - 1, 'only the newest may be unreleased');
  const days = versions.map(({ day = '' }) => day);
  // 'unreleased' sorts after every day.
  assert.equal(days, days.toSorted().toReversed());
  for (const { day = '' } of released) assert.ok(!Number.isNaN(Date.parse(day)), day);
});

release('the newest version in the changelog is the version of everything', () => {
  const version = versions[0]?.version;
  const { images } = parse(read('scripts/deploy/kubernetes/kustomization.yaml'));
  const lock = json('package-lock.json');
  assert.equal(
    {
      'package.json': json('package.json').version,
      'package-lock.json': [lock.version, lock.packages[''].version],
      'api/process/version.ts': SERVICE_VERSION,
      'the contract of today': openApiDocument('https://registry.example').info.version,
      'kustomization.yaml': images.map(({ newTag }: { newTag: string }) => newTag),
    },
    {
      'package.json': version,
      'package-lock.json': [version, version],
      'api/process/version.ts': version,
      'the contract of today': version,
      'kustomization.yaml': [version],
    },
  );
});

release('the contract that is kept is that of the newest release', () => {
  assert.is(json('docs/contract/openapi.json').info.version, released[0]?.version);
});

release.run();
