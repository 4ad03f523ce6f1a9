import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { createMetrics } from '../../api/health/metrics.ts';
import { createCounts } from '../../api/process/counts.ts';
import { wrapItem } from './generated-parts.ts';
import { formatCode, listCodes } from './markdown.ts';

/** Metric of the service, as `/metrics` shows it. */
export interface DescribedMetric {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  /** Values that occur, by label. */
  readonly labels: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Labels with values of the installation, or with too many values to list. */
const OPEN_LABELS: ReadonlySet<string> = new Set(['version', 'role', 'method', 'route']);
const HTTP_REQUESTS = 'registry_http_request_seconds';

/** Reads all metrics with the prefix `registry_` from the text of a process that has just started. */
export const readMetrics = async (): Promise<readonly DescribedMetric[]> => {
  const pool = { total: 0, idle: 0, waiting: 0, maximum: 0 };
  const metrics = createMetrics({ version: 'any', role: 'all' }, async () => ({
    health: null,
    pool,
    background: {
      counts: await createCounts().json(),
      pool,
      appends: { failingSince: null, clock: null },
      busySeconds: 0,
    },
    readiness: { checks: [], reasons: [], warnings: [] },
  }));
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  metrics.timeRoute('GET', '/', response);
  response.emit('close');
  const text = await metrics.text();
  return [...text.matchAll(/^# HELP (registry_\w+) (.*)\n# TYPE \1 (\w+)$/gm)].map(
    ([, name = '', help = '', type = '']) => ({ name, type, help, labels: findLabels(name, text) }),
  );
};

const findLabels = (metric: string, text: string): DescribedMetric['labels'] => {
  const labels = new Map<string, Set<string>>();
  for (const [, pairs = ''] of text.matchAll(
    new RegExp(`^${metric}(?:_bucket|_count|_sum)?\\{(.*)\\} `, 'gm'),
  ))
    for (const [, label = '', value = ''] of pairs.matchAll(/(\w+)="([^"]*)"/g))
      if (label !== 'le') labels.set(label, (labels.get(label) ?? new Set()).add(value));
  return labels;
};

export const listMetrics = async (): Promise<string> => {
  const metrics = await readMetrics();
  const items = metrics.map(({ name, type, help, labels }) => {
    const kind = labels.size === 0 ? type : `${type} by ${listCodes([...labels.keys()])}`;
    return wrapItem(`- ${formatCode(name)} (${kind}): ${help}`);
  });
  const values = new Map<string, string[]>();
  for (const { name, labels } of metrics.filter((one) => one.name !== HTTP_REQUESTS))
    for (const [label, known] of labels) {
      const text = `${formatCode(label)}: ${listCodes([...known])}`;
      if (!OPEN_LABELS.has(label)) values.set(text, [...(values.get(text) ?? []), name]);
    }
  return [
    ...items,
    '',
    'Values of labels:',
    '',
    ...[...values].map(([text, names]) => wrapItem(`- ${listCodes(names)}, ${text}`)),
  ].join('\n');
};
