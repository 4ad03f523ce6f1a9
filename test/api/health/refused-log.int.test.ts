import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { formatFault } from '../../../api/app/fault-messages.ts';
import { startService } from '../../../api/app/service.ts';
import { openCommands } from '../../../api/operator/operator-commands.ts';
import { openServiceLog } from '../../../api/process/logging.ts';
import type { Settings } from '../../../api/settings/settings.ts';
import { REFUSED_CERTIFICATES } from '../../harness/certificates.ts';
import { eventually } from '../../harness/eventually.ts';
import { type FaultyLog, startFaultyLog } from '../../harness/faulty-log.ts';
import {
  type LogProxy,
  type ProxiedCall,
  proxyLog,
  type Refusal,
} from '../../harness/log-proxy.ts';
import { freePort } from '../../harness/ports.ts';
import {
  metricsAt,
  newPractice,
  post,
  pushAddress,
  receiptAt,
  seriesValue,
  type TestPractice,
  testSettings,
} from '../../harness/service.ts';
import { type TemporaryDirectory, temporaryDirectory } from '../../harness/temporary-directory.ts';
import { birthBundle } from '../../support/bundles.ts';

interface Context {
  directory: TemporaryDirectory;
  node: FaultyLog;
  proxy: LogProxy;
  settings: Settings;
  practice: TestPractice;
}

/** What a log that answers, and refuses, does to a service and to commands. */
const refused = suite<Context>('a log that refuses');

const silent = openServiceLog('silent');

refused.before(async (context) => {
  context.directory = temporaryDirectory('refused');
  context.node = await startFaultyLog();
  context.proxy = await proxyLog(context.node.port);
  context.settings = testSettings(context.directory.path, {
    DATABASE_URL: context.node.databaseUrl,
    EVENTSTORE_URL: `esdb://127.0.0.1:${context.proxy.port}?tls=false`,
    REGISTRY_SECRET: 'a secret of thirty-two bytes or more',
  });
  const commands = await openCommands(context.settings, silent, { mayFound: true });
  context.practice = await newPractice(commands);
  await commands.close();
});
refused.before.each(({ proxy }) => proxy.refuses(() => null));
refused.after(async ({ directory, node, proxy }) => {
  proxy.stop();
  await node.stop();
  directory.remove();
});

interface Ready {
  readonly reasons: readonly { readonly code: string; readonly says: string }[];
  readonly warnings: readonly { readonly code: string; readonly says: string }[];
}

const readyAt = async (url: string) => {
  const response = await fetch(`${url}/health/ready`);
  const { reasons, warnings } = (await response.json()) as Ready;
  const codes = [...reasons, ...warnings].map(({ code }) => code);
  return { http: response.status, codes };
};

const denyReads: readonly Refusal[] = ['denied', 'unauthenticated'];

for (const refusal of denyReads)
  refused(`reading is ${refusal}: it answers, and says what to look at`, async (context) => {
    const { settings, proxy, practice } = context;
    const service = await startService(settings, silent);
    try {
      await service.started;
      await eventually('readiness', async () => (await readyAt(service.url)).codes.length === 0);
      proxy.refuses(() => refusal);
      // The projector goes on with a subscription that it has; a new one is refused.
      const address = await pushAddress(service.url, practice.token, birthBundle());
      await eventually('the warnings', async () => {
        const { http, codes } = await readyAt(service.url);
        assert.is(http, 200);
        assert.not.ok(codes.includes('log-away'), 'it answers');
        assert.not.ok(codes.includes('tables-not-kept-up'), 'a projector waits for it');
        assert.not.ok(codes.includes('appends-failing'), 'its leader and disks are well');
        return codes.includes('log-access-denied') && codes.includes('appends-denied');
      });
      assert.is.not(seriesValue(await metricsAt(service.url), 'registry_projection_kept_up'), 0);
      proxy.refuses(() => null);
      assert.is((await receiptAt(address, practice.token)).status, 'completed');
      await eventually('readiness', async () => (await readyAt(service.url)).codes.length === 0);
    } finally {
      await service.stop();
    }
  });

refused('writing is denied: neither a leader nor a disk is missing', async (context) => {
  const { settings, proxy, practice } = context;
  const service = await startService(settings, silent);
  try {
    await service.started;
    await eventually('readiness', async () => (await readyAt(service.url)).codes.length === 0);
    proxy.refuses(({ kind }) => (kind === 'append' ? 'denied' : null));
    const address = await pushAddress(service.url, practice.token, birthBundle());
    await eventually('the warning', async () => {
      const { codes } = await readyAt(service.url);
      assert.not.ok(codes.includes('appends-failing'));
      return codes.includes('appends-denied');
    });
    proxy.refuses(() => null);
    assert.is((await receiptAt(address, practice.token)).status, 'completed');
  } finally {
    await service.stop();
  }
});

