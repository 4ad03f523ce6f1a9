import type { Request, RequestHandler, Response } from 'express';
import { readFormText, readQueryText } from '../../web/form-body.ts';
import { requireStaff } from '../../web/guards/seats.ts';
import { unreadableForm } from '../../web/page-problem.ts';
import { isSafeMethod } from '../../web/same-origin.ts';
import { question, type Redirect, type Reply, type Route, redirect } from '../layout/routes.tsx';

interface SettingToggleProps {
  /** Path that asks for confirmation and accepts the change. */
  readonly action: string;
  readonly heading: string;
  readonly currentText: string;
  /** Button text: "Add to beta". */
  readonly submit: string;
  readonly effect: string;
  /** Requested value, sent as `to`. */
  readonly turnsOn: boolean;
}

export const SettingToggle = ({
  action,
  heading,
  currentText,
  submit,
  effect,
  turnsOn,
}: SettingToggleProps) => (
  <form
    method="get"
    action={action}
    class="switch display-flex flex-column flex-align-start card card--ground"
  >
    <h3>
      {heading}: {currentText}
    </h3>
    <p>{effect}</p>
    <button type="submit" class="usa-button usa-button--outline" name="to" value={String(turnsOn)}>
      {submit}
    </button>
  </form>
);

interface ToggleRoute<Organization> {
  readonly load: (req: Request) => Promise<Organization>;
  readonly stepUp: RequestHandler;
  readonly back: (organization: Organization) => string;
  readonly isOn: (organization: Organization) => boolean;
  readonly title: (organization: Organization, turnsOn: boolean) => string;
  readonly submit: (turnsOn: boolean) => string;
  readonly effect: (organization: Organization) => string;
  readonly run: (organization: Organization, turnsOn: boolean, res: Response) => Promise<Reply>;
}

/** GET asks, POST changes. If it has already changed, as after Back, GET redirects to its page. */
export const toggle = <Organization,>(
  path: string,
  { load, stepUp, back, isOn, title, submit, effect, run }: ToggleRoute<Organization>,
): Route =>
  question(path, requireStaff, {
    stepUp,
    load: async (
      req,
    ): Promise<{ readonly organization: Organization; readonly turnsOn: boolean } | Redirect> => {
      const organization = await load(req);
      const to = isSafeMethod(req) ? readQueryText(req, 'to') : readFormText(req, 'to');
      if (isSafeMethod(req) && to !== String(!isOn(organization)))
        return redirect(back(organization));
      if (to !== 'true' && to !== 'false') throw unreadableForm(400);
      return { organization, turnsOn: to === 'true' };
    },
    back: ({ organization }) => back(organization),
    ask: ({ organization, turnsOn }) => ({
      title: title(organization, turnsOn),
      submit: submit(turnsOn),
      destructive: !turnsOn,
      fields: { to: String(turnsOn) },
      children: <p>{effect(organization)}</p>,
    }),
    run: ({ organization, turnsOn }, _req, res) => run(organization, turnsOn, res),
  });

const getBetaButton = (turnsOn: boolean): string => (turnsOn ? 'Add to beta' : 'Remove from beta');

export const BetaToggle = ({
  at,
  beta,
  effect,
}: Pick<SettingToggleProps, 'effect'> & {
  readonly at: string;
  readonly beta: boolean;
}) => (
  <SettingToggle
    action={`${at}/beta`}
    heading="Beta"
    currentText={beta ? 'In beta' : 'Not in beta'}
    turnsOn={!beta}
    submit={getBetaButton(!beta)}
    effect={effect}
  />
);

export const toggleBeta = <Organization extends { readonly name: string; readonly beta: boolean }>(
  path: string,
  {
    set,
    ...route
  }: Pick<ToggleRoute<Organization>, 'load' | 'stepUp' | 'back' | 'effect'> & {
    readonly set: (organization: Organization, beta: boolean, res: Response) => Promise<unknown>;
  },
): Route =>
  toggle(path, {
    ...route,
    isOn: ({ beta }) => beta,
    title: ({ name }, turnsOn) =>
      turnsOn ? `Add ${name} to the beta?` : `Remove ${name} from the beta?`,
    submit: getBetaButton,
    run: async (organization, turnsOn, res) => {
      await set(organization, turnsOn, res);
      return redirect(route.back(organization), {
        id: turnsOn ? 'added-to-beta' : 'removed-from-beta',
        text: `${organization.name} is ${turnsOn ? 'now in' : 'no longer in'} the beta.`,
      });
    },
  });
