import { randomBytes } from 'node:crypto';
import { type RequestHandler, Router } from 'express';
import { hashPassword, isPassword } from '../../adapters/crypto/passwords.ts';
import { sessionSecretOf } from '../../adapters/crypto/session-secret.ts';
import { isAnyAccountIn, passwordsOf } from '../../adapters/postgres/access/passwords.ts';
import { sessionStoreOf } from '../../adapters/postgres/access/session-store.ts';
import { findActorNamesIn } from '../../adapters/postgres/queries/people-names.ts';
import { practiceActivityIn } from '../../adapters/postgres/queries/practice-activity.ts';
import { findSignedInWith } from '../access/signed-in.ts';
import type { ReportFault } from '../http/error-middleware.ts';
import { assetsRouter } from '../pages/assets/assets-router.ts';
import { noSuchPage, pageErrors } from '../pages/frame/page-errors.tsx';
import { homeRouter } from '../pages/home/home-router.tsx';
import { setUpRouter } from '../pages/set-up/set-up-router.tsx';
import { signInRouter } from '../pages/sign-in/sign-in-router.tsx';
import { smartErrors } from '../smart/smart-errors.ts';
import { csrfProtection } from '../web/csrf.ts';
import { formBody } from '../web/form-body.ts';
import { ownPasswordFirst } from '../web/own-password.ts';
import { readablePathsOnly } from '../web/readable-path.ts';
import { sameOriginOnly } from '../web/same-origin.ts';
import { securityHeaders } from '../web/security-headers.ts';
import { sessions } from '../web/session.ts';
import { recogniseAccount, recogniseSender, signedInOf } from '../web/signed-in-session.ts';
import { commandsOfPeople } from './commands/person-commands.ts';
import { accessLogPagesOf } from './pages/access-log.ts';
import { accountPagesOf } from './pages/account.ts';
import { birthFormPagesOf } from './pages/birth-form.ts';
import { duplicatesPagesOf } from './pages/duplicates.ts';
import { importPagesOf } from './pages/import.ts';
import { integrationsPagesOf } from './pages/integrations.ts';
import { practiceAdminPagesOf } from './pages/practice-admin.ts';
import { prefillPagesOf } from './pages/prefill.ts';
import { providersPagesOf } from './pages/providers.ts';
import { recordsPagesOf } from './pages/records.ts';
import { staffPagesOf } from './pages/staff.ts';
import { statisticsPagesOf } from './pages/statistics.ts';
import type { SharedParts } from './parts.ts';
import { throttleOf } from './sign-in-throttle.ts';
import { limitCallbacksOf, smartLaneOf } from './smart-lane.ts';
import { isOutage } from './stores.ts';

const PAGES = /^\/(?:$|(?:sign-in|sign-out|set-up|account|registry|staff|smart)(?:\/|$))/;

/** Whether a path belongs to the pages, mounted or not. */
export const isPage = (path: string): boolean => PAGES.test(path);

/** Wires the pages to the stores, with everything that stands before and behind each of them. */
export const pagesOf = (parts: SharedParts, report: ReportFault): Router => {
  const { settings, stores, accessVersion, accessNotes, now, onFault } = parts;
  const { db, log, identity } = stores;
  const isSecure = settings.baseUrl.startsWith('https:');
  const findSignedIn = findSignedInWith({
    readStream: log.readStream,
    accessVersion: accessVersion.current,
    seatId: identity.seatId,
  });
  return Router()
    .use('/assets', assetsRouter())
    .use('/smart/callback', limitCallbacksOf(parts))
    .use(onlyPages, securityHeaders(isSecure), sameOriginOnly(settings.baseUrl))
    .use(
      ...sessions({
        store: sessionStoreOf(
          db,
          onFault('Sessions that are over could not be deleted; trying again.'),
        ),
        secret: sessionSecretOf(stores.secret),
        isSecure,
      }),
    )
    .use(recogniseAccount(findSignedIn, now), readablePathsOnly)
    .use(smartLaneOf(parts))
    .use(
      formBody((res) => signedInOf(res) !== null),
      recogniseSender(findSignedIn, now),
      csrfProtection,
      ownPasswordFirst,
    )
    .use(
      signInRouter({
        accountId: identity.accountId,
        findPasswordHash: passwordsOf(db).find,
        mustChangePassword: passwordsOf(db).mustChange,
        isPassword,
        hashPassword,
        findSignedIn,
        now,
        accessNotes,
        newSecret: () => randomBytes(24).toString('base64url'),
        throttle: throttleOf(parts),
      }),
    )
    .use(
      setUpRouter({
        setUpLink: parts.setUpLink,
        isAnyAccount: () => isAnyAccountIn(db),
        commandsOf: commandsOfPeople(parts),
        findSignedIn,
        accessNotes,
        now,
      }),
    )
    .use(
      homeRouter({
        ...practiceActivityIn(db),
        findActorNames: findActorNamesIn(db),
        accessNotes,
        now,
      }),
    )
    .use(statisticsPagesOf(parts))
    .use(duplicatesPagesOf(parts))
    .use(providersPagesOf(parts))
    .use(birthFormPagesOf(parts))
    .use(accountPagesOf(parts))
    .use(practiceAdminPagesOf(parts))
    .use(accessLogPagesOf(parts))
    .use(integrationsPagesOf(parts))
    .use(staffPagesOf(parts))
    .use(recordsPagesOf(parts))
    .use(importPagesOf(parts))
    .use(prefillPagesOf(parts))
    .use(noSuchPage)
    .use('/smart', smartErrors(isOutage, report))
    .use(pageErrors(isOutage, report));
};

/** Everything else has its own answers, errors included. */
const onlyPages: RequestHandler = (req, _res, next) => {
  if (isPage(req.path)) next();
  else next('router');
};
