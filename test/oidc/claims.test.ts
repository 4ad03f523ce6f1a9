import { errors } from 'jose';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { addEmail, toClaims } from '../../adapters/oidc/identity-providers.ts';
import { limitLists } from '../../adapters/oidc/provider-reach.ts';
import {
  findSecondFactorTime,
  findVerifiedEmail,
} from '../../domain/account/single-sign-on/decide.ts';
import { assertGrowsInProportion, createCountingRows } from '../support/executed-blocks.ts';
import { WRONG_CLAIMS } from '../support/wrong-claims.ts';

const claims = suite('the claims of an id_token');
const counting = createCountingRows(claims, import.meta.url);

const NOW = new Date('2026-11-26T12:00:00Z');
const NOW_S = NOW.getTime() / 1_000;
const PAYLOAD = {
  iss: 'https://provider.example',
  sub: 'ada',
  iat: NOW_S,
  email: 'ada@cedar.example',
  email_verified: true,
  amr: ['pwd', 'otp'],
  auth_time: NOW_S - 60,
};
const OF_SERVICE = { practiceId: null, allowedDomains: ['cedar.example'] };
const OF_PRACTICE = { ...OF_SERVICE, practiceId: 'cedar' };

const assertRefused = (change: Readonly<Record<string, unknown>>): void => {
  const [claim] = Object.keys(change);
  assert.throws(
    () => toClaims({ ...PAYLOAD, ...change } as typeof PAYLOAD, NOW),
    (error: unknown) => error instanceof errors.JWTClaimValidationFailed && error.claim === claim,
  );
};

claims('of the types of the standard are read', () => {
  assert.equal(toClaims(PAYLOAD, NOW), {
    issuer: 'https://provider.example',
    subject: 'ada',
    sid: null,
    email: 'ada@cedar.example',
    isEmailVerified: true,
    methods: ['pwd', 'otp'],
    authenticatedAt: new Date(NOW.getTime() - 60_000),
    issuedAt: NOW,
  });
});

claims('that are missing say nothing', () => {
  const { iss, sub, iat } = PAYLOAD;
  const { isEmailVerified, email, methods, authenticatedAt } = toClaims({ iss, sub, iat }, NOW);
  assert.equal([isEmailVerified, email, methods, authenticatedAt], [null, null, [], null]);
});

for (const form of WRONG_CLAIMS.email_verified)
  claims(`an email_verified of ${JSON.stringify(form)} denies it, whoever says so`, () => {
    const read = toClaims({ ...PAYLOAD, email_verified: form }, NOW);
    for (const scope of [OF_SERVICE, OF_PRACTICE])
      assert.equal(findVerifiedEmail(read, scope), { kind: 'refused', why: 'email-not-verified' });
  });

for (const form of WRONG_CLAIMS.email)
  claims(`an email of ${JSON.stringify(form)} is missing`, () => {
    const read = toClaims({ ...PAYLOAD, email: form }, NOW);
    for (const scope of [OF_SERVICE, OF_PRACTICE])
      assert.equal(findVerifiedEmail(read, scope), { kind: 'refused', why: 'email-missing' });
  });

for (const [signed, added, isVerified] of [
  [undefined, true, true],
  [undefined, undefined, null],
  [undefined, 'true', false],
  [true, undefined, true],
  [true, true, true],
  [true, false, false],
  [false, true, false],
  ['true', true, false],
] as const)
  claims(
    `an email_verified of ${signed} in the token and ${added} in UserInfo is ${isVerified}`,
    () => {
      const { email, email_verified: _, ...payload } = PAYLOAD;
      const withoutEmail = signed === undefined ? payload : { ...payload, email_verified: signed };
      const read = addEmail(toClaims(withoutEmail, NOW), { email, email_verified: added });
      assert.equal([read.email, read.isEmailVerified], [email, isVerified]);
    },
  );

for (const form of WRONG_CLAIMS.email)
  claims(`an email of ${JSON.stringify(form)} in UserInfo is missing`, () => {
    const { email: _, ...payload } = PAYLOAD;
    assert.is(addEmail(toClaims(payload, NOW), { email: form }).email, null);
  });

for (const form of WRONG_CLAIMS.sub)
  claims(`a sub of ${JSON.stringify(form).slice(0, 40)} names nobody`, () => {
    assert.throws(() => toClaims({ ...PAYLOAD, sub: form as string }, NOW), /No subject/);
  });

for (const form of WRONG_CLAIMS.amr)
  claims(`an amr of ${JSON.stringify(form)} shows no second factor`, () => {
    assert.is(findSecondFactorTime(toClaims({ ...PAYLOAD, amr: form }, NOW), NOW), null);
  });

for (const form of WRONG_CLAIMS.auth_time)
  claims(`an auth_time of ${JSON.stringify(form)} is refused, by name`, () =>
    assertRefused({ auth_time: form }),
  );

for (const form of [...WRONG_CLAIMS.auth_time, undefined, NOW_S + 181, -1, 1e18, -8e12])
  claims(`an iat of ${JSON.stringify(form)} is refused, by name`, () =>
    assertRefused({ iat: form }),
  );

for (const form of [null, '', 0, true, ['sid'], { sid: 'sid' }, 'x'.repeat(1_001), '\n'])
  claims(`a sid of ${JSON.stringify(form).slice(0, 40)} is refused, by name`, () =>
    assertRefused({ sid: form }),
  );

claims('without an auth_time, no factor is recent', () => {
  const { auth_time: _, ...payload } = PAYLOAD;
  assert.equal(findSecondFactorTime(toClaims(payload, NOW), NOW), new Date(0));
});

claims('with longer lists than providers have are refused, by name', () => {
  for (const claim of ['aud', 'amr']) {
    assert.equal(toClaims({ ...PAYLOAD, [claim]: Array(50).fill('pwd') }, NOW).subject, 'ada');
    assert.throws(
      () => toClaims({ ...PAYLOAD, [claim]: Array(51).fill('pwd') }, NOW),
      (error: unknown) => error instanceof errors.JWTClaimValidationFailed && error.claim === claim,
    );
  }
});

/** Lists in the answers of a provider, as long as the count says. */
const LISTS: Readonly<Record<string, (count: number) => unknown>> = {
  keys: (count) => ({ keys: Array(count).fill({ kty: 'EC', x: ['x'] }) }),
  algorithms: (count) => ({ id_token_signing_alg_values_supported: Array(count).fill('RS256') }),
  'fields of no standard': (count) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`x${index}`, ''])),
};

for (const [name, build] of Object.entries(LISTS))
  counting(
    `twice as long, it takes about twice the steps, and too long it is refused: ${name}`,
    async () => {
      await assertGrowsInProportion((length) => {
        const answer = build(length);
        return () => limitLists(answer);
      }, 50);
      assert.throws(() => limitLists(build(201)), /a list of 201\. It may have up to 200\./);
    },
  );

claims('lists of an answer are refused if they are nested without need', () => {
  const nested = JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`);
  assert.throws(() => limitLists(nested), /inside each other/);
});

claims.run();
