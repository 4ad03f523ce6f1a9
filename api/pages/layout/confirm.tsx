import type { ComponentChildren } from 'preact';
import { Form } from './form.tsx';
import { FormButtons } from './form-buttons.tsx';
import { HiddenFields } from './hidden-fields.tsx';

/** Planned action, with buttons to confirm and cancel. */
export interface ConfirmProps {
  /** The exact changes and the people affected. */
  readonly children: ComponentChildren;
  readonly action: string;
  readonly id?: string | undefined;
  /** Button label, a verb with its object: "Void record". */
  readonly submit: string;
  /** Address for canceling. */
  readonly cancel: string;
  /** True if it deletes something or cannot be undone. */
  readonly destructive?: boolean;
  /** Hidden fields of the form. */
  readonly fields?: Readonly<Record<string, string>>;
}

/** Content of a confirmation page. */
export const Confirm = (props: ConfirmProps) => {
  const { children, action, id, submit, cancel, destructive = false, fields = {} } = props;
  return (
    <Form action={action} id={id} class="confirm">
      <HiddenFields values={fields} />
      {children}
      <FormButtons submit={submit} cancel={cancel} destructive={destructive} />
    </Form>
  );
};