const isOfAll = ({ kind, stream }: ProxiedCall): boolean => kind === 'read' && stream === '$all';

for (const role of ['all', 'api', 'worker', 'projector'] as const)
  refused(`without rights on $all, ${role} does not start, and says why`, async (context) => {
    const { settings, proxy } = context;
    proxy.refuses((call) => (isOfAll(call) ? 'denied' : null));
    const service = await startService({ ...settings, role }, silent);
    try {
      const fault = await service.started.then(
        () => null,
        (error: unknown) => error,
      );
      assert.match(formatFault(fault), /^The account in EVENTSTORE_URL lacks rights .*\$all/);
    } finally {
      await service.stop();
    }
  });

refused('a command without rights on $all says the same', async ({ settings, proxy }) => {
  proxy.refuses((call) => (isOfAll(call) ? 'denied' : null));
  const commands = await openCommands(settings, silent);
  try {
    for (const command of [() => commands.checkpoint(), () => commands.rebuild('swap')]) {
      const fault = await command().then(
        () => null,
        (error: unknown) => error,
      );
      assert.match(formatFault(fault), /^The account in EVENTSTORE_URL lacks rights .*\$all/);
    }
  } finally {
    await commands.close();
  }
});

const SENTENCES = [
  /^The certificate of the event log is of an authority that is not known here/,
  /^The certificate of the event log has expired/,
  /^The certificate of the event log is for another name/,
];

for (const [place, { name, certificate, isKnown }] of REFUSED_CERTIFICATES.entries())
  refused(`a certificate ${name} is named by each command, and by readiness`, async (context) => {
    const { settings, node } = context;
    const shown = await proxyLog(node.port, certificate);
    const other = await proxyLog(node.port, certificate);
    const authority = isKnown ? `&tlsCaFile=${certificate.cert}` : '';
    const addresses = [[shown], [shown, other]].map(
      (nodes) =>
        `esdb://${nodes.map(({ port }) => `localhost:${port}`).join(',')}?tls=true${authority}`,
    );
    try {
      for (const eventstoreUrl of addresses) {
        const wrong = { ...settings, eventstoreUrl };
        const fault = await openCommands(wrong, silent).catch((error: unknown) => error);
        assert.match(formatFault(fault), SENTENCES[place] as RegExp);
        const service = await startService(wrong, silent);
        try {
          await eventually('readiness', async () => {
            const { http, codes } = await readyAt(service.url);
            return http === 200 && codes.includes('log-certificate-refused');
          });
        } finally {
          await service.stop();
        }
      }
    } finally {
      shown.stop();
      other.stop();
    }
  });

refused('a leader that is never reached: nothing is taken that would be stuck', async (context) => {
  const { settings, proxy, practice } = context;
  const nowhere = await freePort();
  proxy.refuses(({ requiresLeader }) => (requiresLeader ? { leaderPort: nowhere } : null));
  const service = await startService(settings, silent);
  try {
    await eventually('the reason', async () => {
      const { http, codes } = await readyAt(service.url);
      assert.is(http, 503);
      return codes.includes('log-not-leader');
    });
    assert.is((await post(service.url, practice.token, birthBundle())).status, 503);
    proxy.refuses(() => null);
    await service.started;
    const address = await pushAddress(service.url, practice.token, birthBundle());
    assert.is((await receiptAt(address, practice.token)).status, 'completed');
    // As when a leader is replaced: what comes in meanwhile waits.
    proxy.refuses(({ requiresLeader }) => (requiresLeader ? { leaderPort: nowhere } : null));
    await eventually('the warning', async () => {
      const { http, codes } = await readyAt(service.url);
      return http === 200 && codes.includes('log-not-leader');
    });
    const waiting = await pushAddress(service.url, practice.token, birthBundle());
    proxy.refuses(() => null);
    assert.is((await receiptAt(waiting, practice.token)).status, 'completed');
  } finally {
    await service.stop();
  }
});

refused('a follower alone serves, as it leads to the leader', async (context) => {
  const { settings, proxy, practice, node } = context;
  proxy.refuses(({ requiresLeader }) => (requiresLeader ? { leaderPort: node.port } : null));
  const service = await startService(settings, silent);
  try {
    await service.started;
    const address = await pushAddress(service.url, practice.token, birthBundle());
    assert.is((await receiptAt(address, practice.token)).status, 'completed');
    await eventually('readiness', async () => (await readyAt(service.url)).codes.length === 0);
  } finally {
    await service.stop();
  }
});

refused.run();
