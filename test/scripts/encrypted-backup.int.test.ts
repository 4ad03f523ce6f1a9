import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { Decrypter, Encrypter, generateIdentity, identityToRecipient } from 'age-encryption';
import pg from 'pg';
import { extract, type Header, pack } from 'tar-stream';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createBackupKey } from '../../adapters/crypto/backup-key.ts';
import {
  backUpEncrypted,
  createEncrypter,
  type Recipients,
} from '../../adapters/embedded-postgres/archive.ts';
import { SIGNATURE_FILE, signBackup } from '../../adapters/embedded-postgres/backup-signature.ts';
import { type HostedPostgres, hostPostgres } from '../../adapters/embedded-postgres/host.ts';
import { CONFIGURATION } from '../../adapters/embedded-postgres/restore.ts';
import { backUp } from '../../api/operator/back-up.ts';
import { type RestoreOrder, restore } from '../../api/operator/restore.ts';
import { parseBackupKey } from '../../scripts/operator/option-values.ts';
import { runOperator } from '../../scripts/operator/run-operator.ts';
import { captureRun } from '../harness/captured-run.ts';
import { eventually } from '../harness/eventually.ts';
import { backUpWhilePushing, requireRestored, type TakenBefore } from '../harness/pushed-backup.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { type TemporaryDirectory, temporaryDirectory } from '../harness/temporary-directory.ts';
import { addLong, IS_LONG } from '../support/runs.ts';

/** Who can open archives, by a file as age-keygen writes it. */
interface Holder {
  readonly recipient: string;
  readonly identityFile: string;
}

const holderIn = async (directory: string, name: string): Promise<Holder> => {
  const identity = await generateIdentity();
  const identityFile = join(directory, `${name}.txt`);
  writeFileSync(identityFile, `# created: 2026-11-24\n${identity}\n`, { mode: 0o600 });
  return { recipient: await identityToRecipient(identity), identityFile };
};

interface Context {
  readonly service: TestService;
  /** The server that is asked for a backup. */
  readonly hosted: HostedPostgres;
  readonly directory: TemporaryDirectory;
  /** Shaped like a data directory, and small, for what is about the archive and not about the registry. */
  readonly small: string;
  readonly ada: Holder;
  readonly ben: Holder;
  /** An archive of the registry that Ada opens, and, in a long run, what was restored from it before a service ran on it. */
  readonly real: {
    readonly archive: string;
    readonly restored: string;
    readonly taken: TakenBefore;
  };
}

const encrypted =
  suite<{ -readonly [Name in keyof Context]: Context[Name] }>('an encrypted backup');

const quietly = () => undefined;

const SECRET = 'a secret that signs what the tests make';
const KEY = createBackupKey(SECRET);
/** A machine without the data of any service. */
const ELSEWHERE = { registrySecret: null, dataDir: '/nowhere' };

type Files = Pick<RestoreOrder, 'from' | 'identity' | 'to'>;

/** Restores what {@link KEY} has signed. */
const restoreOurs = (files: Files) =>
  restore(
    { ...ELSEWHERE, registrySecret: SECRET },
    { ...files, signedBy: [], acceptsUnsigned: false },
    quietly,
  );

const FILE_BYTES = 100_000;

const makeSmallDirectory = (dataDir: string): string => {
  for (const name of ['base/1', 'base/5', 'global', 'pg_wal', 'pg_notify'])
    mkdirSync(join(dataDir, 'postgres', name), { recursive: true, mode: 0o700 });
  for (const [name, content] of [
    ['postgres-password', 'a password'],
    ['registry-secret', 'a secret'],
    ['postgres/PG_VERSION', '18\n'],
    ['postgres/base/1/an empty one', ''],
    ...Array.from({ length: 10 }, (_, n) => [`postgres/base/5/${n}`, randomBytes(FILE_BYTES)]),
  ] as const)
    writeFileSync(join(dataDir, `${name}`), content ?? '', { mode: 0o600 });
  return dataDir;
};

/** What {@link makeSmallDirectory} made, and what a backup adds: the label of Postgres. */
const SMALL_FILES = 15;

