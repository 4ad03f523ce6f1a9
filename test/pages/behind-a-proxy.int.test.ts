import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { newMember, newVisitor, PASSWORD } from '../harness/pages.ts';
import { newPractice, startTestService } from '../harness/service.ts';

const service = await startTestService({ BASE_URL: 'https://registry.example', TRUST_PROXY: '1' });
test.after(() => service.stop());

test('behind an https address the cookie travels over nothing else, and browsers keep to it', async () => {
  const { practiceId } = await newPractice(service.commands);
  const member = await newMember(service, practiceId, 'Viewer', 'viewer@cedar.example');
  const visitor = newVisitor(service.url);
  const _csrf = await visitor.csrfToken('/sign-in');
  const answer = await visitor.send(
    '/sign-in',
    { _csrf, email: member.email, password: PASSWORD },
    { Origin: 'https://registry.example', 'Sec-Fetch-Site': 'same-origin' },
  );
  assert.is(answer.status, 303);
  const set = answer.headers.getSetCookie().join();
  assert.match(set, /^__Host-registry=/);
  for (const part of [/; Path=\/;/, /; HttpOnly/, /; Secure/, /; SameSite=Lax/])
    assert.match(set, part);
  assert.not.match(set, /Domain=/i);
  const page = await visitor.send('/registry');
  assert.is(page.status, 200);
  assert.match(page.headers.get('strict-transport-security') ?? '', /max-age=\d{8}/);
});

test('a form from our own host over plain HTTP is from somebody on the way', async () => {
  const visitor = newVisitor(service.url);
  const _csrf = await visitor.csrfToken('/sign-in');
  const { host } = new URL(service.url);
  const sentFrom = async (Origin: string) => {
    const fields = { _csrf, email: 'nobody@cedar.example', password: 'not the password' };
    return (await visitor.send('/sign-in', fields, { Origin })).status;
  };
  assert.is(await sentFrom('http://registry.example'), 403);
  assert.is(await sentFrom(`http://${host}`), 403);
  assert.is(await sentFrom('https://elsewhere.example'), 403);
  assert.is(await sentFrom('https://registry.example'), 401);
});

test('after fifty tries an address waits, whatever accounts it names; others do not', async () => {
  const from = (address: string) => ({ 'X-Forwarded-For': address });
  const visitor = newVisitor(service.url);
  const _csrf = await visitor.csrfToken('/sign-in');
  const tried = (n: number, address: string) =>
    visitor.send(
      '/sign-in',
      { _csrf, email: `nobody-${n}@cedar.example`, password: 'not the password' },
      from(address),
    );
  const first = await Promise.all(Array.from({ length: 50 }, (_, n) => tried(n, '192.0.2.1')));
  assert.equal([...new Set(first.map(({ status }) => status))], [401]);
  assert.is((await tried(50, '192.0.2.1')).status, 429);
  assert.is((await tried(51, '192.0.2.2')).status, 401);
});

test.run();
