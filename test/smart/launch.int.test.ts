import { sql } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { issuerNotAllowed } from '../../api/smart/launch-problem.ts';
import { checkContract } from '../support/contract.ts';
import {
  type LaunchingBrowser,
  startTestLaunches,
  type TestLaunches,
} from '../support/launches.ts';

const launch = suite<{ launches: TestLaunches }>('a launch from an EHR');

launch.before(async (context) => {
  context.launches = await startTestLaunches();
});
launch.before.each(({ launches }) => {
  launches.ehr.behave({});
  launches.ehr.takeRequests();
  launches.ehr.takeRequestsElsewhere();
});
launch.after(({ launches }) => launches.stop());

interface Outcome {
  readonly resourceType: string;
  readonly issue: readonly { readonly code: string; readonly diagnostics: string }[];
}

/** Expects an OperationOutcome that stands in the contract. @returns its code */
const codeOf = async (answer: Response, status: number): Promise<string> => {
  assert.is(answer.status, status);
  assert.match(answer.headers.get('content-type') ?? '', /^application\/fhir\+json/);
  const { pathname } = new URL(answer.url);
  const outcome = (await (pathname === '/smart/other'
    ? answer.json()
    : checkContract(pathname, 'get', answer))) as Outcome;
  assert.is(outcome.resourceType, 'OperationOutcome');
  return outcome.issue[0]?.code ?? '';
};

const first = (list: readonly { readonly value: unknown }[] | undefined): unknown =>
  list?.[0]?.value;

launch('ends at the pre-fill, with what the chart holds', async ({ launches }) => {
  const browser = launches.newBrowser();
  const launched = await browser.open('mother-1');
  assert.is(launched.status, 303);
  const away = new URL(launched.headers.get('location') ?? '');
  const asked = Object.fromEntries(away.searchParams);
  assert.is(asked['response_type'], 'code');
  assert.is(asked['client_id'], launches.ehr.clientId);
  assert.is(asked['redirect_uri'], `${launches.url}/smart/callback`);
  assert.is(asked['aud'], launches.ehr.issuer);
  assert.is(asked['code_challenge_method'], 'S256');
  assert.is(
    asked['scope'],
    'launch openid fhirUser patient/Patient.read patient/Observation.read patient/Condition.read patient/Encounter.read',
  );
  const answer = await browser.send(await browser.throughEhr(launched));
  assert.is(answer.status, 303);
  assert.match(
    answer.headers.get('location') ?? '',
    /^\/registry\/capture\/prefill\?id=[0-9a-f-]+$/,
  );
  assert.is(answer.headers.get('x-ratelimit-limit'), '10');
  assert.is(answer.headers.get('x-ratelimit-remaining'), '9');
  assert.is(answer.headers.get('referrer-policy'), 'no-referrer');
  assert.is(answer.headers.get('cache-control'), 'no-store');
  const { launched: as, asMother, unread } = await launches.chartBehind(answer);
  assert.is(as, 'mother');
  assert.equal(unread, []);
  assert.is(first(asMother.values['mother.family_name']), 'Quintanilla-Brandvold');
  // Four rows a page: those came from later ones.
  assert.is(first(asMother.values['children.0.birth_weight_grams']), 3410);
  assert.is(first(asMother.values['last_menstrual_period']) !== undefined, true);
});

launch('a newborn’s chart, and one of the twins', async ({ launches }) => {
  const chart = await launches.chartBehind(await launches.newBrowser().launch('newborn-1'));
  assert.is(chart.launched, 'newborn');
  assert.is(first(chart.asNewborn.values['children.0.gestational_age_weeks']), 39);
  const twin = await launches.chartBehind(await launches.newBrowser().launch('twin-a'));
  assert.is(first(twin.asNewborn.values['children.0.birth_order']), 2);
});

// Refused before anything is asked

