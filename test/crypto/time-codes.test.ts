import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  buildTimeCodeAddress,
  createRecoveryCodes,
  createTimeCodeSecret,
  findTimeCodeStep,
  hashRecoveryCode,
} from '../../adapters/crypto/time-codes.ts';

const codes = suite('time codes and recovery codes');

/** The secret of the test vectors of RFC 6238, appendix B, in base32. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

for (const [seconds, code] of [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
] as const)
  codes(`RFC 6238: at ${seconds} s the code is ${code}, for a step before and after, too`, () => {
    const step = Math.floor(seconds / 30);
    for (const [offset, expected] of [
      [0, step],
      [-30, step],
      [30, step],
      [-90, null],
      [90, null],
    ] as const) {
      const at = new Date((seconds + offset) * 1_000);
      if (at.getTime() >= 0) assert.is(findTimeCodeStep(SECRET, code, at), expected, `${offset}`);
    }
  });

codes('what is no code of six digits is none', () => {
  for (const typed of ['', '28708', '2870822', '28708a', '-28708', '２８７０８２'])
    assert.is(findTimeCodeStep(SECRET, typed, new Date(59_000)), null);
});

codes('a secret has 160 bits, and an app knows whose it is', () => {
  const secret = createTimeCodeSecret();
  assert.match(secret, /^[A-Z2-7]{32}$/);
  assert.is.not(secret, createTimeCodeSecret());
  const address = new URL(buildTimeCodeAddress('ada@cedar.example', secret));
  assert.is(address.protocol, 'otpauth:');
  assert.is(address.searchParams.get('secret'), secret);
  assert.is(address.searchParams.get('issuer'), 'Birth Registry');
});

codes('recovery codes are ten, and are read as people type them', () => {
  const made = createRecoveryCodes();
  assert.is(new Set(made).size, 10);
  const [code = ''] = made;
  assert.match(code, /^(?:[a-z2-9]{5}-){4}[a-z2-9]{5}$/);
  for (const typed of [
    code.toUpperCase(),
    code.replaceAll('-', ' '),
    ` ${code.replaceAll('-', '')} `,
  ])
    assert.is(hashRecoveryCode(typed), hashRecoveryCode(code));
});

codes('a recovery code has 112 bits at least, for its digest is not salted', () => {
  const ALPHABET = 31;
  const characters = createRecoveryCodes().map((code) => code.replaceAll('-', '').length);
  for (const length of characters) assert.ok(length * Math.log2(ALPHABET) >= 112, `${length}`);
});

codes.run();
