import type { Router } from 'express';
import {
  CERTIFICATE_ITEMS,
  type CertificateItem,
  ITEM_SECTIONS,
  type ItemSection,
} from '../../../../domain/course/certificate-items.ts';
import { DAYS_UNTIL_DUE } from '../../../../domain/course/missing-items.ts';
import type { App } from '../../../ports/app-ports.ts';
import { readFormText, readFormTexts } from '../../../web/form-body.ts';
import { getSeat, requireAdmin } from '../../../web/guards/seats.ts';
import { CheckboxField } from '../../layout/checkbox-field.tsx';
import { Form } from '../../layout/form.tsx';
import type { StoredValue, StoredValues } from '../../layout/opened-values.ts';
import { createPageCommands } from '../../layout/page-commands.ts';
import { createRouter, form, loadNothing, redirect } from '../../layout/routes.tsx';
import { TextField } from '../../layout/text-field.tsx';
import { SECTION_TEXT, WORKSHEET_TEXT, WORKSHEETS } from '../../text/section-text.ts';

export const COMPLETENESS = '/registry/practice/completeness';

const DAYS_LABEL = 'Days after the birth';

const WHOLE_NUMBER = /^\d{1,4}$/;

interface ChosenItems {
  readonly needed: readonly string[];
  readonly days: string;
}

export const completenessRouter = (app: App): Router =>
  createRouter(
    form(COMPLETENESS, requireAdmin, {
      load: loadNothing,
      title: 'What a record needs',
      returnTo: COMPLETENESS,
      open: (_loaded, _req, res): ChosenItems => {
        const { neededItems, daysUntilDue } = getSeat(res).practice;
        return { needed: neededItems, days: String(daysUntilDue ?? '') };
      },
      read: (req) => ({
        needed: readFormTexts(req, 'needed'),
        days: readFormText(req, 'days').trim(),
      }),
      replaces: STORED,
      view: (chosen) => <Completeness chosen={chosen} />,
      placeRefusal: () => 'days',
      save: async ({ needed, days }, _loaded, _req, res) => {
        const seat = getSeat(res);
        await createPageCommands(app, res).practices.setCompleteness(seat.practiceId, {
          neededItems: needed,
          daysUntilDue: days === '' ? null : WHOLE_NUMBER.test(days) ? Number(days) : Number.NaN,
        });
        return redirect(
          COMPLETENESS,
          'Saved. Each record now shows which of these items are missing.',
        );
      },
    }),
  );

const buildItemSuffix = (id: string): string => `-${id}`;

const storeItem = ({ id, words }: CertificateItem): [string, StoredValue<ChosenItems>] => [
  `needed${buildItemSuffix(id)}`,
  {
    label: words,
    compare: ({ needed }) => needed.includes(id),
    describe: ({ needed }) =>
      needed.includes(id) ? `“${words}” is now needed.` : `“${words}” is no longer needed.`,
  },
];

const STORED: StoredValues<ChosenItems> = {
  ...Object.fromEntries(CERTIFICATE_ITEMS.map(storeItem)),
  days: { label: DAYS_LABEL },
};

const Completeness = ({ chosen }: { readonly chosen: ChosenItems }) => (
  <>
    <p>
      Choose the items of the US Standard Certificate of Live Birth that your practice needs. A
      record shows which of them are missing, and which worksheet asks for them. Births are recorded
      with or without them.
    </p>
    <p class="quiet">
      Items that do not apply are not asked for: a fetal death needs no Apgar score, and a partner’s
      de-identified record needs no names.
    </p>
    <Form action={COMPLETENESS} values={chosen}>
      {ITEM_SECTIONS.map((section) => (
        <Section key={section} section={section} needed={chosen.needed} />
      ))}
      <h2>Due date</h2>
      <TextField
        name="days"
        label={DAYS_LABEL}
        hint={`From ${DAYS_UNTIL_DUE.from} to ${DAYS_UNTIL_DUE.to}. Leave it empty for no due date.`}
        inputMode="numeric"
        width="small"
      />
      <div class="buttons">
        <button type="submit" class="usa-button">
          Save
        </button>
      </div>
    </Form>
  </>
);

const Section = ({
  section,
  needed,
}: {
  readonly section: ItemSection;
  readonly needed: readonly string[];
}) => (
  <>
    <h2>{SECTION_TEXT[section]}</h2>
    {WORKSHEETS.map((worksheet) => (
      <Items
        key={worksheet}
        legend={WORKSHEET_TEXT[worksheet]}
        of={SECTION_TEXT[section]}
        items={CERTIFICATE_ITEMS.filter(
          (item) => item.section === section && item.worksheet === worksheet,
        )}
        needed={needed}
      />
    ))}
  </>
);

interface ItemsProps {
  readonly legend: string;
  /** Section of the items, for screen readers. */
  readonly of: string;
  readonly items: readonly CertificateItem[];
  readonly needed: readonly string[];
}

const Items = ({ legend, of, items, needed }: ItemsProps) =>
  items.length === 0 ? null : (
    <fieldset class="usa-fieldset choices choices--columns">
      <legend class="usa-legend">
        <span class="usa-sr-only">{of}: </span>
        {legend}
      </legend>
      {items.map(({ id, words }) => (
        <CheckboxField
          key={id}
          name="needed"
          suffix={buildItemSuffix(id)}
          value={id}
          label={words}
          checked={needed.includes(id)}
        />
      ))}
    </fieldset>
  );