for (const [name, query] of [
  ['an issuer that is not listed', (issuer: string) => ({ iss: `${issuer}x`, launch: 'x' })],
  ['one that differs in case', (issuer: string) => ({ iss: issuer.toUpperCase(), launch: 'x' })],
  ['one with a query', (issuer: string) => ({ iss: `${issuer}?a=b`, launch: 'x' })],
  ['an empty one', () => ({ iss: '', launch: 'x' })],
  ['none', () => ({ launch: 'x' })],
] as const)
  launch(`${name} is 403, and nobody is asked`, async ({ launches }) => {
    const parameters = new URLSearchParams(query(launches.ehr.issuer) as Record<string, string>);
    const answer = await launches.newBrowser().send(`/smart/launch?${parameters}`);
    assert.is(await codeOf(answer, 403), 'forbidden');
    assert.equal(launches.ehr.takeRequests(), []);
    assert.equal(answer.headers.getSetCookie(), []);
  });

launch('an issuer that is there twice is 403', async ({ launches }) => {
  const iss = encodeURIComponent(launches.ehr.issuer);
  const answer = await launches.newBrowser().send(`/smart/launch?iss=${iss}&iss=${iss}&launch=x`);
  assert.is(await codeOf(answer, 403), 'forbidden');
  assert.equal(launches.ehr.takeRequests(), []);
});

launch('the launch token has to be there, once', async ({ launches }) => {
  const iss = encodeURIComponent(launches.ehr.issuer);
  for (const rest of ['', '&launch=', '&launch=a&launch=b', `&launch=${'a'.repeat(5000)}`]) {
    const answer = await launches.newBrowser().send(`/smart/launch?iss=${iss}${rest}`);
    assert.is(await codeOf(answer, 400), 'required');
  }
  assert.equal(launches.ehr.takeRequests(), []);
});

launch('a person gets a page instead, with the same status', async ({ launches }) => {
  const answer = await launches
    .newBrowser()
    .send('/smart/launch?iss=https://evil.example', undefined, {
      Accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
    });
  assert.is(answer.status, 403);
  assert.match(answer.headers.get('content-type') ?? '', /^text\/html/);
  const page = await answer.text();
  assert.ok(page.includes(issuerNotAllowed().heading));
  assert.not(page.includes('evil'));
});

launch('nothing but GET, and nothing beside', async ({ launches }) => {
  const browser = launches.newBrowser();
  for (const path of ['/smart/launch', '/smart/callback']) {
    const answer = await browser.send(path, {});
    assert.is(await codeOf(answer, 405), 'not-supported');
    assert.is(answer.headers.get('allow'), 'GET');
    const head = await fetch(launches.url + path, { method: 'HEAD' });
    assert.is(head.status, 405);
  }
  assert.is(await codeOf(await browser.send('/smart/other'), 404), 'not-found');
  const page = await browser.send('/smart', undefined, { Accept: 'text/html' });
  assert.is(page.status, 404);
  assert.match(page.headers.get('content-type') ?? '', /^text\/html/);
});

const inSeconds = (seconds: number): number => Math.floor(Date.now() / 1_000) + seconds;

// Discovery

for (const [name, changes, status, code] of [
  ['that is not there', { discovery: 'missing' }, 502, 'processing'],
  ['that is somewhere else', { discovery: 'redirected' }, 502, 'processing'],
  ['that is too large', { discovery: 'huge' }, 502, 'processing'],
  ['that is no JSON', { discovery: 'no-json' }, 502, 'processing'],
  ['without S256 among its PKCE methods', { pkceMethods: ['plain'] }, 502, 'processing'],
  ['with an empty list of them', { pkceMethods: [] }, 502, 'processing'],
  [
    'with a token endpoint beside it',
    { tokenEndpoint: 'https://10.0.0.1/token' },
    502,
    'processing',
  ],
  ['with one that is not https', { tokenEndpoint: 'http://192.0.2.1/token' }, 502, 'processing'],
  ['that never ends', { discovery: 'silent' }, 504, 'timeout'],
] as const)
  launch(`a configuration ${name} ends the launch`, async ({ launches }) => {
    launches.ehr.behave(changes);
    assert.is(await codeOf(await launches.newBrowser().open('mother-1'), status), code);
    assert.is(launches.ehr.takeRequests().length, 1);
    assert.equal(launches.ehr.takeRequestsElsewhere(), []);
  });

