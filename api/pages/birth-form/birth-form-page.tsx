import type { Response } from 'express';
import type { App } from '../../ports/app-ports.ts';
import { getSeat } from '../../web/guards/seats.ts';
import type { PageView } from '../layout/page.tsx';
import type { FormViewOptions } from '../parts/birth-form/birth-form-flow.tsx';
import { BirthForm, type BirthFormView } from '../parts/birth-form/form/birth-form.tsx';
import { toDateReading } from '../parts/birth-form/form/entry.ts';
import { buildFormViewModel, type FormContent } from '../parts/birth-form/form/form-values.ts';
import { CHECK } from './check-answers.tsx';

interface BirthFormPage
  extends Omit<BirthFormView, 'look' | 'customFields' | 'submit'>,
    FormViewOptions {
  readonly title: string;
  readonly hasErrors?: boolean;
}

export const buildBirthFormPage = async (
  app: App,
  res: Response,
  content: FormContent,
  { title, status = 200, hasErrors = status !== 200, returnTo, above, ...form }: BirthFormPage,
): Promise<PageView> => {
  const seat = getSeat(res);
  const customFields = await app.reads.listCustomFields(seat.practiceId);
  return {
    title,
    status,
    hasErrors,
    scripts: ['birth-form.mjs'],
    returnTo,
    children: (
      <>
        {above}
        <BirthForm
          {...form}
          look={buildFormViewModel(content, seat.practice, toDateReading(seat, app.now()))}
          customFields={customFields}
          submit={CHECK}
        />
      </>
    ),
  };
};
