import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { CheckboxField } from '../../api/pages/layout/checkbox-field.tsx';
import { Confirm } from '../../api/pages/layout/confirm.tsx';
import { ErrorSummary } from '../../api/pages/layout/error-summary.tsx';
import { FrameContext } from '../../api/pages/layout/frame-context.ts';
import { findNavItem, navItemsFor } from '../../api/pages/layout/navigation.ts';
import { Pagination } from '../../api/pages/layout/pagination.tsx';
import { RadioGroup } from '../../api/pages/layout/radio-group.tsx';
import { SelectField } from '../../api/pages/layout/select-field.tsx';
import { TextArea } from '../../api/pages/layout/text-area.tsx';
import { TextField } from '../../api/pages/layout/text-field.tsx';
import { Time } from '../../api/pages/layout/time.tsx';
import { MissingFromRecord } from '../../api/pages/records/record/missing-from-record.tsx';
import { formatTime, formatWait } from '../../api/pages/text/format-times.ts';
import { LatestSubmissions } from '../../api/pages/to-do/practice-home.tsx';
import { explainMissingItems } from '../../domain/birth-record/item-reasons.ts';
import { type BirthRecord, evolve, noRecord } from '../../domain/birth-record/state.ts';
import { emptyChild, emptyCourseOfCare } from '../../domain/course/course.ts';
import { findMissingItems } from '../../domain/course/missing-items.ts';
import { amended } from '../support/birth-records.ts';

const written = (node: VNode): string =>
  renderToString(
    <FrameContext.Provider
      value={{
        who: null,
        errors: [],
        path: '/',
        now: new Date(),
        timeZone: 'America/Los_Angeles',
        clock: '12',
        flashes: [],
        noted: null,
        rendered: new Set(),
        idleMinutes: 15,
        csrfToken: () => 'token',
        asset: (name) => name,
      }}
    >
      {node}
    </FrameContext.Provider>,
  );

test('a moment is shown in the zone of the practice, on either side of a change of clocks', () => {
  const at = new Date('2026-05-12T18:03:29Z');
  const show = (moment: Date, timeZone: string) => [
    formatTime(moment, { timeZone, clock: '12' }),
    formatTime(moment, { timeZone, clock: '24' }),
  ];
  for (const [shown, expected] of [
    [show(at, 'America/New_York'), ['May 12, 2026, 2:03 PM', 'May 12, 2026, 14:03']],
    [show(at, 'Pacific/Honolulu'), ['May 12, 2026, 8:03 AM', 'May 12, 2026, 08:03']],
    [
      show(new Date('2026-01-01T05:00:00Z'), 'America/New_York'),
      ['Jan 1, 2026, 12:00 AM', 'Jan 1, 2026, 00:00'],
    ],
    [
      show(new Date('2026-11-01T06:30:00Z'), 'America/New_York'),
      ['Nov 1, 2026, 1:30 AM EST', 'Nov 1, 2026, 01:30 EST'],
    ],
  ])
    assert.equal(shown, expected);
  const visitors = { timeZone: 'America/New_York', clock: '12', namesZone: true } as const;
  assert.is(formatTime(at, visitors), 'May 12, 2026, 2:03 PM EDT');
  assert.is(
    written(<Time at={at} />),
    '<time datetime="2026-05-12T18:03:29.000Z">May 12, 2026, 11:03 AM</time>',
  );
});

test('a field is tied to its label, its hint and its error, which the summary links to', () => {
  const name = 'children.0.birth_weight_grams';
  const message = 'The birth weight is missing a unit. Use grams, or pounds and ounces.';
  const html = written(
    <TextField name={name} label="Birth weight" hint="As on the scale" error={message} value="7" />,
  );
  const id = 'field-children-0-birth_weight_grams';
  for (const part of [
    `for="${id}"`,
    `id="${id}"`,
    `name="${name}"`,
    `aria-describedby="${id}-hint ${id}-error"`,
    'aria-invalid="true"',
    'value="7"',
  ])
    assert.ok(html.includes(part), part);
  const summary = written(<ErrorSummary errors={[{ field: name, id: 'wrong', message }]} />);
  assert.ok(summary.includes(`href="#${id}" data-error="wrong"`));
  assert.is(written(<ErrorSummary errors={[]} />), '');
});

