import { createCipheriv, createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import { v5 } from 'uuid';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  createApiToken,
  deriveKeyId,
  looksLikeApiToken,
} from '../../adapters/crypto/credentials.ts';
import { createIdentity, deriveId } from '../../adapters/crypto/ids.ts';
import { createKey, unwrapKey, wrapKey } from '../../adapters/crypto/keys.ts';
import { verifyCreatedPasskey } from '../../adapters/crypto/passkeys.ts';
import { createRowCipher, encodeKeyMark, type SealingKey } from '../../adapters/crypto/sealing.ts';
import { hashApiToken } from '../../api/http/bearer-token.ts';
import { soleKey } from '../support/in-memory.ts';

const crypto = suite('keys, hashes and ids');

crypto('a wrapped key opens with its secret and purpose only', () => {
  const key = createKey();
  const wrapped = wrapKey(key, 'the secret', 'identity-key');
  assert.equal(unwrapKey(wrapped, 'the secret', 'identity-key'), key);
  const isWrong = (error: Error) => error.name === 'WrongRegistrySecret';
  assert.throws(() => unwrapKey(wrapped, 'another secret', 'identity-key'), isWrong);
  assert.throws(() => unwrapKey(wrapped, 'the secret', 'queue-key'), isWrong);
  assert.throws(() => unwrapKey('', 'the secret', 'identity-key'), isWrong);
});

const binding = { row: 'a', part: 0, practiceId: 'p', keyKind: 'native' } as const;
const PLAIN = Buffer.from('[{}]');
const isUnreadable = (error: unknown) => (error as Error).name === 'SealedRowUnreadable';
const isClosed = (opening: Promise<Buffer>): Promise<boolean> =>
  opening.then(() => false, isUnreadable);

crypto('a sealed chunk opens in its own row only, and not when altered', async () => {
  const cipher = createRowCipher(soleKey());
  const sealed = cipher.seal(PLAIN, binding);
  assert.equal(await cipher.open(sealed, binding), PLAIN);
  const others = [
    { ...binding, row: 'b' },
    { ...binding, part: 1 },
    { ...binding, practiceId: 'q' },
    { ...binding, keyKind: 'partner' as const },
  ];
  for (const other of others) assert.ok(await isClosed(cipher.open(sealed, other)));
  sealed[sealed.length - 1] = (sealed.at(-1) ?? 0) ^ 1;
  assert.ok(await isClosed(cipher.open(sealed, binding)));
});

/** A process that knows these versions of the key, oldest first. */
const knowing = (...keys: readonly [SealingKey, ...SealingKey[]]) =>
  createRowCipher({
    getNewest: () => keys.at(-1) ?? keys[0],
    find: async (version) => keys.find((one) => one.version === version)?.key ?? null,
  });

crypto('what an older key has sealed opens as long as the key is there', async () => {
  const [first, second, third] = [
    { version: 1, key: createKey() },
    { version: 2, key: createKey() },
    { version: 3, key: createKey() },
  ] as const;
  const byFirst = knowing(first).seal(PLAIN, binding);
  const bySecond = knowing(first, second).seal(PLAIN, binding);
  const byThird = knowing(first, second, third).seal(PLAIN, binding);
  const all = knowing(first, second, third);
  for (const sealed of [byFirst, bySecond, byThird])
    assert.equal(await all.open(sealed, binding), PLAIN);
  assert.equal([byFirst, bySecond, byThird].map(all.isSealedWithNewestKey), [false, false, true]);
  const later = knowing(second, third);
  assert.ok(await isClosed(later.open(byFirst, binding)));
  assert.equal(await later.open(bySecond, binding), PLAIN);
  // A leaked key opens nothing that a later one has sealed.
  for (const sealed of [bySecond, byThird])
    assert.ok(await isClosed(knowing(first).open(sealed, binding)));
});

