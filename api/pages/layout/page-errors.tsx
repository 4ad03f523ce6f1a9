import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import { isUuid } from '../../../domain/text-input.ts';
import { displayNameWithEmail, type NamedPerson } from '../../../projections/lists/people-names.ts';
import type { SignedIn } from '../../access/signed-in.ts';
import type { ReportFault } from '../../http/error-middleware.ts';
import { RequestProblem } from '../../http/request-problem.ts';
import { buildSignInPath, getPageBefore } from '../../web/next-page.ts';
import {
  formOfAnotherUser,
  PageProblem,
  pageAllowsOnly,
  pageForbidden,
  pageNotFound,
  StaleFormToken,
  serviceUnavailable,
  signedOut,
  unexpectedFault,
  unknownFormOwner,
  unreadableForm,
} from '../../web/page-problem.ts';
import { isSafeMethod } from '../../web/same-origin.ts';
import { readFormOwner } from '../../web/session/form-owner.ts';
import { getSignedIn } from '../../web/session/signed-in-session.ts';
import { Form } from './form.tsx';
import { type HiddenField, HiddenFieldList, readHiddenFields } from './hidden-fields.tsx';
import { getHomePath } from './navigation.ts';
import { sendPage } from './send-page.tsx';

/** Shows any error of a page's route as an error page. */
export const createPageErrorHandler = (
  isOutage: (error: unknown) => boolean,
  report: ReportFault,
): ErrorRequestHandler => {
  return (error: unknown, req, res, next) => {
    const who = getSignedIn(res);
    const problem = toOwnerProblem(toPageProblem(error, isOutage, who), req, res);
    const reference = String(res.locals['correlationId']);
    if (problem.status >= 500) report(error, reference);
    if (res.headersSent) {
      // The page was already sent; only saving its session failed.
      res.end();
      return;
    }
    const way = who === null ? buildSignInLink(req) : getHomePath(who);
    res.set(problem.headers);
    try {
      sendPage(
        req,
        res,
        {
          title: problem.heading,
          children: (
            <>
              <p>{problem.text}</p>
              {problem.status >= 500 && <p>Reference: {reference}</p>}
              {problem instanceof StaleFormToken && who !== null && (
                <ResubmitForm fields={readHiddenFields(req)} to={req.originalUrl} who={who} />
              )}
              <p>
                <a href={way}>{who === null ? 'Sign in' : 'Go to Home'}</a>
              </p>
            </>
          ),
        },
        problem.status,
      );
    } catch (failure) {
      next(failure);
    }
  };
};

/** Ids and versions are hidden fields, not typed. */
const hasTypedValues = ({ name, value }: HiddenField): boolean =>
  value.trim() !== '' && !isUuid(value) && name !== 'version';

/** Names the account that sends a form again. */
export const describeSender = (who: NamedPerson): string =>
  `You’re submitting it as ${displayNameWithEmail(who)}.`;

/** Button that sends a form again. */
export const RESUBMIT = 'Submit again';

/** Form to be resent by the account that opened it. */
const ResubmitForm = ({
  fields,
  to,
  who,
}: {
  readonly fields: readonly HiddenField[];
  readonly to: string;
  readonly who: SignedIn;
}) => (
  <Form action={to} class="margin-bottom-2">
    <HiddenFieldList fields={fields} />
    <ul class="usa-list">
      {fields.filter(hasTypedValues).map(({ value }) => (
        <li>{value}</li>
      ))}
    </ul>
    <p>{describeSender(who)}</p>
    <button type="submit" class="usa-button">
      {RESUBMIT}
    </button>
  </Form>
);

/** Methods of the pages in the OpenAPI contract. */
const METHODS_OF_LISTED_PAGES: ReadonlyMap<string, string> = new Map([
  ['/registry/capture/prefill', 'GET, HEAD, POST'],
  ['/registry/integrations', 'GET, HEAD'],
]);

/** The address has no page, or none for the method. */
export const refuseUnknownPage: RequestHandler = (req) => {
  const methods = METHODS_OF_LISTED_PAGES.get(req.path);
  throw methods === undefined ? pageNotFound() : pageAllowsOnly(methods);
};

/** Address of the sign-in that returns to the form's page. */
const buildSignInLink = (req: Request): string => {
  const page = isSafeMethod(req) ? null : getPageBefore(req);
  return page === null ? '/sign-in' : buildSignInPath(page);
};

const toPageProblem = (
  error: unknown,
  isOutage: (error: unknown) => boolean,
  who: SignedIn | null,
): PageProblem => {
  if (error instanceof PageProblem) return error;
  if (isOutage(error)) return serviceUnavailable();
  if (error instanceof RequestProblem) return toStatusProblem(error.status, who);
  // Express and the body parser set a status on their own errors.
  const status = (error as { status?: unknown } | null)?.status;
  return typeof status === 'number' && status < 500
    ? toStatusProblem(status, who)
    : unexpectedFault();
};

/** Input from before a new sign-in is only shown to the person who typed it. */
const toOwnerProblem = (problem: PageProblem, req: Request, res: Response): PageProblem => {
  if (!(problem instanceof StaleFormToken)) return problem;
  switch (readFormOwner(req, res)) {
    case 'sender':
      return problem;
    case 'unsaid':
      return unknownFormOwner();
    case 'another':
    case 'nobody':
      return formOfAnotherUser();
  }
};

const toStatusProblem = (status: number, who: SignedIn | null): PageProblem => {
  if (status === 401) return signedOut();
  if (status === 403) return pageForbidden(who);
  if (status === 404 || status === 405) return pageNotFound();
  if (status === 503) return serviceUnavailable();
  if (status >= 500) return unexpectedFault();
  return unreadableForm(status === 413 ? 413 : 400);
};
