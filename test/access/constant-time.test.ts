import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

/**
 * `===` on texts ends at the first difference, and how long it took tells where that was. Secrets
 * are compared by `timingSafeEqual`, by argon2, or looked up by their hash.
 */
const constantTime = suite('comparisons of secrets');

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const LAYERS = ['api', 'adapters', 'domain', 'projections', 'scripts/operator'] as const;

const SECRET = /token|secret|password|passphrase|csrf|verifier|signature|digest|hash|nonce|cookie/i;
const COMPARISON = /([\w.?!)(]+)\s*[!=]==\s*([\w.?!'"-]+)/g;
/** Nothing, or a text that stands in the source. */
const NO_SECRET = /^(?:null|undefined|true|false|-?\d+|['"].*|.*\.length|[A-Z_]+)$/;

/** Comparisons that give nothing away, each with the reason. */
const HARMLESS: Readonly<Record<string, string>> = {
  'adapters/embedded-postgres/backup-signature.ts: signedDigest === digest':
    'whoever has the backup can compute its digest',
  'api/access/authenticate.ts: key.tokenHash === tokenHash':
    'two hashes: who learns more of one still has to invert SHA-256',
  'api/commands/change-password.ts: (oldPassword === newPassword':
    'both were typed by the same person',
  'api/commands/change-password.ts: passwords.find(accountId))?.generation !== current.generation':
    'the same row, read twice',
  'api/pages/accounts/account/account-router.tsx: ) === password':
    'both were typed by the same person',
  'api/pages/accounts/account/account-router.tsx: password === old':
    'both were typed by the same person',
  'api/single-sign-on/open-account.ts: passwords.find(accountId))?.generation === current.generation':
    'the same row, read twice',
  'api/operator/rotate-secret.ts: fileSecret !== next': 'the operator has both',
  ...same('hashCourse(row) === seen.course'),
  ...same('hashFingerprints(row.fingerprints) === seen.fingerprints'),
};

function same(comparison: string): Readonly<Record<string, string>> {
  const reason = 'an operator compares tables with the log: nobody sends either side';
  return { [`api/operator/verify-tables.ts: ${comparison}`]: reason };
}

const comparisonsIn = (text: string): readonly string[] =>
  [...text.matchAll(COMPARISON)].flatMap(([whole, left = '', right = '']) => {
    const sides = [left, right];
    const isOfSecret = sides.some((side) => SECRET.test(side) && !/^['"]/.test(side));
    return isOfSecret && !sides.some((side) => NO_SECRET.test(side))
      ? [whole.replaceAll(/\s+/g, ' ')]
      : [];
  });

constantTime('what the check takes for one', () => {
  const found = comparisonsIn(
    "if (held.csrfToken === sent || typeof token === 'string' || secret !== null) a(hash !== other)",
  );
  assert.equal(found, ['(held.csrfToken === sent', 'a(hash !== other']);
});

constantTime('no secret is compared as a text, but for those that give nothing away', () => {
  const files = LAYERS.flatMap((layer) =>
    readdirSync(join(ROOT, layer), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => join(layer, file)),
  );
  assert.ok(files.length > 300, `only ${files.length} files were read`);
  const found = files.flatMap((file) =>
    comparisonsIn(readFileSync(join(ROOT, file), 'utf8')).map((one) => `${file}: ${one}`),
  );
  assert.equal(found.sort(), Object.keys(HARMLESS).sort());
});

constantTime.run();
