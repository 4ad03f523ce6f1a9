import { type RequestHandler, Router } from 'express';
import { deriveSessionSecret } from '../../adapters/crypto/credentials.ts';
import { createSessionStore } from '../../adapters/postgres/access/session-store.ts';
import { createFindSignedIn } from '../access/find-signed-in.ts';
import type { SetUpLink } from '../access/set-up-link.ts';
import { createAccessNotes } from '../access-log/access-notes.ts';
import type { ServiceStatus } from '../health/service-status.ts';
import type { ReportFault } from '../http/error-middleware.ts';
import { accountRouter } from '../pages/accounts/account/account-router.tsx';
import { authenticatorRouter } from '../pages/accounts/account/authenticator-router.tsx';
import { ownNameRouter } from '../pages/accounts/account/name-router.tsx';
import { passkeysRouter } from '../pages/accounts/account/passkeys-router.tsx';
import { securityRouter } from '../pages/accounts/account/security-router.tsx';
import { membersRouter } from '../pages/accounts/members/members-router.tsx';
import { accessReviewRouter } from '../pages/accounts/people/review-router.tsx';
import { setUpRouter } from '../pages/accounts/set-up/set-up-router.tsx';
import { secondStepRouter } from '../pages/accounts/sign-in/second-step-router.tsx';
import { signInRouter } from '../pages/accounts/sign-in/sign-in-router.tsx';
import { staffPeopleRouter } from '../pages/accounts/staff/people-router.tsx';
import { customFieldsRouter } from '../pages/administration/custom-fields/custom-fields-router.tsx';
import { staffPartnersRouter } from '../pages/administration/partners/partners-router.tsx';
import { completenessRouter } from '../pages/administration/practice-settings/completeness-router.tsx';
import { practiceSettingsRouter } from '../pages/administration/practice-settings/practice-settings-router.tsx';
import { practiceSingleSignOnRouter } from '../pages/administration/practice-settings/single-sign-on-router.tsx';
import { staffPracticeRouter } from '../pages/administration/practices/practice-router.tsx';
import { staffPracticesRouter } from '../pages/administration/practices/practices-router.tsx';
import { staffStatusRouter } from '../pages/administration/status/status-router.tsx';
import { assetsRouter } from '../pages/assets/assets-router.ts';
import { accessLogRouter } from '../pages/audit/access-log-router.tsx';
import { auditRouter } from '../pages/audit/audit-router.tsx';
import { checkRouter } from '../pages/birth-form/check-router.ts';
import { correctBirthRouter } from '../pages/birth-form/correct-birth-router.tsx';
import { newBirthRouter } from '../pages/birth-form/new-birth-router.tsx';
import { sentForReviewRouter } from '../pages/birth-form/sent-for-review-router.tsx';
import { duplicatesRouter } from '../pages/duplicates/duplicates-router.tsx';
import { exportRouter } from '../pages/export/export-router.tsx';
import { importColumnsRouter } from '../pages/import/columns-router.tsx';
import { importRouter } from '../pages/import/import-router.tsx';
import { importedRecordsRouter } from '../pages/import/imported-records-router.tsx';
import { importRowRouter } from '../pages/import/row-router.tsx';
import { undoImportRouter } from '../pages/import/undo-router.tsx';
import { integrationsRouter } from '../pages/integrations/integrations-router.tsx';
import { createMenuCounter } from '../pages/layout/menu-count.ts';
import { createPageErrorHandler, refuseUnknownPage } from '../pages/layout/page-errors.tsx';
import { prefillRouter } from '../pages/prefill/prefill-router.tsx';
import { providersRouter } from '../pages/providers/providers-router.tsx';
import { recordDecisionsRouter } from '../pages/records/change/record-decisions-router.ts';
import { restoreRouter } from '../pages/records/change/restore-router.tsx';
import { voidRouter } from '../pages/records/change/void-router.tsx';
import { birthsRouter } from '../pages/records/list/births-router.tsx';
import { recordsRouter } from '../pages/records/list/records-router.tsx';
import { statisticsRouter } from '../pages/statistics/statistics-router.tsx';
import { homeRouter } from '../pages/to-do/home-router.tsx';
import { toDoRouter } from '../pages/to-do/to-do-router.tsx';
import type { App } from '../ports/app-ports.ts';
import { isOutage } from '../ports/outage.ts';
import { SERVICE_VERSION } from '../process/version.ts';
import type { Settings } from '../settings/settings.ts';
import { providerLogoutRouter } from '../single-sign-on/logout-router.ts';
import { singleSignOnRouter } from '../single-sign-on/single-sign-on-router.tsx';
import { smartErrors } from '../smart/smart-errors.ts';
import type { Stores } from '../stores/stores.ts';
import { createMemberLogRouter, createPublicLogRouter } from '../transparency-log/log-router.ts';
import { createFormParser } from '../web/form-body.ts';
import { requirePasswordChange } from '../web/guards/own-password.ts';
import { refusePrefetch, refuseUnreadablePaths } from '../web/guards/refuse-requests.ts';
import { requireSecondFactor } from '../web/guards/second-factor-first.ts';
import { setSecurityHeaders } from '../web/guards/security-headers.ts';
import { replacedByNewer } from '../web/page-problem.ts';
import { isSafeMethod, requireSameOrigin } from '../web/same-origin.ts';
import { csrfProtection } from '../web/session/csrf.ts';
import { createSessions } from '../web/session/session.ts';
import {
  endWithSession,
  getSignedIn,
  loadAccount,
  reloadAccount,
} from '../web/session/signed-in-session.ts';
import {
  createFindOffers,
  createSignInProviders,
  createSingleSignOnLimit,
} from './single-sign-on.ts';
import { createSmartLimit, createSmartRoutes } from './smart-routes.ts';

