import { connect } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { originForm } from '../../../api/http/origin-form.ts';
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
    assert.is(originForm(target), form);
  });

const statusOf = (url: string, target: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.once('error', reject);
    socket.once('data', (answer: Buffer) => {
      resolve(Number(answer.toString().split(' ')[1]));
      socket.destroy();
    });
    socket.write(`GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`);
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

forms.run();
