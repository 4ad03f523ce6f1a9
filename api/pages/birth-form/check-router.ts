import type { Response, Router } from 'express';
import type { FieldMessage } from '../../../domain/course/field-messages.ts';
import type { FormValues } from '../../../domain/mapping/form/form-fields.ts';
import type { App } from '../../ports/app-ports.ts';
import { createOffsetAt } from '../../practice-time/practice-clock.ts';
import { readFormText } from '../../web/form-body.ts';
import { getSeat, requireAdminOrProvider, requireWriter } from '../../web/guards/seats.ts';
import { pageNotFound } from '../../web/page-problem.ts';
import { createRouter, post } from '../layout/routes.tsx';
import {
  type Entry,
  parseEntry,
  parseUuid,
  readEntry,
  toDateReading,
} from '../parts/birth-form/form/entry.ts';
import { sendFormCheck } from '../parts/birth-form/form/form-check.ts';
import { formatFormValues, isBlank, locateNotices } from '../parts/birth-form/form/form-values.ts';
import { readReasonValues } from './correction-reason.tsx';
import { findRecord, findVersion } from './record-in-log.ts';

/** Applies the same rules as saving. */
export const checkRouter = (app: App): Router => {
  const answer = async (
    res: Response,
    entry: Entry,
    others: FormValues = {},
  ): Promise<undefined> => {
    const { owner, name, seat, version, edition, typedUnder } = entry;
    const values = { ...entry.values, ...others };
    const shouldSave = shouldSaveDraft(values, entry);
    // A blank or unchanged form needs no draft.
    if (!shouldSave && edition !== null) await app.drafts.clear(owner, name, edition);
    const saved = shouldSave
      ? await app.drafts.save(owner, name, { values, version, typedUnder }, edition)
      : null;
    const parsed = parseEntry(entry, app.now());
    const notices = [...(await findChartNumberConflict(app, entry)), ...locateNotices(parsed)];
    const reading = toDateReading(seat, app.now());
    sendFormCheck(res, { values, parsed, notices, saved, times: seat.practice, reading });
  };

  return createRouter(
    post('/registry/records/check', requireWriter, async (req, res) => {
      const draftId = parseUuid(readFormText(req, 'submission'));
      if (draftId === null) throw pageNotFound();
      return answer(res, await readEntry(app, req, res, { form: 'new', draftId }, null));
    }),
    post('/registry/records/:record/correct/check', requireAdminOrProvider, async (req, res) => {
      const { practiceId } = getSeat(res);
      const draftId = parseUuid(String(req.params['record']));
      const version = Number(readFormText(req, 'version'));
      if (draftId === null || !Number.isSafeInteger(version)) throw pageNotFound();
      const [record, course] = await Promise.all([
        findRecord(app, practiceId, draftId),
        findVersion(app, practiceId, draftId, version),
      ]);
      if (record === null || course === null) throw pageNotFound();
      const { keyKind } = record;
      const name = { form: 'correct', draftId } as const;
      const entry = await readEntry(app, req, res, name, { course, version, keyKind });
      return answer(res, entry, readReasonValues(req));
    }),
  );
};

/** Notice during typing; saving then asks about the existing record. */
export const findChartNumberConflict = async (
  { reads }: App,
  { seat, base, values }: Entry,
): Promise<readonly FieldMessage[]> => {
  const chartNumber = (values['chart_number'] ?? '').trim();
  if (base !== null || chartNumber === '') return [];
  const records = await reads.listNamedRecordsByChartNumber(seat.practiceId, [chartNumber]);
  const message =
    'A record already has this chart number. When you save, you can choose to amend it.';
  return records.length === 0
    ? []
    : [{ path: 'chart_number', id: 'chart-number-has-record', message }];
};

/** Returns `false` if the form has no content or equals its initial state. */
const shouldSaveDraft = (values: FormValues, { base, seat }: Entry): boolean => {
  if (base === null) return !isBlank(values);
  const initialValues = formatFormValues(base, createOffsetAt(seat.practice.timeZone));
  return Object.entries(values).some(
    ([key, text]) => text.trim() !== (initialValues[key] ?? '').trim(),
  );
};