encrypted.before(async (context) => {
  context.service = await startTestService({}, { isEmbedded: true });
  context.hosted = await hostPostgres(context.service.settings);
  context.directory = temporaryDirectory('archive');
  context.small = makeSmallDirectory(join(context.directory.path, 'small'));
  context.ada = await holderIn(context.directory.path, 'ada');
  context.ben = await holderIn(context.directory.path, 'ben');
});

encrypted.after(async ({ service, hosted, directory }) => {
  await hosted.stop();
  await service.stop();
  directory.remove();
});

const refusal = (doing: Promise<unknown>): Promise<string> =>
  doing.then(
    () => assert.unreachable('it should be refused'),
    (error: Error) => {
      assert.is(error.name, 'ArchiveRefused', error.stack);
      return error.message;
    },
  ) as Promise<string>;

/** An archive of the small directory, for the holders. */
const archiveOf = (
  context: Context,
  name: string,
  ...holders: readonly Holder[]
): Promise<string> => {
  const listed = holders.map(({ recipient }) => recipient);
  return archiveFor(context, name, { listed, file: null });
};

const archiveFor = async (
  { hosted, small, directory }: Context,
  name: string,
  recipients: Recipients,
): Promise<string> => {
  const to = join(directory.path, name);
  const encrypter = await createEncrypter(recipients);
  assert.ok(encrypter !== null);
  const made = await backUpEncrypted(hosted.url, small, to, encrypter, KEY, quietly);
  assert.equal([made.archive, made.files], [to, SMALL_FILES]);
  return to;
};

/** Opens the header only: what opens it opens the rest. */
const isOpenedBy = async (archive: string, { identityFile }: Holder): Promise<boolean> => {
  const decrypter = new Decrypter();
  decrypter.addIdentity(identityIn(identityFile));
  const header = readFileSync(archive).subarray(0, headerOf(archive));
  return decrypter.decryptHeader(header).then(
    () => true,
    () => false,
  );
};

const identityIn = (identityFile: string): string =>
  readFileSync(identityFile, 'utf8').split('\n')[1] ?? '';

encrypted(
  'that is made while pushes go on is restored elsewhere with everything taken before it began',
  async (context) => {
    const { service, directory, ada, ben } = context;
    const archives = join(directory.path, 'nightly');
    mkdirSync(archives);
    // Recipients of the command line go before those of the setting.
    const ofSetting = await holderIn(directory.path, 'setting');
    const recipients = [ada, ben].flatMap(({ recipient }) => ['--recipient', recipient]);
    const { made, taken } = await backUpWhilePushing(service, () =>
      captureRun((streams) =>
        runOperator({
          args: ['backup', '--to', archives, ...recipients],
          environment: {
            DATA_DIR: service.settings.dataDir,
            BACKUP_RECIPIENTS: ofSetting.recipient,
          },
          yieldToService: () => undefined,
          ...streams,
        }),
      ),
    );
    assert.is(made.code, 0, made.stderr);
    const archive = join(archives, readdirSync(archives).join());
    assert.match(made.stdout, 'into the encrypted archive');
    assert.match(made.stdout, 'The archive holds the secret');
    assert.is(statSync(archive).mode & 0o777, 0o600);
    assert.not(readFileSync(archive).includes('Family 1'), 'nothing is readable in it');
    assert.equal(
      await Promise.all([ada, ben, ofSetting].map((holder) => isOpenedBy(archive, holder))),
      [true, true, false],
    );

    const to = join(directory.path, 'restored');
    const printed = /--signed-by (\S+)/.exec(made.stdout)?.[1] ?? '';
    const signedBy = [parseBackupKey(printed)];
    const restored = await restore(
      ELSEWHERE,
      { from: archive, identity: ada.identityFile, to, signedBy, acceptsUnsigned: false },
      quietly,
    );
    assert.equal([restored.directory, restored.signedBy], [to, printed]);
    assert.ok(restored.files > 100);
    assert.equal(readdirSync(to).sort(), ['postgres', 'postgres-password', 'registry-secret']);
    context.real = { archive, restored: join(directory.path, 'not-started'), taken };
    if (IS_LONG) cpSync(to, context.real.restored, { recursive: true });
    await requireRestored(to, taken, 'encrypted-backup');
  },
);

