import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** The browser that tests look at pages with. */
export interface TestChromium {
  readonly executablePath: string;
  /** Variables that it needs beside those of the tests. */
  readonly env: Readonly<Record<string, string>>;
}

/** There is no browser; the message says what to install. */
export class BrowserMissing extends Error {
  override readonly name = 'BrowserMissing';
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PACKAGE = join(ROOT, 'node_modules', '@sparticuz', 'chromium');

/** Whether a test file starts a browser. */
export const isInBrowser = (file: string): boolean => file.startsWith(join('test', 'pages'));

/**
 * Finds Chromium: the one that `CHROMIUM` names, or else the one that an npm package brings, which is
 * unpacked once. Never one that the machine happens to have, so that tests mean the same everywhere.
 * @param named one to take instead of all others
 * @throws BrowserMissing
 */
export const findChromium = async (
  named = process.env['CHROMIUM'],
  platform = `${process.platform} ${process.arch}`,
): Promise<TestChromium> => {
  if (named !== undefined && named !== '') return { executablePath: named, env: {} };
  if (platform !== 'linux x64' || !existsSync(PACKAGE))
    throw new BrowserMissing(
      `The tests of the pages need Chromium, and no package brings it for ${platform}. Install Chromium, and name its program in CHROMIUM.`,
    );
  return unpacked();
};

/** A file of fontconfig for the fonts beside it. The package's own names directories of another system. */
const fontsIn = (directory: string): string =>
  `<fontconfig><dir>${directory}/fonts/fonts</dir><cachedir>${directory}/fonts-cache</cachedir></fontconfig>\n`;
/** Unpacks to TMPDIR; beside the browser libraries that a system may lack, as it does for one that surely does. */
const UNPACK = `import chromium from '@sparticuz/chromium';
chromium.setGraphicsMode = false;
await chromium.executablePath();`;
const LACKS_LIBRARIES = { AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs20.x' };

const unpacked = async (): Promise<TestChromium> => {
  const { version } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')) as {
    version: string;
  };
  // `npm ci` throws it away with all of node_modules.
  const directory = join(ROOT, 'node_modules', '.cache', `chromium-${version}`);
  if (!existsSync(directory)) await unpack(directory);
  const fontConfig = join(directory, 'fonts.conf');
  // The checkout may have been moved since.
  if (readFileSync(fontConfig, 'utf8') !== fontsIn(directory))
    writeFileSync(fontConfig, fontsIn(directory));
  const libraries = [join(directory, 'al2023', 'lib'), process.env['LD_LIBRARY_PATH'] ?? ''];
  return {
    executablePath: join(directory, 'chromium'),
    env: {
      FONTCONFIG_FILE: fontConfig,
      LD_LIBRARY_PATH: libraries.filter((path) => path !== '').join(':'),
    },
  };
};

/** Beside, and renamed when it is whole: other processes may be at it, too. */
const unpack = async (directory: string): Promise<void> => {
  mkdirSync(dirname(directory), { recursive: true });
  const draft = mkdtempSync(`${directory}.new-`);
  try {
    await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', UNPACK], {
      cwd: ROOT,
      env: { ...process.env, ...LACKS_LIBRARIES, TMPDIR: draft },
    });
    writeFileSync(join(draft, 'fonts.conf'), fontsIn(directory));
    renameSync(draft, directory);
  } catch (error) {
    // Another process was faster.
    if (!existsSync(directory)) throw error;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
};
