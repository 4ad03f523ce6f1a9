import { type Kysely, type Migration, sql } from 'kysely';

/**
 * Changes of the queue, per practice. Their sum is its content, which is known without
 * reading the queue. Triggers keep it, so that processes of the previous version do, too.
 */
export const queueChanges: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      create table app.queue_change (
        practice_id text not null,
        -- less than zero: what has left the queue
        courses bigint not null,
        bytes bigint not null
      )`.execute(db);
    // Only rows are added, never changed: concurrent pushes of a practice do not wait for each other.
    await sql`
      create function app.note_queue_change() returns trigger language plpgsql as $$
      declare
        sign integer := case tg_op when 'INSERT' then 1 else -1 end;
      begin
        insert into app.queue_change (practice_id, courses, bytes)
        select practice_id, sign * sum(courses), sign * sum(bytes)
        from changed group by practice_id;
        return null;
      end $$`.execute(db);
    // Until the triggers are there, nothing may enter or leave uncounted.
    await sql`lock table app.submission in share row exclusive mode`.execute(db);
    await sql`
      insert into app.queue_change (practice_id, courses, bytes)
      select practice_id, sum(courses), sum(bytes) from app.submission group by practice_id`.execute(
      db,
    );
    await sql`
      create trigger note_added after insert on app.submission
      referencing new table as changed for each statement
      execute function app.note_queue_change()`.execute(db);
    await sql`
      create trigger note_removed after delete on app.submission
      referencing old table as changed for each statement
      execute function app.note_queue_change()`.execute(db);
  },
};
