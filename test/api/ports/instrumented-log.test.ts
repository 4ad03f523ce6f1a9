import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { EventLog } from '../../../adapters/event-log/event-log.ts';
import { createMetrics } from '../../../api/health/metrics.ts';
import { createServiceStatus } from '../../../api/health/service-status.ts';
import { instrumentLog } from '../../../api/ports/instrumented-log.ts';

test('an append that is timed keeps its limits', async () => {
  const { metricsSnapshot: sight } = createServiceStatus(new Date());
  const { meters } = createMetrics({ version: '0', role: 'all' }, sight);
  const asked: unknown[][] = [];
  const append: EventLog['append'] = async (...given) => {
    asked.push(given);
    return { kind: 'wrong-revision' };
  };
  const mayTryAgain = () => false;
  const context = {
    correlationId: 'c',
    causationId: null,
    actor: { kind: 'service', id: 's' },
  } as const;
  await instrumentLog({ append } as EventLog, meters).append(
    'key-1',
    'no-stream',
    [],
    context,
    2_000,
    mayTryAgain,
  );
  assert.equal(asked, [['key-1', 'no-stream', [], context, 2_000, mayTryAgain]]);
});

test.run();
