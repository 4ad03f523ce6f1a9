import { type RequestHandler, Router } from 'express';
import { deriveSessionSecret } from '../../adapters/crypto/credentials.ts';
import { createSessionStore } from '../../adapters/postgres/access/session-store.ts';
import { createFindSignedIn } from '../access/find-signed-in.ts';
import type { SetUpLink } from '../access/set-up-link.ts';
import { createAccessNotes } from '../access-log/access-notes.ts';
import type { ServiceStatus } from '../health/service-status.ts';
import type { ReportFault } from '../http/error-middleware.ts';
import { accessLogRouter } from '../pages/access-log/access-log-router.tsx';
import { accountRouter } from '../pages/account/account-router.tsx';
import { invitationRouter } from '../pages/account/invitation-router.tsx';
import { ownNameRouter } from '../pages/account/name-router.tsx';
import { passkeysRouter } from '../pages/account/passkeys-router.tsx';
import { securityRouter } from '../pages/account/security-router.tsx';
import { assetsRouter } from '../pages/assets/assets-router.ts';
import { auditRouter } from '../pages/audit/audit-router.tsx';
import { checkRouter } from '../pages/birth-form/check-router.ts';
import { correctBirthRouter } from '../pages/birth-form/correct-birth-router.tsx';
import { sentForReviewRouter } from '../pages/birth-form/handed-over-router.tsx';
import { newBirthRouter } from '../pages/birth-form/new-birth-router.tsx';
import { birthsRouter } from '../pages/births/births-router.tsx';
import { customFieldsRouter } from '../pages/custom-fields/custom-fields-router.tsx';
import { duplicatesRouter } from '../pages/duplicates/duplicates-router.tsx';
import { exportRouter } from '../pages/export/export-router.tsx';
import { refuseUnknownPage, createPageErrorHandler } from '../pages/frame/page-errors.tsx';
import { homeRouter } from '../pages/home/home-router.tsx';
import { importColumnsRouter } from '../pages/import/columns-router.tsx';
import { importRouter } from '../pages/import/import-router.tsx';
import { importedRecordsRouter } from '../pages/import/imported-records-router.tsx';
import { importRowRouter } from '../pages/import/row-router.tsx';
import { undoImportRouter } from '../pages/import/undo-router.tsx';
import { integrationsRouter } from '../pages/integrations/integrations-router.tsx';
import { membersRouter } from '../pages/members/members-router.tsx';
import { accessReviewRouter } from '../pages/people/review-router.tsx';
import { completenessRouter } from '../pages/practice-settings/completeness-router.tsx';
import { practiceSettingsRouter } from '../pages/practice-settings/practice-settings-router.tsx';
import { practiceSingleSignOnRouter } from '../pages/practice-settings/single-sign-on-router.tsx';
import { prefillRouter } from '../pages/prefill/prefill-router.tsx';
import { providersRouter } from '../pages/providers/providers-router.tsx';
import { resubmittedRouter } from '../pages/records/keep-router.ts';
import { unusualValuesRouter } from '../pages/records/questions-router.ts';
import { recordsRouter } from '../pages/records/records-router.tsx';
import { restoreRouter } from '../pages/records/restore-router.tsx';
import { voidRouter } from '../pages/records/void-router.tsx';
import { setUpRouter } from '../pages/set-up/set-up-router.tsx';
import { secondStepRouter } from '../pages/sign-in/second-step-router.tsx';
import { signInRouter } from '../pages/sign-in/sign-in-router.tsx';
import { staffPartnersRouter } from '../pages/staff/partners-router.tsx';
import { staffPeopleRouter } from '../pages/staff/people-router.tsx';
import { staffPracticesRouter } from '../pages/staff/practices-router.tsx';
import { staffStatusRouter } from '../pages/staff/status-router.tsx';
import { statisticsRouter } from '../pages/statistics/statistics-router.tsx';
import { createMenuCounter } from '../pages/to-do/menu-count.ts';
import { toDoRouter } from '../pages/to-do/to-do-router.tsx';
import type { App } from '../ports/app-ports.ts';
import { isOutage } from '../ports/outage.ts';
import { SERVICE_VERSION } from '../process/version.ts';
import type { Settings } from '../settings/settings.ts';
import { providerLogoutRouter } from '../single-sign-on/logout-router.ts';
import { singleSignOnRouter } from '../single-sign-on/single-sign-on-router.ts';
import { smartErrors } from '../smart/smart-errors.ts';
import type { Stores } from '../stores/stores.ts';
import { createMemberLogRouter, createPublicLogRouter } from '../transparency-log/log-routers.ts';
import { csrfProtection } from '../web/csrf.ts';
import { createFormParser } from '../web/form-body.ts';
import { requirePasswordChange } from '../web/own-password.ts';
import { refuseUnreadablePaths } from '../web/readable-path.ts';
import { refusePrefetch } from '../web/refuse-prefetch.ts';
import { isSafeMethod, requireSameOrigin } from '../web/same-origin.ts';
import { requireSecondFactor } from '../web/second-factor-first.ts';
import { setSecurityHeaders } from '../web/security-headers.ts';
import { createSessions } from '../web/session.ts';
import {
  endWithSession,
  loadAccount,
  reloadAccount,
  getSignedIn,
} from '../web/signed-in-session.ts';
import {
  createFindOffers,
  createSignInProviders,
  createSingleSignOnLimit,
} from './single-sign-on.ts';
import { createSmartLimit, createSmartRoutes } from './smart-routes.ts';

