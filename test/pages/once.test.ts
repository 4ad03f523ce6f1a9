import type { Request } from 'express';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createRunOnce, FORM_ID_FIELD, newFormId } from '../../api/web/single-use-form.ts';

const memory = () => {
  const taken = new Set<string>();
  return {
    take: async (accountId: string, formId: string) => {
      const name = `${accountId} ${formId}`;
      const isNew = !taken.has(name);
      taken.add(name);
      return isNew;
    },
    release: async (accountId: string, formId: string) => {
      taken.delete(`${accountId} ${formId}`);
    },
  };
};

const form = (formId: string) => ({ body: { [FORM_ID_FIELD]: formId } }) as Request;

test('a form is taken once, for each account', async () => {
  const once = createRunOnce(memory());
  const sent = form(newFormId());
  const work = async () => 'secret';
  assert.equal(await once(sent, 'ada', work), { kind: 'done', value: 'secret' });
  assert.equal(await once(sent, 'ada', work), { kind: 'repeated' });
  assert.equal(await once(sent, 'ben', work), { kind: 'done', value: 'secret' });
});

test('what failed may be sent again', async () => {
  const once = createRunOnce(memory());
  const sent = form(newFormId());
  const failure = new Error('away');
  const failed = await once(sent, 'ada', () => Promise.reject(failure)).catch((error) => error);
  assert.is(failed, failure);
  assert.equal(await once(sent, 'ada', async () => 'secret'), { kind: 'done', value: 'secret' });
});

test('a form without its id is not taken', async () => {
  for (const formId of ['', 'x', `${newFormId()}x`, '-'.repeat(36)]) {
    const refused = await createRunOnce(memory())(form(formId), 'ada', async () => 1).catch(
      (e) => e,
    );
    assert.is(refused.status, 400);
  }
});

test.run();
