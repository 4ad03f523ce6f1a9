import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findSights, findSteps, spendBudget } from './import-graph.ts';
import { ROOT } from './test-run.ts';

const graph = suite('what a test file can see');

const IMPORTS = {
  'test/a.test.ts': ['api/page.ts', 'docs'],
  'api/page.ts': ['domain/field.ts'],
  'domain/field.ts': ['api/page.ts'],
};

graph('it sees what it imports, and what that imports, by the shortest way', () => {
  const sight = spendBudget(IMPORTS, 'test/a.test.ts');
  assert.is(findSteps(sight, 'test/a.test.ts'), 0);
  assert.is(findSteps(sight, 'api/page.ts'), 1);
  assert.is(findSteps(sight, 'domain/field.ts'), 2);
  assert.is(findSteps(sight, 'domain/other.ts'), null);
});

graph('a directory that it reads is each file in it, also one that is new', () => {
  const sight = spendBudget(IMPORTS, 'test/a.test.ts');
  assert.is(findSteps(sight, 'docs/reference/new.md'), 3);
  assert.is(findSteps(spendBudget({ 'a.ts': [''] }, 'a.ts'), 'README.md'), 2);
});

graph('documents, and a service in a process of its own, are seen without an import', async () => {
  const built = 'test/scripts/npm-start.int.test.ts';
  const guide = 'test/docs/partner-guide.test.ts';
  const sights = await findSights(ROOT, [built, guide], ['scripts/serve.ts']);
  const steps = (file: string, path: string) => findSteps(sights.get(file) ?? new Map(), path);
  assert.type(steps(built, 'api/app/service.ts'), 'number');
  assert.type(steps(guide, 'docs/partner.md'), 'number');
  assert.is(steps(guide, 'api/app/service.ts'), null);
});

graph.run();