const PAGES = /^\/(?:$|(?:sign-in|sign-out|set-up|account|registry|staff|smart|log)(?:\/|$))/;

/** True if the path belongs to the pages, mounted or not. */
export const isPage = (path: string): boolean => PAGES.test(path);

/** Parts of the process that the pages show or use. */
export interface ServingProcess {
  readonly settings: Settings;
  readonly stores: Pick<Stores, 'db' | 'secret'>;
  readonly accessVersion: () => Promise<bigint>;
  readonly setUpLink: SetUpLink;
  readonly standing: ServiceStatus;
}

/** Mounts the pages with the middleware before and after them. */
export const createPages = (
  registry: App,
  { settings, stores, accessVersion, setUpLink, standing }: ServingProcess,
  report: ReportFault,
): Router => {
  const { now, onFault } = registry;
  const isSecure = settings.baseUrl.startsWith('https:');
  const findSignedIn = createFindSignedIn(registry, accessVersion);
  const providers = createSignInProviders(registry, settings);
  const { look, startedAt } = standing;
  return (
    Router()
      .use('/assets', assetsRouter())
      .use(createSmartLimit(registry), createSingleSignOnLimit(registry))
      .use(onlyPages, setSecurityHeaders(isSecure), refusePrefetch)
      // Mounted before the check of a form's origin, because these requests come from no browser.
      .use(createPublicLogRouter(registry, settings.isLogPublic))
      .use(providerLogoutRouter(registry, providers))
      .use(requireSameOrigin(settings.baseUrl))
      .use(
        ...createSessions({
          store: createSessionStore(
            stores.db,
            onFault('Sessions that are over could not be deleted; trying again.'),
          ),
          secret: deriveSessionSecret(stores.secret),
          isSecure,
        }),
      )
      .use(
        loadAccount(findSignedIn, now, settings.sessionIdleMinutes),
        endWithSession(findSignedIn),
        refuseUnreadablePaths,
      )
      .use(createSmartRoutes(registry, settings))
      .use(
        createFormParser((res) => getSignedIn(res) !== null),
        reloadAccount(findSignedIn, now),
        csrfProtection,
        requirePasswordChange,
        requireSecondFactor(settings.isStaffFactorOptional),
      )
      .use(createMemberLogRouter(registry))
      .use(createMenuCounter(registry), createAccessNotes(registry))
      .use(signInRouter(registry, findSignedIn, createFindOffers(providers, isSecure)))
      .use(singleSignOnRouter(registry, findSignedIn, providers, isSecure))
      .use(setUpRouter(registry, setUpLink, findSignedIn))
      .use(homeRouter(registry))
      .use(toDoRouter(registry))
      .use(statisticsRouter(registry))
      .use(duplicatesRouter(registry))
      .use(providersRouter(registry))
      .use(checkRouter(registry))
      .use(sentForReviewRouter(registry))
      .use(newBirthRouter(registry))
      .use(correctBirthRouter(registry))
      .use(secondStepRouter(registry, findSignedIn))
      .use(securityRouter(registry))
      .use(passkeysRouter(registry))
      .use(invitationRouter(registry, findSignedIn))
      .use(accountRouter(registry))
      .use(ownNameRouter(registry))
      // Mounted before the people pages, because its addresses look like those of a person.
      .use(accessReviewRouter(registry))
      .use(membersRouter(registry))
      .use(customFieldsRouter(registry))
      .use(practiceSettingsRouter(registry))
      .use(completenessRouter(registry))
      .use(practiceSingleSignOnRouter(registry, providers))
      .use(accessLogRouter(registry))
      .use(auditRouter(registry))
      .use(integrationsRouter(registry))
      .use(staffPeopleRouter(registry))
      .use(staffPracticesRouter(registry))
      .use(staffPartnersRouter(registry))
      .use(staffStatusRouter({ role: settings.role, version: SERVICE_VERSION, startedAt }, look))
      .use(exportRouter(registry))
      .use(recordsRouter(registry))
      .use(voidRouter(registry))
      .use(resubmittedRouter(registry))
      .use(restoreRouter(registry))
      .use(unusualValuesRouter(registry))
      .use(birthsRouter(registry))
      .use(undoImportRouter(registry))
      .use(importedRecordsRouter(registry))
      .use(importColumnsRouter(registry))
      .use(importRouter(registry))
      .use(importRowRouter(registry))
      .use(prefillRouter(registry))
      .use(refuseUnknownPage)
      .use('/smart', smartErrors(isOutage, report))
      .use(createPageErrorHandler(isOutage, report))
  );
};

/** Other paths have their own responses and errors, except that a lost browser also gets a page. */
const onlyPages: RequestHandler = (req, _res, next) => {
  const isAstray = isSafeMethod(req) && req.accepts(['json', 'html']) === 'html';
  if (isPage(req.path) || isAstray) next();
  else next('router');
};
