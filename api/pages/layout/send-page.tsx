import type { Request, Response } from 'express';
import { renderToString } from 'preact-render-to-string';
import { getNow, getRecordsOnPage, noteRendered } from '../../access-log/access-notes.ts';
import { getCsrfToken } from '../../web/session/csrf.ts';
import { takeFlashes } from '../../web/session/flash.ts';
import { getIdleMinutes, getSignedIn } from '../../web/session/signed-in-session.ts';
import { getAssetPath } from '../assets/page-assets.ts';
import { DEFAULT_TIME_FORMAT } from '../text/format-times.ts';
import { type Frame, FrameContext } from './frame-context.ts';
import { readMenuCount } from './menu-count.ts';
import { Page, type PageView } from './page.tsx';

const UNAVAILABLE = 503;
/** A busy practice can save again after the current batches. */
const RETRY_AFTER_SECONDS = '30';

/** Logs every record on the page first. @param status 200 by default, 422 for a refused form */
export const sendPage = (
  req: Request,
  res: Response,
  view: PageView,
  status = view.status ?? (view.hasErrors || view.errors?.length ? 422 : 200),
): void => {
  const toDo = readMenuCount(res);
  if (toDo instanceof Promise)
    toDo.then((counted) => renderAndSend(req, res, view, status, counted)).catch(req.next);
  else renderAndSend(req, res, view, status, toDo);
};

const renderAndSend = (
  req: Request,
  res: Response,
  view: PageView,
  status: number,
  toDo: number | undefined,
): void => {
  const who = getSignedIn(res);
  const { timeZone, clock } = who?.kind === 'member' ? who.practice : DEFAULT_TIME_FORMAT;
  let token: string | undefined;
  const frame: Frame = {
    who,
    path: req.path,
    errors: view.errors ?? [],
    openedHash: view.openedHash,
    now: getNow(res),
    timeZone,
    clock,
    namesZone: who === null,
    // Without the database there is no session, but the error page still works.
    flashes: req.session === undefined ? [] : takeFlashes(req),
    idleMinutes: getIdleMinutes(res),
    noted: getRecordsOnPage(res),
    rendered: new Set(),
    toDo,
    csrfToken: () => {
      token ??= getCsrfToken(req, res);
      return token;
    },
    asset: getAssetPath,
  };
  const html = renderToString(
    <FrameContext.Provider value={frame}>
      <Page {...view} />
    </FrameContext.Provider>,
  );
  if (status === UNAVAILABLE && res.get('Retry-After') === undefined)
    res.set('Retry-After', RETRY_AFTER_SECONDS);
  res.status(status).type('html');
  const send = () => res.send(`<!doctype html>${html}`);
  const noting = noteRendered(res, frame.rendered);
  if (noting === null) send();
  else noting.then(send).catch(req.next);
};
