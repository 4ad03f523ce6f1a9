import type { Request, Response } from 'express';
import type { CourseOfCare } from '../../../domain/course-of-care/canonical-record.ts';
import type { NamedRecord } from '../../../domain/course-of-care/finding/named-record.ts';
import type { KnownBirthRecord } from '../../../domain/course-of-care/state.ts';
import type { Seat } from '../../access/signed-in.ts';
import { seatOf } from '../../web/seats.ts';
import type { SavedCourse } from '../../write-path/save-course.ts';
import { Notice } from '../frame/flash-messages.tsx';
import { sendPage } from '../frame/send-page.tsx';
import { AMENDED_VERSION, carriedTarget } from './amended-version.ts';
import { ChartNumberTaken, LooksAlike, RecordLinks } from './asking-pages.tsx';
import type { BirthFormParts } from './birth-form-parts.ts';
import type { Entry } from './entry.ts';
import { differencesInWords } from './record-words.ts';
import { refusalInWords } from './what-was-saved.ts';

/** Where a new birth is entered. */
export const NEW_BIRTH_PATH = '/registry/records/new';

/** A birth that could not be saved yet. */
export interface Unsaved {
  readonly entry: Pick<Entry, 'seat' | 'customFields'>;
  /** Where the question is posted; the form of a new birth unless said. */
  readonly action?: string;
  readonly course: CourseOfCare;
  /** Hidden fields with which the question comes back. */
  readonly carried: Readonly<Record<string, string>>;
}

type Refused = Extract<SavedCourse, { readonly kind: 'refused' }>;

/** What is said when a new birth is not saved. A Scribe learns nothing of other records. */
export const answersOf = (parts: Pick<BirthFormParts, 'nameRecords' | 'accessNotes'>) => {
  const nameFor = async (
    res: Response,
    { role, practiceId }: Seat,
    recordIds: readonly string[],
  ): Promise<readonly NamedRecord[] | null> => {
    if (role === 'Scribe') return null;
    await parts.accessNotes.recordsShown(res, { place: 'entry', recordIds });
    return parts.nameRecords(practiceId, recordIds);
  };

  return {
    /** Asks before a record is amended, or saved beside one that it looks like. */
    async askFirst(
      req: Request,
      res: Response,
      { entry, course, carried, action = NEW_BIRTH_PATH }: Unsaved,
      saved: Exclude<SavedCourse, Refused | { readonly kind: 'saved' }>,
    ): Promise<void> {
      switch (saved.kind) {
        case 'exists': {
          const named = await nameFor(res, entry.seat, [saved.held.submissionUuid]);
          const held =
            named?.[0] === undefined
              ? null
              : {
                  record: named[0],
                  isVoided: saved.held.status === 'voided',
                  changes: changesBy(course, saved.held, entry),
                };
          const chartNumber = course.chart_number ?? '';
          const title = 'The chart number is taken';
          // What the person is shown is what they may replace, and nothing later.
          const target = { kind: 'amend', version: saved.held.version } as const;
          const children = (
            <ChartNumberTaken
              {...{ action, chartNumber, held }}
              carried={{ ...carried, ...carriedTarget(target) }}
              hasMovedOn={carried[AMENDED_VERSION] !== undefined}
            />
          );
          sendPage(req, res, { title, children }, 409);
          return;
        }
        case 'look-alike': {
          const records = await nameFor(res, entry.seat, saved.submissionUuids);
          const title = 'This birth may be recorded already';
          const children = <LooksAlike {...{ action, carried, records }} />;
          sendPage(req, res, { title, children }, 409);
          return;
        }
        case 'changed-meanwhile':
        case 'no-such-record':
          throw new TypeError('A new birth was answered as a correction.');
      }
    },

    /** Why it was refused, with the records that stand in the way. */
    async refusalOf(res: Response, { rejection, matches }: Refused, seat: Seat) {
      const records = (await nameFor(res, seat, matches)) ?? [];
      return (
        <>
          <Notice kind="error">{refusalInWords(rejection)}</Notice>
          {records.length > 0 && <RecordLinks records={records} />}
        </>
      );
    },
  };
};

/** The form was saved before, and says something else by now. */
export const sendRecordedAlready = (req: Request, res: Response, submissionUuid: string): void => {
  const isReader = seatOf(res).role !== 'Scribe';
  sendPage(
    req,
    res,
    {
      title: 'This birth is recorded already',
      action: (
        <a class="usa-button" href={NEW_BIRTH_PATH}>
          Enter another
        </a>
      ),
      children: (
        <p>
          The form was saved before, and what you have changed in it since was not.{' '}
          {isReader ? (
            <a href={`/registry/records/${submissionUuid}/correct`}>Correct the record</a>
          ) : (
            'Ask an Admin or Provider of your practice to correct the record'
          )}{' '}
          if something in it is wrong, or enter another birth in a new form.
        </p>
      ),
    },
    409,
  );
};

/** An amendment keeps what people cannot state, and the practice's own fields that are not typed. */
const changesBy = (
  course: CourseOfCare,
  { course: held }: KnownBirthRecord,
  entry: Unsaved['entry'],
) =>
  differencesInWords(
    held,
    { ...course, custom: { ...held.custom, ...course.custom } },
    { timeZone: entry.seat.practice.timeZone, customFields: entry.customFields },
  );
