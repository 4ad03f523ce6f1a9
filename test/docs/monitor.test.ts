import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parse } from 'yaml';
import { createMetrics } from '../../api/health/metrics.ts';
import { type ReasonCode, SAYS } from '../../api/health/readiness.ts';

const watching = suite('docs/operate/monitor.md');

const ALERTS = readFileSync(
  new URL('../../scripts/deploy/prometheus/alerts.yaml', import.meta.url),
  'utf8',
);
const DOCUMENT = readFileSync(new URL('../../docs/operate/monitor.md', import.meta.url), 'utf8');

/** What of an alert is looked at. */
interface Rule {
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: Readonly<Record<string, string>>;
}

/** A histogram's series have endings of their own. */
const nameOf = (series: string): string => series.replace(/_(?:bucket|count|sum)$/, '');

const metricsText = (): Promise<string> =>
  createMetrics({ version: 'any', role: 'all' }, async () => ({
    health: null,
    pool: null,
    background: null,
    readiness: { checks: [], reasons: [], warnings: [] },
  })).text();

const metrics = async (): Promise<ReadonlyMap<string, string>> => {
  const text = await metricsText();
  const typed = [...text.matchAll(/^# TYPE (registry_\w+) (\w+)$/gm)];
  return new Map(typed.map(([, name = '', type = '']) => [name, type]));
};

watching('its list holds every metric of ours, with its type, and no other', async () => {
  const rows = [...DOCUMENT.matchAll(/^- `(registry_\w+)` \((\w+)/gm)];
  assert.equal(
    Object.fromEntries(rows.map(([, name = '', type = '']) => [name, type])),
    Object.fromEntries(await metrics()),
  );
});

watching('no rule and no sentence names a metric that is not there', async () => {
  const known = await metrics();
  const named = new Set(
    [...`${DOCUMENT}${ALERTS}`.matchAll(/registry_\w+/g)].map(([name]) => name),
  );
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
    const item =
      new RegExp(`^- .*\`${metric}\`.*\`${label}\`: ((?:.|\n  )*)`, 'm').exec(DOCUMENT)?.[1] ?? '';
    const named = [...item.matchAll(/`([a-z-]+)`/g)].map(([, name]) => name);
    assert.equal(named.sort(), [...new Set([...series].map(([, name]) => name))].sort(), metric);
  }
});

watching('every reason and warning of readiness is explained', () => {
  const rows = [...DOCUMENT.matchAll(/^\| `([a-z-]+)` \| (?:no|warning)/gm)];
  assert.equal(
    rows.map(([, code]) => code as ReasonCode).sort(),
    (Object.keys(SAYS) as ReasonCode[]).sort(),
  );
});

watching('no alert is about lag or the length of the queue alone', () => {
  const { groups } = parse(ALERTS) as {
    readonly groups: readonly { readonly rules: readonly Rule[] }[];
  };
  const rules = groups.flatMap((group) => group.rules);
  assert.ok(rules.length > 8);
  for (const { expr, labels, annotations } of rules) {
    assert.not.match(expr, /lag_events|lag_seconds|queued_/);
    assert.ok(['page', 'ticket'].includes(labels.severity));
    assert.equal(Object.keys(annotations), ['summary']);
  }
});

watching.run();