test('what people type is text, wherever it stands', () => {
  const typed = '"><script>alert(1)</script>';
  for (const node of [
    <TextField key="a" name="a" label="A" value={typed} />,
    <TextArea key="b" name="b" label="B" value={typed} />,
    <SelectField key="c" name="c" label={typed} choices={[{ value: typed, text: typed }]} />,
    <RadioGroup key="d" name="d" label="D" choices={[{ value: typed, text: typed }]} />,
    <CheckboxField key="e" name="e" label={typed} value={typed} />,
    <Confirm key="f" action="/x" submit={typed} cancel="/y" fields={{ a: typed }}>
      {typed}
    </Confirm>,
  ])
    assert.not.match(written(node), /<script/);
});

test('a password is never written back', () => {
  assert.not.match(written(<TextField name="p" label="P" type="password" value="open" />), /open/);
});

test('a posted form holds the token first, so that it is there before any file', () => {
  const html = written(
    <Confirm action="/x" submit="Void record" cancel="/y" destructive>
      <p>One record.</p>
    </Confirm>,
  );
  assert.match(html, /<form[^>]*><input type="hidden" name="_csrf" value="token"/);
});

test('a list of one page has no way to others', () => {
  const href = (page: number) => `/x?page=${page}`;
  assert.is(written(<Pagination page={1} pages={1} of="records" href={href} />), '');
  const middle = written(<Pagination page={2} pages={3} of="records" href={href} />);
  assert.match(middle, /\/x\?page=1/);
  assert.match(middle, /\/x\?page=3/);
});

test('an address belongs to the nearest page of the menu', () => {
  const practice = {
    name: 'Cedar',
    sandbox: false,
    beta: false,
    requiresSecondFactor: false,
    neededItems: [],
    daysUntilDue: null,
    writesEditFlags: false,
    lastBreakGlass: null,
    timeZone: 'America/New_York',
    clock: '12',
  } as const;
  const ids = { memberId: 'm', practiceId: 'p', seatId: 's' };
  const seat = { kind: 'member', ...ids, email: 'e', name: null, role: 'Admin' } as const;
  const places = navItemsFor({ ...seat, practice, isAuditor: false });
  assert.is(findNavItem(places, '/registry/records/new')?.text, 'Enter a birth');
  assert.is(findNavItem(places, '/registry/records/0f3c')?.text, 'Records');
  assert.is(findNavItem(places, '/registry')?.text, 'Home');
  assert.is(findNavItem(places, '/registry/capture/prefill')?.text, undefined);
});

test('a wait is told in whole minutes, never less than it is', () => {
  assert.is(formatWait(1), '1 minute');
  assert.is(formatWait(60_001), '2 minutes');
  assert.is(formatWait(15 * 60_000), '15 minutes');
});

test('an item whose day has come says when it was expected; those of twins are named by child', () => {
  const child = { ...emptyChild(), given_names: ['Ana'], family_name: 'Marin' };
  const course = { ...emptyCourseOfCare(), children: [child, child] };
  const state = [amended({ version: 1, course })].reduce<BirthRecord>(evolve, noRecord);
  if (state.status === 'none') throw new Error('It was recorded');
  const reasons = [0, 1].map((position) => ({
    item: 'birth-weight',
    child: position,
    children: 2,
    reason: { kind: 'awaited', until: position === 0 ? '2026-05-13' : '2026-05-14' } as const,
    by: 'Inés Soto',
    at: new Date('2026-05-12T18:03:29Z'),
  }));
  const missing = findMissingItems(course, ['birth-weight']);
  const html = written(
    <MissingFromRecord
      completeness={{
        ...explainMissingItems(missing, reasons, course, '2026-05-13'),
        due: null,
        today: '2026-05-13',
      }}
      record={state}
      href="/record"
    />,
  );
  const text = html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
  for (const words of [
    'Missing: 1 item',
    'Child 1 Facility worksheet: Birth weight (expected May 13, 2026)',
    'Child 2: birth weight: not available yet, expected on May 14, 2026. Marked by Inés Soto,',
  ])
    assert.match(text, words);
});

test('the counts of a submission have their thousands apart', () => {
  const submission = {
    ingestionId: 'one',
    receivedAt: new Date('2026-05-12T18:03:29Z'),
    source: 'fhir_push',
    sentBy: null,
    status: 'completed',
    records: 1_000,
    accepted: 12_345,
    rejected: 0,
  } as const;
  const html = written(<LatestSubmissions submissions={[submission]} places={[]} />);
  const cells = [...html.matchAll(/<td[^>]*>([^<]*)<\/td>/g)].map(([, text]) => text);
  assert.equal(cells.slice(-3), ['1,000', '12,345', '0']);
});

test.run();
