import { connect } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hasOneHost, toOriginForm } from '../../../api/http/origin-form.ts';
import { sharedTestService, type TestService } from '../../harness/service.ts';

const forms = suite<{ service: TestService }>('what a request asks for');

forms.before(async (context) => {
  context.service = await sharedTestService();
});
forms.after(({ service }) => service.stop());

const ROWS: readonly (readonly [string, string | null])[] = [
  ['/', '/'],
  ['/registry?q=a', '/registry?q=a'],
  ['//elsewhere.example/x', '//elsewhere.example/x'],
  ['/registry?q=a#b?c', '/registry?q=a'],
  ['/#', '/'],
  ['*', '/*'],
  ['http://registry.example', '/'],
  ['http://registry.example/registry#a', '/registry'],
  ['HTTPS://registry.example:8443/registry?q=http://x', '/registry?q=http://x'],
  ['http://registry.exam:ple/registry', null],
  ['http://', null],
  ['mailto:rosa@cedar.example', null],
  ['registry', null],
  ['', null],
];

for (const [target, form] of ROWS)
  forms(`"${target}" asks for ${form ?? 'nothing'}`, () => {
    assert.is(toOriginForm(target), form);
  });

for (const [hosts, isOne] of [
  [[], true],
  [['registry.example'], true],
  [['registry.example:8443'], true],
  [['127.0.0.1:8080'], true],
  [['[2001:db8::9]:443'], true],
  [[''], true],
  [['registry.example', 'registry.example'], false],
  [['registry.example', 'evil.example'], false],
  [['evil"><script>'], false],
  [['registry.example/x'], false],
  [['a@registry.example'], false],
  [['registry.example:port'], false],
  [['two words'], false],
  [['[registry.example]'], false],
] as const)
  forms(`${JSON.stringify(hosts)} ${isOne ? 'is' : 'is not'} one host at most`, () => {
    assert.is(hasOneHost(['Accept', '*/*', ...hosts.flatMap((host) => ['hOst', host])]), isOne);
  });

const statusOf = (url: string, target: string, headers = 'Host: x\r\n'): Promise<number> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.once('error', reject);
    socket.once('data', (answer: Buffer) => {
      resolve(Number(answer.toString().split(' ')[1]));
      socket.destroy();
    });
    socket.write(`GET ${target} HTTP/1.1\r\n${headers}\r\n`);
  });

forms(
  'an address that is none is refused, and Node does not write it down',
  async ({ service }) => {
    const warnings: string[] = [];
    const listen = ({ message }: Error) => void warnings.push(message);
    process.on('warning', listen);
    assert.is(await statusOf(service.url, 'http://secret:in-an-address/health/live'), 400);
    assert.is(await statusOf(service.url, 'http://registry.example/health/live'), 200);
    assert.is(await statusOf(service.url, '/health/live'), 200);
    process.off('warning', listen);
    assert.equal(warnings, []);
  },
);

forms('a request with another host than one is refused by every lane', async ({ service }) => {
  for (const path of [
    '/',
    '/health/live',
    '/registry',
    '/api/registry/fhir/Bundle',
    '/openapi.json',
  ])
    for (const headers of ['Host: x\r\nHost: y\r\n', 'Host: evil"><script>\r\n', ''])
      assert.is(await statusOf(service.url, path, headers), 400, `${path} ${headers}`);
});

forms.run();