for (const [members, forms] of [
  [
    ['authorization_endpoint', 'token_endpoint'],
    [null, 7, true, [], ['https://x'], {}, '', 'x'],
  ],
  [
    ['issuer', 'jwks_uri'],
    [7, true, [], {}, '', 'x', `https://x/${'x'.repeat(2_000)}`],
  ],
  [
    ['code_challenge_methods_supported', 'id_token_signing_alg_values_supported'],
    [7, true, {}, 'S256', ['S256', 7], ['x'.repeat(1_000), 'S256'], Array(201).fill('S256')],
  ],
] as const)
  for (const member of members)
    launch(`a configuration whose ${member} has another form ends the launch`, async (context) => {
      for (const form of forms) {
        context.launches.ehr.behave({ published: { [member]: form } });
        const answer = await context.launches.newBrowser().open('mother-1');
        assert.is(await codeOf(answer, 502), 'processing', JSON.stringify(form).slice(0, 60));
      }
    });

for (const [what, changes, isTaken] of [
  ['that lasts for ever', { granted: { expires_in: 1e300 } }, true],
  ['that lasts no number of seconds', { granted: { expires_in: 'soon' } }, false],
  ['that lasts less than nothing', { granted: { expires_in: -1 } }, false],
  ['with a list of seconds', { granted: { expires_in: {} } }, false],
  ['that is a number', { granted: { access_token: 7 } }, false],
  ['with a line break in it', { granted: { access_token: 'a\nb' } }, false],
  ['with a scope that is a list', { granted: { scope: ['launch'] } }, false],
  ['with an id_token of a clock that differs a little', { claims: { iat: inSeconds(120) } }, true],
  ['with an id_token of tomorrow', { claims: { iat: inSeconds(86_400) } }, false],
  ['with an id_token that never comes', { claims: { iat: 1e300 } }, false],
  ['with an id_token before all times', { claims: { iat: -8e12 } }, false],
  ['with an id_token whose time is text', { claims: { iat: 'now' } }, false],
  ['with an id_token of another party', { claims: { azp: 'another-client' } }, false],
  ['with an id_token of a sign-in before all times', { claims: { auth_time: -1 } }, false],
] as const)
  launch(`an access ${what} ${isTaken ? 'is used' : 'ends the launch'}`, async ({ launches }) => {
    launches.ehr.behave(changes);
    const answer = await launches.newBrowser().launch('mother-1');
    assert.is(answer.status, isTaken ? 303 : 502);
  });

for (const [name, changes] of [
  ['lists nothing but its endpoints', { isTerse: true }],
  ['lists no PKCE methods', { pkceMethods: null }],
  ['does not say what it granted', { scope: null }],
  ['grants in words of SMART 2', { scope: 'launch patient/*.rs' }],
  ['gives no id_token', { idToken: 'none' }],
  ['gives an id_token that nobody can verify', { isTerse: true, idToken: 'foreign-key' }],
] as const)
  launch(`an EHR that ${name} is used`, async ({ launches }) => {
    launches.ehr.behave(changes);
    const chart = await launches.chartBehind(await launches.newBrowser().launch('mother-1'));
    assert.equal(chart.unread, []);
    assert.is(first(chart.asMother.values['children.0.birth_weight_grams']), 3410);
  });

// State

launch('a state is good for once', async ({ launches }) => {
  const browser = launches.newBrowser();
  const callback = await browser.throughEhr(await browser.open('mother-1'));
  assert.is((await browser.send(callback)).status, 303);
  launches.ehr.takeRequests();
  assert.is(await codeOf(await browser.send(callback), 400), 'invalid');
  assert.equal(launches.ehr.takeRequests(), []);
});

launch(
  'a launch that is over leads a person to the pre-fill that is open',
  async ({ launches }) => {
    const asPerson = { Accept: 'text/html' };
    const browser = launches.newBrowser();
    const callback = await browser.throughEhr(await browser.open('mother-1'));
    const opened = (await browser.send(callback, undefined, asPerson)).headers.get('location');
    launches.ehr.takeRequests();
    const again = await browser.send(callback, undefined, asPerson);
    assert.equal([again.status, again.headers.get('location')], [303, opened]);
    assert.equal(launches.ehr.takeRequests(), []);
    const stranger = launches.newBrowser();
    await stranger.open('newborn-1');
    assert.is((await stranger.send(callback, undefined, asPerson)).status, 400);
  },
);

