import { Form } from '../frame/form.tsx';

/** A setting that is on or off. */
export interface SwitchProps {
  /** Where its change is posted. */
  readonly action: string;
  readonly heading: string;
  /** How it stands now. */
  readonly stands: string;
  /** What the button does: "Take into the beta". */
  readonly submit: string;
  /** What changes with it, and for whom. */
  readonly changes: string;
  /** What is posted as `to`. */
  readonly to: boolean;
}

/** How a setting stands, what would change, and the button that changes it. */
export const Switch = ({ action, heading, stands, submit, changes, to }: SwitchProps) => (
  <Form action={action} class="switch card card--ground">
    <input type="hidden" name="to" value={String(to)} />
    <h3>
      {heading}: {stands}
    </h3>
    <p>{changes}</p>
    <button type="submit" class="usa-button usa-button--outline">
      {submit}
    </button>
  </Form>
);

/** The message after a practice or a partner was taken into the beta, or out of it. */
export const describeBeta = (name: string, beta: boolean): string =>
  `${name} is ${beta ? 'in' : 'outside'} the beta now.`;

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
    submit={beta ? 'Take out of the beta' : 'Take into the beta'}
    changes={changes}
  />
);
