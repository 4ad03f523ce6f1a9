import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildService } from '../../scripts/build-service.ts';
import { eventually } from '../harness/eventually.ts';
import { throwAwayCluster } from '../harness/measured-service.ts';
import { poll, post, receiptAddress, receiptAt } from '../harness/service.ts';
import { birthBundle } from '../support/bundles.ts';
import { runChaosGroup } from './chaos-runs.ts';
import { startRestartableService } from './restartable-service.ts';

const chaos = suite('chaos: kills');

chaos('whatever is killed under load, nothing that was taken is lost or doubled', async () => {
  const { counts, faults } = await runChaosGroup('kills', 'short');
  assert.equal(faults, []);
  for (const what of ['receipts', 'records', 'answers', 'sent twice'])
    assert.ok((counts[what] ?? 0) > 0, what);
});

const CRASHES = 10;

// Postgres loses the latest changes of the tables, which nobody waited for to be on disk.
chaos(
  'a twin pushed right after a crash of Postgres is flagged, and no receipt goes back',
  async () => {
    buildService('ignore');
    const cluster = await throwAwayCluster();
    const service = await startRestartableService(cluster.path);
    const { url } = service;
    try {
      const { practiceId } = await service.operator(
        ...['practice', 'create', '--name', 'Cedar Birth Center', '--beta'],
      );
      const minted = await service.operator(
        ...['key', 'mint', '--practice', String(practiceId)],
        ...['--scopes', 'ingest:write,ingest:read'],
      );
      const token = String(minted['token']);
      for (let crash = 1; crash <= CRASHES; crash += 1) {
        const birth = (chart: string) =>
          birthBundle({ chartNumber: `${chart}-${crash}`, mother: { family: `Crash${crash}` } });
        const first = receiptAddress(await post(url, token, birth('first')));
        assert.is((await receiptAt(first, token)).status, 'completed');
        service.kill('postgres');
        const seen = new Set<string>();
        const look = async () => {
          const response = await poll(first, token).catch(() => null);
          if (response?.status === 200)
            seen.add(((await response.json()) as { readonly status: string }).status);
        };
        let twin = '';
        await eventually('the twin is taken', async () => {
          await look();
          const response = await post(url, token, birth('twin')).catch(() => null);
          if (response?.status !== 202) return false;
          twin = receiptAddress(response);
          return true;
        });
        for (let looks = 0; looks < 20; looks += 1) await look();
        const receipt = await receiptAt(twin, token);
        await look();
        assert.equal([...seen], ['completed']);
        assert.equal(
          receipt.status === 'completed' &&
            receipt.outcome.accepted.map((one) => one.suspected_duplicate),
          [true],
        );
      }
      assert.equal((await service.operator('verify'))['problems'], []);
    } finally {
      await service.stop();
      await cluster.remove();
    }
  },
);

chaos.run();
