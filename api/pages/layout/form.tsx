import type { ComponentChildren } from 'preact';
import { CSRF_FIELD } from '../../web/session/csrf.ts';
import { getFormOwner, OWNER_FIELD } from '../../web/session/form-owner.ts';
import { ErrorSummary } from './error-summary.tsx';
import { FormContext, type FormState } from './form-context.ts';
import { useFrame } from './frame-context.ts';

/** Hidden field with the CSRF token. */
const CsrfField = () => <input type="hidden" name={CSRF_FIELD} value={useFrame().csrfToken()} />;

/** Hidden field with the seat that opened the form: only that account may send it. */
const FormOwnerField = () => (
  <input type="hidden" name={OWNER_FIELD} value={getFormOwner(useFrame().who)} />
);

/** Properties of a form. */
export interface FormProps {
  /** Address for the POST. */
  readonly action: string;
  readonly class?: string;
  readonly id?: string | undefined;
  /** For file uploads, which require the token as the first field, as here. */
  readonly files?: boolean;
  readonly children: ComponentChildren;
}

/**
 * POST form with its token and seat. Only the server validates, so browser validation is off. Shows
 * the errors of the page if they are about this form.
 * @param values texts of its fields by name
 */
export const Form = ({
  children,
  values = {},
  ...parts
}: FormProps & { readonly values?: FormState['values'] }) => {
  const { path, errors: all } = useFrame();
  const errors = parts.action.split('?')[0] === path ? all : [];
  return (
    <FormContext.Provider value={{ errors, values }}>
      <ErrorSummary errors={errors} />
      <FormWithoutOwner {...parts}>
        <FormOwnerField />
        {children}
      </FormWithoutOwner>
    </FormContext.Provider>
  );
};

/** Form without its own seat field, for a page that preserves another form with its fields. */
export const FormWithoutOwner = ({ action, files = false, children, ...rest }: FormProps) => (
  <form
    method="post"
    action={action}
    noValidate
    encType={files ? 'multipart/form-data' : undefined}
    {...rest}
  >
    <CsrfField />
    {children}
  </form>
);
