import { type Request, type Response, Router } from 'express';
import type { OffsetAt } from '../../../domain/course/local-times.ts';
import type { FormValues } from '../../../domain/mapping/form/form-fields.ts';
import type { FoundImport } from '../../../domain/submission/staged-import.ts';
import { noteRecordsShown } from '../../access-log/access-notes.ts';
import {
  type ComparedRow,
  compareRow,
  decideReplacement,
  type WhichImport,
} from '../../import/revise-import.ts';
import type { App } from '../../ports/app-ports.ts';
import { createOffsetAt } from '../../practice-time/practice-clock.ts';
import { readFormText } from '../../web/form-body.ts';
import { getSeat, requireAdminOrProvider, requireRole } from '../../web/guards/seats.ts';
import { pageNotFound } from '../../web/page-problem.ts';
import { addFlash } from '../../web/session/flash.ts';
import { CheckboxField } from '../layout/checkbox-field.tsx';
import { ErrorSummary } from '../layout/error-summary.tsx';
import { type FieldError, findError } from '../layout/field-errors.ts';
import { Notice } from '../layout/flash-messages.tsx';
import { Form } from '../layout/form.tsx';
import { RecordLink } from '../layout/record-link.tsx';
import { sendPage } from '../layout/send-page.tsx';
import {
  CHART_NUMBER_IS_RIGHT,
  describeReplacedRecord,
  REPLACES_FIELD,
} from '../parts/birth-form/confirm/chart-number-in-use.tsx';
import {
  compareBirths,
  formatMotherAndBirth,
  formatMotherName,
} from '../parts/birth-form/confirm/compare-births.ts';
import { SideBySide } from '../parts/birth-form/confirm/side-by-side.tsx';
import { sendForReview } from '../parts/birth-form/drafts/send-for-review.ts';
import { formatFormValues } from '../parts/birth-form/form/form-values.ts';
import { buildCourseContext } from '../text/course-values.ts';
import { IMPORT_PATH } from './file-form.tsx';

const ROW = `${IMPORT_PATH}/:id/rows/:row`;
const VERSION_FIELD = 'version';

/** Resolves rows whose chart number belongs to another woman, one at a time. */
export const importRowRouter = (app: App): Router =>
  Router()
    .get(ROW, requireAdminOrProvider, async (req, res) => {
      await sendComparison(app, req, res, await loadComparison(app, req, res), []);
    })
    .post(ROW, requireAdminOrProvider, async (req, res) => {
      const compared = await loadComparison(app, req, res);
      const leavesOut = readFormText(req, 'save') === 'leave-out';
      if (!leavesOut && readFormText(req, REPLACES_FIELD) !== 'yes') {
        await sendComparison(app, req, res, compared, [ROW_NOT_CONFIRMED]);
        return;
      }
      const version = leavesOut ? null : Number(readFormText(req, VERSION_FIELD));
      const decided = await decideReplacement(
        app,
        readImport(req, res),
        readRowNumber(req),
        version,
      );
      switch (decided) {
        case 'gone':
          throw pageNotFound();
        case 'moved-on':
          await sendComparison(app, req, res, compared, [MOVED_ON]);
          return;
        case 'done':
          addFlash(req, {
            kind: 'success',
            text: leavesOut
              ? `Row ${readRowNumber(req)} will be left out.`
              : describeReplacement(readRowNumber(req)),
          });
          res.redirect(303, buildPreviewPath(req));
      }
    })
    .get(`${ROW}/hand-over`, requireRole('Scribe'), (req, res) =>
      res.redirect(303, buildPreviewPath(req)),
    )
    .post(`${ROW}/hand-over`, requireRole('Scribe'), async (req, res) => {
      const which = readImport(req, res);
      const compared = await loadComparison(app, req, res);
      const found = await app.stagedImports.find(which.practiceId, which.memberId, which.importId);
      await sendForReview(app, req, res, {
        id: app.deriveId('handed-over', which.importId, readRowNumber(req)),
        values: buildReviewValues(compared, found, createOffsetAt(getSeat(res).practice.timeZone)),
        isFromFile: true,
      });
      res.redirect(303, buildPreviewPath(req));
    });

export const describeComparison = (row: number): string =>
  `Row ${row}: this chart number belongs to another woman`;

