import { Form } from './form.tsx';
import { useFrame } from './frame-context.ts';
import { homeOf } from './places.ts';

/** Product, practice, seat and the way out; under it, on pages of a sandbox, its banner. */
export const PageHeader = () => {
  const { who } = useFrame();
  return (
    <header class="frame__header">
      <div class="bar">
        <a class="bar__product" href={who === null ? '/sign-in' : homeOf(who)}>
          Birth Registry
        </a>
        {who !== null && (
          <>
            <span class="bar__practice">
              {who.kind === 'staff' ? 'Service staff' : who.practice.name}
            </span>
            <span class="bar__seat">
              {who.email}
              {who.kind === 'member' && ` · ${who.role}`}
            </span>
            <Form action="/sign-out" class="bar__sign-out">
              <button type="submit" class="usa-button usa-button--unstyled">
                Sign out
              </button>
            </Form>
          </>
        )}
      </div>
      {who?.kind === 'member' && who.practice.sandbox && (
        <p class="sandbox-banner">Sandbox: synthetic data only</p>
      )}
    </header>
  );
};
