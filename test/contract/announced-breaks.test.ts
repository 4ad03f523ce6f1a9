import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { notAnnounced } from '../../scripts/contract/contract-changes.ts';

const broken = { operation: 'POST /smart/launch', what: 'It is gone.', isBreaking: true };
const added = { operation: 'GET /metadata', what: 'It is new.', isBreaking: false };

const changelog = (unreleased: string, released = '') =>
  `# Changelog\n\n## 0.2.0 — unreleased\n\n${unreleased}\n## 0.1.0 — 2026-11-20\n\n${released}`;

test('a breaking change needs its line', () => {
  assert.equal(notAnnounced([broken, added], changelog('- Something.\n')), [broken]);
});

test('a line under Breaking announces it', () => {
  const text = changelog('### Breaking\n\n- `POST /smart/launch` is gone.\n\n### Added\n');
  assert.equal(notAnnounced([broken], text), []);
});

test('a line elsewhere, or of an earlier release, does not', () => {
  const line = '- `POST /smart/launch` is gone.\n';
  assert.equal(notAnnounced([broken], changelog(`### Added\n\n${line}`)), [broken]);
  assert.equal(notAnnounced([broken], changelog('', `### Breaking\n\n${line}`)), [broken]);
});

test('the last section of the file counts too', () => {
  const text =
    '# Changelog\n\n## 0.2.0 — unreleased\n\n### Breaking\n\n- `POST /smart/launch` is gone.\n';
  assert.equal(notAnnounced([broken], text), []);
});

test.run();
