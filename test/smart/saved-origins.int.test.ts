import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type OperatorCommands, openCommands } from '../../api/composition/commands.ts';
import { openServiceLog } from '../../api/process/logging.ts';
import { PASSWORD } from '../harness/pages.ts';
import { startTestLaunches, type TestLaunches } from '../support/launches.ts';

interface Saved {
  launches: TestLaunches;
  commands: OperatorCommands;
  practiceId: string;
}

const saved = suite<Saved>('where the values of a saved pre-fill stood in the EHR');

const PREFILL = '/registry/capture/prefill';
const email = 'one@cedar.example';

saved.before(async (context) => {
  context.launches = await startTestLaunches();
  context.commands = await openCommands(context.launches.settings, openServiceLog('silent'));
  context.practiceId = await context.commands.practices.create({
    name: 'Cedar Birth Center',
    sandbox: true,
    beta: true,
  });
  const { practiceId } = context;
  const member = { practiceId, role: 'Provider', email, password: PASSWORD } as const;
  await context.commands.accounts.addMember(member);
});
saved.after(async ({ launches, commands }) => {
  await commands.close();
  await launches.stop();
});

const unescaped = (text: string): string =>
  text
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&lt;/g, '<')
    .replace(/&amp;/g, '&');

const attribute = (tag: string, name: string): string | null => {
  const [, value] = new RegExp(`\\s${name}="([^"]*)"`).exec(tag) ?? [];
  return value === undefined ? null : unescaped(value);
};

/** What a browser would send of the form of a birth, as the page shows it. */
const formOn = (html: string): Readonly<Record<string, string>> => {
  const form = /<form[^>]*id="birth-form"[\s\S]*?<\/form>/.exec(html)?.[0] ?? '';
  const fields: Record<string, string> = {};
  for (const [tag] of form.matchAll(/<input[^>]*>/g)) {
    const name = attribute(tag, 'name');
    const isChoice = /type="(?:checkbox|radio)"/.test(tag);
    if (name !== null && (!isChoice || /\schecked/.test(tag)))
      fields[name] = attribute(tag, 'value') ?? '';
  }
  for (const [, tag = '', options = ''] of form.matchAll(/(<select[^>]*>)([\s\S]*?)<\/select>/g)) {
    const chosen = [...options.matchAll(/<option[^>]*>/g)].find(([one]) => /\sselected/.test(one));
    fields[attribute(tag, 'name') ?? ''] =
      chosen === undefined ? '' : (attribute(chosen[0], 'value') ?? '');
  }
  for (const [, tag = '', text = ''] of form.matchAll(/(<textarea[^>]*>)([\s\S]*?)<\/textarea>/g))
    fields[attribute(tag, 'name') ?? ''] = unescaped(text);
  return fields;
};

saved('resource, code and date are kept, and shown on the page of the record', async (context) => {
  const { launches, commands, practiceId } = context;
  const browser = launches.newBrowser();
  await browser.signIn({ id: '', email });
  const launched = await browser.launch('newborn-1');
  const address = launched.headers.get('location') ?? '';
  const form = formOn(await (await browser.send(address)).text());
  // The chart says two things of it: one is chosen.
  assert.is(form['children.0.apgar_five_minute'], '');
  const answer = await browser.send(PREFILL, {
    ...form,
    place_of_birth: 'Hospital',
    chart_number: 'ORIGIN-1',
    'children.0.apgar_one_minute': '6',
    'children.0.apgar_five_minute': '10',
  });
  assert.is(answer.status, 303);
  const record = answer.headers.get('location') ?? '';
  assert.match(record, /\/registry\/records\/[0-9a-f-]{36}$/);

  const { state } = await commands.history(practiceId, 'ORIGIN-1', null);
  const markOf = (name: string) =>
    state?.courseOfCare.sources.find(({ field }) => field === name)?.from;
  const five = markOf('children.apgar_five_minute');
  assert.match(five?.resource ?? '', /^Observation\/[\w.-]+$/);
  assert.is(five?.code, '9274-2');
  assert.match(five?.date ?? '', /^\d{4}-\d\d-\d\dT/);
  assert.is(markOf('children.sex')?.resource, 'Patient/newborn-1');
  // What the clinician typed over is the clinician's.
  assert.is(markOf('children.apgar_one_minute'), undefined);

  const html = await (await browser.send(new URL(record, launches.url).pathname)).text();
  const origins = html.slice(html.indexOf('id="origins"')).replace(/<[^>]+>/g, '\n');
  assert.match(
    origins,
    new RegExp(
      `In the EHR: measurement or finding ${five?.resource}, code 9274-2, \\w+ \\d+, \\d{4}`,
    ),
  );
  assert.match(origins, /In the EHR: patient details Patient\/newborn-1\n/);
  assert.match(origins, /Entered by one@cedar\.example beside what the EHR said, [^\n.]*\n/);
});

saved.run();
