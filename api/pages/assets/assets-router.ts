import { readFileSync } from 'node:fs';
import { type Request, type Response, Router } from 'express';
import { sendCompressible } from '../../http/send-compressible.ts';
import { PAGE_ASSETS, type PageAsset } from './page-assets.ts';
import { USWDS_FOLDER, USWDS_ROOT } from './uswds.ts';

const A_YEAR_SECONDS = 31_536_000;
const STYLE = '/css/uswds.min.css';

const TYPES: Readonly<Record<string, string>> = {
  svg: 'image/svg+xml',
  png: 'image/png',
  jpg: 'image/jpeg',
  woff2: 'font/woff2',
};

/** All from our own origin and cached for a year. */
export const assetsRouter = (): Router => {
  const uswds = listStyleFiles();
  return Router().get('/{*path}', async (req, res, next) => {
    const inUswds = req.path.startsWith(`${USWDS_ROOT.slice('/assets'.length)}/`)
      ? uswds.get(req.path.slice(USWDS_ROOT.length - '/assets'.length))
      : undefined;
    const asset = PAGE_ASSETS.get(req.path) ?? inUswds?.();
    if (asset === undefined) {
      next();
      return;
    }
    await send(req, res, asset);
  });
};

/** The design system's style sheet, and the files it references, which are loaded on first use. */
const listStyleFiles = (): ReadonlyMap<string, () => PageAsset> => {
  const style = readFileSync(`${USWDS_FOLDER}${STYLE}`);
  const styleFile: PageAsset = { type: 'text/css; charset=utf-8', content: style };
  const files = new Map<string, () => PageAsset>([[STYLE, () => styleFile]]);
  for (const [, name = ''] of style.toString('utf8').matchAll(/url\("?\.\.(\/[\w/.-]+)/g)) {
    const type = TYPES[name.slice(name.lastIndexOf('.') + 1)];
    if (type === undefined) continue;
    let read: PageAsset | null = null;
    files.set(name, () => {
      read ??= { type, content: readFileSync(`${USWDS_FOLDER}${name}`) };
      return read;
    });
  }
  return files;
};

const send = async (req: Request, res: Response, { type, content }: PageAsset): Promise<void> => {
  res.set('Cache-Control', `public, max-age=${A_YEAR_SECONDS}, immutable`);
  res.set('X-Content-Type-Options', 'nosniff');
  if (/^text\/|svg/.test(type)) await sendCompressible(req, res, type, content);
  else res.type(type).send(content);
};
