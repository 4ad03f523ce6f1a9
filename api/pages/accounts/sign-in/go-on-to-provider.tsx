import type { Request, Response } from 'express';
import { sendPage } from '../../layout/send-page.tsx';

/**
 * Asks first: otherwise another site could send the browser here and sign in a person with an open
 * session at the provider against their will.
 */
export const sendContinueToProvider = (req: Request, res: Response, issuer: string): void => {
  const { host } = new URL(issuer);
  sendPage(req, res, {
    title: 'Sign in with single sign-on',
    children: (
      <>
        <p>You will sign in at {host}.</p>
        <p>
          <a class="usa-button" href={req.originalUrl}>
            Continue to {host}
          </a>
        </p>
        <p>
          <a href="/sign-in">Sign in another way</a>
        </p>
      </>
    ),
  });
};
