import type { ComponentChildren } from 'preact';
import { Form } from './form.tsx';
import { FormButtons } from './form-buttons.tsx';
import { HiddenFields } from './hidden-fields.tsx';

export interface ConfirmProps {
  readonly children: ComponentChildren;
  readonly action: string;
  readonly id?: string | undefined;
  /** Button label, a verb with its object: "Void record". */
  readonly submit: string;
  readonly cancel: string;
  /** True if it deletes something or cannot be undone. */
  readonly destructive?: boolean;
  readonly fields?: Readonly<Record<string, string>>;
}

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
