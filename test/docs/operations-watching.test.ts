import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMetrics } from '../../api/health/metrics.ts';
import { type ReasonCode, SAYS } from '../../api/health/readiness.ts';

const watching = suite('docs/operations-watching.md');

const DOCUMENT = readFileSync(
  new URL('../../docs/operations-watching.md', import.meta.url),
  'utf8',
);
/** A histogram's series have endings of their own. */
const nameOf = (series: string): string => series.replace(/_(?:bucket|count|sum)$/, '');

const metricsText = (): Promise<string> =>
  createMetrics({ version: 'any', role: 'all' }, async () => ({
    look: null,
    pool: null,
    background: null,
    readiness: { checks: [], reasons: [], warnings: [] },
  })).text();

const metrics = async (): Promise<ReadonlyMap<string, string>> => {
  const text = await metricsText();
  const typed = [...text.matchAll(/^# TYPE (registry_\w+) (\w+)$/gm)];
  return new Map(typed.map(([, name = '', type = '']) => [name, type]));
};

watching('its table holds every metric of ours, with its type, and no other', async () => {
  const rows = [...DOCUMENT.matchAll(/^\| `(registry_\w+)` \| (\w+) \|/gm)];
  assert.equal(
    Object.fromEntries(rows.map(([, name = '', type = '']) => [name, type])),
    Object.fromEntries(await metrics()),
  );
});

watching('no rule and no sentence names a metric that is not there', async () => {
  const known = await metrics();
  const named = new Set([...DOCUMENT.matchAll(/registry_\w+/g)].map(([name]) => name));
  assert.ok(named.size > 20);
  const unknown = [...named].filter((name) => !known.has(name) && !known.has(nameOf(name)));
  assert.equal(unknown, []);
});

watching('the labels of counters are those that are counted', async () => {
  const text = await metricsText();
  for (const [metric, label] of [
    ['registry_limiter_refused_total', 'limiter'],
    ['registry_append_seconds', 'outcome'],
    ['registry_ingestions_ended_total', 'status'],
  ] as const) {
    const series = text.matchAll(new RegExp(`^${metric}\\w*\\{.*\\b${label}="([^"]+)"`, 'gm'));
    const cell =
      new RegExp(`^\\| \`${metric}\` \\| \\w+ \\| (.*?) \\|`, 'm').exec(DOCUMENT)?.[1] ?? '';
    const named = [...cell.matchAll(/`([a-z-]+)`/g)].map(([, name]) => name).slice(1);
    assert.equal(named.sort(), [...new Set([...series].map(([, name]) => name))].sort(), metric);
  }
});

watching('every reason and warning of readiness is explained', () => {
  const rows = [...DOCUMENT.matchAll(/^\| `([a-z-]+)` \| (?:yes|warning)/gm)];
  assert.equal(
    rows.map(([, code]) => code as ReasonCode).sort(),
    (Object.keys(SAYS) as ReasonCode[]).sort(),
  );
});

watching('lag alone wakes nobody', () => {
  const rules = DOCUMENT.split('```yaml')[1]?.split('```')[0] ?? '';
  const expressions = [...rules.matchAll(/expr: (.*)$/gm)].map(([, expression = '']) => expression);
  assert.ok(expressions.length > 8);
  for (const expression of expressions)
    assert.not.match(expression, /lag_events|lag_seconds|queued_/);
});

watching.run();
