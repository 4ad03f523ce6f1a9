import type { ComponentChildren } from 'preact';
import { Form } from './form.tsx';
import { FormButtons } from './form-buttons.tsx';

/** What is about to happen, and the two ways on. */
export interface ConfirmProps {
  /** Exactly what will change, and for whom. */
  readonly children: ComponentChildren;
  readonly action: string;
  readonly id?: string | undefined;
  /** The button: a verb with its object, "Void record". */
  readonly submit: string;
  /** Where nothing happens. */
  readonly cancel: string;
  /** It destroys something, or cannot be undone. */
  readonly destructive?: boolean;
  /** Hidden fields of the form. */
  readonly fields?: Readonly<Record<string, string>>;
}

/** The content of a page that asks before something is done. */
export const Confirm = (props: ConfirmProps) => {
  const { children, action, id, submit, cancel, destructive = false, fields = {} } = props;
  return (
    <Form action={action} id={id} class="confirm">
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
      <FormButtons submit={submit} cancel={cancel} destructive={destructive} />
    </Form>
  );
};