encrypted('opens for each of its recipients, and for nobody else', async (context) => {
  const { directory, ada, ben } = context;
  const forBoth = await archiveOf(context, 'both.tar.age', ada, ben);
  for (const { identityFile } of [ada, ben]) {
    const to = join(directory.path, `for-${identityFile.split('/').at(-1)}`);
    const { files } = await restoreOurs({ from: forBoth, identity: identityFile, to });
    assert.is(files, SMALL_FILES);
    requireSame(to, context.small, [LABEL, ...CONFIGURED]);
  }
  const stranger = await holderIn(directory.path, 'stranger');
  const to = join(directory.path, 'for-a-stranger');
  const order = { from: forBoth, identity: stranger.identityFile, to };
  assert.match(
    await refusal(restoreOurs(order)),
    /^No identity in .* opens .*: it was made for other recipients/,
  );
  assert.not(readdirSync(directory.path).includes('for-a-stranger'));
});

const LABEL = join('postgres', 'backup_label');

/** Files that a restore writes itself. */
const CONFIGURED = Object.keys(CONFIGURATION).map((name) => join('postgres', name));

/** Every file of the original is in the copy, and beside them only what is expected. */
const requireSame = (copy: string, original: string, beside: readonly string[]): void => {
  const namesIn = (directory: string) =>
    readdirSync(directory, { recursive: true, encoding: 'utf8' }).sort();
  const names = namesIn(original);
  assert.equal(namesIn(copy), [...new Set([...names, ...beside])].sort());
  for (const name of names) {
    const from = join(original, name);
    if (statSync(from).isFile() && !CONFIGURED.includes(name))
      assert.ok(readFileSync(join(copy, name)).equals(readFileSync(from)), name);
  }
};

encrypted('that is cut off or altered is refused, and leaves nothing', async (context) => {
  const { directory, ada } = context;
  const whole = await archiveOf(context, 'whole.tar.age', ada);
  const { size } = statSync(whole);
  const damages: Readonly<Record<string, (file: string) => void>> = {
    'cut off within a chunk': (file) => truncateSync(file, size - 100),
    // What is left ends as a chunk does, and each chunk opens.
    'cut off between chunks': (file) =>
      truncateSync(file, headerOf(whole) + 16 + 3 * (65_536 + 16)),
    'one bit in the middle': (file) => alter(file, Math.floor(size / 2)),
    'one bit at the end': (file) => alter(file, size - 1),
    'more behind it': (file) => appendFileSync(file, 'more'),
  };
  for (const [damage, doIt] of Object.entries(damages)) {
    const damaged = join(directory.path, 'damaged.tar.age');
    copyFileSync(whole, damaged);
    doIt(damaged);
    const there = join(directory.path, 'there');
    mkdirSync(there, { recursive: true });
    const order = { from: damaged, identity: ada.identityFile, to: there };
    assert.match(await refusal(restoreOurs(order)), 'is incomplete or was altered', damage);
    assert.equal(readdirSync(there), [], damage);
  }
});

/** Bytes of the header of an age file: its last line begins with three hyphens. */
const headerOf = (file: string): number => {
  const bytes = readFileSync(file);
  return bytes.indexOf('\n', bytes.indexOf('\n--- ') + 1) + 1;
};

const alter = (file: string, at: number): void => {
  const bytes = readFileSync(file);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  writeFileSync(file, bytes);
};