const PAGES = /^\/(?:$|(?:sign-in|sign-out|set-up|account|registry|staff|smart|log)(?:\/|$))/;

export const isPage = (path: string): boolean => PAGES.test(path);

export interface ServingProcess {
  readonly settings: Settings;
  readonly stores: Pick<Stores, 'db' | 'secret'>;
  readonly accessVersion: () => Promise<bigint>;
  readonly setUpLink: SetUpLink;
  readonly standing: ServiceStatus;
}

export const createPages = (
  app: App,
  { settings, stores, accessVersion, setUpLink, standing }: ServingProcess,
  report: ReportFault,
): Router => {
  const { now, onFault } = app;
  const isSecure = settings.baseUrl.startsWith('https:');
  const findSignedIn = createFindSignedIn(app, accessVersion);
  const providers = createSignInProviders(app, settings);
  const { look, startedAt } = standing;
  return (
    Router()
      .use('/assets', assetsRouter())
      .use(createSmartLimit(app), createSingleSignOnLimit(app))
      .use(onlyPages, setSecurityHeaders(isSecure), refusePrefetch)
      // Mounted before the check of a form's origin, because these requests come from no browser.
      .use(providerLogoutRouter(app, providers))
      .use(refuseOnNewerTables(app))
      .use(createPublicLogRouter(app, settings.isLogPublic))
      .use(requireSameOrigin(settings.baseUrl))
      .use(
        ...createSessions({
          store: createSessionStore(
            stores.db,
            onFault('Sessions that are over could not be deleted; trying again.'),
          ),
          secret: deriveSessionSecret(stores.secret),
          isSecure,
          now,
        }),
      )
      // Before the forms are read: a page that refuses one shows the message of the form before it.
      .use(createAccessNotes(app))
      .use(
        loadAccount(findSignedIn, now, settings.sessionIdleMinutes),
        endWithSession(findSignedIn),
        refuseUnreadablePaths,
      )
      .use(createSmartRoutes(app, settings))
      .use(
        createFormParser((res) => getSignedIn(res) !== null),
        reloadAccount(findSignedIn, now),
        csrfProtection,
        requirePasswordChange,
        requireSecondFactor(settings.isStaffFactorOptional),
      )
      .use(createMemberLogRouter(app))
      .use(createMenuCounter(app))
      .use(signInRouter(app, findSignedIn, createFindOffers(providers, isSecure)))
      .use(singleSignOnRouter(app, findSignedIn, providers, isSecure))
      .use(setUpRouter(app, setUpLink, findSignedIn))
      .use(homeRouter(app))
      .use(toDoRouter(app))
      .use(statisticsRouter(app))
      .use(duplicatesRouter(app))
      .use(providersRouter(app))
      .use(checkRouter(app))
      .use(sentForReviewRouter(app))
      .use(newBirthRouter(app))
      .use(correctBirthRouter(app))
      .use(secondStepRouter(app, findSignedIn))
      .use(securityRouter(app))
      .use(authenticatorRouter(app))
      .use(passkeysRouter(app))
      .use(accountRouter(app, findSignedIn))
      .use(ownNameRouter(app))
      // Mounted before the people pages, because its addresses look like those of a person.
      .use(accessReviewRouter(app))
      .use(membersRouter(app))
      .use(customFieldsRouter(app))
      .use(practiceSettingsRouter(app))
      .use(completenessRouter(app))
      .use(practiceSingleSignOnRouter(app, providers))
      .use(accessLogRouter(app))
      .use(auditRouter(app))
      .use(integrationsRouter(app))
      .use(staffPeopleRouter(app))
      .use(staffPracticesRouter(app))
      .use(staffPracticeRouter(app))
      .use(staffPartnersRouter(app))
      .use(staffStatusRouter({ role: settings.role, version: SERVICE_VERSION, startedAt }, look))
      .use(exportRouter(app))
      .use(recordsRouter(app))
      .use(voidRouter(app))
      .use(recordDecisionsRouter(app))
      .use(restoreRouter(app))
      .use(birthsRouter(app))
      .use(undoImportRouter(app))
      .use(importedRecordsRouter(app))
      .use(importColumnsRouter(app))
      .use(importRouter(app))
      .use(importRowRouter(app))
      .use(prefillRouter(app))
      .use(refuseUnknownPage)
      .use('/smart', smartErrors(isOutage, report))
      .use(createPageErrorHandler(isOutage, report))
  );
};

/** Pages show and change what is in the tables, which this version may not understand. */
const refuseOnNewerTables =
  ({ hotReads }: Pick<App, 'hotReads'>): RequestHandler =>
  async (_req, _res, next) => {
    if ((await hotReads.findTablesVersion()) === 'newer') throw replacedByNewer();
    next();
  };

/** Other paths have their own responses and errors, except that a lost browser also gets a page. */
const onlyPages: RequestHandler = (req, _res, next) => {
  const isAstray = isSafeMethod(req) && req.accepts(['json', 'html']) === 'html';
  if (isPage(req.path) || isAstray) next();
  else next('router');
};
