import { test } from 'uvu';
import * as assert from 'uvu/assert';
import {
  type FingerprintKey,
  findFirstFingerprintKey,
  listFingerprintKeys,
} from '../../../../domain/birth-record/duplicates/fingerprint-keys.ts';

const hash = (_practiceId: string, text: string) => text;
const first = findFirstFingerprintKey(hash);
const second: FingerprintKey = { version: 2, aloneFrom: '2026-11-26T09:00:00.000Z', hash };
const third: FingerprintKey = { version: 3, aloneFrom: '2026-11-26T10:00:00.000Z', hash };

for (const [name, keys, at, current, older] of [
  ['the first key is the only one', [first], '2026-11-24T09:00:00.000Z', [1], []],
  [
    'the key before a new one goes with it for a while',
    [first, second],
    '2026-11-26T08:59:59.999Z',
    [1, 2],
    [],
  ],
  ['then the new one is alone', [first, second], '2026-11-26T09:00:00.000Z', [2], [1]],
  [
    'of two new ones each keeps the one before it for its own while',
    [first, second, third],
    '2026-11-26T09:30:00.000Z',
    [2, 3],
    [1],
  ],
  [
    'in the end the newest is alone',
    [first, second, third],
    '2026-11-26T10:00:00.000Z',
    [3],
    [1, 2],
  ],
] as const)
  test(name, () => {
    const used = listFingerprintKeys(keys, at);
    assert.equal(
      used.current.map(({ version }) => version),
      current,
    );
    assert.equal(
      used.older.map(({ version }) => version),
      older,
    );
  });

test.run();
