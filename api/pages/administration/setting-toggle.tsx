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
  readonly current: string;
  /** Button text: "Add to beta". */
  readonly submit: string;
  readonly changes: string;
  /** Requested value, sent as `to`. */
  readonly to: boolean;
}

export const SettingToggle = ({
  action,
  heading,
  current,
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
      {heading}: {current}
    </h3>
    <p>{changes}</p>
    <button type="submit" class="usa-button usa-button--outline" name="to" value={String(to)}>
      {submit}
    </button>
  </form>
);

interface ToggleRoute<Owner> {
  readonly load: (req: Request) => Promise<Owner>;
  readonly stepUp: RequestHandler;
  readonly back: (owner: Owner) => string;
  readonly current: (owner: Owner) => boolean;
  readonly title: (owner: Owner, to: boolean) => string;
  readonly submit: (to: boolean) => string;
  readonly changes: (owner: Owner) => string;
  readonly run: (owner: Owner, to: boolean, res: Response) => Promise<Reply>;
}

/** GET asks, POST changes. If it has already changed, as after Back, GET redirects to its page. */
export const toggle = <Owner,>(
  path: string,
  { load, stepUp, back, current, title, submit, changes, run }: ToggleRoute<Owner>,
): Route =>
  question(path, requireStaff, {
    stepUp,
    load: async (req): Promise<{ readonly owner: Owner; readonly to: boolean } | Redirect> => {
      const owner = await load(req);
      const to = isSafeMethod(req) ? readQueryText(req, 'to') : readFormText(req, 'to');
      if (isSafeMethod(req) && to !== String(!current(owner))) return redirect(back(owner));
      if (to !== 'true' && to !== 'false') throw unreadableForm(400);
      return { owner, to: to === 'true' };
    },
    back: ({ owner }) => back(owner),
    ask: ({ owner, to }) => ({
      title: title(owner, to),
      submit: submit(to),
      destructive: !to,
      fields: { to: String(to) },
      children: <p>{changes(owner)}</p>,
    }),
    run: ({ owner, to }, _req, res) => run(owner, to, res),
  });

const getBetaButton = (to: boolean): string => (to ? 'Add to beta' : 'Remove from beta');

export const BetaToggle = ({
  at,
  beta,
  changes,
}: Pick<SettingToggleProps, 'changes'> & {
  readonly at: string;
  readonly beta: boolean;
}) => (
  <SettingToggle
    action={`${at}/beta`}
    heading="Beta"
    current={beta ? 'In beta' : 'Not in beta'}
    to={!beta}
    submit={getBetaButton(!beta)}
    changes={changes}
  />
);

export const toggleBeta = <Owner extends { readonly name: string; readonly beta: boolean }>(
  path: string,
  {
    set,
    ...route
  }: Pick<ToggleRoute<Owner>, 'load' | 'stepUp' | 'back' | 'changes'> & {
    readonly set: (owner: Owner, beta: boolean, res: Response) => Promise<unknown>;
  },
): Route =>
  toggle(path, {
    ...route,
    current: ({ beta }) => beta,
    title: ({ name }, to) => (to ? `Add ${name} to the beta?` : `Remove ${name} from the beta?`),
    submit: getBetaButton,
    run: async (owner, to, res) => {
      await set(owner, to, res);
      return redirect(route.back(owner), {
        id: to ? 'added-to-beta' : 'removed-from-beta',
        text: `${owner.name} is ${to ? 'now in' : 'no longer in'} the beta.`,
      });
    },
  });
