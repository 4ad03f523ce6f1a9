import { readdirSync, statSync, symlinkSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { backUp } from '../../api/operator/back-up.ts';
import { backUpWhilePushing, requireRestored } from '../harness/pushed-backup.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { temporaryDirectory } from '../harness/temporary-directory.ts';

const backup = suite<{ service: TestService }>('a backup while the service works');
backup.before(async (context) => {
  context.service = await startTestService({}, { isEmbedded: true });
});
backup.after(({ service }) => service.stop());

/** Files under a directory, and their bytes. */
const sizeOf = (directory: string) => {
  const sizes = readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(directory, name)))
    .filter((found) => found.isFile())
    .map(({ size }) => size);
  return { files: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
};

backup('can be started, and holds everything that was taken before it began', async (context) => {
  const { service } = context;
  const directory = temporaryDirectory('backup');
  const to = join(directory.path, 'copy');
  try {
    const { made, taken } = await backUpWhilePushing(service, () => backUp(service.settings, to));
    assert.is(made.holdsSecret, true);
    assert.equal({ files: made.files, bytes: made.bytes }, sizeOf(to));
    assert.not((await readdir(join(to, 'postgres'))).includes('postmaster.pid'));
    await requireRestored(to, taken, 'backup');
  } finally {
    directory.remove();
  }
});

backup('goes only where nothing is, and not into what it copies', async ({ service }) => {
  const { dataDir } = service.settings;
  const directory = temporaryDirectory('backup');
  const link = join(directory.path, 'link');
  const dangling = join(directory.path, 'dangling');
  symlinkSync(join(dataDir, 'postgres'), link);
  symlinkSync(join(dataDir, 'postgres', 'nothing-yet'), dangling);
  for (const to of [
    dataDir,
    join(dataDir, 'postgres', 'copy'),
    join(link, 'copy'),
    join(link, 'some', 'where', 'copy'),
    dangling,
  ])
    await backUp(service.settings, to).then(
      () => assert.unreachable('it should be refused'),
      (error: Error) => assert.match(error.message, /is in the data directory/),
    );
  directory.remove();
  await backUp(service.settings, tmpdir()).then(
    () => assert.unreachable('it should be refused'),
    (error: Error) => assert.match(error.message, /is not empty/),
  );
});

backup.run();