encrypted('goes only where nothing is', async (context) => {
  const { service, directory, ada } = context;
  const archive = await archiveOf(context, 'once.tar.age', ada);
  const typed = { listed: [ada.recipient], file: null };
  const again = backUp(service.settings, archive, quietly, typed);
  assert.match(await refusal(again), 'already exists');
  const occupied = join(directory.path, 'occupied');
  mkdirSync(occupied);
  writeFileSync(join(occupied, 'a file of mine'), '');
  const order = { from: archive, identity: ada.identityFile, to: occupied };
  assert.match(await refusal(restoreOurs(order)), 'is not empty');
  assert.equal(readdirSync(occupied), ['a file of mine']);
  const within = join(service.settings.dataDir, 'backup.tar.age');
  await backUp(service.settings, within, quietly, typed).then(
    () => assert.unreachable('it should be refused'),
    (error: Error) => assert.match(error.message, /is in the data directory/),
  );
});

encrypted('gets its name by the time where a directory is given', ({ real }) => {
  assert.match(basename(real.archive), /^registry-\d{8}T\d{6}Z\.tar\.age$/);
});

encrypted('is for those that a file lists, too', async (context) => {
  const { directory, ada, ben } = context;
  const listed = join(directory.path, 'recipients.txt');
  writeFileSync(listed, `# Ben\n${ben.recipient}\n`);
  const file = await archiveFor(context, 'for-ben.tar.age', { listed: [], file: listed });
  assert.equal([await isOpenedBy(file, ben), await isOpenedBy(file, ada)], [true, false]);
  const order = { from: file, identity: ada.identityFile, to: join(directory.path, 'of-ada') };
  assert.match(await refusal(restoreOurs(order)), 'made for other recipients');
});

addLong(encrypted, 'is a tar for every program once age has opened it', async (context) => {
  const { small, ada, real } = context;
  const openByTar = async (archive: string): Promise<string> => {
    const decrypter = new Decrypter();
    decrypter.addIdentity(identityIn(ada.identityFile));
    const to = archive.replace('.tar.age', '-by-tar');
    mkdirSync(to);
    const tar = `${to}.tar`;
    writeFileSync(tar, await decrypter.decrypt(readFileSync(archive)));
    await promisify(execFile)('tar', ['-xf', tar, '-C', to]);
    assert.is(statSync(join(to, 'postgres')).mode & 0o777, 0o700);
    assert.is(statSync(join(to, 'registry-secret')).mode & 0o777, 0o600);
    return to;
  };
  const opened = await openByTar(await archiveOf(context, 'small.tar.age', ada));
  requireSame(opened, small, [LABEL, SIGNATURE_FILE]);
  requireSame(await openByTar(real.archive), real.restored, [SIGNATURE_FILE]);
});

encrypted('says what is wrong with keys, and repeats none', async ({ service, directory, ada }) => {
  const identity = identityIn(ada.identityFile);
  const to = join(directory.path, 'never.tar.age');
  const backingUp = (...listed: readonly string[]) =>
    refusal(backUp(service.settings, to, quietly, { listed, file: null }));
  for (const wrong of [identity, 'age1mistyped', 'ssh-ed25519 AAAA']) {
    const message = await backingUp(ada.recipient, wrong);
    assert.match(message, 'Recipient 2 of 2 is not an age recipient.');
    assert.not.match(message, wrong);
  }
  const restoring = (content: string) => {
    const file = join(directory.path, 'identity.txt');
    writeFileSync(file, content);
    return refusal(restoreOurs({ from: '/dev/null', identity: file, to }));
  };
  assert.match(await restoring('# nothing\n'), 'contains no identity');
  assert.match(await restoring(`${ada.recipient}\n`), 'a line that is not an age identity');
  assert.match(await restoring('age-encryption.org/v1\n-> scrypt'), 'is itself encrypted');
  assert.not(readdirSync(directory.path).some((name) => name.startsWith('never')));
});

