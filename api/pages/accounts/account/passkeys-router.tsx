import type { Request, RequestHandler, Response, Router } from 'express';
import { parseName } from '../../../../domain/text-input.ts';
import { toPerson } from '../../../access/person.ts';
import { noteSecondFactor } from '../../../access-log/access-notes.ts';
import type { App } from '../../../ports/app-ports.ts';
import { readFormText } from '../../../web/form-body.ts';
import { getAccount, requireAccount } from '../../../web/guards/seats.ts';
import { needsSecondFactor, SECURITY_PAGE } from '../../../web/guards/second-factor-first.ts';
import { pageNotFound } from '../../../web/page-problem.ts';
import { keepChallenge, takeChallenge } from '../../../web/session/passkey-challenge.ts';
import type { FieldError } from '../../layout/field-errors.ts';
import { backToForm, createRouter, post, question, redirect } from '../../layout/routes.tsx';
import { requireStepUp } from '../../second-factor/step-up.tsx';
import { getRelyingParty, LATE_PASSKEY, PASSKEY_FIELD } from '../../second-factor/verify-factor.ts';
import {
  finishRemoval,
  loadSecurity,
  PASSKEYS,
  RemovalEffects,
  replaceRecoveryCodes,
} from './security-router.tsx';

const REMOVE = `${PASSKEYS}/:passkey/remove`;
const MAX_PASSKEYS = 20;
const MAX_NAME_LENGTH = 60;

export const passkeysRouter = (app: App): Router => {
  const { passkeys, secondFactors, now } = app;
  const stepUp = requireStepUp(app);

  /** A challenge is issued only after step-up, so the request that answers it needs no second one. */
  const requireStepUpUnlessAnswered: RequestHandler = (req, res, next) =>
    readFormText(req, PASSKEY_FIELD) === '' ? stepUp(req, res, next) : next();

  const refuse = (req: Request, res: Response, errors: readonly FieldError[]) =>
    loadSecurity(app, req, res, { name: readFormText(req, 'name'), errors });

  return createRouter(
    backToForm(`${PASSKEYS}/challenge`, requireAccount, SECURITY_PAGE),
    post(`${PASSKEYS}/challenge`, [requireAccount, stepUp], async (req, res) => {
      const who = getAccount(res);
      const { id } = toPerson(who);
      const relyingParty = getRelyingParty(app, req);
      const existing = await passkeys.list(id);
      const errors = checkPasskey(req, existing.length);
      if (relyingParty.kind !== 'usable' || errors.length > 0) return refuse(req, res, errors);
      const person = { id, email: who.email };
      const options = await passkeys.buildPasskeyCreation(relyingParty, person, existing);
      keepChallenge(req, 'add', options.challenge, now());
      res.json(options);
      return undefined;
    }),
    backToForm(PASSKEYS, requireAccount, SECURITY_PAGE),
    post(PASSKEYS, [requireAccount, requireStepUpUnlessAnswered], async (req, res) => {
      const who = getAccount(res);
      const { id } = toPerson(who);
      const relyingParty = getRelyingParty(app, req);
      const response = readFormText(req, PASSKEY_FIELD);
      const existing = await passkeys.list(id);
      const errors = checkPasskey(req, existing.length);
      if (errors.length > 0) return refuse(req, res, errors);
      if (response === '') return refuse(req, res, NO_PASSKEY);
      const challenge = await takeChallenge(req, 'add', id, app);
      if (relyingParty.kind !== 'usable' || challenge === null)
        return refuse(req, res, LATE_PASSKEY);
      const created = await passkeys.verifyCreatedPasskey({ relyingParty, challenge, response });
      if (created === null) return refuse(req, res, NOT_CREATED);
      const { kinds } = await secondFactors.find(id);
      // Logged before it takes effect.
      await noteSecondFactor(app, res, who, 'passkey-added');
      const name = parsePasskeyName(req, existing);
      if (!(await passkeys.add(id, { ...created, name }))) return refuse(req, res, NOT_CREATED);
      req.session.factorAt = now().getTime();
      if (kinds.length === 0) return replaceRecoveryCodes(app, res, who);
      return redirect(SECURITY_PAGE, {
        id: 'passkey-added',
        text: `The passkey “${name}” was added. Your recovery codes keep working.`,
      });
    }),
    question(REMOVE, requireAccount, {
      stepUp,
      load: async (req, res) => {
        const { id } = toPerson(getAccount(res));
        const [{ kinds }, existing] = await Promise.all([
          secondFactors.find(id),
          passkeys.list(id),
        ]);
        const passkey = existing.find(({ passkeyId }) => passkeyId === req.params['passkey']);
        if (passkey === undefined) throw pageNotFound();
        return { ...passkey, isLast: kinds.length === 1 && existing.length === 1 };
      },
      back: () => SECURITY_PAGE,
      ask: ({ name, isLast }, _req, res) => ({
        title: `Remove the passkey “${name}”?`,
        submit: 'Remove passkey',
        destructive: true,
        children: (
          <>
            <p>
              It will no longer sign you in. Your device may keep offering it until you delete it
              there, too.
            </p>
            <RemovalEffects isLast={isLast} isRequired={needsSecondFactor(res)} />
          </>
        ),
      }),
      run: async ({ passkeyId, name }, req, res) => {
        const who = getAccount(res);
        await noteSecondFactor(app, res, who, 'passkey-removed');
        await passkeys.remove(toPerson(who).id, passkeyId);
        return finishRemoval(app, req, res, `The passkey “${name}”`);
      },
    }),
  );
};

const NO_PASSKEY: readonly FieldError[] = [
  {
    field: PASSKEY_FIELD,
    id: 'no-passkey',
    message:
      'Your browser did not send a passkey. Passkeys need a browser that supports them, with JavaScript turned on. An authenticator app works in any browser.',
  },
];

const NOT_CREATED: readonly FieldError[] = [
  {
    field: PASSKEY_FIELD,
    id: 'passkey-not-made',
    message:
      'Your browser did not send a new passkey for this account. Nothing was added. Try again.',
  },
];

const checkPasskey = (req: Request, count: number): readonly FieldError[] => {
  if (count >= MAX_PASSKEYS)
    return [
      {
        field: PASSKEY_FIELD,
        id: 'too-many-passkeys',
        message: `You have ${MAX_PASSKEYS} passkeys, which is the limit. Remove one first.`,
      },
    ];
  const name = parseName(readFormText(req, 'name'), MAX_NAME_LENGTH);
  return name.kind !== 'refused'
    ? []
    : [
        {
          field: 'name',
          id: 'passkey-name-refused',
          message: `Use a name of up to ${MAX_NAME_LENGTH} visible characters, without a web address.`,
        },
      ];
};

/** Typed name, otherwise "Passkey" with an unused number. */
const parsePasskeyName = (req: Request, existing: readonly { readonly name: string }[]): string => {
  const typed = parseName(readFormText(req, 'name'), MAX_NAME_LENGTH);
  if (typed.kind === 'named') return typed.name;
  const taken = new Set(existing.map(({ name }) => name));
  let number = existing.length + 1;
  while (taken.has(`Passkey ${number}`)) number += 1;
  return `Passkey ${number}`;
};