launch('a state that is used twice at once is good for one of them', async ({ launches }) => {
  const browser = launches.newBrowser();
  const callback = await browser.throughEhr(await browser.open('mother-1'));
  const answers = await Promise.all([browser.send(callback), browser.send(callback)]);
  assert.equal(answers.map(({ status }) => status).sort(), [303, 400]);
});

launch(
  'another browser’s callback is 400, asks nobody and uses nothing up',
  async ({ launches }) => {
    const browser = launches.newBrowser();
    const callback = await browser.throughEhr(await browser.open('mother-1'));
    launches.ehr.takeRequests();
    const stranger = launches.newBrowser();
    assert.is(await codeOf(await stranger.send(callback), 400), 'invalid');
    await stranger.open('newborn-1');
    launches.ehr.takeRequests();
    assert.is(await codeOf(await stranger.send(callback), 400), 'invalid');
    assert.equal(launches.ehr.takeRequests(), []);
    assert.is((await browser.send(callback)).status, 303);
  },
);

launch(
  'a callback without a state, or with an unknown or repeated one, is 400',
  async ({ launches }) => {
    const browser = launches.newBrowser();
    const callback = await browser.throughEhr(await browser.open('mother-1'));
    const state = new URL(callback, 'http://x').searchParams.get('state');
    launches.ehr.takeRequests();
    for (const path of [
      '/smart/callback',
      '/smart/callback?code=x',
      '/smart/callback?code=x&state=unknown',
      `/smart/callback?code=x&state=${state}&state=${state}`,
    ])
      assert.is(await codeOf(await browser.send(path), 400), 'invalid', path);
    assert.equal(launches.ehr.takeRequests(), []);
  },
);

launch(
  'a callback that repeats its code, or has none, is 400 and asks nobody',
  async ({ launches }) => {
    const browser = launches.newBrowser();
    for (const change of [
      (path: string) => `${path}&code=x`,
      (path: string) => path.replace('code=', 'c='),
    ]) {
      const callback = change(await browser.throughEhr(await browser.open('mother-1')));
      launches.ehr.takeRequests();
      assert.is(await codeOf(await browser.send(callback), 400), 'invalid');
      assert.equal(launches.ehr.takeRequests(), []);
    }
  },
);

launch('a launch is over after ten minutes', async ({ launches }) => {
  const browser = launches.newBrowser();
  const callback = await browser.throughEhr(await browser.open('mother-1'));
  await sql`update app.ehr_launch set expires_at = now() - interval '1 second'`.execute(
    launches.db,
  );
  assert.is(await codeOf(await browser.send(callback), 400), 'invalid');
});

launch('several tabs at once each get their own patient', async ({ launches }) => {
  const browser = launches.newBrowser();
  const patients = ['mother-1', 'newborn-1', 'mother-2'];
  const callbacks: string[] = [];
  for (const patient of patients)
    callbacks.push(await browser.throughEhr(await browser.open(patient)));
  // The last first: tabs end in any order, or at once.
  const answers = await Promise.all(callbacks.reverse().map((callback) => browser.send(callback)));
  const names: (string | null)[] = [];
  for (const answer of answers) names.push((await launches.chartBehind(answer)).person.name);
  assert.equal(names, [
    'Temperance Ashgrove',
    'Babygirl Quintanilla-Brandvold',
    'Marisol Inés Quintanilla-Brandvold',
  ]);
});

launch(
  'a tab that ends just after another, with the cookie from before, gets its own',
  async ({ launches }) => {
    const browser = launches.newBrowser();
    const callbacks = [
      await browser.throughEhr(await browser.open('mother-1')),
      await browser.throughEhr(await browser.open('newborn-1')),
    ];
    const before = browser.cookie();
    for (const callback of callbacks) {
      const tab = launches.newBrowser(before);
      assert.is((await tab.send(callback)).status, 303);
    }
  },
);

