import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { checkContract } from '../support/contract.ts';
import { startTestLaunches } from '../support/launches.ts';

/** Expects an OperationOutcome that stands in the contract. @returns its code */
const codeOf = async (path: string, answer: Response): Promise<string> => {
  const outcome = (await checkContract(path, 'get', answer)) as {
    readonly issue: readonly { readonly code: string }[];
  };
  return outcome.issue[0]?.code ?? '';
};

const unready = suite('a service that no EHR knows');

unready('is 503 on both addresses, before it looks at the issuer', async () => {
  const launches = await startTestLaunches({ SMART_CLIENT_ID: '' });
  try {
    const browser = launches.newBrowser();
    for (const path of ['/smart/launch?iss=https://evil.example&launch=x', '/smart/callback']) {
      const answer = await browser.send(path);
      assert.is(answer.status, 503);
      assert.is(await codeOf(path.split('?')[0] ?? '', answer), 'transient');
      assert.ok(Number(answer.headers.get('retry-after')) > 0);
    }
    assert.is((await browser.open('mother-1')).status, 503);
    assert.equal(launches.ehr.takeRequests(), []);
  } finally {
    await launches.stop();
  }
});

unready('with a client id and no issuers it trusts nobody', async () => {
  const launches = await startTestLaunches({ SMART_ALLOWED_ISSUERS: '' });
  try {
    const answer = await launches.newBrowser().open('mother-1');
    assert.is(answer.status, 403);
    assert.is(await codeOf('/smart/launch', answer), 'forbidden');
    assert.equal(launches.ehr.takeRequests(), []);
  } finally {
    await launches.stop();
  }
});

unready.run();
