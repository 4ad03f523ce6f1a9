import type { Request, RequestHandler, Response } from 'express';
import { personOf } from '../../access/person.ts';
import type { Registry } from '../../registry/registry.ts';
import { pageBefore } from '../../web/next-page.ts';
import { signedInOf } from '../../web/signed-in-session.ts';
import { SECURITY_PAGE } from '../../web/staff-factor.ts';
import type { FieldError } from '../frame/field-errors.ts';
import { sendPage } from '../frame/send-page.tsx';
import { ConfirmFirst } from './security-page.tsx';

/** So long after a second factor was shown it counts for what is dangerous. */
const FRESH_MS = 10 * 60_000;

/** Where a second factor is shown once more. */
export const CONFIRM = `${SECURITY_PAGE}/confirm`;

/** Asks for the second factor. @param next the page to go to afterwards; null: that of one's security */
export const sendConfirm = (
  req: Request,
  res: Response,
  next: string | null,
  errors: readonly FieldError[] = [],
): void =>
  sendPage(req, res, {
    title: 'Confirm it is you',
    isRefused: errors.length > 0,
    children: <ConfirmFirst action={CONFIRM} next={next} errors={errors} />,
  });

/**
 * Lets a form through whose sender has shown their second factor within ten minutes, or has none; others
 * are asked for it first, and nothing is done.
 * @param pageAfter the page to go to afterwards: the one that the form is on, unless another is named
 */
export const freshFactor =
  (
    { secondFactors, now }: Pick<Registry, 'secondFactors' | 'now'>,
    pageAfter: (req: Request) => string | null = pageBefore,
  ): RequestHandler =>
  async (req, res, next) => {
    const who = signedInOf(res);
    const { factorAt = 0 } = req.session;
    const isFresh =
      who === null ||
      now().getTime() < factorAt + FRESH_MS ||
      (await secondFactors.find(personOf(who).id)).kinds.length === 0;
    if (isFresh) next();
    else sendConfirm(req, res, pageAfter(req));
  };
