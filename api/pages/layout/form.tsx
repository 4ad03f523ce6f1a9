import type { ComponentChildren } from 'preact';
import { CSRF_FIELD } from '../../web/session/csrf.ts';
import { ErrorSummary } from './error-summary.tsx';
import { FormContext, type FormState } from './form-context.ts';
import { useFrame } from './frame-context.ts';
import { OPENED_FIELD } from './opened-values.ts';

export interface FormProps {
  readonly action: string;
  readonly class?: string;
  readonly id?: string | undefined;
  /** For file uploads, which require the token as the first field, as here. */
  readonly files?: boolean;
  readonly values?: FormState['values'];
  /** CSRF token of the person who opened a form that this one preserves; default: the sender's. */
  readonly token?: string;
  /** Hash of the stored values that it shows; default: that of the page, if it is its form. */
  readonly openedHash?: string;
  readonly children: ComponentChildren;
}

/** Browser validation is off: only the server validates. */
export const Form = ({
  children,
  action,
  files = false,
  values = {},
  token,
  openedHash,
  ...rest
}: FormProps) => {
  const frame = useFrame();
  const isOfPage = action.split('?')[0] === frame.path;
  const errors = isOfPage ? frame.errors : [];
  const formHash = openedHash ?? (isOfPage ? frame.openedHash : undefined);
  return (
    <FormContext.Provider value={{ errors, values }}>
      <ErrorSummary errors={errors} />
      <form
        method="post"
        action={action}
        noValidate
        encType={files ? 'multipart/form-data' : undefined}
        {...rest}
      >
        <input type="hidden" name={CSRF_FIELD} value={token ?? frame.csrfToken()} />
        {formHash !== undefined && <input type="hidden" name={OPENED_FIELD} value={formHash} />}
        {children}
      </form>
    </FormContext.Provider>
  );
};
