import type { Request, Response } from 'express';
import type { ComponentChildren } from 'preact';
import { formText, queryText } from '../../web/form-body.ts';
import { unreadableForm } from '../../web/page-problem.ts';
import { Confirm } from '../frame/confirm.tsx';
import { sendPage } from '../frame/send-page.tsx';

/** A setting that is on or off. */
export interface SwitchProps {
  /** Where its change is asked about and posted. */
  readonly action: string;
  readonly heading: string;
  /** How it stands now. */
  readonly stands: string;
  /** What the button does: "Take into the beta". */
  readonly submit: string;
  /** What changes with it, and for whom. */
  readonly changes: string;
  /** What is asked for as `to`. */
  readonly to: boolean;
}

/** How a setting stands, what would change, and the button that leads to the question. */
export const Switch = ({ action, heading, stands, submit, changes, to }: SwitchProps) => (
  <form method="get" action={action} class="switch card card--ground">
    <h3>
      {heading}: {stands}
    </h3>
    <p>{changes}</p>
    <button type="submit" class="usa-button usa-button--outline" name="to" value={String(to)}>
      {submit}
    </button>
  </form>
);

/** What the form of a question wants the setting to be. */
export const switchedTo = (req: Request): boolean => {
  const to = formText(req, 'to');
  if (to !== 'true' && to !== 'false') throw unreadableForm(400);
  return to === 'true';
};

/** A question before a setting is switched. */
export interface SwitchQuestion {
  /** How it stands now. */
  readonly stands: boolean;
  /** Whose setting it is, and the page it is on. */
  readonly at: string;
  readonly title: (to: boolean) => string;
  readonly submit: (to: boolean) => string;
  /** What changes with it, and for whom. */
  readonly changes: ComponentChildren;
}

/** Asks before a setting is switched; one that stands so already, as after Back, leads to its page. */
export const askToSwitch = (
  req: Request,
  res: Response,
  { stands, at, title, submit, changes }: SwitchQuestion,
): void => {
  const to = !stands;
  if (queryText(req, 'to') !== String(to)) {
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

/** The message after a practice or a partner was taken into the beta, or out of it. */
export const describeBeta = (name: string, beta: boolean): string =>
  `${name} is ${beta ? 'in' : 'outside'} the beta now.`;

const betaSubmit = (to: boolean): string => (to ? 'Take into the beta' : 'Take out of the beta');

/** Whether a practice or a partner is in the partner-EHR beta. */
export const BetaSwitch = ({
  at,
  beta,
  changes,
}: Pick<SwitchProps, 'changes'> & {
  /** Address of the practice or the partner. */
  readonly at: string;
  readonly beta: boolean;
}) => (
  <Switch
    action={`${at}/beta`}
    heading="Beta"
    stands={beta ? 'in the beta' : 'outside'}
    to={!beta}
    submit={betaSubmit(!beta)}
    changes={changes}
  />
);

/** Asks before a practice or a partner is taken into the beta, or out of it. */
export const askForBeta = (
  req: Request,
  res: Response,
  at: string,
  { name, beta }: { readonly name: string; readonly beta: boolean },
  changes: string,
): void =>
  askToSwitch(req, res, {
    stands: beta,
    at,
    title: (to) => (to ? `Take ${name} into the beta?` : `Take ${name} out of the beta?`),
    submit: betaSubmit,
    changes,
  });