encrypted('made by somebody else writes nowhere beside its place', async ({ directory, ada }) => {
  const to = join(directory.path, 'hostile');
  const names = ['../outside', 'postgres/../../outside', '/tmp/outside', 'outside', 'postgres/./x'];
  const entries = [
    ...names.map((name) => ({ name })),
    { name: 'postgres/link', type: 'symlink', linkname: '/etc' } as const,
    { name: 'postgres-password', type: 'link', linkname: '/etc/passwd' } as const,
  ];
  for (const entry of entries) {
    const tar = pack();
    if ('linkname' in entry) tar.entry(entry);
    else tar.entry(entry, 'hostile');
    tar.finalize();
    const encrypter = new Encrypter();
    encrypter.addRecipient(ada.recipient);
    const from = join(directory.path, 'hostile.tar.age');
    writeFileSync(from, await encrypter.encrypt(await buffer(tar)));
    const message = await refusal(restoreOurs({ from, identity: ada.identityFile, to }));
    assert.match(message, 'is not part of a registry backup', entry.name);
  }
  // An empty one opens, and is no registry.
  const encrypter = new Encrypter();
  encrypter.addRecipient(ada.recipient);
  const from = join(directory.path, 'empty.tar.age');
  writeFileSync(from, await encrypter.encrypt(new Uint8Array(1024)));
  const message = await refusal(restoreOurs({ from, identity: ada.identityFile, to }));
  assert.match(message, 'contains no backup of a registry');
  assert.not(readdirSync(directory.path).some((name) => /outside|^hostile$/.test(name)));
});

type Forged = Pick<Header, 'name'> & Partial<Pick<Header, 'type' | 'linkname'>>;

/** Writes an archive as an attacker does who knows the recipient and has seen a backup. */
const forge = async (
  { directory, ada }: Context,
  archive: string,
  {
    without = [],
    adding = [],
    alter: change = (_name, content) => content,
  }: {
    readonly without?: readonly string[];
    readonly adding?: readonly (readonly [header: Forged, content?: string])[];
    readonly alter?: (name: string, content: Buffer) => Buffer;
  },
): Promise<string> => {
  const decrypter = new Decrypter();
  decrypter.addIdentity(identityIn(ada.identityFile));
  const entries = extract();
  entries.end(Buffer.from(await decrypter.decrypt(readFileSync(archive))));
  const tar = pack();
  const packed = buffer(tar);
  const addAll = () => {
    for (const [header, content] of adding)
      if (content === undefined) tar.entry(header);
      else tar.entry(header, content);
  };
  for await (const entry of entries) {
    const { name, type, mode } = entry.header;
    const content = await buffer(entry);
    if (without.includes(name)) continue;
    if (name === SIGNATURE_FILE) addAll();
    if (type === 'directory') tar.entry({ name, type, mode });
    else tar.entry({ name, mode }, change(name, content));
  }
  if (without.includes(SIGNATURE_FILE)) addAll();
  tar.finalize();
  const encrypter = new Encrypter();
  encrypter.addRecipient(ada.recipient);
  const to = join(directory.path, 'forged.tar.age');
  writeFileSync(to, await encrypter.encrypt(await packed));
  return to;
};

const AUTO_CONF = 'postgres/postgresql.auto.conf';
const COMMANDS = [
  "archive_mode = 'on'",
  "archive_timeout = '1s'",
  "archive_command = 'touch archived'",
  "session_preload_libraries = 'nowhere'",
  "hba_file = '/dev/null'",
  '',
].join('\n');

encrypted('that is forged is refused', async (context) => {
  const { service, directory, ada } = context;
  const ofService = { registrySecret: SECRET, dataDir: service.settings.dataDir };
  const small = await archiveOf(context, 'to-forge.tar.age', ada);
  const to = join(directory.path, 'of-a-forger');
  const restoring = (from: string) =>
    restore(
      ofService,
      { from, identity: ada.identityFile, to, signedBy: [], acceptsUnsigned: false },
      quietly,
    );
  const emptied = (name: string, content: Buffer) =>
    name === 'registry-secret' ? Buffer.from('') : content;

  assert.match(
    await refusal(restoring(await forge(context, small, { alter: emptied }))),
    /was altered after it was signed.* --accept-unsigned/,
  );
  const foreign = signBackup(
    'digest',
    '2026-11-28T00:00:00Z',
    createBackupKey('a secret of others'),
  );
  const alter = (name: string, content: Buffer) =>
    name === SIGNATURE_FILE ? Buffer.from(foreign) : content;
  assert.match(
    await refusal(restoring(await forge(context, small, { alter }))),
    'is not signed by the key of this registry',
  );
  const unsigned = await forge(context, small, { without: [SIGNATURE_FILE] });
  assert.match(await refusal(restoring(unsigned)), 'is not signed, like the backups of');
  assert.not(readdirSync(directory.path).includes('of-a-forger'), 'nothing was restored');
});

