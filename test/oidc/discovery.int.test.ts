import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createIdentityProviders } from '../../adapters/oidc/identity-providers.ts';

/** What a practice's provider publishes about itself. */
const discovery = suite('the discovery document of a provider');

let published: unknown = {};
const server = createServer((_req, res) => {
  res.setHeader('Content-Type', 'application/json');
  res.end(JSON.stringify(published));
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
discovery.after(() => new Promise<void>((resolve) => server.close(() => resolve())));
const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

const FIT = {
  issuer,
  authorization_endpoint: `${issuer}/auth`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/jwks`,
};
const { check } = createIdentityProviders(true);
const isFit = async (address: string) => (await check(address)).kind === 'fit';

for (const [what, change] of [
  ['with nothing but its addresses', {}],
  [
    'with lists',
    {
      code_challenge_methods_supported: ['plain', 'S256'],
      token_endpoint_auth_methods_supported: ['client_secret_post'],
      id_token_signing_alg_values_supported: ['RS256', 'none'],
      authorization_response_iss_parameter_supported: true,
    },
  ],
  ['with null for what it does not say', { id_token_signing_alg_values_supported: null }],
  ['with UserInfo', { userinfo_endpoint: `${issuer}/me` }],
  ['with members that we do not read', { scopes_supported: 7, op_policy_uri: [] }],
] as const)
  discovery(`${what} is fit`, async () => {
    published = { ...FIT, ...change };
    assert.ok(await isFit(issuer));
  });

const WRONG_ADDRESSES = [
  ...[undefined, null, '', 7, true, [`${issuer}/x`], { url: issuer }, 'x', '/token'],
  ...['http://192.0.2.1/x', 'https://10.0.0.5/x', 'file:///etc/passwd', 'javascript:1'],
  `${issuer}/${'x'.repeat(2_000)}`,
];
const WRONG_LISTS = [
  ...['', 'S256', 'client_secret_basic RS256', 7, true, {}, { 0: 'S256' }, []],
  ...[['S256', 7], [null], [['S256', 'client_secret_basic', 'RS256']], ['none']],
];

for (const [members, forms] of [
  [['issuer'], [...WRONG_ADDRESSES, 'https://issuer.example', `${issuer}/other`]],
  [['authorization_endpoint', 'token_endpoint', 'jwks_uri'], WRONG_ADDRESSES],
  [
    [
      'code_challenge_methods_supported',
      'token_endpoint_auth_methods_supported',
      'id_token_signing_alg_values_supported',
    ],
    [...WRONG_LISTS, ['x'.repeat(1_000), 'S256', 'client_secret_basic', 'RS256']],
  ],
  [['authorization_response_iss_parameter_supported'], ['true', 1, ['true'], {}]],
] as const)
  for (const member of members)
    discovery(`whose ${member} has another form is refused`, async () => {
      for (const form of forms) {
        published = { ...FIT, [member]: form };
        assert.not(await isFit(issuer), JSON.stringify(form)?.slice(0, 60));
      }
    });

discovery('whose userinfo_endpoint has another form is refused', async () => {
  for (const form of WRONG_ADDRESSES.slice(2)) {
    published = { ...FIT, userinfo_endpoint: form };
    assert.not(await isFit(issuer), JSON.stringify(form)?.slice(0, 60));
  }
});

discovery('that is for all tenants is refused with the address of one', async () => {
  published = { ...FIT, issuer: `${issuer}/{tenantid}/v2.0` };
  const address = `${issuer}/YOUR-TENANT-ID/v2.0`;
  assert.equal(await check(`${issuer}/common/v2.0`), { kind: 'all-tenants', address });
  published = { ...FIT, issuer: 'https://other.example/{tenantid}/v2.0' };
  assert.equal(await check(`${issuer}/common/v2.0`), { kind: 'unfit' });
});

for (const form of [null, 7, 'text', [], [FIT], true])
  discovery(`that is ${JSON.stringify(form).slice(0, 20)} is refused`, async () => {
    published = form;
    assert.not(await isFit(issuer));
  });

discovery.run();