export const describeReplacement = (row: number): string =>
  `Row ${row} will replace that record when you import the file.`;

const readImport = (req: Request, res: Response): WhichImport => {
  const { practiceId, memberId } = getSeat(res);
  return { practiceId, memberId, importId: String(req.params['id']) };
};

const readRowNumber = (req: Request): number => Number(req.params['row']);

const buildPreviewPath = (req: Request): string => `${IMPORT_PATH}/${String(req.params['id'])}`;

const loadComparison = async (app: App, req: Request, res: Response): Promise<ComparedRow> => {
  const compared = await compareRow(app, readImport(req, res), readRowNumber(req));
  if (compared === null) throw pageNotFound();
  return compared;
};

// If the file does not state consent, this row has none either.
const buildReviewValues = (
  { course }: ComparedRow,
  found: FoundImport | null,
  offsetAt: OffsetAt,
): FormValues => {
  const values = formatFormValues(course, offsetAt);
  const isConsentOpen = found?.summary.asksConsent === true && found.summary.consent === undefined;
  return isConsentOpen ? { ...values, 'consent.granted': '' } : values;
};

export const ROW_NOT_CONFIRMED: FieldError = {
  field: REPLACES_FIELD,
  id: 'replacement-not-confirmed',
  message: 'Check the box to replace that record, or leave the row out.',
};

const MOVED_ON: FieldError = {
  field: REPLACES_FIELD,
  id: 'record-moved-on',
  message: 'That record has changed since you opened this page. Compare the two again.',
};

const sendComparison = async (
  app: App,
  req: Request,
  res: Response,
  { row, course, existing }: ComparedRow,
  errors: readonly FieldError[],
): Promise<void> => {
  const { practiceId, practice } = getSeat(res);
  const recordIds = [existing.submissionUuid];
  await noteRecordsShown(app, res, { place: 'import-check', recordIds });
  const [[record], customFields] = await Promise.all([
    app.reads.nameRecords(practiceId, recordIds),
    app.reads.listCustomFields(practiceId),
  ]);
  const mother = formatMotherName(existing.course);
  const isConfirmed = row.anothers?.isConfirmed === true;
  sendPage(req, res, {
    title: describeComparison(row.row),
    hasErrors: errors.length > 0,
    children: (
      <Form action={`${buildPreviewPath(req)}/rows/${row.row}`}>
        <ErrorSummary errors={errors} />
        {isConfirmed && (
          <Notice kind="warning">
            You confirmed that this row replaces the record. Nothing has been imported yet.
          </Notice>
        )}
        <p>
          Chart number <strong>{course.chart_number}</strong> is on a{' '}
          {existing.status === 'voided' ? 'voided ' : ''}record of another woman,{' '}
          <RecordLink id={existing.submissionUuid}>
            {record === undefined
              ? (mother ?? 'mother’s name not recorded')
              : formatMotherAndBirth(record)}
          </RecordLink>
          . Correct the chart number in the file, or leave the row out.
        </p>
        <SideBySide
          beside={compareBirths(
            existing.course,
            course,
            buildCourseContext({ ...practice, customFields }),
          )}
          sent={`In row ${row.row}`}
        />
        <input type="hidden" name={VERSION_FIELD} value={String(existing.version)} />
        <div class="buttons">
          {isConfirmed ? (
            <button type="submit" name="save" value="leave-out" class="usa-button">
              Leave row {row.row} out
            </button>
          ) : (
            <a class="usa-button" href={buildPreviewPath(req)}>
              Leave row {row.row} out
            </a>
          )}
        </div>
        {!isConfirmed && (
          <details class="margin-top-3" open={errors.length > 0}>
            <summary>{CHART_NUMBER_IS_RIGHT}</summary>
            <CheckboxField
              name={REPLACES_FIELD}
              label={describeReplacedRecord(mother, formatMotherName(course))}
              hint="This replaces the record with a different birth. The current values stay in its history."
              error={findError(errors, REPLACES_FIELD)}
            />
            <div class="buttons">
              <button
                type="submit"
                name="save"
                value="replace"
                class="usa-button usa-button--secondary"
              >
                Replace this record
              </button>
            </div>
          </details>
        )}
      </Form>
    ),
  });
};