/** What a browser sends for a new passkey whose authenticator chose an id of this many bytes. */
const makeCreatedPasskey = (bytes: number): string => {
  const client = {
    type: 'webauthn.create',
    challenge: 'Y2hhbGxlbmdl',
    origin: 'https://r.example',
  };
  const { x = '', y = '' } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
  }).publicKey.export({ format: 'jwk' });
  const [vectorX, vectorY] = [x, y].map((one) => Uint8Array.from(Buffer.from(one, 'base64url')));
  const key = isoCBOR.encode(
    new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, vectorX ?? new Uint8Array()],
      [-3, vectorY ?? new Uint8Array()],
    ]),
  );
  const id = randomBytes(bytes);
  const head = Buffer.alloc(23);
  head[0] = 0x41;
  head.writeUInt16BE(bytes, 21);
  const party = createHash('sha256').update('r.example').digest();
  const authData = Uint8Array.from(
    Buffer.concat([party, head.subarray(0, 5), Buffer.alloc(16), head.subarray(21), id, key]),
  );
  const attestation = new Map<string, string | Uint8Array | Map<string, string>>([
    ['fmt', 'none'],
    ['attStmt', new Map()],
    ['authData', authData],
  ]);
  return JSON.stringify({
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key',
    response: {
      clientDataJSON: Buffer.from(JSON.stringify(client)).toString('base64url'),
      attestationObject: Buffer.from(isoCBOR.encode(attestation)).toString('base64url'),
    },
  });
};

crypto('the id of a passkey may be as long as the standard allows, and no longer', async () => {
  const relyingParty = { rpId: 'r.example', origin: 'https://r.example' };
  const create = (bytes: number) =>
    verifyCreatedPasskey({
      relyingParty,
      challenge: 'Y2hhbGxlbmdl',
      response: makeCreatedPasskey(bytes),
    });
  assert.is((await create(1_023))?.credentialId.length, 1_364);
  assert.is(await create(1_024), null);
});

crypto('a nonce that looks like the mark of a version is a nonce all the same', async () => {
  const key = createKey();
  const nonce = Buffer.concat([encodeKeyMark(7), randomBytes(4)]);
  const gcm = createCipheriv('aes-256-gcm', key, nonce);
  gcm.setAAD(Buffer.from(JSON.stringify(['a', 0, 'p', 'native'])));
  const sealed = Buffer.concat([nonce, gcm.update(PLAIN), gcm.final(), gcm.getAuthTag()]);
  assert.equal(await createRowCipher(soleKey(key)).open(sealed, binding), PLAIN);
});

crypto('hashes depend on the key, the kind and each part', () => {
  const key = createKey();
  const { recordHash, fingerprint, idempotentIngestionId, seatId, checkValue } =
    createIdentity(key);
  assert.is(recordHash('p', 'C-1'), createIdentity(key).recordHash('p', 'C-1'));
  const different = [
    recordHash('p', 'C-1'),
    recordHash('p', 'C-2'),
    recordHash('pC', '-1'),
    recordHash('q', 'C-1'),
    fingerprint('p', 'C-1'),
    createIdentity(createKey()).recordHash('p', 'C-1'),
    idempotentIngestionId('p', 'C-1'),
    seatId('p', 'C-1'),
    seatId('q', 'C-1'),
    checkValue,
  ];
  assert.is(new Set(different).size, different.length);
  assert.match(recordHash('p', 'C-1'), /^[\w-]{43}$/);
});

crypto('a token leads to its key by its hash', () => {
  const token = createApiToken();
  assert.ok(looksLikeApiToken(token));
  assert.not(looksLikeApiToken(`${token}x`));
  assert.not(looksLikeApiToken('rgk_short'));
  const hash = hashApiToken(token);
  assert.match(deriveKeyId(hash), /^[0-9a-f]{32}$/);
  assert.not(hash.includes(token));
});

crypto('ids are the same for the same parts, and differ where parts meet', () => {
  assert.is(deriveId('i', 1), deriveId('i', 1));
  const different = [
    deriveId('i', 1),
    deriveId('i', '1'),
    deriveId('i1'),
    deriveId('i', 1, 0),
    deriveId('i', 10),
  ];
  assert.is(new Set(different).size, different.length);
  assert.match(
    deriveId('i'),
    /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  );
  const odd: readonly (readonly (string | number)[])[] = [
    [],
    ['i'],
    ['queued', 'x', 7],
    ['\u00e9\u4e16\u{1f476}', '\ud800'],
    ['x'.repeat(5_000), -1.5],
    ...Array.from({ length: 200 }, (_, n) => ['n', n]),
  ];
  for (const parts of odd)
    assert.is(
      deriveId(...parts),
      v5(JSON.stringify(parts), 'b0f6a3fe-6d0c-4d4e-9a55-2f6f5d3a7c11'),
    );
});

crypto.run();
