import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type OperatorCommands, openCommands } from '../../api/operator/operator-commands.ts';
import { DEFAULT_TIME_FORMAT } from '../../api/pages/text/format-times.ts';
import { formatChartPlace, IN_THE_EHR } from '../../api/pages/text/prefill-text.ts';
import { formatBesideEhr } from '../../api/pages/text/record-event-text.ts';
import { openServiceLog } from '../../api/process/logging.ts';
import { PASSWORD } from '../harness/pages.ts';
import { startTestLaunches, type TestLaunches } from '../support/launches.ts';
import { formOn } from '../support/sent-forms.ts';

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

saved('resource, code and date are kept, and shown on the page of the record', async (context) => {
  const { launches, commands, practiceId } = context;
  const browser = launches.newBrowser();
  await browser.signIn({ id: '', email });
  const launched = await browser.launch('newborn-1');
  const address = launched.headers.get('location') ?? '';
  const form = formOn(await (await browser.send(address)).text()).fields;
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

  const place = { resource: five?.resource ?? '', code: five?.code ?? null, date: null };
  const html = await (await browser.send(new URL(record, launches.url).pathname)).text();
  const origins = html.slice(html.indexOf('id="origins"')).replace(/<[^>]+>/g, '\n');
  assert.match(
    origins,
    new RegExp(`${IN_THE_EHR} ${formatChartPlace(place, DEFAULT_TIME_FORMAT)}, \\w+ \\d+, \\d{4}`),
  );
  const newborn = { resource: 'Patient/newborn-1', code: null, date: null };
  assert.match(origins, `${IN_THE_EHR} ${formatChartPlace(newborn, DEFAULT_TIME_FORMAT)}\n`);
  assert.match(origins, new RegExp(`${formatBesideEhr(email)}, [^\\n.]*\\n`));
});

saved.run();
