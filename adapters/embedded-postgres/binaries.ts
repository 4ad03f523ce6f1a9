import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Account, canEnter, runAs, unreachableDirectoryError } from './account.ts';
import { EmbeddedPostgresFailed } from './embedded-postgres-failed.ts';
import { copyWorldReadable } from './world-readable-copy.ts';

export interface Binaries {
  readonly postgres: string;
  readonly initdb: string;
  readonly majorVersion: string;
  /** True for a copy of the installed programs. */
  readonly isCopy: boolean;
}

const ownPostgresAdvice = 'set DATABASE_URL to a Postgres of your own';

const locate = async (): Promise<{ postgres: string }> => {
  if (process.platform === 'win32') {
    throw new EmbeddedPostgresFailed(
      `The embedded Postgres needs Linux or macOS. On another system ${ownPostgresAdvice}.`,
    );
  }
  // The platform package is a dependency of embedded-postgres, so we resolve it from there.
  const library = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  const platformPackage = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return await import(pathToFileURL(library.resolve(platformPackage)).href);
  } catch (cause) {
    throw new EmbeddedPostgresFailed(
      `The package ${platformPackage} is not installed. Run \`npm ci\` without \`--omit=optional\`, or ${ownPostgresAdvice}.`,
      { cause },
    );
  }
};

/** Copies it if the account cannot reach it. @throws EmbeddedPostgresFailed if missing or incomplete */
export const findBinaries = async (account: Account): Promise<Binaries> => {
  const { postgres } = await locate();
  const installed = dirname(dirname(postgres));
  const installedAdvice = `Its package's install script links the libraries: run \`npm rebuild\` with scripts allowed`;
  if (await canEnter(account, dirname(postgres)))
    return { ...(await verifyBinaries(installed, account, installedAdvice)), isCopy: false };
  const copy = await copyWorldReadable(installed, (draft) =>
    verifyBinaries(draft, account, installedAdvice),
  ).catch(async (cause) => {
    if (cause instanceof EmbeddedPostgresFailed) throw cause;
    const advice = `Install the service where every user can read it (not below /root), run it as an ordinary user, or ${ownPostgresAdvice}`;
    throw await unreachableDirectoryError(account, installed, advice, cause);
  });
  const copyAdvice = 'This is a cached copy: delete it and start again';
  return { ...(await verifyBinaries(copy, account, copyAdvice)), isCopy: true };
};

const verifyBinaries = async (
  dir: string,
  account: Account,
  advice: string,
): Promise<Omit<Binaries, 'isCopy'>> => {
  const [postgres, initdb] = [join(dir, 'bin', 'postgres'), join(dir, 'bin', 'initdb')];
  try {
    await Promise.all([access(postgres, constants.X_OK), access(initdb, constants.X_OK)]);
    const version = await runAs(account, postgres, ['--version']);
    const majorVersion = /\(PostgreSQL\) (\d+)/.exec(version)?.[1];
    if (majorVersion === undefined) throw new Error(`unknown version: ${version.trim()}`);
    return { postgres, initdb, majorVersion };
  } catch (cause) {
    throw new EmbeddedPostgresFailed(
      `The embedded Postgres at ${postgres} does not run. ${advice}, or ${ownPostgresAdvice}.`,
      { cause },
    );
  }
};
