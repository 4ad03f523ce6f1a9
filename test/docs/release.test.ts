import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parse } from 'yaml';
import { openApiDocument } from '../../api/openapi.ts';
import { SERVICE_VERSION } from '../../api/version.ts';

/** What a release has to agree on. @see docs/contributor.md, "Release" */
const release = suite('the released version');

const read = (path: string): string =>
  readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const json = (path: string) => JSON.parse(read(path));

const sections = [...read('CHANGELOG.md').matchAll(/^## (.*)$/gm)].map(([, title = '']) => title);
const released = sections
  .map((title) => /^(\d+\.\d+\.\d+) — (\d{4}-\d{2}-\d{2})$/.exec(title))
  .filter((found) => found !== null)
  .map(([, version = '', on = '']) => ({ version, on }));

release(
  'the changelog begins with what is not released, then the releases, the newest first',
  () => {
    assert.is(sections[0], 'Unreleased');
    assert.is(released.length, sections.length - 1, 'each title is a version and a day');
    const days = released.map(({ on }) => on);
    assert.equal(days, days.toSorted().toReversed());
    for (const day of days) assert.ok(!Number.isNaN(Date.parse(day)), day);
  },
);

release('its newest release is the version of everything', () => {
  const version = released[0]?.version;
  const { images } = parse(read('scripts/deploy/kubernetes/kustomization.yaml'));
  const lock = json('package-lock.json');
  assert.equal(
    {
      'package.json': json('package.json').version,
      'package-lock.json': [lock.version, lock.packages[''].version],
      'api/version.ts': SERVICE_VERSION,
      'the contract of today': openApiDocument('https://registry.example').info.version,
      'docs/contract/openapi.json': json('docs/contract/openapi.json').info.version,
      'kustomization.yaml': images.map(({ newTag }: { newTag: string }) => newTag),
    },
    {
      'package.json': version,
      'package-lock.json': [version, version],
      'api/version.ts': version,
      'the contract of today': version,
      'docs/contract/openapi.json': version,
      'kustomization.yaml': [version],
    },
  );
});

release.run();