launch('a session that was planted does not see what is read', async ({ launches }) => {
  const attacker = launches.newBrowser();
  await attacker.open('mother-1');
  const planted = attacker.cookie();
  const victim = launches.newBrowser(planted);
  const answer = await victim.launch('newborn-1');
  assert.is(answer.status, 303);
  assert.is.not(victim.cookie(), planted);
  const path = answer.headers.get('location') ?? '';
  assert.match(await (await victim.send(path)).text(), 'Quintanilla');
  assert.not.match(await (await attacker.send(path)).text(), 'Quintanilla');
});

// What the EHR says no to

for (const [authorize, status, code] of [
  ['denied', 403, 'forbidden'],
  ['failing', 502, 'transient'],
  ['invalid-scope', 400, 'processing'],
] as const)
  launch(`an EHR’s error (${authorize}) is told kindly, and not echoed`, async ({ launches }) => {
    launches.ehr.behave({ authorize });
    const browser = launches.newBrowser();
    const callback = await browser.throughEhr(await browser.open('mother-1'));
    assert.match(callback, /error_description=/);
    launches.ehr.takeRequests();
    const answer = await browser.send(callback, undefined, { Accept: 'text/html' });
    assert.is(answer.status, status);
    const page = await answer.text();
    for (const said of ['Quintanilla', 'said no', 'access_denied', 'server_error', 'invalid_scope'])
      assert.not.match(page, said);
    assert.equal(launches.ehr.takeRequests(), []);
    // Its state is used up.
    assert.is(await codeOf(await browser.send(callback), 400), 'invalid');
    assert.is(
      await codeOf(
        await browser.send(await browser.throughEhr(await browser.open('mother-1'))),
        status,
      ),
      code,
    );
  });

for (const [changes, status, code] of [
  [{ token: 'refused' }, 502, 'forbidden'],
  [{ token: 'no-patient' }, 400, 'required'],
  [{ token: 'no-json' }, 502, 'processing'],
  [{ token: 'redirected' }, 502, 'processing'],
  [{ idToken: 'foreign-key' }, 502, 'processing'],
  [{ idToken: 'foreign-audience' }, 502, 'processing'],
  [{ idToken: 'foreign-issuer' }, 502, 'processing'],
  [{ scope: 'launch openid' }, 502, 'forbidden'],
  [{ patient: 'failing' }, 502, 'processing'],
  [{ patient: 'denied' }, 502, 'forbidden'],
  [{ patient: 'someone-else' }, 502, 'processing'],
] as const)
  launch(`${JSON.stringify(changes)} ends the launch with ${status}`, async ({ launches }) => {
    launches.ehr.behave(changes);
    const before = await prefillsIn(launches);
    assert.is(await codeOf(await launches.newBrowser().launch('mother-1'), status), code);
    assert.is(await prefillsIn(launches), before);
  });

const prefillsIn = async ({ db }: TestLaunches): Promise<number> => {
  const { rows } = await sql<{ prefills: number }>`
    select count(*)::int as prefills from app.prefill`.execute(db);
  return rows[0]?.prefills ?? 0;
};

// What can be read in part

