import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startService } from '../../../api/app/service.ts';
import { openServiceLog } from '../../../api/process/logging.ts';
import { SettingInvalid } from '../../../api/settings/setting-parsers.ts';
import { testSettings } from '../../harness/service.ts';
import { temporaryDirectory } from '../../harness/temporary-directory.ts';

const start = suite('a start where the service cannot listen');

const refusalOf = async (changes: Readonly<Record<string, string>>): Promise<unknown> => {
  const directory = temporaryDirectory('port');
  try {
    const service = await startService(
      testSettings(directory.path, changes),
      openServiceLog('silent'),
    );
    await service.stop();
    return null;
  } catch (error) {
    return error;
  } finally {
    directory.remove();
  }
};

start('says which setting to change when the port is taken', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => {
    other.listen(0, '127.0.0.1', resolve);
  });
  const { port } = other.address() as AddressInfo;
  try {
    const refusal = await refusalOf({ PORT: String(port) });
    assert.instance(refusal, SettingInvalid);
    assert.match((refusal as Error).message, `PORT ${port} on 127.0.0.1 is taken`);
  } finally {
    other.close();
  }
});

start('says so when the host is no address of the machine', async () => {
  const refusal = await refusalOf({ HOST: '192.0.2.1' });
  assert.instance(refusal, SettingInvalid);
  assert.match((refusal as Error).message, 'HOST 192.0.2.1 is no address');
});

start('names the host that nobody knows, and does not blame the database', async () => {
  const refusal = await refusalOf({ HOST: 'nope.invalid', PORT: '8099' });
  assert.instance(refusal, SettingInvalid);
  assert.match((refusal as Error).message, /HOST nope\.invalid .* PORT 8099/);
});

start.run();