addLong(encrypted, 'that is forged runs no command if it is accepted', async (context) => {
  const { service, directory, ada, real } = context;
  const configured = (name: string, content: Buffer) =>
    name === AUTO_CONF ? Buffer.from(COMMANDS) : content;
  const from = await forge(context, real.archive, {
    without: [SIGNATURE_FILE],
    alter: configured,
  });
  const to = join(directory.path, 'accepted');
  const accepted = await restore(
    { registrySecret: SECRET, dataDir: service.settings.dataDir },
    { from, identity: ada.identityFile, to, signedBy: [], acceptsUnsigned: true },
    quietly,
  );
  assert.equal([accepted.signedBy, accepted.madeAt], [null, null]);
  // An unencrypted copy is started without a restore.
  writeFileSync(join(to, AUTO_CONF), COMMANDS);
  const hosted = await hostPostgres({ dataDir: to });
  const client = new pg.Client({ connectionString: hosted.url });
  try {
    await client.connect();
    const { rows } = await client.query(
      "select setting from pg_settings where name = 'archive_timeout'",
    );
    assert.equal(rows, [{ setting: '1' }], 'the file is read');
    const pinned = await client.query(
      "select name from pg_settings where name in ('archive_mode', 'archive_command', 'session_preload_libraries', 'hba_file') and source = 'configuration file'",
    );
    assert.equal(pinned.rows, []);
  } finally {
    await client.end();
    await hosted.stop();
  }
  assert.not(readdirSync(join(to, 'postgres')).includes('archived'), 'no command has run');
});