for (const [changes, unread] of [
  [{ observations: 'failing' }, [['Observation', 'not-readable']]],
  [{ observations: 'denied' }, [['Observation', 'not-granted']]],
  [{ observations: 'no-json' }, [['Observation', 'not-readable']]],
  [{ observations: 'huge' }, [['Observation', 'not-readable']]],
  [{ observations: 'second-page-failing' }, [['Observation', 'incomplete']]],
  [{ observations: 'next-elsewhere' }, [['Observation', 'incomplete']]],
  [{ observations: 'next-beside' }, [['Observation', 'incomplete']]],
  [{ observations: 'next-with-user' }, [['Observation', 'incomplete']]],
  [{ observations: 'next-again' }, [['Observation', 'incomplete']]],
  [{ observations: 'endless' }, [['Observation', 'incomplete']]],
  [{ observations: 'by-category-only' }, []],
  [{ observations: 'no-code-lists' }, []],
  [{ conditions: 'failing' }, [['Condition', 'not-readable']]],
  [{ encounters: 'failing' }, [['Encounter', 'not-readable']]],
  [
    { scope: 'launch patient/Patient.read patient/Condition.rs?category=encounter-diagnosis' },
    [
      ['Observation', 'not-granted'],
      ['Condition', 'narrowed'],
      ['Encounter', 'not-granted'],
    ],
  ],
] as const)
  launch(`${JSON.stringify(changes)} gives a pre-fill that says so`, async ({ launches }) => {
    launches.ehr.behave(changes);
    const chart = await launches.chartBehind(await launches.newBrowser().launch('mother-1'));
    assert.equal(
      chart.unread.map(({ part, why }) => [part, why]),
      unread,
    );
    assert.is(chart.person.medicalRecordNumber, 'MRN-40017');
    assert.equal(launches.ehr.takeRequestsElsewhere(), []);
    if (unread.length === 0)
      assert.is(first(chart.asMother.values['children.0.birth_weight_grams']), 3410);
  });

launch('a redirect of a search is not followed with the token', async ({ launches }) => {
  launches.ehr.behave({ observations: 'redirected' });
  const chart = await launches.chartBehind(await launches.newBrowser().launch('mother-1'));
  assert.equal(
    chart.unread.map(({ part }) => part),
    ['Observation'],
  );
  assert.equal(launches.ehr.takeRequestsElsewhere(), []);
});

// Limits and secrets

launch(
  'the eleventh callback of an address in a minute is 429, whatever it holds',
  async ({ launches }) => {
    const browser: LaunchingBrowser = launches.newBrowser();
    for (let left = 9; left >= 0; left -= 1) {
      const answer = await browser.send('/smart/callback?code=x&state=y');
      assert.is(answer.status, 400);
      assert.is(answer.headers.get('x-ratelimit-remaining'), String(left));
    }
    const refused = await browser.send('/smart/callback', undefined, {
      Accept: 'application/json',
    });
    assert.is(refused.status, 429);
    assert.equal(Object.keys((await refused.json()) as object), ['message']);
    assert.ok(Number(refused.headers.get('retry-after')) >= 1);
    assert.is(refused.headers.get('x-ratelimit-remaining'), '0');
    const page = await browser.send('/smart/callback');
    assert.match(page.headers.get('content-type') ?? '', /^text\/html/);
    // Launches are not counted, and neither is anybody else.
    assert.is((await browser.open('mother-1')).status, 303);
    assert.is((await launches.newBrowser().launch('mother-1')).status, 303);
  },
);

launch(
  'nothing of a patient or a token stands in the log, the metrics or the tables',
  async ({ launches }) => {
    const metrics = await (await fetch(`${launches.url}/metrics`)).text();
    const { rows } = await sql<{ text: string }>`
    select coalesce(string_agg(row, ' '), '') as text from (
      select prefill::text as row from app.prefill prefill
      union all select launch::text from app.ehr_launch launch
      union all select sess::text from app.session
    ) rows`.execute(launches.db);
    const stored = rows[0]?.text ?? '';
    const logged = launches.logged();
    assert.ok(logged.includes('A request ended in a fault.'));
    const secrets = [...launches.ehr.issuedTokens(), 'Quintanilla', 'Marisol', 'mother-1'];
    assert.ok(secrets.length > 30);
    for (const text of [logged, metrics, stored]) {
      for (const secret of secrets) assert.not.ok(text.includes(secret), secret);
      // With its digits: four letters alone stand in random text once in some hundred runs.
      assert.not.match(text, /MRN-\d{5}/);
    }
    for (const word of ['state=', 'code=', 'iss=', 'launch='])
      assert.not.ok(logged.includes(word), word);
    assert.match(metrics, /route="\/smart\/callback"/);
  },
);

launch('no launch writes anything into a practice', async ({ launches }) => {
  const { rows } = await sql<{ streams: number }>`
    select count(*)::int as streams from read.record_listing`.execute(launches.db);
  assert.is(rows[0]?.streams, 0);
});

launch.run();
