import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);
const STYLE = require.resolve('@uswds/uswds/css/uswds.min.css');

export const USWDS_FOLDER = dirname(dirname(STYLE));

const { version } = JSON.parse(readFileSync(join(USWDS_FOLDER, '../package.json'), 'utf8')) as {
  readonly version: string;
};

export const USWDS_ROOT = `/assets/uswds/${version}`;

export const USWDS_STYLE = `${USWDS_ROOT}/css/uswds.min.css`;