/** Restores by the built command, away from the data of the service. */
const restoreInProcess = async (
  { directory, ada }: Context,
  from: string,
  to: string,
  ...more: readonly string[]
): Promise<{ readonly status: number | null; readonly said: string }> => {
  const files = ['--from', from, '--identity', ada.identityFile, '--to', to];
  const child = spawn(
    process.execPath,
    ['scripts/run.mjs', 'operator', 'restore', ...files, ...more],
    {
      env: { ...process.env, DATA_DIR: join(directory.path, 'none'), REGISTRY_SECRET: SECRET },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  const [said] = await Promise.all([
    buffer(child.stderr),
    new Promise((resolve) => child.once('close', resolve)),
  ]);
  return { status: child.exitCode, said: said.toString() };
};

addLong(
  encrypted,
  'without a signature is restored by the command only on request',
  async (context) => {
    const { directory, real } = context;
    const marker = join(directory.path, 'a-command-has-run');
    const planted = [
      "archive_mode = 'on'",
      "archive_timeout = '1s'",
      `archive_command = 'touch ${marker}'`,
      `restore_command = 'touch ${marker}'`,
      `archive_cleanup_command = 'touch ${marker}'`,
      "shared_preload_libraries = 'nowhere'",
      '',
    ].join('\n');
    const alter = (name: string, content: Buffer) =>
      /^postgres\/postgresql(?:\.auto)?\.conf$/.test(name)
        ? Buffer.concat([content, Buffer.from(planted)])
        : content;
    const to = join(directory.path, 'by-command');
    const without = [SIGNATURE_FILE];
    const unsigned = await forge(context, real.archive, { without, alter });
    const refused = await restoreInProcess(context, unsigned, to);
    assert.is(refused.status, 1);
    assert.match(refused.said, /is not signed, .*Nothing was restored.* --accept-unsigned/);
    assert.not(readdirSync(directory.path).includes('by-command'));

    const accepted = await restoreInProcess(context, unsigned, to, '--accept-unsigned');
    assert.is(accepted.status, 0, accepted.said);
    await requireRestored(to, real.taken, 'encrypted-backup');
    assert.not(readdirSync(directory.path).includes(basename(marker)));

    const adding = [[{ name: 'postgres/standby.signal' }, '']] as const;
    const standby = await forge(context, real.archive, { without, adding });
    const never = join(directory.path, 'never-a-standby');
    const hostile = await restoreInProcess(context, standby, never, '--accept-unsigned');
    assert.is(hostile.status, 1);
    assert.match(hostile.said, 'is not part of a registry backup');
    assert.not(readdirSync(directory.path).includes('never-a-standby'));
  },
);

encrypted('with what makes Postgres follow others is refused even if accepted', async (context) => {
  const { directory, ada } = context;
  const small = await archiveOf(context, 'honest.tar.age', ada);
  const to = join(directory.path, 'hostile-cluster');
  const hostile: readonly (readonly [Forged, string?])[] = [
    [{ name: 'postgres/recovery.signal' }, ''],
    [{ name: 'postgres/STANDBY.SIGNAL' }, ''],
    [{ name: 'postgres/tablespace_map' }, '16400 /tmp\n'],
    [{ name: 'postgres/pg_tblspc/16400', type: 'symlink', linkname: '/tmp' }],
    [{ name: 'postgres/pg_tblspc/16400', type: 'directory' }],
    [{ name: 'postgres/base/x', type: 'fifo' }],
    [{ name: 'postgres/base/x', type: 'character-device' }],
    [{ name: 'postgres/PG_VERSION' }, '18\n'],
  ];
  for (const entry of hostile) {
    const from = await forge(context, small, { without: [SIGNATURE_FILE], adding: [entry] });
    const order = { from, identity: ada.identityFile, to, signedBy: [], acceptsUnsigned: true };
    const message = await refusal(restore(ELSEWHERE, order, quietly));
    assert.match(message, 'is not part of a registry backup', entry[0].name);
  }
  const order = {
    from: small,
    identity: ada.identityFile,
    to,
    signedBy: [],
    acceptsUnsigned: false,
  };
  assert.match(await refusal(restore(ELSEWHERE, order, quietly)), 'Nothing says whose signature');
  assert.not(readdirSync(directory.path).includes('hostile-cluster'));
});

addLong(
  encrypted,
  'that is killed in the middle leaves nothing that looks whole',
  async (context) => {
    const { service, directory, ada } = context;
    const to = join(directory.path, 'killed');
    mkdirSync(to);
    const child = spawn(
      process.execPath,
      ['scripts/run.mjs', 'operator', 'backup', '--to', join(to, 'backup.tar.age')],
      {
        // Without recipients on the command line it is encrypted for those of the setting.
        env: {
          ...process.env,
          DATA_DIR: service.settings.dataDir,
          BACKUP_RECIPIENTS: ada.recipient,
        },
        stdio: 'ignore',
        detached: true,
      },
    );
    const ended = new Promise((resolve) => child.once('exit', resolve));
    await eventually('it writes', () => {
      const [begun] = readdirSync(to);
      return begun !== undefined && statSync(join(to, begun)).size > 0;
    });
    // With the process that it has started, if it has.
    process.kill(-(child.pid ?? 0), 'SIGKILL');
    await ended;
    const [left, ...others] = readdirSync(to);
    assert.match(left ?? '', /^backup\.tar\.age\.unfinished-[0-9a-f]{8}$/);
    assert.equal(others, []);
    const from = join(to, left ?? '');
    assert.ok(await isOpenedBy(from, ada));
    const order = { from, identity: ada.identityFile, to: join(to, 'restored') };
    await refusal(restoreOurs(order));

    // What a killed restore has left is cleared away by the next.
    const archive = await archiveOf(context, 'after-the-kill.tar.age', ada);
    const half = join(to, 'half', 'restoring-0a1b2c3d', 'postgres');
    mkdirSync(half, { recursive: true });
    const data = dirname(dirname(half));
    await restoreOurs({ from: archive, identity: ada.identityFile, to: data });
    assert.equal(readdirSync(data).sort(), ['postgres', 'postgres-password', 'registry-secret']);
  },
);

encrypted.run();
