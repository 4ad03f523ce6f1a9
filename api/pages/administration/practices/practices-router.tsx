import type { Router } from 'express';
import type { App } from '../../../ports/app-ports.ts';
import { readFormText, readQueryText } from '../../../web/form-body.ts';
import { requireStaff } from '../../../web/guards/seats.ts';
import { readPageNumber } from '../../../web/page-number.ts';
import { CheckboxField } from '../../layout/checkbox-field.tsx';
import { DataTable } from '../../layout/data-table.tsx';
import { EmptyState } from '../../layout/empty-state.tsx';
import { Form } from '../../layout/form.tsx';
import { FormButtons } from '../../layout/form-buttons.tsx';
import { createPageCommands } from '../../layout/page-commands.ts';
import { Pagination } from '../../layout/pagination.tsx';
import { createRouter, form, loadNothing, page, redirect } from '../../layout/routes.tsx';
import { Tag } from '../../layout/tag.tsx';
import { TextField } from '../../layout/text-field.tsx';

const LIST = '/staff/practices';
const ON_A_PAGE = 50;

export const staffPracticesRouter = (app: App): Router =>
  createRouter(
    page(LIST, requireStaff, async (req) => {
      const text = readQueryText(req, 'q').trim();
      const number = readPageNumber(req);
      const from = (number - 1) * ON_A_PAGE;
      const { total, practices } = await app.reads.searchPractices({
        text,
        from,
        count: ON_A_PAGE,
      });
      const pages = Math.max(1, Math.ceil(total / ON_A_PAGE));
      if (number > pages) return redirect(buildPracticesPath(text, pages));
      return {
        title: 'Practices',
        action: (
          <a class="usa-button" href={`${LIST}/new`}>
            Set up a practice
          </a>
        ),
        children: (
          <>
            <form
              method="get"
              action={LIST}
              class="search-line cluster cluster--close flex-align-end margin-bottom-3"
            >
              <label class="usa-label width-full" for="field-q">
                Name
              </label>
              <input class="usa-input field" id="field-q" name="q" type="search" value={text} />
              <button type="submit" class="usa-button usa-button--outline">
                Find practices
              </button>
            </form>
            {practices.length === 0 && text === '' && (
              <EmptyState links={[{ href: `${LIST}/new`, text: 'Set up a practice' }]}>
                No practices yet.
              </EmptyState>
            )}
            {practices.length === 0 && text !== '' && (
              <EmptyState
                id="no-practice-found"
                links={[{ href: LIST, text: 'Show all practices' }]}
              >
                No practice has this in its name.
              </EmptyState>
            )}
            {practices.length > 0 && (
              <DataTable
                caption="Practices"
                captionHidden
                rows={practices}
                keyOf={({ practiceId }) => practiceId}
                columns={[
                  {
                    heading: 'Practice',
                    namesRow: true,
                    cell: ({ practiceId, name }) => <a href={`${LIST}/${practiceId}`}>{name}</a>,
                  },
                  {
                    heading: 'Kind',
                    cell: ({ sandbox }) => (sandbox ? <Tag kind="sandbox" /> : 'Real practice'),
                  },
                  {
                    heading: 'Beta',
                    cell: ({ beta }) => (beta ? 'In the beta' : 'Not in the beta'),
                  },
                  { heading: 'Members', figures: true, cell: ({ members }) => members },
                  { heading: 'Active keys', figures: true, cell: ({ liveKeys }) => liveKeys },
                ]}
              />
            )}
            <Pagination
              page={number}
              pages={pages}
              of="practices"
              href={(to) => buildPracticesPath(text, to)}
            />
          </>
        ),
      };
    }),
    form(`${LIST}/new`, requireStaff, {
      load: loadNothing,
      title: 'Set up a practice',
      open: () => ({ name: '', sandbox: false, beta: false }),
      read: (req) => ({
        name: readFormText(req, 'name').trim(),
        sandbox: readFormText(req, 'sandbox') === 'yes',
        beta: readFormText(req, 'beta') === 'yes',
      }),
      replaces: null,
      view: (values) => (
        <Form action={LIST} values={values}>
          <TextField name="name" label="Name" />
          <fieldset class="usa-fieldset choices">
            <legend class="usa-legend">Initial settings</legend>
            <CheckboxField
              name="sandbox"
              label="A sandbox"
              hint="For synthetic data only. Its pages say so, and benchmarks leave it out."
              checked={values.sandbox}
            />
            <CheckboxField
              name="beta"
              label="In the beta"
              hint="Its Admin can mint keys."
              checked={values.beta}
            />
          </fieldset>
          <FormButtons submit="Set up practice" cancel={LIST} />
        </Form>
      ),
      postTo: LIST,
      placeRefusal: () => 'name',
      save: async (typed, _loaded, _req, res) => {
        const practiceId = await createPageCommands(app, res).practices.create(typed);
        return redirect(
          `${LIST}/${practiceId}`,
          `${typed.name} was created. Now invite its first Admin.`,
        );
      },
    }),
  );

/** @param text search text; '' for all */
const buildPracticesPath = (text: string, page: number): string => {
  const query = new URLSearchParams({
    ...(text === '' ? {} : { q: text }),
    ...(page === 1 ? {} : { page: String(page) }),
  }).toString();
  return query === '' ? LIST : `${LIST}?${query}`;
};
