import type { MeasuredGauge } from '../health/metrics.ts';
import type { SharedParts } from './parts.ts';

/** What operators watch between the log, the queue and the read tables. */
export const measuredGaugesOf = ({ stores, queue }: SharedParts): readonly MeasuredGauge[] => {
  const { db, log } = stores;
  return [
    {
      name: 'registry_queued_courses',
      help: 'Courses of care that wait in the queue, those under way included.',
      measure: queue.queuedCourses,
    },
    {
      name: 'registry_parked_streams',
      help: 'Streams that the projector has parked for a fault of their data.',
      measure: async () => {
        const { parked } = await db
          .selectFrom('read.parked_stream')
          .select(({ fn }) => fn.countAll<string>().as('parked'))
          .executeTakeFirstOrThrow();
        return Number(parked);
      },
    },
    {
      name: 'registry_log_position',
      help: 'Position of the last event of the log.',
      measure: async () => Number(await log.head()),
    },
    {
      name: 'registry_projection_position',
      help: 'Position of the log up to which the read tables are built.',
      measure: async () => {
        const { position } = await db
          .selectFrom('read.checkpoint')
          .select('position')
          .executeTakeFirstOrThrow();
        return Number(position);
      },
    },
  ];
};
