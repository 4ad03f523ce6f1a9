import type { Request, Response } from 'express';
import type { ComponentChildren } from 'preact';
import { readFormText, readQueryText } from '../../web/form-body.ts';
import { unreadableForm } from '../../web/page-problem.ts';
import { Confirm } from '../layout/confirm.tsx';
import { sendPage } from '../layout/send-page.tsx';

/** Setting that is on or off. */
export interface SettingToggleProps {
  /** Path that asks for confirmation and accepts the change. */
  readonly action: string;
  readonly heading: string;
  /** Current value. */
  readonly stands: string;
  /** Button text: "Add to beta". */
  readonly submit: string;
  /** Effect of the change. */
  readonly changes: string;
  /** Requested value, sent as `to`. */
  readonly to: boolean;
}

/** Current value of a setting, the effect of changing it, and a button to the confirmation. */
export const SettingToggle = ({
  action,
  heading,
  stands,
  submit,
  changes,
  to,
}: SettingToggleProps) => (
  <form
    method="get"
    action={action}
    class="switch display-flex flex-column flex-align-start card card--ground"
  >
    <h3>
      {heading}: {stands}
    </h3>
    <p>{changes}</p>
    <button type="submit" class="usa-button usa-button--outline" name="to" value={String(to)}>
      {submit}
    </button>
  </form>
);

/** Value that the confirmation form requests. */
export const readBooleanField = (req: Request): boolean => {
  const to = readFormText(req, 'to');
  if (to !== 'true' && to !== 'false') throw unreadableForm(400);
  return to === 'true';
};

/** Confirmation before a setting changes. */
export interface ToggleConfirmation {
  /** Current value. */
  readonly stands: boolean;
  /** Address of the page with the setting. */
  readonly at: string;
  readonly title: (to: boolean) => string;
  readonly submit: (to: boolean) => string;
  /** Effect of the change. */
  readonly changes: ComponentChildren;
}

/**
 * Asks for confirmation before a setting changes. If it has already changed, as after Back,
 * redirects to its page.
 */
export const sendToggleConfirmation = (
  req: Request,
  res: Response,
  { stands, at, title, submit, changes }: ToggleConfirmation,
): void => {
  const to = !stands;
  if (readQueryText(req, 'to') !== String(to)) {
    res.redirect(303, at);
    return;
  }
  sendPage(req, res, {
    title: title(to),
    children: (
      <Confirm
        action={req.path}
        submit={submit(to)}
        cancel={at}
        destructive={!to}
        fields={{ to: String(to) }}
      >
        <p>{changes}</p>
      </Confirm>
    ),
  });
};

/** Message after a practice or partner was moved into or out of the beta. */
export const describeBeta = (name: string, beta: boolean): string =>
  `${name} is ${beta ? 'now in' : 'no longer in'} the beta.`;

const getBetaButton = (to: boolean): string => (to ? 'Add to beta' : 'Remove from beta');

/** Switch for the partner EHR beta of a practice or partner. */
export const BetaToggle = ({
  at,
  beta,
  changes,
}: Pick<SettingToggleProps, 'changes'> & {
  /** Address of the practice or partner. */
  readonly at: string;
  readonly beta: boolean;
}) => (
  <SettingToggle
    action={`${at}/beta`}
    heading="Beta"
    stands={beta ? 'In beta' : 'Not in beta'}
    to={!beta}
    submit={getBetaButton(!beta)}
    changes={changes}
  />
);

/** Asks for confirmation before a practice or partner is moved into or out of the beta. */
export const sendBetaConfirmation = (
  req: Request,
  res: Response,
  at: string,
  { name, beta }: { readonly name: string; readonly beta: boolean },
  changes: string,
): void =>
  sendToggleConfirmation(req, res, {
    stands: beta,
    at,
    title: (to) => (to ? `Add ${name} to the beta?` : `Remove ${name} from the beta?`),
    submit: getBetaButton,
    changes,
  });
